import { expect, test } from "vitest";
import { hasColor } from "../../src/output/text-measure.ts";

const terminal = { isTerminal: true };
const pipe = { isTerminal: false };

test.each([
  [terminal, {}, true, true],
  [terminal, { TERM: "xterm-256color" }, true, true],
  [terminal, { TERM: "dumb" }, true, false],
  [pipe, { TERM: "xterm-256color" }, true, false],
  [terminal, { TERM: "xterm" }, false, false],
  [terminal, { FORCE_COLOR: "3" }, false, false],
  [terminal, { NO_COLOR: "1" }, true, false],
  [terminal, { NO_COLOR: "" }, true, true],
  [terminal, { NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
  [pipe, { FORCE_COLOR: "" }, true, false],
  [terminal, { FORCE_COLOR: "" }, true, true],
  [pipe, { FORCE_COLOR: "1" }, true, true],
  [pipe, { FORCE_COLOR: "true" }, true, true],
  [pipe, { FORCE_COLOR: "3", TERM: "dumb" }, true, true],
  [terminal, { FORCE_COLOR: "0" }, true, false],
  [terminal, { FORCE_COLOR: "false" }, true, false],
] as const)(
  "the output %o with %o, allowed %o, has color: %o",
  (output, environment, allowed, expected) => {
    expect(hasColor(output, environment, allowed)).toBe(expected);
  },
);
