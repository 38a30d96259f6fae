import pc from 'picocolors';

export type Colors = ReturnType<typeof pc.createColors>;

export interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
}

/** Where a command writes. Colours are for a terminal alone. */
export interface Out {
  readonly colors: Colors;
  readonly isTerminal: boolean;
  /** As it is, without a line end. */
  bytes(text: string): void;
  line(text?: string): void;
  /** One JSON document on one line. */
  json(value: unknown): void;
  /** One line for people, on stderr. */
  complain(text: string): void;
}

export function outTo(stdout: Stream, stderr: Stream): Out {
  const isTerminal = stdout.isTTY === true;
  const bytes = (text: string): void => void stdout.write(text);
  return {
    colors: pc.createColors(isTerminal && pc.isColorSupported),
    isTerminal,
    bytes,
    line: (text = '') => bytes(`${text}\n`),
    json: (value) => bytes(`${JSON.stringify(value)}\n`),
    complain: (text) => void stderr.write(`writ: ${text}\n`),
  };
}
