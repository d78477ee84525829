/** Writes the text of rows piece by piece, so that memory does not grow with their number. */
import type { Output } from "../base/io.ts";
import type { Formatter, Renderer } from "./formatter.ts";

const BUFFERED = 64 * 1024;
const ROWS_AT_ONCE = 16;

/** A renderer that writes at the end of each batch, and within it when much has come together. */
export function streamed(out: Output, formatter: Formatter): Renderer {
  return {
    async rows(batch) {
      let text = "";
      for (let start = 0; start < batch.length && !out.closed; start += ROWS_AT_ONCE) {
        text += formatter.rows(batch.slice(start, start + ROWS_AT_ONCE));
        if (text.length >= BUFFERED) {
          await out.write(text);
          text = "";
        }
      }
      if (text !== "") await out.write(text);
    },
    async end() {
      if (out.closed) return;
      const text = formatter.end();
      if (text !== "") await out.write(text);
    },
  };
}
