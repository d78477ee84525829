/** The help pages at every level and suggestions for unknown words. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { joinList } from "../../src/base/text.ts";
import { GLOBAL_FLAGS } from "../../src/cli/globals.ts";
import { ENTRIES } from "../../src/program/command-tree.ts";
import { HELP_FLAG, VERSION_FLAG } from "../../src/program/help.ts";
import { parseCommandLine } from "../../src/program/program.ts";
import { loadAllCommands } from "../../tools/documents/commands.ts";
import { ABSENT, expectRefused } from "../commands/helpers.ts";
import { rig } from "../rig.ts";

const ALL = await loadAllCommands();
const PAGES = readdirSync(new URL("../../docs", import.meta.url), { recursive: true })
  .map((name) => `docs/${String(name)}`)
  // docs/commands.md repeats the help, whose examples are tested above.
  .filter((name) => name.endsWith(".md") && name !== "docs/commands.md");
const NAMED = ALL.map((loaded) => [loaded.path, loaded] as const);

async function helpOf(words: readonly string[], columns = 80): Promise<string> {
  const parsed = await parseCommandLine(words, { columns, bold: (text) => text });
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

test("every page of help names the global flags in one line", async () => {
  const commands = ALL.map(({ path }) => [...path.split(" "), "--help"]);
  for (const words of [[], ["courses"], ["providers"], ["help", "--help"], ...commands]) {
    expect(flat(await helpOf(words)), words.join(" ")).toContain(` ${GLOBAL_LINE}`);
  }
  for (const { name, short } of [...GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG]) {
    expect(GLOBAL_LINE).toContain(short === undefined ? `--${name}` : `-${short}`);
  }
});

describe("the help of a command", () => {
  test.each(NAMED)(
    "the help of %s has usage, arguments, its own flags, its formats and examples",
    async (path, { command }) => {
      const help = await helpOf([...path.split(" "), "--help"], 200);
      expect(help).toMatch(
        new RegExp(`^Usage: catalog ${path}.* \\[flags\\]( \\[-- command...\\])?\n`),
      );
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
      for (const [description, line] of examples)
        expect(help).toContain(`  # ${description}\n  ${line}`);
      const formats = command.output?.formats;
      const format = `-o, --output <format> output format: ${joinList(formats ?? [])}`;
      expect(flat(help).includes(format)).toBe(formats !== undefined);
      expect(help).not.toContain("--retries <n>");
    },
  );

  test.each(NAMED)("the help of %s has only valid examples", async (_, { command }) => {
    const lines = Object.values(command.examples).flatMap(commandLines);
    for (const line of lines) {
      const parsed = await parseCommandLine(wordsOf(line), { columns: 80, bold: (text) => text });
      expect(parsed, line).toHaveProperty("command");
    }
    expect(lines.length).toBeGreaterThan(0);
  });

  test.each([80, 200])(
    "the help of every command fits into %i columns, except for words that cannot be broken",
    async (columns) => {
      for (const { path } of ALL) {
        const help = await helpOf([...path.split(" "), "-h"], columns);
        const [before = "", after = ""] = help.split("\nExamples:\n");
        const comments = after.split("\n").filter((line) => /^ {2}# (?!yaml-)/.test(line));
        const rest = `${before}\n${after.split("\n\n").slice(-1).join("\n")}`;
        for (const line of [...rest.split("\n"), ...comments]) {
          const isFree = line.length <= columns || !line.trim().includes(" ") || /--/.test(line);
          expect(isFree, line).toBe(true);
        }
      }
    },
  );
});

test.each(["README.md", "examples/README.md", "skills/catalog/SKILL.md", ...PAGES])(
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
      const style = { columns: 80, bold: (text: string) => text };
      const message = await parseCommandLine(wordsOf(line), style).then(
        () => "",
        (error: Error) => error.message,
      );
      // A sentence may name a command without its arguments.
      expect(message.replace(/^missing .*/, ""), line).toBe("");
    }
  },
);

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

describe("the help of a group and of the program", () => {
  test.each([
    [[], "catalog"],
    [["courses"], "catalog courses|course"],
    [["providers"], "catalog providers|provider"],
  ])(
    "the help of catalog %j lists each command once, with its summary, below a heading",
    async (words, usage) => {
      const help = await helpOf(words);
      const below = ENTRIES.filter(({ path, name }) => path === [...words, name].join(" "));
      for (const { name, alias, summary, heading } of below) {
        const row = `\n  ${alias === undefined ? name : `${name}, ${alias}`} `;
        const section = sectionOf(help, heading);
        expect(section.split(row), name).toHaveLength(2);
        expect(flat(section)).toContain(` ${summary}`);
      }
      expect(help.startsWith(`Usage: ${usage} <command> [flags]\n`)).toBe(true);
      expect(await helpOf([...words, "--help"])).toBe(help);
      expect(await helpOf(["help", ...words])).toBe(help);
    },
  );

  test.each([[], ["courses"], ["providers"]])(
    "the help of catalog %s fits into 40 columns",
    async (...words) => {
      const long = (await helpOf(words, 40))
        .split("\n")
        .filter((line) => line.length > 40 && !line.startsWith("Usage: "));
      expect(long).toEqual([]);
    },
  );

  test("headings of help are bold only on a terminal with colors", async () => {
    const service = await rig();
    const bold = "\u001b[1mUsage:\u001b[22m catalog";
    for (const line of ["--help", "courses", "courses ls --help"]) {
      const words = line.split(" ");
      expect((await service.run(words, { terminal: true })).stdout).toContain(bold);
      const environment = { NO_COLOR: "1" };
      for (const { stdout } of [
        await service.run(words),
        await service.run(words, { terminal: true, environment }),
        await service.run([...words, "--no-color"], { terminal: true }),
      ]) {
        expect(stdout).not.toContain("\u001b");
      }
    }
  });
});

