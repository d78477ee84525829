/** The documents agree with the commands, and lead to files and headings that exist. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { ERROR_KINDS } from "../../src/base/errors.ts";
import { DRY_RUN_FLAG } from "../../src/cli/arguments.ts";
import { exitCode } from "../../src/cli/command.ts";
import { WRITABLE_FIELDS } from "../../src/course/fields.ts";
import { loadAllCommands } from "../../tools/documents/commands.ts";
import {
  commandList,
  fieldParts,
  replaceParts,
  ruleParts,
  settingsParts,
} from "../../tools/documents/markdown.ts";
import { git } from "../git.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The files of the repository, as paths from the root. */
const FILES = git(ROOT, "ls-files").split("\n");
const DOCUMENTS = FILES.filter((file) => file.endsWith(".md") && existsSync(join(ROOT, file)));

function read(name: string): string {
  return readFileSync(join(ROOT, name), "utf8");
}

/** The generated parts of each page that has some. */
const PARTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "docs/fields.md": fieldParts(),
  "docs/rules.md": ruleParts(),
  "docs/settings.md": settingsParts(),
  "skills/catalog/SKILL.md": { commands: commandList(await loadAllCommands()) },
};

test.each(Object.entries(PARTS))("%s is as npm run documents writes it", async (name, parts) => {
  await expect(replaceParts(read(name), parts)).toMatchFileSnapshot(`../../${name}`);
});

// A twentieth more than there are, for the next sentence.
test.each([
  ["README.md", 750],
  ["SECURITY.md", 500],
  ["CONTRIBUTING.md", 1720],
  ["docs/json.md", 2670],
])("%s has at most %i words", (name, most) => {
  expect(read(name).trim().split(/\s+/).length).toBeLessThanOrEqual(most);
});

test("examples/every-field.yaml uses every field of a course file except id and slug", () => {
  const used = new Set(
    parseAllDocuments(read("examples/every-field.yaml")).flatMap((one) => Object.keys(one.toJS())),
  );
  const fields = ["key", "provider", ...WRITABLE_FIELDS.map(({ name }) => name)].filter(
    (name) => name !== "id" && name !== "slug",
  );
  expect(fields.filter((name) => !used.has(name))).toEqual([]);
});

test("docs/exit-codes.md names the kinds of errors that lead to each code", () => {
  const rows = read("docs/exit-codes.md").matchAll(
    /^\| `(\d+)` \|[^|]+\| ((?:`[a-z]+`(?:, )?)+) \|/gm,
  );
  const named = Array.from(rows, ([, code, kinds = ""]) =>
    Array.from(kinds.matchAll(/[a-z]+/g), ([kind]) => [kind, Number(code)] as const),
  ).flat();
  expect([...new Set(named.map(([kind]) => kind))].sort()).toEqual([...ERROR_KINDS].sort());
  for (const kind of ERROR_KINDS) expect(named).toContainEqual([kind, exitCode([kind])]);
});

