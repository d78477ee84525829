/** The help at every level, its topics, and what is said of words that are none (cli.md section 1). */
import { describe, expect, test } from "vitest";
import { parseArguments } from "../../src/cli/program.ts";
import { loadReference } from "../../src/cli/reference.ts";
import { COMMANDS } from "../../src/cli/registry.ts";
import { TOPICS } from "../../src/cli/topic-names.ts";
import { VARIABLES } from "../../src/cli/variables.ts";
import { EXIT_CODES } from "../../src/command-support/exit-codes.ts";
import { GLOBAL_FLAGS } from "../../src/command-support/globals.ts";
import { FIELDS } from "../../src/course/fields.ts";
import { SETTINGS } from "../../src/settings/table.ts";
import { ABSENT, expectRefused } from "../commands/helpers.ts";
import { rig } from "../rig.ts";

const ENTRIES = await loadReference();

async function helpOf(words: readonly string[], columns = 80): Promise<string> {
  const parsed = await parseArguments([...words], { version: "1.2.3", columns });
  return "print" in parsed ? parsed.print : "";
}

/** The text below a heading, up to the next one. */
function sectionOf(help: string, heading: string): string {
  return help.split("\n\n").find((part) => part.startsWith(`${heading}:`)) ?? "";
}

/** A text without its line breaks and indents, to look for sentences in. */
function flat(text: string): string {
  return text.replace(/\s+/g, " ");
}

