/** Parses command lines with commander. No other file imports commander. */
import { Argument, Command, CommanderError, Option } from "commander";
import { type CatalogError, usageError } from "../base/errors.ts";
import { camelCase, type Flag } from "../cli/arguments.ts";
import type { AnyCommand } from "../cli/command.ts";
import { GLOBAL_FLAGS, type GlobalOptions, selectOutput, toGlobalOptions } from "../cli/globals.ts";
import { VERSION } from "../version.ts";
import { COMMANDS, type Group, type LoadedCommand, loadCommand, namesOf } from "./command-tree.ts";
import {
  argumentText,
  asSentence,
  commandDetails,
  flagText,
  groupPage,
  HELP_FLAG,
  type PageStyle,
  rootPage,
  TOPICS,
  usageWithAliases,
  VERSION_FLAG,
} from "./help.ts";
import {
  helpAdvice,
  parseChoice,
  refuseCommand,
  refuseExcess,
  refuseFlag,
  refuseMissing,
  requireNeeds,
} from "./usage-errors.ts";

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

/** Parses the words after `catalog`, and runs no command. @throws CatalogError of kind `usage` */
export async function parseCommandLine(
  words: readonly string[],
  style: PageStyle,
): Promise<CommandLine> {
  // Reads the flags before and between the words that lead to the command.
  const reader = newCommand([...GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG])
    .helpOption(false)
    .passThroughOptions();
  const flags: string[] = [];
  let rest = [...words];
  let group: Group | undefined;
  let isHelp = false;
  for (;;) {
    const { operands, unknown } = read(reader, () => reader.parseOptions(rest), {
      path: group?.name,
    });
    const [flag] = unknown;
    if (flag !== undefined) throw refuseFlag(flag, longNames(reader), group?.name);
    flags.push(...rest.slice(0, rest.length - operands.length));
    const [word, ...others] = operands;
    rest = others;
    isHelp ||= word === "help" || reader.opts().help === true;
    if (reader.opts().version === true) return { page: `${VERSION}\n` };
    if (word === "help") continue;
    if (word === undefined) {
      return { page: group === undefined ? rootPage(style) : groupPage(group, style) };
    }
    const entry = (group?.commands ?? COMMANDS).find((each) => namesOf(each).includes(word));
    const topic = TOPICS.find(({ name }) => name === word);
    if (isHelp && group === undefined && entry === undefined && topic !== undefined) {
      const { topicText } = await import("./topics.ts");
      return { page: topicText(topic.name, style) };
    }
    if (entry === undefined) throw refuseCommand(word, group);
    if ("load" in entry) {
      const loaded = await loadCommand(entry, group);
      return parseWords(isHelp ? [`--${HELP_FLAG.name}`] : [...flags, ...rest], loaded, style);
    }
    group = entry;
  }
}

/** Parses the words of a command: its arguments, its flags and the global flags. */
function parseWords(
  words: readonly string[],
  loaded: LoadedCommand,
  { columns, bold }: PageStyle,
): CommandLine {
  const { path, summary, command: declared } = loaded;
  const { arguments: positional = [], flags = [], description = "" } = declared;
  let page = "";
  const command = newCommand(flags)
    .configureOutput({
      writeOut: (text) => {
        page += text;
      },
      getOutHelpWidth: () => columns,
      // The style decides about colors.
      getOutHasColors: () => true,
    })
    .configureHelp({
      minWidthToWrap: 10,
      commandUsage: (each) => each.usage(),
      optionDescription: (option) => option.description,
      styleTitle: bold,
    })
    .usage(usageWithAliases(loaded))
    .description(`${asSentence(summary)}\n\n${description}`.trim())
    .addHelpText("after", () => commandDetails(declared, { columns, bold }))
    .addHelpOption(toOption(HELP_FLAG).hideHelp())
    .version(VERSION, flagText(VERSION_FLAG));
  command.options.at(-1)?.hideHelp();
  // Every command has these, so its help does not list them.
  for (const flag of GLOBAL_FLAGS) command.addOption(toOption(flag).hideHelp());
  for (const argument of positional) {
    command.addArgument(new Argument(argumentText(argument), argument.description));
  }
  try {
    read(command, () => command.parse(words, { from: "user" }), { path, words, declared });
  } catch (thrown) {
    // Help and the version end the parsing.
    if (thrown instanceof CommanderError) return { page };
    throw thrown;
  }
  requireNeeds(flags, (name) => isTyped(name, command), words);
  const dashes = words.indexOf("--");
  const passthrough = dashes === -1 ? undefined : words.slice(dashes + 1);
  const values = valuesOf(flags, command);
  const input = declared.parse({ arguments: command.args, values, passthrough });
  const printed = declared.prints?.(input) === false ? undefined : declared.output;
  const globals = valuesOf(GLOBAL_FLAGS, command);
  const options = { ...toGlobalOptions(globals), ...selectOutput(globals, path, printed) };
  return { command: declared, path, input, options };
}

