/** Parses command lines with commander. No other file imports commander. */
import { Command, CommanderError, Option } from "commander";
import { usageError, VERSION } from "../base/errors.ts";
import { requireChoice } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import { camelCase, checkWords, type Flag, type Typed, valueName } from "../cli/arguments.ts";
import type { AnyCommand } from "../cli/command.ts";
import { GLOBAL_FLAGS, type GlobalOptions, globalOptions } from "../cli/global-flags.ts";
import { ENTRIES } from "./command-tree.ts";
import { argumentText, asSentence, endText, flagText, HELP_FLAG, VERSION_FLAG } from "./help.ts";
import type { NamedFiles } from "./outputs.ts";
import { refuseCommand, refuseFlag, refuseJsonFields } from "./usage-errors.ts";

/** A parsed command line: a command to run, or a page of help to print. */
export type CommandLine =
  | {
      readonly command: AnyCommand;
      /** The words that lead to the command, without `catalog`: `courses ls`. */
      readonly path: string;
      readonly typed: Typed;
      /** What the command makes of what was typed. */
      readonly input: unknown;
      readonly options: GlobalOptions;
      /** The files and folders that it names. */
      readonly files: NamedFiles;
    }
  | { readonly page: string };

/** A command line while commander parses it. */
interface Parsing {
  /** The width of pages. */
  readonly columns: number;
  readonly words: readonly string[];
  readonly passthrough: readonly string[] | undefined;
  line?: CommandLine;
  page: string;
}

/** Parses the words after `catalog`, and runs no command. @throws CatalogError of kind `usage` */
export async function parseCommandLine(
  words: readonly string[],
  columns: number,
): Promise<CommandLine> {
  const dashes = words.indexOf("--");
  const passthrough = dashes === -1 ? undefined : words.slice(dashes + 1);
  refuseJsonFields(dashes === -1 ? words : words.slice(0, dashes));
  const parsing: Parsing = { columns, words, passthrough, page: "" };
  // commander reads the help flag after the words that lead to a command.
  const [first = "", ...rest] = words;
  const isHelp = dashes === -1 && (first === "-h" || first === "--help");
  try {
    await buildTree(parsing).parseAsync(isHelp ? [...rest, first] : words, { from: "user" });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
  }
  return parsing.line ?? { page: parsing.page };
}

/** The tree of all commands. The code of a command is loaded when its name is read. */
function buildTree(parsing: Parsing): Command {
  const write = (text: string): void => {
    parsing.page += text;
  };
  // The commands below inherit these settings.
  const root = new Command("catalog")
    .enablePositionalOptions()
    .configureOutput({
      writeOut: write,
      writeErr: write,
      outputError: () => undefined,
      getOutHelpWidth: () => parsing.columns,
      getErrHelpWidth: () => parsing.columns,
    })
    .configureHelp({
      minWidthToWrap: 10,
      optionDescription: ({ description }) => description,
      subcommandTerm: (each) => [each.name(), ...each.aliases()].join(", "),
    })
    .description("Publish courses to a course catalog from files in your Git repository.");
  prepare(root, parsing);
  for (const { path, name, alias, summary, heading } of ENTRIES) {
    const [first] = path.split(" ");
    const above = root.commands.find((each) => each.name() === first) ?? root;
    const command = above.command(name).summary(summary).helpGroup(`${heading}:`);
    if (alias !== undefined) command.alias(alias);
  }
  root
    .command("help [word...]")
    .summary("explain a command, or print the skill for agents: catalog help agents")
    .helpGroup("More:")
    .action(async (words: readonly string[]) => {
      if (words.join() === "agents") {
        parsing.page = (await import("../../skills/catalog/SKILL.md?raw")).default;
      } else await root.parseAsync([...words, `--${HELP_FLAG.name}`], { from: "user" });
    });
  return root;
}

/** Adds what every command has, and loads what is named below it. */
function prepare(command: Command, parsing: Parsing, declared?: AnyCommand): void {
  // Only the first page explains the global flags and the exit codes.
  const isFirst = command.parent === null;
  for (const flag of GLOBAL_FLAGS) {
    command.addOption(toOption(flag).helpGroup("Global flags:").hideHelp(!isFirst));
  }
  command
    .addHelpOption(toOption(HELP_FLAG).helpGroup("Global flags:").hideHelp(!isFirst))
    .version(VERSION, flagText(VERSION_FLAG), VERSION_FLAG.description)
    .usage("<command> [flags]")
    .helpCommand(false)
    .addHelpText("after", () => endText(parsing.columns, declared, isFirst))
    .exitOverride((thrown) => {
      throw asUsageError(thrown, command, declared, parsing.words);
    })
    .hook("preSubcommand", async (_, below) => await load(below, parsing))
    .options.at(-1)
    ?.helpGroup("Global flags:")
    .hideHelp(!isFirst);
}

