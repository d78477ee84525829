/** How many commands and flags there are: each one is something to learn, so a new one needs a reason. */
import { expect, test } from "vitest";
import { DRY_RUN_FLAG } from "../../src/cli/arguments.ts";
import { loadAllCommands } from "../../tools/documents/commands.ts";

const MAX_COMMANDS = 26;
const MAX_FLAGS = 130;
const MAX_PUSH_FLAGS = 20;

test("the commands, their flags, and those of push are no more than the contract says", async () => {
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