describe("the help of a command", () => {
  test.each(ENTRIES.map((entry) => [entry.path, entry] as const))(
    "%s: usage, every flag under its heading, examples, exit codes, the environment",
    async (path, { command }) => {
      const help = await helpOf([...path.split(" "), "--help"], 200);
      expect(help).toMatch(
        new RegExp(`^Usage: catalog ${path}.* \\[flags\\]( \\[-- command...\\])?\n`),
      );
      for (const { name, description, group = "Flags" } of [
        ...(command.flags ?? []),
        ...GLOBAL_FLAGS,
      ]) {
        const section = sectionOf(help, group);
        expect(section, name).toContain(`--${name}`);
        expect(flat(section), name).toContain(description);
      }
      for (const { name, description } of command.arguments ?? []) {
        expect(flat(sectionOf(help, "Arguments"))).toContain(` ${name} ${description}`);
      }
      expect(command.examples.length).toBeGreaterThanOrEqual(2);
      for (const { says, line } of command.examples)
        expect(help).toContain(`  # ${says}\n  ${line}`);
      const exits = sectionOf(help, "Exit codes");
      for (const code of [0, 2, ...command.exits] as const) {
        expect(exits).toMatch(new RegExp(`^  ${code} +\\w`, "m"));
        expect(flat(exits)).toContain(EXIT_CODES[code]);
      }
      expect(sectionOf(help, "Environment")).toContain("catalog help environment");
    },
  );

  test.each(ENTRIES.map((entry) => [entry.path, entry] as const))(
    "%s: its examples are taken as they stand",
    async (_, { command }) => {
      const lines = command.examples.flatMap(({ line }) => commandLines(line));
      for (const line of lines) {
        const parsed = await parseArguments(wordsOf(line), { version: "", columns: 80 });
        if (!("command" in parsed)) throw new Error(`${line} prints a help`);
        expect(() => parsed.command.parse(parsed.words), line).not.toThrow();
      }
      expect(lines.length).toBeGreaterThan(0);
    },
  );

  test.each([40, 80, 200])(
    "fits into %i columns but for what cannot be broken",
    async (columns) => {
      for (const { path } of ENTRIES) {
        const help = await helpOf([...path.split(" "), "-h"], columns);
        const [before = "", after = ""] = help.split("\nExamples:\n");
        const rest = `${before}\n${after.split("\n\n").slice(-2).join("\n")}`;
        for (const line of rest.split("\n")) {
          const isFree =
            line.length <= columns || !line.trim().includes(" ") || /--|^Usage|^Also/.test(line);
          expect(isFree, line).toBe(true);
        }
      }
    },
  );
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

describe("the help of a group and of the program", () => {
  test.each(COMMANDS.filter((entry) => !("load" in entry)).map((group) => [group.name, group]))(
    "%s lists its commands with what they do, and examples",
    async (name, group) => {
      const help = await helpOf([name]);
      if ("load" in group) throw new Error("no group");
      for (const { name: below, summary } of group.commands) {
        expect(sectionOf(help, "Commands")).toMatch(
          new RegExp(`^  ${below}\\b.* ${summary}$`, "m"),
        );
      }
      for (const { line } of group.examples) expect(help).toContain(line);
      expect(await helpOf([name, "--help"])).toBe(help);
      expect(await helpOf(["help", name])).toBe(help);
    },
  );

  test("the program's names every command, topic, global flag and exit code", async () => {
    const help = await helpOf([], 200);
    for (const { name, summary } of COMMANDS) {
      expect(sectionOf(help, "Commands")).toMatch(new RegExp(`^  ${name}\\b.* ${summary}$`, "m"));
    }
    for (const { name, summary } of TOPICS) {
      expect(sectionOf(help, "More help")).toMatch(
        new RegExp(`catalog help ${name} +${summary}$`, "m"),
      );
    }
    for (const { name } of GLOBAL_FLAGS) expect(help).toContain(`--${name}`);
    for (const meaning of Object.values(EXIT_CODES)) expect(flat(help)).toContain(meaning);
    for (const { variable } of Object.values(SETTINGS)) expect(help).toContain(variable);
    for (const words of [["--help"], ["-h"], ["help"]]) expect(await helpOf(words, 200)).toBe(help);
  });
});

describe("help is found wherever it is asked for", () => {
  test.each([
    ["help courses ls", "courses ls --help"],
    ["courses help ls", "courses ls --help"],
    ["course help list", "courses ls --help"],
    ["--help courses ls", "courses ls --help"],
    ["courses --help ls", "courses ls --help"],
    ["--json courses -h ls", "courses ls --help"],
    ["courses ls --help --limit 3", "courses ls --help"],
    ["courses help", "courses --help"],
    ["help help", "--help"],
    ["--no-color help", "--help"],
    ["-o json help", "--help"],
    ["--no-color help config", "help config"],
    ["help config --no-color", "help config"],
    ["help --output json config -q", "help config"],
  ])("%s is %s", async (line, same) => {
    expect(await helpOf(line.split(" "))).toBe(await helpOf(same.split(" ")));
  });

  test("a value, and what stands behind --, ask for none", async () => {
    for (const line of [
      "courses ls --name help",
      "sandbox -- catalog help",
      "sandbox -- x --help",
    ]) {
      expect(await helpOf(line.split(" ")), line).toBe("");
    }
  });
});

describe("a topic", () => {
  test("exit-codes tells of every code", async () => {
    const help = await helpOf(["help", "exit-codes"], 200);
    for (const [code, meaning] of Object.entries(EXIT_CODES)) {
      expect(help).toMatch(new RegExp(`^  ${code} `, "m"));
      expect(flat(help)).toContain(meaning);
    }
  });

  test("environment tells of every variable", async () => {
    const help = await helpOf(["help", "environment"], 200);
    for (const { name, means } of VARIABLES) {
      expect(help).toContain(`  ${name}`);
      expect(flat(help)).toContain(means);
    }
    for (const { variable } of Object.values(SETTINGS)) expect(help).toContain(variable);
  });

  test("config tells of every key, of profiles and of the saved key", async () => {
    const help = await helpOf(["help", "config"], 200);
    for (const { configKey } of Object.values(SETTINGS)) expect(help).toContain(`  ${configKey} `);
    for (const word of [".catalogrc", "profiles", "config.json", "catalog login"]) {
      expect(help).toContain(word);
    }
  });

  test("files tells of every field that a file may hold", async () => {
    const help = await helpOf(["help", "files"], 200);
    for (const { name, readOnly } of FIELDS) {
      expect(help.includes(`  ${name} `), name).toBe(readOnly !== true);
    }
  });

  test.each([40, 80, 200])("fits into %i columns", async (columns) => {
    for (const { name } of TOPICS) {
      const long = (await helpOf(["help", name], columns))
        .split("\n")
        .filter((line) => line.length > columns && line.trim().includes(" "));
      expect(long).toEqual(columns === 40 ? long.filter((line) => line.startsWith("  ")) : []);
    }
  });
});

describe("a word that is none", () => {
  test.each([
    ["sttus", 'Did you mean "catalog status"?'],
    ["push courses/", 'Did you mean "catalog courses push"?'],
    ["pul", 'Did you mean "catalog courses pull"?'],
    ["course lst", 'Did you mean "catalog courses ls"?'],
    ["help enviroment", 'Did you mean "catalog help environment"?'],
    ["help psuh", 'Did you mean "catalog courses push"?'],
    ["courses lss --help", 'Did you mean "catalog courses ls"?'],
    ["--help sttus", 'Did you mean "catalog status"?'],
    ["courses ls --pubished true", "Did you mean --published?"],
  ])("%s gets a suggestion", async (line, suggestion) => {
    const ran = await (await rig()).run(line.split(" "));
    expectRefused(ran, 2);
    expect(ran.stderr).toContain(suggestion);
    expect(ran.stderr).toContain("--help");
  });

  test("nothing near gets none", async () => {
    const ran = await (await rig()).run(["xyzzy"]);
    expectRefused(ran, 2);
    expect(ran.stderr).toBe(
      'error: there is no command "xyzzy"\n  "catalog --help" lists what it takes.\n',
    );
  });
});
