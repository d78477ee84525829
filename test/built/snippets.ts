/** Reads the code blocks of documents. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./rig.ts";

/** A fenced block. */
export interface Snippet {
  /** Its language: `sh`, `yaml`. */
  readonly kind: string;
  readonly text: string;
}

/** All snippets of a document. */
export async function allSnippetsOf(document: string): Promise<Snippet[]> {
  return snippetsIn(await readFile(join(ROOT, document), "utf8"));
}

/** All snippets under a heading of a document, up to the next heading of its level, and the examples that it links. */
export async function snippetsOf(heading: string, document: string): Promise<Snippet[]> {
  const text = await readFile(join(ROOT, document), "utf8");
  const [, section] = text.split(`\n${heading}\n`);
  if (section === undefined) throw new Error(`${document} has no "${heading}"`);
  const [own = ""] = section.split("\n## ");
  const linked = Array.from(
    own.matchAll(/\(\.\.\/\.\.\/(examples\/ci\/([^)]+))\)/g),
    async ([, file = "", name = ""]) => {
      const kind = name.endsWith(".sh") ? "sh" : "yaml";
      return { kind, text: await readFile(join(ROOT, file), "utf8") };
    },
  );
  return [...snippetsIn(own), ...(await Promise.all(linked))];
}

function snippetsIn(text: string): Snippet[] {
  const blocks = text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, kind = "", text = ""]) => ({ kind, text }));
}

/** The only snippet of a language that contains these words. */
export function theSnippet(snippets: readonly Snippet[], kind: string, words: string): string {
  const found = snippets.filter((one) => one.kind === kind && one.text.includes(words));
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) {
    throw new Error(`${found.length} snippets of ${kind} have "${words}", not one`);
  }
  return only.text;
}
