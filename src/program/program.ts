/** Parses command lines with commander. No other file imports commander. */
import { Command, CommanderError, Option } from "commander";
import { type CatalogError, usageError } from "../base/errors.ts";
import { joinList } from "../base/text.ts";
import { camelCase, type Flag, valueName } from "../cli/arguments.ts";
import type { AnyCommand } from "../cli/command.ts";
import { GLOBAL_FLAGS, type GlobalOptions, globalOptions } from "../cli/globals.ts";
import type { Printed } from "../output/formats.ts";
import { VERSION } from "../version.ts";
import { ENTRIES, type Entry } from "./command-tree.ts";
import {
  argumentText,
  asSentence,
  examplesText,
  flagText,
  globalFlagsText,
  HELP_FLAG,
  type PageStyle,
  usageText,
  VERSION_FLAG,
} from "./help.ts";
import { refuseCommand, refuseFlag, refuseJsonFields } from "./usage-errors.ts";

/** A parsed command line: a command to run, or a page of help to print. */
export type CommandLine =
  | {
      readonly command: AnyCommand;
      /** The words that lead to the command, without `catalog`: `courses ls`. */
      readonly path: string;
      readonly input: unknown;
      readonly options: GlobalOptions;
    }
  | { readonly page: string };

/** What is known of a command line while commander parses it. */
interface Parsing extends PageStyle {
  readonly passthrough: readonly string[] | undefined;
  readonly entries: Map<Command, Entry>;
  /** The command that the words name, after its code is loaded. */
  declared?: AnyCommand;
  line?: CommandLine;
  page: string;
}

/** Parses the words after `catalog`, and runs no command. @throws CatalogError of kind `usage` */
export async function parseCommandLine(
  words: readonly string[],
  style: PageStyle,
): Promise<CommandLine> {
  const dashes = words.indexOf("--");
  const passthrough = dashes === -1 ? undefined : words.slice(dashes + 1);
  refuseJsonFields(dashes === -1 ? words : words.slice(0, dashes));
  const parsing: Parsing = { ...style, passthrough, entries: new Map(), page: "" };
  // commander reads the help flag after the words that lead to a command.
  const [first = "", ...rest] = words;
  const isHelp = dashes === -1 && (first === "-h" || first === "--help");
  try {
    await buildTree(parsing).parseAsync(isHelp ? [...rest, first] : words, { from: "user" });
  } catch (thrown) {
    // Help and the version end the parsing.
    if (!(thrown instanceof CommanderError)) throw thrown;
  }
  return parsing.line ?? { page: parsing.page };
}

/** The tree of all commands. The code of a command is loaded when its name is read. */
function buildTree(parsing: Parsing): Command {
  const root = newCommand("catalog", parsing)
    .description("Publish courses to a course catalog from files in your Git repository.")
    .addHelpText("beforeAll", ({ command }) => refuseUnknown(command))
    .addHelpText("afterAll", globalFlagsText(parsing));
  addGlobalFlags(root);
  const commands = new Map<string, Command>();
  for (const entry of ENTRIES) {
    const { path, name, alias, summary, heading } = entry;
    const command = newCommand(name, parsing).summary(summary).helpGroup(`${heading}:`);
    if (alias !== undefined) command.alias(alias);
    if (entry.load === undefined) addGlobalFlags(command);
    const above = commands.get(path.split(" ")[0] ?? "") ?? root;
    above.addCommand(command);
    commands.set(path, command);
    parsing.entries.set(command, entry);
  }
  const help = newCommand("help", parsing)
    .summary("explain a command, or print the skill for agents: catalog help agents")
    .argument("[word...]")
    .helpGroup("More:")
    .action(async (words: readonly string[]) => {
      if (words.join() === "agents") {
        const { default: skill } = await import("../../skills/catalog/SKILL.md?raw");
        parsing.page = skill;
      } else await root.parseAsync([...words, `--${HELP_FLAG.name}`], { from: "user" });
    });
  addGlobalFlags(help);
  return root.addCommand(help);
}

function newCommand(name: string, parsing: Parsing): Command {
  const { columns, bold } = parsing;
  const write = (text: string): void => {
    parsing.page += text;
  };
  const command = new Command(name)
    .enablePositionalOptions()
    .helpCommand(false)
    .addHelpOption(toOption(HELP_FLAG).hideHelp())
    .usage("<command> [flags]")
    .optionsGroup("Flags:")
    .configureOutput({
      writeOut: write,
      writeErr: write,
      outputError: () => undefined,
      getOutHelpWidth: () => columns,
      getErrHelpWidth: () => columns,
      // The style decides about colors.
      getOutHasColors: () => true,
      getErrHasColors: () => true,
    })
    .configureHelp({
      minWidthToWrap: 10,
      optionDescription: ({ description }) => description,
      subcommandTerm: (each) => [each.name(), ...each.aliases()].join(", "),
      styleTitle: bold,
    })
    .hook("preSubcommand", async (_, below) => await load(below, parsing));
  return command.exitOverride((error) => {
    // Help is not an error, with or without a flag that requests it.
    if (error.exitCode === 0 || error.code === "commander.help") throw error;
    throw asUsageError(error, command, parsing.declared);
  });
}

