/** The output of commands on terminals of several widths and in pipes. */
import { test } from "vitest";
import type { RunOptions } from "../rig.ts";
import { rigWith } from "./helpers.ts";
import {
  COURSES,
  expectBlocks,
  expectColors,
  expectTable,
  GET,
  LIST,
  runOnTerminal,
} from "./terminal-output.ts";

const VARIABLES: readonly NonNullable<RunOptions["environment"]>[] = [
  {},
  { NO_COLOR: "1" },
  { FORCE_COLOR: "1" },
];

const CASES = [40, 80, 200].flatMap((columns) =>
  VARIABLES.map((variables) => [columns, variables] as const),
);

test.each(CASES)("ls and get fit a terminal of %i columns (%j)", async (columns, variables) => {
  const r = await rigWith(...COURSES);
  const table = await runOnTerminal(r, LIST, columns, variables);
  const blocks = await runOnTerminal(r, GET, columns, variables);
  expectTable(table, columns);
  expectBlocks(blocks, columns);
  for (const { stdout } of [table, blocks]) {
    expectColors(stdout, variables.NO_COLOR === undefined);
  }
});
