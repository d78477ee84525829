/** Refused words and flags have one voice over all commands. */
import { expect, test } from "vitest";
import { type Flag, valueName } from "../../src/cli/arguments.ts";
import { parseCommandLine } from "../../src/program/program.ts";
import { loadAllCommands } from "../../tools/documents/commands.ts";
import { rig } from "../rig.ts";

const ALL = await loadAllCommands();

/** Valid values of flags that accept only some. */
const VALUES: Readonly<Record<string, string>> = { limit: "1", report: "html=x" };

/** A flag with a valid value. */
function given({ name, choices: [first] = [], parse, ...flag }: Flag): string[] {
  const value = VALUES[name] ?? (parse === undefined ? first : undefined) ?? "x";
  return valueName({ name, ...flag, choices: first && [first] } as Flag) === undefined
    ? [`--${name}`]
    : [`--${name}`, value];
}

/** The refusal of every command line that lacks a word, has one too many, or a value or a flag that does not fit. */
async function refusals(): Promise<[line: string, expected: RegExp, message: string][]> {
  const lines: [words: string[], expected: RegExp][] = [];
  for (const { path, command } of ALL) {
    const words = path.split(" ");
    const { flags = [], arguments: positional = [] } = command;
    const [first] = positional;
    if (first?.required)
      lines.push([words, new RegExp(`^missing <${first.name.replace("|", "\\|")}>$`)]);
    if (!positional.some(({ variadic }) => variadic) && path !== "sandbox") {
      const many = positional.map(({ choices: [choice] = ["x"] }) => choice ?? "x");
      lines.push([[...words, ...many, "more"], /^unexpected argument "more"$/]);
    }
    for (const flag of flags) {
      const { name, parse, choices, needs, excludes = [] } = flag;
      if (valueName(flag) !== undefined) {
        lines.push([[...words, `--${name}`], new RegExp(`^missing [<[].+[>\\]] after --${name}$`)]);
      }
      if (choices !== undefined && parse === undefined) {
        const list = /^--[a-z-]+ must be ([\w-]+, )*[\w-]+ or [\w-]+, not "zzz"$/;
        lines.push([[...words, `--${name}`, "zzz"], list]);
      }
      const line = [...words, ...(first === undefined ? [] : ["x"]), ...given(flag)];
      if (needs !== undefined) lines.push([line, new RegExp(`^--${name} needs --${needs}$`)]);
      for (const other of flags.filter((each) => excludes.includes(each.name))) {
        const both = new RegExp(`^--${name} cannot be combined with --${other.name}$`);
        lines.push([[...line, ...given(other)], both]);
      }
    }
  }
  return await Promise.all(
    lines.map(async ([words, expected]) => {
      const refused = await parseCommandLine(words, 80).then(
        () => "accepted",
        (error: Error) => error.message,
      );
      return [words.join(" "), expected, refused] as [string, RegExp, string];
    }),
  );
}

test("a missing or unexpected argument, a missing or wrong value, and a flag without the one that it needs or with one that it excludes are refused in the same words by every command", async () => {
  const found = await refusals();
  expect(found.length).toBeGreaterThan(120);
  for (const [line, expected, message] of found) expect(message, line).toMatch(expected);
});

test("a list of more than ten values is not printed, but the nearest of it", async () => {
  const r = await rig();
  const refused = async (rule: string) =>
    (await r.run(["courses", "check", "a.yaml", "--ignore", rule])).stderr;
  expect(await refused("nope")).toBe(
    'error: unknown rule "nope"\n  A problem ends with its rule, such as [spaces].\n',
  );
  expect(await refused("spacs")).toBe('error: unknown rule "spacs"\n  Did you mean "spaces"?\n');
});
