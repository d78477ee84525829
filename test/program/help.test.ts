/** The help pages at every level and suggestions for unknown words. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { GLOBAL_FLAGS } from "../../src/cli/global-flags.ts";
import { HELP_FLAG, VERSION_FLAG } from "../../src/program/help.ts";
import { parseCommandLine } from "../../src/program/program.ts";
import { loadAllCommands } from "../../tools/documents/commands.ts";
import { ABSENT } from "../commands/helpers.ts";

const ALL = await loadAllCommands();
const PAGES = readdirSync(new URL("../../docs", import.meta.url), { recursive: true })
  .map((name) => `docs/${String(name)}`)
  .filter((name) => name.endsWith(".md"));
const NAMED = ALL.map((loaded) => [loaded.path, loaded] as const);

async function helpOf(words: readonly string[], columns = 80): Promise<string> {
  const parsed = await parseCommandLine(words, columns);
  return "page" in parsed ? parsed.page : "";
}

/** The text below a heading, up to the next one. */
function sectionOf(help: string, heading: string): string {
  return help.split("\n\n").find((part) => part.startsWith(`${heading}:`)) ?? "";
}

/** Removes line breaks and indentation, to search for sentences. */
function flat(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** The line about the flags that every command has. */
const GLOBAL_LINE =
  "Global flags: --base-url, --profile, --config, --timeout, --retries, --concurrency, --insecure-http, " +
  "-o, --json, --fields, --no-color, -q, -v, -h, -V";

test("the help of create describes a course flag as the list of fields does", async () => {
  const help = flat(await helpOf(["courses", "create", "--help"]));
  expect(help).toContain("--pace <self_paced|instructor_paced> self_paced: students set");
  expect(help).toContain("--name <text> the name of the course --url <text> the page of");
});

test("every page of help names the global flags in one line", async () => {
  const commands = ALL.map(({ path }) => [...path.split(" "), "--help"]);
  for (const words of [[], ["courses"], ["providers"], ["help", "--help"], ...commands]) {
    expect(flat(await helpOf(words)), words.join(" ")).toContain(` ${GLOBAL_LINE}`);
  }
  for (const { name, short } of [...GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG]) {
    expect(GLOBAL_LINE).toContain(short === undefined ? `--${name}` : `-${short}`);
  }
});

test.each(NAMED)(
  "the help of %s has usage, arguments, its own flags, its formats and examples",
  async (path, { command }) => {
    const help = await helpOf([...path.split(" "), "--help"], 200);
    expect(help).toMatch(new RegExp(`^Usage: catalog ${path}(\\|[a-z]+)? \\[flags\\]`));
    for (const { name, description, group = "Flags" } of command.flags ?? []) {
      const section = sectionOf(help, group);
      expect(section, name).toContain(`--${name}`);
      expect(flat(section), name).toContain(description);
    }
    for (const { name, description } of command.arguments ?? []) {
      expect(flat(sectionOf(help, "Arguments"))).toContain(` ${name} ${description}`);
    }
    const examples = Object.entries(command.examples);
    expect(examples.length).toBeGreaterThanOrEqual(2);
    const written = examples.map(([description, line]) => `  # ${description}\n  ${line}`);
    expect(help).toContain(`\nExamples:\n${written.join("\n\n")}\n`);
    const formats = command.output?.formats;
    const format = `Formats of -o: ${formats?.join(", ")} Global flags:`;
    expect(flat(help).includes(format)).toBe(formats !== undefined);
    expect(help.includes("Formats of -o")).toBe(formats !== undefined);
    expect(help).not.toContain("--retries <n>");
  },
);

test.each(NAMED)("the help of %s has only valid examples", async (_, { command }) => {
  const lines = Object.values(command.examples).flatMap(commandLines);
  for (const line of lines) {
    const parsed = await parseCommandLine(wordsOf(line), 80);
    expect(parsed, line).toHaveProperty("command");
  }
  expect(lines.length).toBeGreaterThan(0);
});

const ROOT_PAGES = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];

test.each([...ROOT_PAGES, "examples/README.md", "skills/catalog/SKILL.md", ...PAGES])(
  "every command that %s names in a sentence, a table or a workflow is valid",
  async (page) => {
    const text = readFileSync(new URL(`../../${page}`, import.meta.url), "utf8").replaceAll(
      "\\|",
      "|",
    );
    const named = [
      ...text.matchAll(/`(catalog [^`\n]+)`/g),
      ...text.matchAll(/run: (catalog .+)$/gm),
    ];
    for (const line of named.flatMap(([, line = ""]) => commandLines(line))) {
      const message = await parseCommandLine(wordsOf(line), 80).then(
        () => "",
        (error: Error) => error.message,
      );
      // A sentence may name a command without its arguments.
      expect(message.replace(/^missing .*/, ""), line).toBe("");
    }
  },
);

test("every command that a message or a comment of src names exists", () => {
  const folder = new URL("../../src/", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const texts = files.filter((file) => file.endsWith(".ts")).map((file) => new URL(file, folder));
  const named = texts.flatMap((file) => [
    // Some sentences begin with "catalog cannot" or "catalog does not".
    ...readFileSync(file, "utf8").matchAll(/["'`]catalog (?!cannot|does)([a-z]+)(?: ([a-z]+))?/g),
  ]);
  const paths = ["help", ...ALL.map(({ path }) => path)];
  const isCommand = (first: string, second?: string): boolean =>
    paths.includes(`${first} ${second}`) ||
    (second === undefined && paths.some((path) => path.startsWith(`${first} `))) ||
    paths.includes(first);
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(([, first = "", second]) => !isCommand(first, second))).toEqual([]);
});

/** The calls of the program in a line of a shell. */
function commandLines(line: string): string[] {
  if (line.startsWith("#")) return [];
  return line
    .replace(/^\w+=\$\((.*)\)$/, "$1")
    .split(/ (?:\||>|&&) /)
    .filter((part) => part.startsWith("catalog "));
}

/** The words of a simple line of a shell, variables replaced by an id. */
function wordsOf(line: string): string[] {
  const found = line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g);
  return [...found]
    .map(([, single, double, bare]) => single ?? (double ?? bare ?? "").replace(/\$\w+/g, ABSENT))
    .slice(1);
}

test("help agents prints the skill for agents, which names only valid commands", async () => {
  const skill = readFileSync(new URL("../../skills/catalog/SKILL.md", import.meta.url), "utf8");
  expect(await helpOf(["help", "agents"])).toBe(skill);
  expect(Buffer.byteLength(skill)).toBeLessThanOrEqual(4096);
});

test("every listing that an example of the help gives to another command is complete", () => {
  const lines = ALL.flatMap(({ command }) => Object.values(command.examples));
  const piped = lines.filter((line) => /catalog courses ls .*\|/.test(line));
  expect(piped.length).toBeGreaterThan(1);
  for (const line of piped) expect(line).toContain(" --all ");
});
