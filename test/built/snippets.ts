/** The code that the README shows, as it stands there. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./rig.ts";

/** A fenced block. */
export interface Snippet {
  /** Its language: `sh`, `yaml`. */
  readonly kind: string;
  readonly text: string;
}

/** All snippets below a heading of the README, up to the next one of its level. */
export async function snippetsOf(heading: string): Promise<Snippet[]> {
  const readme = await readFile(join(ROOT, "README.md"), "utf8");
  const [, section] = readme.split(`\n${heading}\n`);
  if (section === undefined) throw new Error(`README.md has no "${heading}"`);
  const [own = ""] = section.split("\n## ");
  const blocks = own.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, kind = "", text = ""]) => ({ kind, text }));
}

/** The one snippet of a language that holds these words. */
export function theSnippet(snippets: readonly Snippet[], kind: string, words: string): string {
  const found = snippets.filter((one) => one.kind === kind && one.text.includes(words));
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) {
    throw new Error(`${found.length} snippets of ${kind} have "${words}", not one`);
  }
  return only.text;
}