/** Refuses help for an unknown command: commander would show the page of the words before it. */
function refuseUnknown(command: Command): string {
  const [word = "-"] = command.args;
  if (command.commands.length === 0 || word.startsWith("-")) return "";
  throw refuseCommand(word, pathOf(command));
}

/** Loads the code of a command, and adds its arguments, flags and texts. */
async function load(command: Command, parsing: Parsing): Promise<void> {
  const entry = parsing.entries.get(command);
  const declared = await entry?.load?.();
  if (entry === undefined || declared === undefined) return;
  parsing.declared = declared;
  const { arguments: positional = [], flags = [], description = "", output } = declared;
  for (const each of positional) command.argument(argumentText(each), each.description);
  for (const flag of flags) command.addOption(toOption(flag));
  addGlobalFlags(command, output);
  command
    .usage(usageText(declared))
    .description(`${asSentence(entry.summary)}\n\n${description}`.trim())
    .addHelpText("after", examplesText(declared.examples, parsing))
    .action(() => {
      requireNeeds(flags, command);
      // Of a global flag before and after the command, the last one counts.
      let values: Record<string, unknown> = command.opts();
      for (let above = command.parent; above !== null; above = above.parent) {
        values = { ...above.opts(), ...values };
      }
      const { passthrough } = parsing;
      const input = declared.parse({ arguments: command.args, values, passthrough });
      const printed = declared.prints?.(input) === false ? undefined : output;
      const options = globalOptions(values, entry.path, printed);
      parsing.line = { command: declared, path: entry.path, input, options };
    });
}

/** Requires that a flag is given with the flag that it needs. @throws CatalogError of kind `usage` */
function requireNeeds(flags: readonly Flag[], command: Command): void {
  const isGiven = (name: string) => command.getOptionValueSource(camelCase(name)) === "cli";
  for (const { name, needs } of flags) {
    if (needs === undefined || !isGiven(name) || isGiven(needs)) continue;
    throw usageError(`--${name} needs --${needs}`, `Add --${needs}, or omit --${name}.`);
  }
}

/** Adds the flags of every command. Help lists only those that depend on what the command prints. */
function addGlobalFlags(command: Command, printed?: Printed): void {
  for (const flag of GLOBAL_FLAGS) {
    const option = toOption(flag);
    const shown = { output: printed?.formats, fields: printed?.columns }[flag.name];
    if (shown === undefined) option.hideHelp();
    else if (flag.name === "output") option.description = `output format: ${joinList(shown)}`;
    command.addOption(option);
  }
  command.version(VERSION, flagText(VERSION_FLAG), VERSION_FLAG.description);
  command.options.at(-1)?.hideHelp();
}

function asUsageError(
  { code, message }: CommanderError,
  command: Command,
  declared: AnyCommand | undefined,
): CatalogError {
  const { args, options } = command;
  const advice = `Run "${pathOf(command)} --help" for details.`;
  if (code === "commander.unknownCommand") return refuseCommand(args[0] ?? "", pathOf(command));
  if (code === "commander.unknownOption") {
    const word = args.find((each) => each.startsWith("-") && each !== "-") ?? "";
    const known = options.map(({ long }) => long ?? "");
    return refuseFlag(word, known, advice);
  }
  const isMissing = code === "commander.missingArgument";
  const example = `For example: ${Object.values(declared?.examples ?? {})[0]}`;
  return usageError(message.slice("error: ".length), isMissing ? example : advice);
}

/** The words that lead to a command: `catalog courses`. */
function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
}

function toOption(flag: Flag): Option {
  const { name, choices, parse, repeatable, excludes = [], group } = flag;
  const option = new Option(flagText(flag), flag.description).conflicts(excludes.map(camelCase));
  // A flag such as --no-color is a separate flag, not another value of --color.
  option.negate = false;
  if (group !== undefined) option.helpGroup(`${group}:`);
  if (parse !== undefined) option.argParser((text) => parse(text, `--${name}`));
  else if (choices !== undefined) option.choices(choices);
  if (repeatable === true) {
    const parseOne = option.parseArg ?? ((text: string) => text);
    option.default([]).argParser((text, before: readonly unknown[]) => {
      return [...before, parseOne(text, undefined)];
    });
  } else if (valueName(flag) === undefined && !GLOBAL_FLAGS.includes(flag)) option.default(false);
  return option;
}
