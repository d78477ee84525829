/** Declares our commands and flags to commander, which parses the command line. No other file imports commander. */
import { Argument, Command, CommanderError, type HelpConfiguration, Option } from "commander";
import { asCatalogError, attempt, type CatalogError } from "../base/errors.ts";
import { paragraph, wrapText } from "../base/text.ts";
import { camelCase, type Flag } from "../cli/arguments.ts";
import type { AnyCommand } from "../cli/command.ts";
import { GLOBAL_FLAGS, type GlobalOptions, selectOutput, toGlobalOptions } from "../cli/globals.ts";
import type { TypedFiles } from "../cli/run-report.ts";
import { FORMATS, hasJsonMessages } from "../output/formats.ts";
import { VERSION } from "../version.ts";
import {
  COMMANDS,
  type Group,
  type Leaf,
  type LoadedCommand,
  loadCommand,
} from "./command-tree.ts";
import {
  argumentText,
  asSentence,
  columnWidth,
  commandDetails,
  flagText,
  groupPage,
  HELP_FLAG,
  type PageStyle,
  rootPage,
  rowText,
  TOPICS,
  usageWithAliases,
  VERSION_FLAG,
} from "./help.ts";
import {
  parseChoice,
  refuseCommand,
  refuseExcess,
  refuseFlag,
  refuseFlags,
  refuseMissing,
  requireNeeds,
} from "./usage-errors.ts";

/** A parsed command line: a command to run, a page of help to print, or an error. */
export type CommandLine =
  | {
      readonly command: AnyCommand;
      /** The words that lead to the command, without `catalog`: `courses ls`. */
      readonly path: string;
      readonly input: unknown;
      readonly options: GlobalOptions;
    }
  | { readonly page: string }
  | { readonly error: CatalogError; readonly path: string | undefined };

/** Reads the flags that decide how an error of the command line itself is shown, and the files that it would write. */
export function readEarlyFlags(words: readonly string[]) {
  const reader = new Command()
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .option("-o, --output <format>")
    .option("--json")
    .option("-q, --quiet")
    .option("-v, --verbose")
    .option("--no-color")
    .option("--report <file>", "", (text, before: readonly string[]) => [...before, text], [])
    .option("--record <file>")
    .option("--out <file>");
  // Program reports a missing value.
  attempt(() => reader.parseOptions([...words]));
  const { output, json = false, verbose = false, color, ...files } = reader.opts();
  const format = FORMATS.find((each) => each === output);
  // In "--output --json", --json is the value of --output.
  const isJson: boolean = json || output === "--json" || hasJsonMessages(format);
  return { json: isJson, quiet: false, verbose, color, files: files as TypedFiles };
}

/**
 * The tree of commands. To start fast, only the command that a command line names gets its arguments and flags:
 * docs/contributing/start-up.md.
 */
export class Program {
  readonly #root: Command;
  #current: Command;
  #group: Group | undefined;
  #loaded: LoadedCommand | undefined;
  /** The declarations of the commands and groups, except `help`. */
  readonly #entries = new Map<Command, { entry: Leaf | Group; group?: Group | undefined }>();
  readonly #style: PageStyle;
  /** The page that commander has written. */
  #page = "";
  #words: readonly string[] = [];
  #result: CommandLine | undefined;

  constructor(style: PageStyle) {
    this.#style = style;
    const write = (text: string): void => {
      this.#page += text;
    };
    this.#root = new Command("catalog")
      .exitOverride()
      .enablePositionalOptions()
      // Our own flag, so that `catalog --help courses ls` prints the help of `courses ls`.
      .helpOption(false)
      .configureOutput({
        writeOut: write,
        writeErr: write,
        outputError: () => undefined,
        getOutHelpWidth: () => style.columns,
        getErrHelpWidth: () => style.columns,
        // The style decides about colors.
        getOutHasColors: () => true,
        getErrHasColors: () => true,
      })
      .configureHelp(pageLayout(style));
    this.#current = this.#root;
    this.#fillGroup(this.#root, COMMANDS);
    // `main.ts` writes this page without commander.
    this.#root.configureHelp({ formatHelp: () => rootPage(style) });
  }

