import { expect, test } from "vitest";
import { colorLevel } from "../../src/output/color.ts";

const terminal = { isTerminal: true };
const pipe = { isTerminal: false };

test.each([
  [terminal, {}, true, 1],
  [terminal, { TERM: "xterm-256color" }, true, 2],
  [terminal, { TERM: "xterm", COLORTERM: "truecolor" }, true, 3],
  [terminal, { COLORTERM: "24bit" }, true, 3],
  [terminal, { TERM: "dumb", COLORTERM: "truecolor" }, true, 0],
  [pipe, { TERM: "xterm-256color" }, true, 0],
  [terminal, { TERM: "xterm" }, false, 0],
  [terminal, { FORCE_COLOR: "3" }, false, 0],
  [terminal, { NO_COLOR: "1" }, true, 0],
  [terminal, { NO_COLOR: "" }, true, 1],
  [terminal, { NO_COLOR: "1", FORCE_COLOR: "1" }, true, 0],
  [pipe, { FORCE_COLOR: "" }, true, 0],
  [terminal, { FORCE_COLOR: "" }, true, 1],
  [pipe, { FORCE_COLOR: "1" }, true, 1],
  [pipe, { FORCE_COLOR: "true" }, true, 1],
  [pipe, { FORCE_COLOR: "2" }, true, 2],
  [pipe, { FORCE_COLOR: "3", TERM: "dumb" }, true, 3],
  [terminal, { FORCE_COLOR: "0" }, true, 0],
  [terminal, { FORCE_COLOR: "false", COLORTERM: "truecolor" }, true, 0],
] as const)(
  "the output %o with %o, allowed %o, has the color level %i",
  (output, environment, allowed, level) => {
    expect(colorLevel(output, environment, allowed)).toBe(level);
  },
);
