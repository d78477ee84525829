/** The course files of a year: 300 real courses, with the prices and comments of their editors. */
import { readFileSync } from "node:fs";
import type { Provider } from "../../src/course/provider.ts";
import { realFiles } from "../real-courses.ts";

/** A course file. */
export interface YearFile {
  /** Where it is at first: the folder of its language. */
  readonly name: string;
  /** Where it moves: the folder of its site. */
  readonly movedTo: string;
  readonly text: string;
}

/** How editors add a price in YAML. Most parse quickly; a list on one line takes several times as long. */
const PRICES = {
  block: (price: string) => `prices:
  # Gross, with tax.
  - type: single_course
    price: "${price}"   # keep below 200
    currency: EUR
`,
  inline: (price: string) => `prices:
- {type: single_course, price: '${price}', currency: USD}   # list price
# Next: add a video.
`,
  line: (price: string) =>
    `prices:   [ { type: single_course, price: "${price}", currency: EUR } ]   # gross\n`,
};
const NOTES = "x-notes:   # for our own scripts\n  owner: &owner editorial\n  reviewer: *owner\n";

/** The providers of the courses. */
export function yearProviders(): Provider[] {
  const file = new URL("../real-courses/providers.ndjson", import.meta.url);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line): Provider => JSON.parse(line));
}

/** The files, always the same. */
export function yearFiles(): YearFile[] {
  return realFiles().map(({ file, language, text }, index) => {
    const [site = "", slug = ""] = file.split("/");
    const annotate = slug.endsWith(".json") ? annotateJson : annotateYaml;
    return { name: `${language}/${site}-${slug}`, movedTo: file, text: annotate(text, index) };
  });
}

function annotateYaml(text: string, index: number): string {
  const style = index % 10 === 3 ? PRICES.line : index % 2 === 0 ? PRICES.block : PRICES.inline;
  const price = style(priceOf(index));
  const annotated = text
    .replace(/^(url: .*)/m, index % 2 === 0 ? "$1   # also in the newsletter" : "$1")
    .replace(/^long_description:/m, index % 4 === 0 ? "# Checked by an editor.\n$&" : "$&")
    .replace("\nfree_content:", `\n${price}paid_content: true\nfree_content:`)
    .replace(/$/, index % 30 === 0 ? NOTES : "");
  // Some editors work on Windows.
  return index % 5 === 0 ? annotated.replaceAll("\n", "\r\n") : annotated;
}

function annotateJson(text: string, index: number): string {
  const price = `{ "type": "single_course", "price": "${priceOf(index)}", "currency": "EUR" }`;
  return text.replace(
    /^( *)"free_content":/m,
    `$1"prices": [${price}],\n$1"paid_content": true,\n$&`,
  );
}

function priceOf(index: number): string {
  return `${20 + ((index * 37) % 100)}.${["00", "50", "90"][index % 3]}`;
}
