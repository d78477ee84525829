/** How many commands and flags there are: each one is something to learn, so a new one replaces another. */
import { expect, test } from "vitest";
import { DRY_RUN_FLAG } from "../../src/cli/arguments.ts";
import { loadAllCommands } from "../../tools/documents/commands.ts";

const MAX_COMMANDS = 26;
const MAX_FLAGS = 130;
const MAX_PUSH_FLAGS = 20;

test("there are at most 26 commands, with at most 130 flags besides the global flags and --dry-run", async () => {
  const commands = await loadAllCommands();
  const flags = commands.flatMap(({ path, command: { flags = [] } }) =>
    flags.filter(({ name }) => name !== DRY_RUN_FLAG.name).map(({ name }) => `${path} --${name}`),
  );
  expect(commands.length, commands.map(({ path }) => path).join()).toBeLessThanOrEqual(
    MAX_COMMANDS,
  );
  expect(flags.length, flags.join("\n")).toBeLessThanOrEqual(MAX_FLAGS);
  const push = flags.filter((flag) => flag.startsWith("courses push "));
  expect(push.length, push.join("\n")).toBeLessThanOrEqual(MAX_PUSH_FLAGS);
});
