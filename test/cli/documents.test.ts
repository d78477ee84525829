/** Generated documents and the manual page agree with the commands. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ERROR_KINDS, type ErrorKind } from "../../src/base/errors.ts";
import { loadAllCommands } from "../../src/cli/command-tree.ts";
import { listedFlags } from "../../src/command-support/arguments.ts";
import { EXIT_CODES, exitCode } from "../../src/command-support/exit-codes.ts";
import { GLOBAL_FLAGS } from "../../src/command-support/globals.ts";
import { COURSE_SHAPE } from "../../src/course/fields.ts";
import { guideOf, RULE_GUIDE } from "../../src/course/guide.ts";
import { DOCUMENTED_SETTINGS } from "../../src/settings/table.ts";
import { jsonPage } from "../../tools/documents/json-page.ts";
import { manPage } from "../../tools/documents/man-page.ts";
import {
  commandsPage,
  exitCodeParts,
  fieldPageMarkdown,
  replaceParts,
  rulesParts,
  settingsParts,
} from "../../tools/documents/markdown.ts";
import { faultsPage } from "../faults/page.ts";

const COMMANDS = await loadAllCommands();

function read(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), "utf8");
}

const GUIDES = COURSE_SHAPE.keys.map((key) => guideOf(key, [key.name]));

/** Every page that is generated, completely or in part. */
const PAGES: Readonly<Record<string, (page: string) => string>> = {
  "docs/commands.md": () => commandsPage(COMMANDS),
  "docs/exit-codes.md": (page) => replaceParts(page, exitCodeParts()),
  "docs/faults.md": () => faultsPage(),
  "docs/fields.md": () => fieldPageMarkdown(GUIDES),
  "docs/json.md": () => jsonPage(),
  "docs/rules.md": (page) => replaceParts(page, rulesParts(RULE_GUIDE)),
  "docs/settings.md": (page) => replaceParts(page, settingsParts()),
};

test.each(Object.entries(PAGES))("%s is as npm run documents writes it", async (name, write) => {
  await expect(write(read(name))).toMatchFileSnapshot(`../../${name}`);
});

test("replaceParts rejects a document without the markers of a part", () => {
  expect(() => replaceParts("<!-- commands -->", { commands: "x" })).toThrow("<!-- /commands -->");
});

test("docs/exit-codes.md names the kinds of errors that lead to each code", () => {
  const rows = [
    ...read("docs/exit-codes.md").matchAll(/^\| `(\d+)` \| (`[a-z]+`(?:, `[a-z]+`)*) \|/gm),
  ];
  const named = rows.flatMap(([, code, kinds = ""]) =>
    Array.from(kinds.matchAll(/[a-z]+/g), ([kind]) => [kind, Number(code)] as const),
  );
  expect(named.map(([kind]) => kind).sort()).toEqual([...ERROR_KINDS].sort());
  for (const [kind, code] of named)
    expect([kind, exitCode([kind as ErrorKind])]).toEqual([kind, code]);
});

test("README.md has at most 250 lines", () => {
  expect(read("README.md").split("\n").length).toBeLessThanOrEqual(251);
});

test("CONTRIBUTING.md names only files and npm scripts that exist", () => {
  const text = read("CONTRIBUTING.md");
  const files = ["src", "test", "tools", "bin", "docs", "examples", ".ci", ".github"].flatMap(
    (folder) => [
      `/${folder}`,
      ...readdirSync(new URL(`../../${folder}`, import.meta.url), { recursive: true }).map((name) =>
        `/${folder}/${name}`.replaceAll("\\", "/"),
      ),
    ],
  );
  const paths = [...text.matchAll(/`([\w./-]+(?:\.(?:ts|js|mjs|md|yaml|yml)|\/))`/g)].map(
    ([, path = ""]) => path.replace(/\/$/, ""),
  );
  expect(paths.length).toBeGreaterThan(60);
  expect(paths.filter((path) => !files.some((file) => file.endsWith(`/${path}`)))).toEqual([]);
  const { scripts } = JSON.parse(read("package.json")) as { scripts: object };
  const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => name);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

describe("the manual page", () => {
  const page = manPage(COMMANDS, "1.2.3", "2026-01-31");
  const shown = page.replaceAll("\\-", "-").replace(/\\f[BIR]/g, "");

  test("the manual page lists every command, flag, variable and exit code", () => {
    for (const { path, command } of COMMANDS) {
      expect(shown).toContain(`.SS "catalog ${path}`);
      for (const { name } of listedFlags(command.flags)) expect(shown).toContain(`--${name}`);
    }
    for (const { name } of GLOBAL_FLAGS) expect(shown).toContain(`--${name}`);
    for (const { variable } of DOCUMENTED_SETTINGS) expect(shown).toContain(variable);
    expect(shown).toContain("XDG_STATE_HOME");
    for (const code of Object.keys(EXIT_CODES)) expect(shown).toContain(`.TP\n${code}\n`);
    expect(shown).toContain("catalog 1.2.3");
  });

  test("no document lists a hidden setting", () => {
    for (const page of [shown, commandsPage(COMMANDS), read("docs/settings.md")]) {
      expect(page.toLowerCase()).not.toContain("vendor");
    }
  });

  test("the manual page uses only known macros, and no line of text is read as a macro", () => {
    const macros = page.split("\n").filter((line) => /^[.']/.test(line));
    const known = /^\.(TH|SH|SS|PP|TP|RS|RE|nf|fi|B|I)\b/;
    expect(macros.filter((line) => !known.test(line))).toEqual([]);
  });

  const has = spawnSync("mandoc", ["-V"]).error === undefined;
  test.skipIf(!has)("the manual page passes mandoc without a warning", () => {
    const linted = spawnSync("mandoc", ["-T", "lint", "-W", "warning"], { input: page });
    expect(linted.stdout.toString()).toBe("");
  });
});