function newCommand(flags: readonly Flag[]): Command {
  const command = new Command("catalog")
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .optionsGroup("Flags:");
  for (const flag of flags) command.addOption(toOption(flag));
  return command;
}

/** What is known about a command line with an error. */
interface Known {
  readonly path: string | undefined;
  readonly words?: readonly string[];
  readonly declared?: AnyCommand;
}

/** Reads words, and makes an error of commander one of ours. */
function read<Result>(command: Command, work: () => Result, known: Known): Result {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof CommanderError) || thrown.exitCode === 0) throw thrown;
    throw asUsageError(thrown, command, known);
  }
}

function asUsageError(
  { code, message }: CommanderError,
  command: Command,
  { path, words = [], declared }: Known,
): CatalogError {
  const { args, registeredArguments } = command;
  if (code === "commander.unknownOption") {
    return refuseFlag(args.find((word) => /^-[^\d.]/.test(word)) ?? "", longNames(command), path);
  }
  if (code === "commander.missingArgument") {
    return refuseMissing(declared?.arguments?.[args.length], declared?.examples[0]);
  }
  if (code === "commander.excessArguments") {
    return refuseExcess(args[registeredArguments.length] ?? "", path, words);
  }
  return usageError(message.replace(/^error: /, ""), helpAdvice(path, "details"));
}

function longNames({ options }: Command): string[] {
  return options.flatMap(({ long }) => long ?? []);
}

function toOption(flag: Flag): Option {
  const { name, value, choices, parse, repeatable, excludes = [], group } = flag;
  const option = new Option(flagText(flag), flag.description).conflicts(excludes.map(attributeOf));
  if (group !== undefined) option.helpGroup(`${group}:`);
  if (parse !== undefined) option.argParser((text) => parse(text, name));
  else if (choices !== undefined) option.argParser((text) => parseChoice(text, name, choices));
  if (repeatable === true) {
    const parseOne = option.parseArg ?? ((text: string) => text);
    option.default([]).argParser((text, before: readonly unknown[]) => {
      return [...before, parseOne(text, undefined)];
    });
  } else if (value === undefined && !option.negate) option.default(false);
  return option;
}

/** The name of a flag's value in commander, which stores `--no-color` as `color: false`. */
function attributeOf(name: string): string {
  return camelCase(name.replace(/^no-/, ""));
}

function isTyped(name: string, command: Command): boolean {
  return command.getOptionValueSource(attributeOf(name)) === "cli";
}

/** The values of flags by their names in camel case. */
function valuesOf(flags: readonly Flag[], command: Command): Record<string, unknown> {
  const names = new Set(flags.map(({ name }) => name));
  const entries = flags.map(({ name, value: takes }) => {
    const value: unknown = command.getOptionValue(attributeOf(name));
    if (name.startsWith("no-")) return [camelCase(name), value === false];
    // A flag and its opposite have one attribute: the last one counts.
    const isOpposite = value === false && takes !== undefined && names.has(`no-${name}`);
    return [camelCase(name), isOpposite ? undefined : value];
  });
  return Object.fromEntries(entries);
}
