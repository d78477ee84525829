/** README, reference page and manual page tell what the commands themselves tell. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { loadReference } from "../../src/cli/reference.ts";
import { manPage } from "../../src/cli/reference-man.ts";
import { commandsPage, readmeParts, withParts } from "../../src/cli/reference-markdown.ts";
import { VARIABLES } from "../../src/cli/variables.ts";
import { EXIT_CODES } from "../../src/command-support/exit-codes.ts";
import { GLOBAL_FLAGS } from "../../src/command-support/globals.ts";

const ENTRIES = await loadReference();

function read(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), "utf8");
}

test("the README's tables are those of the sources: npm run documents writes them", () => {
  const readme = read("README.md");
  expect(withParts(readme, readmeParts(ENTRIES))).toBe(readme);
});

test("docs/commands.md is what the sources tell: npm run documents writes it", () => {
  expect(read("docs/commands.md")).toBe(commandsPage(ENTRIES));
});

test("a text without the marks of a part is refused", () => {
  expect(() => withParts("<!-- commands -->", { commands: "x" })).toThrow("<!-- /commands -->");
});

test("the links from the README lead to headings", () => {
  const headings = [...read("docs/commands.md").matchAll(/^## (.*)$/gm)].map(([, heading = ""]) =>
    heading.replaceAll(" ", "-"),
  );
  const links = [...read("README.md").matchAll(/docs\/commands\.md#([\w-]+)/g)];
  expect(links.length).toBeGreaterThanOrEqual(ENTRIES.length);
  for (const [, anchor] of links) expect(headings).toContain(anchor);
});

describe("the manual page", () => {
  const page = manPage(ENTRIES, "1.2.3");
  const shown = page.replaceAll("\\-", "-").replace(/\\f[BIR]/g, "");

  test("tells of every command, flag, variable and exit code", () => {
    for (const { path, command } of ENTRIES) {
      expect(shown).toContain(`.SS "catalog ${path}`);
      for (const { name } of command.flags ?? []) expect(shown).toContain(`--${name}`);
    }
    for (const { name } of GLOBAL_FLAGS) expect(shown).toContain(`--${name}`);
    for (const { name } of VARIABLES) expect(shown).toContain(name);
    for (const code of Object.keys(EXIT_CODES)) expect(shown).toContain(`.TP\n${code}\n`);
    expect(shown).toContain("catalog 1.2.3");
  });

  test("uses known macros, and shows no line of text as one", () => {
    const macros = page.split("\n").filter((line) => /^[.']/.test(line));
    const known = /^\.(TH|SH|SS|PP|TP|RS|RE|nf|fi|B|I)\b/;
    expect(macros.filter((line) => !known.test(line))).toEqual([]);
  });

  const has = spawnSync("mandoc", ["-V"]).error === undefined;
  test.skipIf(!has)("is read without an error", () => {
    const linted = spawnSync("mandoc", ["-T", "lint", "-W", "error"], { input: page });
    expect(linted.stdout.toString()).toBe("");
  });
});