test("help agents prints the skill for agents, which names only valid commands", async () => {
  const skill = readFileSync(new URL("../../skills/catalog/SKILL.md", import.meta.url), "utf8");
  expect(await helpOf(["help", "agents"])).toBe(skill);
  expect(Buffer.byteLength(skill)).toBeLessThanOrEqual(4096);
});

describe("the place of help in a line", () => {
  test.each([
    ["help courses ls", "courses ls --help"],
    ["help course list", "courses ls --help"],
    ["--help courses ls", "courses ls --help"],
    ["-h courses", "courses --help"],
    ["-h sandbox -- sh", "--help"],
    ["--json courses -q ls -h", "courses ls --help"],
    ["courses ls --help --limit 3", "courses ls --help"],
    ["help", "--help"],
    ["--no-color help", "--help"],
    ["-o json help", "--help"],
    ["--no-color help courses ls", "help courses ls"],
    ["help courses ls --no-color", "help courses ls"],
    ["help --output json courses -q", "help courses"],
  ])("catalog %s prints the same as catalog %s", async (line, same) => {
    expect(await helpOf(line.split(" "))).toBe(await helpOf(same.split(" ")));
  });

  test("the value of a flag and the words after -- do not request help", async () => {
    for (const line of [
      "courses ls --name help",
      "sandbox -- catalog help",
      "sandbox -- x --help",
    ]) {
      expect(await helpOf(line.split(" ")), line).toBe("");
    }
  });
});

describe("unknown words", () => {
  test.each([
    ["sttus", 'Did you mean "catalog status"?'],
    ["push courses/", 'Did you mean "catalog courses push"?'],
    ["pul", 'Did you mean "catalog courses pull"?'],
    ["course lst", 'Did you mean "catalog courses ls"?'],
    ["help psuh", 'Did you mean "catalog courses push"?'],
    ["push --help", 'Did you mean "catalog courses push"?'],
    ["courses lss -h", 'Did you mean "catalog courses ls"?'],
    ["courses ls --pubished true", "Did you mean --published?"],
  ])("catalog %s is refused with a suggestion", async (line, suggestion) => {
    const ran = await (await rig()).run(line.split(" "));
    expectRefused(ran, 2);
    expect(ran.stderr).toContain(suggestion);
  });

  test.each(["xyzzy", "nope"])(
    "the unknown command %s, which resembles no command, is refused without a suggestion",
    async (word) => {
      const ran = await (await rig()).run([word]);
      expectRefused(ran, 2);
      expect(ran.stderr).toBe(
        `error: unknown command "${word}"\n  Run "catalog --help" for the list of commands.\n`,
      );
    },
  );

  test.each([
    ["courses ls --nope=a.secret", "unknown flag --nope"],
    ["courses ls -z", "unknown flag -z"],
    ["--nope", "unknown flag --nope"],
    ["courses --nope", "unknown flag --nope"],
    ["courses ls --limit", "option '--limit <n>' argument missing"],
    ["courses ls -qo", "option '-o, --output <format>' argument missing"],
    ["courses push --prune --max-deletes", "option '--max-deletes <n or p%>' argument missing"],
    [
      "courses push --plan p.json --write-ids",
      "option '--plan <file>' cannot be used with option '--write-ids'",
    ],
    ["courses ls x", "too many arguments for 'ls'. Expected 0 arguments but got 1."],
  ])("catalog %s is refused: %s", async (line, message) => {
    const ran = await (await rig()).run(line.split(" "));
    expectRefused(ran, 2);
    expect(ran.stderr).toContain(`error: ${message}\n`);
    expect(ran.stderr).not.toContain("a.secret");
    expect(ran.stderr).toContain("--help");
  });

  test.each([
    ["courses get", "course", "courses get"],
    ["api GET", "path", "api GET"],
  ])(
    "catalog %s is refused with an example without its argument %s",
    async (line, argument, example) => {
      const ran = await (await rig()).run(line.split(" "));
      expectRefused(ran, 2);
      expect(ran.stderr).toContain(
        `error: missing required argument '${argument}'\n  For example: catalog ${example} `,
      );
    },
  );

  test.each([
    ["courses rm --yes=no", "--yes takes no value\n  Pass --yes alone."],
    ["courses ls --json=true", "--json takes no value\n  Pass --json alone."],
    [
      "courses ls --published ture",
      "option '--published <true|false>' argument 'ture' is invalid. Allowed choices are true, false.\n",
    ],
    [
      "courses pull --format tsx",
      "'--format <yaml|json|csv|ndjson|xlsx>' argument 'tsx' is invalid. Allowed choices are",
    ],
  ])(
    "catalog %s is refused, and the error names the flag and what it accepts: %s",
    async (line, message) => {
      const ran = await (await rig()).run(line.split(" "));
      expectRefused(ran, 2);
      expect(ran.stderr).toContain(message);
    },
  );

  test.each(["--json courses ls --nope", "courses ls --nope -o json", "nope --output=ndjson"])(
    "catalog %s prints the error as JSON",
    async (line) => {
      const ran = await (await rig()).run(line.split(" "));
      expect(JSON.parse(ran.stderr)).toMatchObject({ error: { kind: "usage" } });
    },
  );
});
