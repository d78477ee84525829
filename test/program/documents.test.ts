/** Generated documents agree with the commands. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { ERROR_KINDS } from "../../src/base/errors.ts";
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

function read(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), "utf8");
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

test("replaceParts rejects a document without the markers of a part", () => {
  expect(() => replaceParts("<!-- commands -->", { commands: "x" })).toThrow("<!-- /commands -->");
});

test("examples/every-field.yaml uses every field of a course file except id and slug", () => {
  const used = new Set(
    parseAllDocuments(read("examples/every-field.yaml")).flatMap((one) => Object.keys(one.toJS())),
  );
  const fields = WRITABLE_FIELDS.map(({ name }) => name).filter(
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
  // A file of the root, and a file of users.
  files.push("/build.mjs", "/catalog.defaults.yaml");
  expect(paths.filter((path) => !files.some((file) => file.endsWith(`/${path}`)))).toEqual([]);
  const { scripts } = JSON.parse(read("package.json")) as { scripts: object };
  const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => name);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
