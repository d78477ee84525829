/** Color in the built program; `test/commands/color.test.ts` tests the rules. */
import { expect, test } from "vitest";
import { someOf } from "../long.ts";
import {
  ESCAPE,
  HAS_TERMINAL,
  numberedCourses,
  runCatalog,
  serve,
  startOnTerminal,
  type Variables,
} from "./rig.ts";

const TABLE = ["courses", "ls", "-o", "table"];

const IN_PIPES: readonly [Variables, boolean][] = [
  // Node.js itself warns about variables that cannot be combined.
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false],
  [{ FORCE_COLOR: "1", TERM: "dumb" }, true],
];
const ON_TERMINALS: readonly [Variables, boolean][] = [
  [{}, true],
  [{ NO_COLOR: "1" }, false],
];

test.each(someOf(IN_PIPES, 1))(
  "the built program in a pipe with %j prints colors: %j",
  async (variables, expected) => {
    const { environment } = await serve(numberedCourses(2));
    const ended = await runCatalog(TABLE, { environment: { ...environment, ...variables } });
    const printed = ended.stdout + ended.stderr;
    expect(printed).not.toBe("");
    expect(printed.includes(ESCAPE)).toBe(expected);
    expect(printed).not.toContain("Warning");
  },
);

test.skipIf(!HAS_TERMINAL).each(someOf(ON_TERMINALS, 1))(
  "the built program on a terminal with %j prints colors: %j",
  async (variables, expected) => {
    const { environment } = await serve(numberedCourses(2));
    const options = { environment: { ...environment, ...variables } };
    const { stdout } = await (await startOnTerminal(TABLE, 80, options)).ended;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colors begin with one
    expect(/\u001b\[\d[\d;]*m/.test(stdout)).toBe(expected);
  },
);
