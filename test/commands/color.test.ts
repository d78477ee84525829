/** Color in pipes and on terminals, and the environment variables that control it. */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { RunOptions } from "../rig.ts";
import { numberedCourse, rigWith } from "./helpers.ts";

const BROKEN = fileURLToPath(new URL("../../examples/broken.yaml", import.meta.url));
const TABLE = ["courses", "ls", "-o", "table"];
const CHECK = ["courses", "check", BROKEN];
const WRONG = ["courses", "ls", "--limit", "0"];

type Variables = NonNullable<RunOptions["environment"]>;

const ESCAPE = "\u001b";
// biome-ignore lint/suspicious/noControlCharactersInRegex: colors begin with one
const COLOR = /\u001b\[\d[\d;]*m/;

/** Everything printed, on both outputs. */
async function printed(words: readonly string[], options: RunOptions): Promise<string> {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  const { stdout, stderr } = await r.run(words, options);
  expect(stdout + stderr).not.toBe("");
  return stdout + stderr;
}

describe.each([TABLE, CHECK, WRONG])("colors of catalog %s %s %s", (...words) => {
  test.each<Variables>([
    {},
    { TERM: "xterm-256color", COLORTERM: "truecolor" },
    { FORCE_COLOR: "1", NO_COLOR: "1" },
    { FORCE_COLOR: "0" },
    { CI: "true" },
  ])(`catalog ${words.join(" ")} prints no color in a pipe with %j`, async (environment) => {
    expect(await printed(words, { environment })).not.toContain(ESCAPE);
  });

  test(`catalog ${words.join(" ")} prints color in a pipe with FORCE_COLOR=1`, async () => {
    const environment = { FORCE_COLOR: "1", TERM: "dumb" };
    expect(await printed(words, { environment })).toMatch(COLOR);
  });

  test(`catalog ${words.join(" ")} --no-color prints no color, even with FORCE_COLOR`, async () => {
    const environment = { FORCE_COLOR: "3" };
    expect(await printed([...words, "--no-color"], { environment })).not.toContain(ESCAPE);
  });
});

test.each(["ndjson", "json", "csv", "yaml", "id"])(
  "courses ls -o %s prints no color, even with FORCE_COLOR",
  async (format) => {
    const words = ["courses", "ls", "-o", format];
    expect(await printed(words, { environment: { FORCE_COLOR: "1" } })).not.toContain(ESCAPE);
  },
);

test.each<[Variables, readonly string[], boolean]>([
  [{}, TABLE, true],
  [{}, [...TABLE, "--no-color"], false],
  [{ NO_COLOR: "1" }, TABLE, false],
  [{ NO_COLOR: "" }, TABLE, true],
  [{ TERM: "dumb" }, TABLE, false],
  [{ TERM: "dumb", FORCE_COLOR: "1" }, TABLE, true],
  [{ NO_COLOR: "1", FORCE_COLOR: "1" }, TABLE, false],
  [{}, WRONG, true],
  [{ NO_COLOR: "1" }, WRONG, false],
])("a terminal with %j and arguments %j shows color: %j", async (variables, words, expected) => {
  const environment = { TERM: "xterm-256color", ...variables };
  expect(COLOR.test(await printed(words, { environment, terminal: true }))).toBe(expected);
});