/** Loads the code of a command, and adds its arguments, flags and texts. */
async function load(command: Command, parsing: Parsing): Promise<void> {
  const entry = ENTRIES.find(({ path }) => `catalog ${path}` === pathOf(command));
  const declared = await entry?.load?.();
  prepare(command, parsing, declared);
  if (entry === undefined || declared === undefined) return;
  const { arguments: positional = [], flags = [], description = "", output } = declared;
  for (const each of positional) command.argument(argumentText(each), each.description);
  for (const flag of flags) command.addOption(toOption(flag));
  command
    .usage(["[flags]", ...positional.map(argumentText)].join(" "))
    .description(`${asSentence(entry.summary)}\n\n${description}`.trim())
    .action(() => {
      requireTogether(flags, command);
      // If a global flag is before and after the command, the last one counts.
      const above = command.parent;
      const values = { ...above?.parent?.opts(), ...above?.opts(), ...command.opts() };
      const { args: words } = command;
      if (positional.some(({ variadic, isForeign }) => variadic && !isForeign)) checkWords(words);
      const typed: Typed = { ...values, words, passthrough: parsing.passthrough };
      const input = declared.parse === undefined ? typed : declared.parse(typed);
      const printed = declared.printed === undefined ? output : declared.printed(input);
      const options = globalOptions(values, entry.path, printed, declared.instead);
      const files = findNamedFiles(words, flags, values);
      parsing.line = { command: declared, path: entry.path, typed, input, options, files };
    });
}

/** Requires that a flag is given with the flag that it needs, and without those it excludes. @throws CatalogError of kind `usage` */
function requireTogether(flags: readonly Flag[], command: Command): void {
  const isGiven = (name: string) => command.getOptionValueSource(camelCase(name)) === "cli";
  const given = flags.filter((flag) => isGiven(flag.name));
  for (const { name, excludes = [] } of given) {
    const other = excludes.find(isGiven);
    if (other === undefined) continue;
    throw usageError(`--${name} cannot be combined with --${other}`, "Omit one of them.");
  }
  for (const { name, needs } of given) {
    if (needs === undefined || isGiven(needs)) continue;
    throw usageError(`--${name} needs --${needs}`, `Add --${needs}, or omit --${name}.`);
  }
}

/** The files and folders that flags and arguments name; an argument may be something else. */
function findNamedFiles(
  words: readonly string[],
  flags: readonly Flag[],
  values: Readonly<Record<string, unknown>>,
): NamedFiles {
  const named = (wanted: Flag["file"]): string[] =>
    flags
      .filter(({ file }) => file === wanted)
      .flatMap(({ name }) => values[camelCase(name)] ?? [])
      .map((value) => (isObject(value) ? String(value.file) : String(value)));
  return { read: [...words, ...named("read")], written: named("written") };
}

/** The error of a wrong command line, in our words. Help is not an error, with or without a flag that requests it. */
function asUsageError(
  thrown: CommanderError,
  command: Command,
  declared: AnyCommand | undefined,
  words: readonly string[],
): Error {
  const { code, exitCode, message } = thrown;
  const { args, commands, options } = command;
  const [first = "-"] = args;
  // commander prints the help of the group for a command that does not exist.
  const isHelp = code === "commander.helpDisplayed" && commands.length > 0 && first[0] !== "-";
  if (isHelp || code === "commander.unknownCommand") return refuseCommand(first, pathOf(command));
  if (exitCode === 0 || code === "commander.help") return thrown;
  const advice = `Run "${pathOf(command)} --help" for details.`;
  if (code === "commander.unknownOption") {
    const word = args.find((each) => each.startsWith("-") && each !== "-") ?? "";
    const known = options.map(({ long }) => long ?? "");
    // Of `-version`, commander reads `-v`, and names the rest.
    const typed = words.find((each) => known.includes(`-${each}`));
    return refuseFlag(typed ?? word, known, typed ? `Did you mean -${typed}?` : advice);
  }
  const positional = declared?.arguments ?? [];
  if (code === "commander.missingArgument") {
    const example = `For example: ${Object.values(declared?.examples ?? {})[0]}`;
    return usageError(`missing <${positional[args.length]?.name}>`, example);
  }
  if (code === "commander.excessArguments") {
    return usageError(`unexpected argument ${JSON.stringify(args[positional.length])}`, advice);
  }
  if (code === "commander.optionMissingArgument") {
    // The value of a flag is missing only at the end.
    const word = words.at(-1) ?? "";
    const flag = options.find(({ long, short }) => word === long || word === short);
    return usageError(`missing ${flag?.flags.replace(/^[^<[]*/, "")} after ${word}`, advice);
  }
  return usageError(message.slice("error: ".length), advice);
}

/** The words that lead to a command: `catalog courses`. */
function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
}

function toOption(flag: Flag): Option {
  const { name, choices, repeatable, group = "Flags" } = flag;
  const ofChoices: Flag["parse"] =
    choices && ((text, origin) => requireChoice(text, choices, origin));
  const { parse = ofChoices } = flag;
  const option = new Option(flagText(flag), flag.description);
  // A flag such as --no-color is a separate flag, not another value of --color.
  option.negate = false;
  option.helpGroup(`${group}:`);
  if (parse !== undefined) option.argParser((text) => parse(text, `--${name}`));
  if (repeatable === true) {
    const parseOne = option.parseArg ?? ((text: string) => text);
    option.default([]).argParser((text, before: readonly unknown[]) => {
      return [...before, parseOne(text, undefined)];
    });
  } else if (valueName(flag) === undefined && !GLOBAL_FLAGS.includes(flag)) option.default(false);
  return option;
}