  /** Parses the words after `catalog`, and runs no command. Call it once per Program: commander keeps the values. */
  async parse(words: readonly string[]): Promise<CommandLine> {
    this.#words = words;
    try {
      await this.#root.parseAsync(words, { from: "user" });
    } catch (thrown) {
      const error = this.#asUsageError(thrown);
      if (error !== undefined) return { error, path: this.#loaded?.path };
    }
    return this.#result ?? { page: this.#page };
  }

  /** The error that commander or the `parse` of a command has thrown; undefined if it stands for a page of help. */
  #asUsageError(thrown: unknown): CatalogError | undefined {
    if (!(thrown instanceof CommanderError)) return asCatalogError(thrown);
    const { options, args, registeredArguments } = this.#current;
    switch (thrown.code) {
      case "commander.help":
      case "commander.helpDisplayed":
      case "commander.version":
        return undefined;
      case "commander.unknownCommand":
        return refuseCommand(args[0] ?? "", this.#group);
      case "commander.unknownOption": {
        const flag = args.find((word) => /^-[^\d.]/.test(word)) ?? "";
        const known = options.flatMap(({ long }) => long ?? []);
        return refuseFlag(flag, known, this.#path);
      }
      case "commander.missingArgument": {
        const missing = this.#loaded?.command.arguments?.[args.length];
        const [example] = this.#loaded?.command.examples ?? [];
        return refuseMissing(missing === undefined ? "argument" : argumentText(missing), example);
      }
      case "commander.excessArguments":
        return refuseExcess(args[registeredArguments.length] ?? "", this.#path, this.#words);
      default:
        return refuseFlags(thrown.code, thrown.message, this.#path);
    }
  }

  get #path(): string | undefined {
    return this.#loaded?.path ?? this.#group?.name;
  }

  /** Declares the arguments and flags of a command, whose file is loaded now, or the commands of a group. */
  async #open(command: Command): Promise<void> {
    const { entry, group } = this.#entries.get(command) ?? {};
    this.#current = command;
    if (entry === undefined) this.#addHiddenFlags(command, [...GLOBAL_FLAGS, HELP_FLAG]);
    else if ("load" in entry) {
      this.#loaded = await loadCommand(entry, group);
      this.#fillCommand(command, this.#loaded);
    } else {
      this.#group = entry;
      this.#fillGroup(command, entry.commands, entry);
      // After the commands are added, because each would inherit this page.
      command.configureHelp({ formatHelp: () => groupPage(entry, this.#style) });
    }
  }

  #fillGroup(above: Command, entries: readonly (Leaf | Group)[], group?: Group): void {
    for (const entry of entries) {
      const command = above.command(entry.name).summary(entry.summary);
      if (entry.alias !== undefined) command.alias(entry.alias);
      this.#entries.set(command, { entry, group });
    }
    const help = above.command("help", { hidden: true }).argument("[words...]");
    // `catalog help courses ls --limit 3` has flags of the command `courses ls`.
    help.allowUnknownOption();
    help.action(async (words: readonly string[]) => {
      const topic = TOPICS.find(({ name }) => group === undefined && name === words[0]);
      const named = [group?.name ?? [], words.filter((word) => word !== "help")].flat();
      if (topic !== undefined) {
        const { topicText } = await import("./topics.ts");
        this.#page = topicText(topic.name, this.#style);
      } else this.#result = await new Program(this.#style).parse([...named, "--help"]);
    });
    this.#addHiddenFlags(above, [...GLOBAL_FLAGS, HELP_FLAG]);
    above.hook("preSubcommand", async (_, command) => {
      await this.#open(command);
      if (above.getOptionValue(HELP_FLAG.name) !== true) return;
      if (this.#loaded !== undefined) command.help();
      command.setOptionValue(HELP_FLAG.name, true);
    });
  }

  #fillCommand(command: Command, loaded: LoadedCommand): void {
    const { path, summary, command: declared } = loaded;
    const { arguments: positional = [], flags = [], description = "" } = declared;
    command
      .usage(usageWithAliases(loaded))
      .description(`${asSentence(summary)}\n\n${description}`.trim())
      .optionsGroup("Flags:")
      .addHelpText("after", () => commandDetails(declared, this.#style))
      .addHelpOption(toOption(HELP_FLAG).hideHelp());
    for (const argument of positional) {
      command.addArgument(new Argument(argumentText(argument), argument.description));
    }
    for (const flag of flags) command.addOption(toOption(flag));
    this.#addHiddenFlags(command, othersThan(flags));
    command.action(() => {
      const values = valuesOf(flags, () => command);
      requireNeeds(flags, (name) => isTyped(name, command), this.#words);
      const dashes = this.#words.indexOf("--");
      const passthrough = dashes === -1 ? undefined : this.#words.slice(dashes + 1);
      const input = declared.parse({ arguments: command.args, values, passthrough });
      const printed = declared.prints?.(input) === false ? undefined : declared.output;
      const globals = this.#globalValues(command);
      const options = { ...toGlobalOptions(globals), ...selectOutput(globals, path, printed) };
      this.#result = { command: declared, path, input, options };
    });
  }

  /** Adds flags that the help of a command does not list, because every command has them. */
  #addHiddenFlags(command: Command, flags: readonly Flag[]): void {
    for (const flag of flags) command.addOption(toOption(flag).hideHelp());
    command.version(VERSION, flagText(VERSION_FLAG), VERSION_FLAG.description);
    command.options.at(-1)?.hideHelp();
  }

  /** The values of the global flags. A flag after the name of the command overrides the same flag before the name. */
  #globalValues(command: Command): Record<string, unknown> {
    const own = new Set(this.#loaded?.command.flags?.map(({ name }) => name));
    const holderOf = (name: string): Command => {
      let holder: Command | null = own.has(name) ? command.parent : command;
      while (holder !== null && !isTyped(name, holder)) holder = holder.parent;
      return holder ?? this.#root;
    };
    return valuesOf(GLOBAL_FLAGS, holderOf);
  }
}

/** The global flags, except flags that the command declares itself. */
function othersThan(own: readonly Flag[]): readonly Flag[] {
  return GLOBAL_FLAGS.filter(({ name }) => !own.some((flag) => flag.name === name));
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

/** Whether a flag is on the command line after the name of this command, not before it. */
function isTyped(name: string, command: Command): boolean {
  return command.getOptionValueSource(attributeOf(name)) === "cli";
}

/** The values of flags by their names in camel case. @param holderOf the command in which commander stores a value */
function valuesOf(
  flags: readonly Flag[],
  holderOf: (name: string) => Command,
): Record<string, unknown> {
  const entries = flags.map(({ name, value: takes }) => {
    const value: unknown = holderOf(name).getOptionValue(attributeOf(name));
    if (name.startsWith("no-")) return [camelCase(name), value === false];
    // A flag and its opposite have one attribute: the last one counts.
    return [camelCase(name), takes !== undefined && value === false ? undefined : value];
  });
  return Object.fromEntries(entries);
}

/** Makes commander use our layout for the help of a command. */
function pageLayout({ columns, bold }: PageStyle): HelpConfiguration {
  const hanging = " ".repeat("Usage: ".length);
  return {
    commandUsage: (command) =>
      wrapText(command.usage(), columns - hanging.length)
        .join("\n")
        .replace(/\n(?!Also:)/g, `\n${hanging}`),
    subcommandTerm: (command) => [command.name(), ...command.aliases()].join(", "),
    // Long names are aligned, whether or not there is a short one.
    optionTerm: ({ flags, short }) => (short === undefined ? `    ${flags}` : flags),
    optionDescription: ({ description }) => description,
    styleTitle: bold,
    styleUsage: (usage) => usage.replace(/^Also:/m, bold),
    boxWrap: paragraph,
    padWidth: (command, helper) => {
      const terms = [
        ...helper.visibleArguments(command).map((each) => helper.argumentTerm(each)),
        ...helper.visibleOptions(command).map((each) => helper.optionTerm(each)),
        ...helper.visibleCommands(command).map((each) => helper.subcommandTerm(each)),
      ];
      return columnWidth(terms, columns);
    },
    formatItem: (term, width, meaning) => rowText([term, meaning], width, columns),
  };
}
