/** What people read has one word for each thing (CONTRIBUTING.md, "Style"). */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "rolldown/parseAst";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** What kind of text a sentence is. */
type Kind = "document" | "message" | "comment" | "title";

interface Banned {
  readonly pattern: RegExp;
  /** What to write. */
  readonly better: string;
  /** The texts in which the pattern counts. */
  readonly kinds: readonly Kind[];
}

function ban(kinds: readonly Kind[], rows: readonly (readonly [RegExp, string])[]): Banned[] {
  return rows.map(([pattern, better]) => ({ pattern, better, kinds }));
}

/** Terms that have one name. docs/README.md and docs/contributing/architecture.md define them. */
const BANNED: readonly Banned[] = [
  ...ban(
    ["document", "message", "title"],
    [
      [/\bmistakes?\b/i, "problem"],
      [/\bfindings\b|\b(an?|the|each|every|one|this|no|any|of) finding\b/i, "problem"],
      [/\bviolations?\b/i, "problem"],
      [/\bcertain (fix|suggestion)/i, "automatic fix"],
      [/\bstarter\b/i, "template"],
      [/\bexecut(e|es|ed|ing) (a|the|this|that) (\w+ )?plan/i, "apply a plan"],
      [/\bcreat(e|es|ed|ing) (\w+ ){0,2}again\b/i, "recreate"],
      [/\bcommands? that writes?\b|\bevery write\b/i, "change the catalog"],
      [/\bsites?\b(?! of)/i, "the catalog's website, the provider's website"],
      [/\b(your|their) own config\b/i, "user config file"],
    ],
  ),
  ...ban(
    ["document", "message"],
    [
      [/\b(saved|wrong|valid) key\b/i, "API key"],
      [/\bremote courses?\b/i, "the courses in the catalog"],
      [
        /\b(an?|the|this|that|its|your|no|which|foreign|complete) (\w+ )?(?<!IP |mail |network |loopback )address(es)?\b/i,
        "URL, base URL, host",
      ],
      [/\b(this|the same) program\b/i, "catalog"],
      [/\bproject('s)? config\b(?! files?\b)/i, "project config file"],
      [/\bowned by\b/i, "yours"],
    ],
  ),
  ...ban(
    ["document", "message", "comment", "title"],
    [
      [/(?<!safe\.|file or )\bdirector(y|ies)\b/i, "folder"],
      [/\b(lower|upper)-case\b|\bin (lower|upper) case\b/i, "lowercase, uppercase"],
      [/\breplace (?:\S+ ){1,6}?by\b/i, "replace … with"],
      [/\b(whoever|whatever|somebody|nobody)\b/i, "name the actor"],
      [/\b(tells|told)\b/i, "shows, reports, says"],
      [/\bstands (there|at|in)\b/i, "is"],
      [/\b(please|simply)\b|\bjust (a|an|the|run|add|use|write)\b/i, "nothing"],
      [/\bunsure\b|\bunclear (response|answer|result)/i, "uncertain; may have been created"],
      [/\b(colour|behaviour|licence|catalogue|grey|centre)\b/i, "American spelling"],
      [/\bcourses? of the catalog\b/i, "in the catalog"],
      [/\bin the place of\b/i, "instead of"],
      [/\b(is|are) taken for\b/i, "is mistaken for"],
      [/(?<!there )\b(is|are) no (link|file|folder)\b/i, "is not a"],
      [/\bonce more\b/i, "again"],
    ],
  ),
];

interface Text {
  readonly kind: Kind;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** The prose of documents, one text per paragraph: no code, no targets of links. */
function documents(): Text[] {
  const inDocs = filesBelow("docs", ".md");
  const files = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "examples/README.md",
    "src/course/rule-guide.md",
    // The titles of pictures, and what registries and marketplaces show.
    ...["tools/scripts/pictures.mjs", "package.json", "action.yml"],
  ];
  return [...files, ...inDocs].flatMap((file) => {
    const page = readFileSync(join(ROOT, file), "utf8")
      .replace(/^ *```[\s\S]*?^ *```$/gm, blankLines)
      .replace(/<!--[\s\S]*?-->/g, blankLines)
      .replace(/`[^`\n]+`/g, "``")
      .replace(/\]\([^)\s]*\)/g, "]");
    return paragraphs(page).map(({ line, text }) => ({
      kind: "document" as const,
      file,
      line,
      text,
    }));
  });
}

function blankLines(text: string): string {
  return text.replace(/[^\n]/g, "");
}

/** `a\nb\n\nc` is the paragraphs `a b` in line 1 and `c` in line 4. */
function paragraphs(page: string): { line: number; text: string }[] {
  let line = 1;
  return page.split(/\n(?=\s*\n|\s*[-*|\d#])/).map((text) => {
    const start = line + (text.match(/^\s*\n/g)?.length ?? 0);
    line += text.split("\n").length;
    return { line: start, text: text.trim().replace(/\s+/g, " ") };
  });
}

/** The sentences and the comments of the sources. */
function sources(): Text[] {
  return filesBelow("src", ".ts").flatMap((file) => {
    const code = readFileSync(join(ROOT, file), "utf8");
    const literals = literalsOf(code);
    const messages = literals.filter(({ text }) => isSentence(text));
    const comments = commentsOf(code, literals);
    return [...placed("message", file, code, messages), ...placed("comment", file, code, comments)];
  });
}

/** Whether a literal is text for people: a phrase of three words at least. */
function isSentence(text: string): boolean {
  return /[a-z]{2}\S* \S+ [a-z"$]/i.test(text);
}

/** The titles of tests: the text before a function, such as `test("a title", () => {`. */
function titles(): Text[] {
  return filesBelow("test", ".test.ts").flatMap((file) => {
    const code = readFileSync(join(ROOT, file), "utf8");
    const isTitle = ({ end }: Part) => /^,\s*(?:async )?\(/.test(code.slice(end, end + 40));
    return placed("title", file, code, literalsOf(code).filter(isTitle));
  });
}

/** A part of some code. */
interface Part {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function placed(kind: Kind, file: string, code: string, parts: readonly Part[]): Text[] {
  return parts.map(({ text, start }) => {
    return { kind, file, line: code.slice(0, start).split("\n").length, text };
  });
}

/** The strings and templates of TypeScript code; a value in a template is `…`. */
function literalsOf(code: string): Part[] {
  const found: Part[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, start, end, value, quasis } = node as Readonly<Record<string, unknown>>;
    const at = { start: Number(start), end: Number(end) };
    if (type === "Literal" && typeof value === "string") found.push({ text: value, ...at });
    if (type === "TemplateLiteral") {
      const parts = (quasis as { value: { cooked: string } }[]).map((one) => one.value.cooked);
      found.push({ text: parts.join("…"), ...at });
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(code, { lang: "ts" }));
  return found;
}

/** The comments of TypeScript code: `//` lines in a row are one comment. */
function commentsOf(code: string, literals: readonly Part[]): Part[] {
  let rest = code;
  for (const { start, end } of literals) {
    rest = rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end);
  }
  return [...rest.matchAll(/\/\*[\s\S]*?\*\/|\/\/.*(?:\n *\/\/.*)*/g)].map((match) => ({
    text: match[0]
      .replace(/^\s*(\/\*\*?|\*\/?|\/\/)/gm, "")
      .replace(/`[^`]+`/g, "``")
      .replace(/\s+/g, " "),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
    .sort();
}

test.each([
  ["document", documents],
  ["message", sources],
  ["comment", sources],
  ["title", titles],
] as const)("no %s has a banned word", (kind, read) => {
  const texts = read().filter((text) => text.kind === kind);
  expect(texts.length).toBeGreaterThan(500);
  const found = texts.flatMap(({ file, line, text }) => {
    // The names of flags are not words.
    const words = text.replace(/--[\w-]+/g, "--");
    return BANNED.filter(({ pattern, kinds }) => kinds.includes(kind) && pattern.test(words)).map(
      ({ better }) => `${file}:${line}: write "${better}": ${text}`,
    );
  });
  expect(found).toEqual([]);
});
