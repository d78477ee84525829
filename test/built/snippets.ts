/** Reads the code blocks of docs/how-to/run-in-ci.md. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./rig.ts";

const TEXT = readFileSync(join(ROOT, "docs/how-to/run-in-ci.md"), "utf8");

/** The only code block of a language that contains these words. */
export function theSnippet(language: string, words: string): string {
  const blocks = [...TEXT.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
  const found = blocks.filter(([, own, text]) => own === language && text?.includes(words));
  if (found.length !== 1) throw new Error(`${found.length} blocks have "${words}", not one`);
  return found[0]?.[2] ?? "";
}
