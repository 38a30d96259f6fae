/** A small local file that may be deleted at any time. */
export interface StateFile {
  /** Undefined where there is none or it does not parse. */
  load(): Promise<unknown>;
  /** Whole or not at all. */
  save(value: unknown): Promise<void>;
}