test("the documents for contributors name only files and npm scripts that exist", () => {
  const pages = readdirSync(new URL("../../docs/contributing", import.meta.url));
  const names = ["CONTRIBUTING.md", ...pages.map((page) => `docs/contributing/${page}`)];
  const text = names.map(read).join("\n");
  const paths = [...text.matchAll(/`([\w./-]+(?:\.(?:ts|js|mjs|md|yaml|yml)|\/))`/g)].map(
    ([, path = ""]) => path,
  );
  expect(paths.length).toBeGreaterThan(60);
  // A file of users.
  const files = [...FILES, "catalog.defaults.yaml"].map((file) => `/${file}`);
  const isThere = (path: string) =>
    files.some((file) =>
      path.endsWith("/") ? file.includes(`/${path}`) : file.endsWith(`/${path}`),
    );
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
  const { scripts } = JSON.parse(read("package.json")) as { scripts: object };
  const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => name);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

function readProse(document: string): string {
  const text = read(document);
  return text.replace(/^( *)```[\s\S]*?^\1```$/gm, "").replace(/<!--[\s\S]*?-->/g, "");
}

/** The anchors of a page, as GitHub makes them of headings: `## The \`undo\` command` has `the-undo-command`. */
function anchorsOf(document: string): Set<string> {
  const prose = readProse(document);
  const anchors = new Set(
    Array.from(prose.matchAll(/<a (?:id|name)="([^"]+)"/g), ([, id = ""]) => id),
  );
  for (const [, heading = ""] of prose.matchAll(/^#{1,6} +(.*?) *#*$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = text.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

interface Link {
  /** The path from the root. */
  readonly file: string;
  readonly anchor: string;
}

/** The relative links of a page: inline, in HTML, and defined below the text. */
function linksOf(document: string): Link[] {
  const prose = readProse(document).replace(/(`+)[^`]+?\1(?!`)/g, "");
  const inline = prose.matchAll(
    /\]\(\s*<?([^)>\s]+)>?[^)]*\)|^ *\[[^\]]+\]: +(\S+)|(?:src|href)="([^"]+)"/gm,
  );
  return Array.from(inline, ([, a, b, c]) => a ?? b ?? c ?? "").flatMap((target) => {
    if (/^[a-z][a-z\d+.-]*:/i.test(target)) return [];
    const [path = "", anchor = ""] = decodeURI(target).split("#");
    return { file: path === "" ? document : join(dirname(document), path), anchor };
  });
}

/** What is wrong with a link, if anything. */
function problemWith({ file, anchor }: Link): string | undefined {
  if (file.startsWith("..")) return `${file} is not in the repository`;
  if (!existsSync(join(ROOT, file))) return `${file} does not exist`;
  if (anchor === "" || anchorsOf(file).has(anchor)) return undefined;
  return `${file} has no heading for #${anchor}`;
}

test.each(DOCUMENTS)("links of %s lead to files and headings that exist", (document) => {
  expect(linksOf(document).flatMap((link) => problemWith(link) ?? [])).toEqual([]);
});

test.each(DOCUMENTS)("a link of %s to a page is the title of the page", (document) => {
  const links = readProse(document).matchAll(/(?<!!)\[([^\]]+)\]\(([^)#\s]+\.md)\)/g);
  for (const [, text, path = ""] of links) {
    const [, title] = /^# (.*)$/m.exec(readProse(join(dirname(document), path))) ?? [];
    expect(text?.replace(/\s+/g, " ")).toBe(title);
  }
});

test.each(DOCUMENTS)(
  "%s repeats no heading, and every fenced block names its language",
  (document) => {
    const headings = readProse(document).match(/^##+ .*$/gm) ?? [];
    expect(headings).toEqual([...new Set(headings)]);
    const fences = read(document).match(/^ *```.*$/gm) ?? [];
    const opening = fences.filter((_, index) => index % 2 === 0);
    expect(opening.filter((fence) => fence.trim() === "```")).toEqual([]);
  },
);

// Each one is something to learn, so a new one needs a reason.
const MAX_COMMANDS = 26;
const MAX_FLAGS = 130;
const MAX_PUSH_FLAGS = 20;

test("the commands, their flags, and those of push are no more than the contract says", async () => {
  const commands = await loadAllCommands();
  const flags = commands.flatMap(({ path, command: { flags = [] } }) =>
    flags.filter(({ name }) => name !== DRY_RUN_FLAG.name).map(({ name }) => `${path} --${name}`),
  );
  expect(commands.length, commands.map(({ path }) => path).join()).toBeLessThanOrEqual(
    MAX_COMMANDS,
  );
  expect(flags.length, flags.join("\n")).toBeLessThanOrEqual(MAX_FLAGS);
  const push = flags.filter((flag) => flag.startsWith("courses push "));
  expect(push.length, push.join("\n")).toBeLessThanOrEqual(MAX_PUSH_FLAGS);
});
