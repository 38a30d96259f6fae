import { Socket } from 'node:net';
import type { Frame } from './frames';
import { encodeFrame, FrameReader } from './frames';

export interface ChannelEvents {
  onFrame(frame: Frame): void;
  /** The other side has closed, has died, or does not speak our language. Said once. */
  onEnd(why: string): void;
}

/** Frames over a socket pair between a process and the one that started it. */
export class Channel {
  private ended = false;

  constructor(
    private readonly socket: Socket,
    private readonly events: ChannelEvents,
  ) {
    const reader = new FrameReader((frame) => this.events.onFrame(frame));
    socket.on('data', (chunk: Buffer) => {
      try {
        reader.push(chunk);
      } catch (error) {
        this.end(error instanceof Error ? error.message : 'broken frame');
        socket.destroy();
      }
    });
    socket.on('end', () => this.end('end of file'));
    socket.on('error', (error) => this.end(error.message));
    socket.on('close', () => this.end('closed'));
  }

  /** What is sent after the end is lost, as the peer is. */
  send(frame: Omit<Frame, 'payload'> & { readonly payload?: Buffer }): void {
    if (!this.ended) this.socket.write(encodeFrame(frame));
  }

  close(): void {
    this.socket.destroy();
  }

  private end(why: string): void {
    if (this.ended) return;
    this.ended = true;
    this.events.onEnd(why);
  }
}

/** Descriptor 3 of a process that was started with a socket pair there. */
export const openChannel = (events: ChannelEvents): Channel => new Channel(new Socket({ fd: 3 }), events);
