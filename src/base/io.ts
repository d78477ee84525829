/** The standard streams as a value, with what a command must know about each. */
import type { Readable, Writable } from "node:stream";

/** Standard output or standard error. */
export interface Output {
  readonly isTerminal: boolean;
  /** The terminal's width in columns; 80 where it does not say. */
  readonly columns: number;
  /** The stream itself, for libraries that draw on it (prompts, progress). */
  readonly stream: Writable;
  /** What `write` makes of a text first, for those who write past it: no secret is left. */
  readonly mask?: (text: string) => string;
  /**
   * Writes text and resolves when more may be written. A reader that has gone away is no error:
   * `closed` turns true and further text is dropped. Rejects with kind `output` when the system
   * cannot take the text, as on a full disk.
   */
  write(text: string): Promise<void>;
  /** Whether the reader has gone away (`| head`). */
  readonly closed: boolean;
}

/** Standard input. */
interface Input {
  readonly isTerminal: boolean;
  readonly stream: Readable;
}

/** The three standard streams. */
export interface IO {
  readonly in: Input;
  readonly out: Output;
  readonly err: Output;
}
