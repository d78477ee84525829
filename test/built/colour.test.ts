/** Colour, as pipes, terminals and the environment ask for it (cli.md section 11). */
import { describe, expect, test } from "vitest";
import {
  ESCAPE,
  example,
  HAS_TERMINAL,
  numbered,
  runCatalog,
  serve,
  startOnTerminal,
  type Variables,
} from "./rig.ts";

const TABLE = ["courses", "ls", "-o", "table"];
const CHECK = ["courses", "check", example("broken.yaml")];
const WRONG = ["courses", "ls", "--limit", "0"];

/** Everything printed, on both outputs. */
async function printed(words: readonly string[], environment: Variables): Promise<string> {
  const service = await serve(numbered(2));
  const { stdout, stderr } = await runCatalog(words, {
    environment: { ...service.environment, ...environment },
  });
  return stdout + stderr;
}

describe.each([TABLE, CHECK, WRONG])("%s %s %s", (...words) => {
  test.each<Variables>([
    {},
    { TERM: "xterm-256color", COLORTERM: "truecolor" },
    { FORCE_COLOR: "1", NO_COLOR: "1" },
    { FORCE_COLOR: "0" },
    { CI: "true" },
  ])("has none in a pipe with %j", async (environment) => {
    const text = await printed(words, environment);
    expect(text).not.toBe("");
    expect(text).not.toContain(ESCAPE);
    // Node.js has an opinion of its own on variables that contradict each other.
    expect(text).not.toContain("Warning");
  });

  test("has some with FORCE_COLOR=1", async () => {
    expect(await printed(words, { FORCE_COLOR: "1", TERM: "dumb" })).toContain(`${ESCAPE}[`);
  });

  test("has none with --no-color, whatever else", async () => {
    expect(await printed([...words, "--no-color"], { FORCE_COLOR: "3" })).not.toContain(ESCAPE);
  });
});

test.each(["ndjson", "json", "csv", "yaml", "id"])("data has none: %s", async (format) => {
  const words = ["courses", "ls", "-o", format];
  expect(await printed(words, { FORCE_COLOR: "1" })).not.toContain(ESCAPE);
});

describe.skipIf(!HAS_TERMINAL)("on a terminal", () => {
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
  ])("%j %j: %j", async (environment, words, expected) => {
    const service = await serve(numbered(2));
    const running = await startOnTerminal(words, 80, {
      environment: { ...service.environment, ...environment },
    });
    const { stdout } = await running.ended;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
    expect(/\u001b\[\d[\d;]*m/.test(stdout)).toBe(expected);
  });
});
