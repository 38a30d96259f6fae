import type { World } from './world/world';

export interface Listened<T> {
  play(): Promise<T>;
  /** What the run came to where it threw itself. */
  readonly failed: T;
}

/** What the product throws where nobody catches it belongs to the run: it is said with its seed and its trace. */
export async function whileListening<T>(
  { thrown }: Pick<World, 'thrown'>,
  { play, failed }: Listened<T>,
): Promise<T> {
  const threw = (error: unknown): void => {
    thrown.push(error instanceof Error ? (error.stack ?? error.message) : 'something that is no error');
  };
  process.on('unhandledRejection', threw);
  try {
    const played = await play();
    // Rejections are reported between two turns of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    return played;
  } catch (error) {
    threw(error);
    return failed;
  } finally {
    process.off('unhandledRejection', threw);
  }
}
