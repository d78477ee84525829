/** Makes commander's program of our declarations; no other file imports commander. */
import { Argument, Command, CommanderError, type HelpConfiguration, Option } from "commander";
import { asCatalogError, attempt, type CatalogError } from "../base/errors.ts";
import { paragraph, wrapText } from "../base/text.ts";
import { camelCase, type Flag } from "../command-support/arguments.ts";
import type { AnyCommand } from "../command-support/command.ts";
import {
  GLOBAL_FLAGS,
  type GlobalOptions,
  requireOtherFormat,
  toGlobalOptions,
} from "../command-support/globals.ts";
import type { TypedFiles } from "../command-support/run-report.ts";
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
  groupDetails,
  HELP_FLAG,
  MANUAL_FLAG,
  type PageStyle,
  rootPage,
  rowText,
  TOPICS,
  usageWithAliases,
  VERSION_FLAG,
} from "./help.ts";
import { refuseCommand, refuseFlag, requireNeeds, sentenceOf } from "./usage-errors.ts";

/** What a command line asks for: a command, a page of text, or what cannot be done. */
export type CommandLine =
  | {
      readonly command: AnyCommand;
      /** The words that lead to it, without the program's name: `courses ls`. */
      readonly path: string;
      /** What the command's `parse` returned. */
      readonly input: unknown;
      readonly options: GlobalOptions;
    }
  | { readonly page: string }
  | { readonly error: CatalogError; readonly path: string | undefined };

/**
 * Reads the flags that also count if the command line is refused: how its error is shown and reported.
 * `files` are those that its command would write, as typed.
 */
export function readEarlyFlags(words: readonly string[]) {
  const reader = new Command()
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .option("-o, --output <format>")
    .option("--json")
    .option("-q, --quiet")
    .option("-v, --verbose")
    .option("--no-color")
    .option("--no-pager")
    .option("--report <file>", "", (text, before: readonly string[]) => [...before, text], [])
    .option("--record <file>")
    .option("--out <file>");
  // A missing value is reported by the program.
  attempt(() => reader.parseOptions([...words]));
  const { output, json = false, verbose = false, color, pager, ...files } = reader.opts();
  const format = FORMATS.find((each) => each === output);
  // In "--output --json", --json is the value of --output.
  const isJson: boolean = json || output === "--json" || hasJsonMessages(format);
  return { json: isJson, quiet: false, verbose, color, pager, files: files as TypedFiles };
}

/** A tree of commands, in which only those that a command line names are filled in. */
export class Program {
  readonly root: Command;
  /** The command or group that was named last, and what it was made from. */
  #current: Command;
  group: Group | undefined;
  loaded: LoadedCommand | undefined;
  /** What the commands of the tree are made from, and their groups; `help` is not among them. */
  readonly #entries = new Map<Command, { entry: Leaf | Group; group?: Group | undefined }>();
  readonly #style: PageStyle;
  /** What commander has written. */
  #page = "";
  #words: readonly string[] = [];
  #result: CommandLine | undefined;

  /** @param style of the page that a command line may ask for */
  constructor(style: PageStyle) {
    this.#style = style;
    const write = (text: string): void => {
      this.#page += text;
    };
    this.root = new Command("catalog")
      .exitOverride()
      .enablePositionalOptions()
      // `--help` before the name of a command is about that command.
      .helpOption(false)
      .configureOutput({
        writeOut: write,
        writeErr: write,
        outputError: () => undefined,
        getOutHelpWidth: () => style.columns,
        getErrHelpWidth: () => style.columns,
        // The style decides.
        getOutHasColors: () => true,
        getErrHasColors: () => true,
      })
      .configureHelp(pageLayout(style));
    this.#current = this.root;
    this.#fillGroup(this.root, COMMANDS);
    // `main.ts` writes this page without commander.
    this.root.configureHelp({ formatHelp: () => rootPage(style) });
  }

  /** Reads a command line and runs nothing. It can be called once. */
  async parse(words: readonly string[]): Promise<CommandLine> {
    this.#words = words;
    try {
      await this.root.parseAsync(words, { from: "user" });
    } catch (thrown) {
      const error = this.#asUsageError(thrown);
      if (error !== undefined) return { error, path: this.loaded?.path };
    }
    return this.#result ?? { page: this.#page };
  }

  /** The error of a line that commander or a `parse` refuses; undefined if it asks for a page. */
  #asUsageError(thrown: unknown): CatalogError | undefined {
    if (!(thrown instanceof CommanderError)) return asCatalogError(thrown);
    const { options, args } = this.#current;
    switch (thrown.code) {
      case "commander.help":
      case "commander.helpDisplayed":
      case "commander.version":
        return undefined;
      case "commander.unknownCommand":
        return refuseCommand(args[0] ?? "", this.group);
      case "commander.unknownOption": {
        const flag = args.find((word) => /^-[^\d.]/.test(word)) ?? "";
        const known = options.flatMap(({ long }) => long ?? []);
        return refuseFlag(flag, known, this.#path);
      }
      default:
        return sentenceOf(thrown, this.#path, this.#words);
    }
  }

  /** The flags that may be given after the command or group that was named last, its own first. */
  get flags(): readonly Flag[] {
    const own = this.loaded?.command.flags ?? [];
    const isHelp = this.#current.name() === "help" && this.group === undefined;
    return [...own, ...othersThan(own), HELP_FLAG, VERSION_FLAG, ...(isHelp ? [MANUAL_FLAG] : [])];
  }

  /** The words that lead to the command or group that was named last. */
  get #path(): string | undefined {
    return this.loaded?.path ?? this.group?.name;
  }

  /** Fills in a command or group. The file of a command is only loaded now. */
  async open(command: Command): Promise<void> {
    const { entry, group } = this.#entries.get(command) ?? {};
    this.#current = command;
    if (entry === undefined) this.#addHiddenFlags(command, [...GLOBAL_FLAGS, HELP_FLAG]);
    else if ("load" in entry) {
      this.loaded = await loadCommand(entry, group);
      this.#fillCommand(command, this.loaded);
    } else {
      this.group = entry;
      command
        .usage(`catalog ${entry.name} <command> [flags]`)
        .description(asSentence(entry.summary))
        .addHelpText("after", () => groupDetails(entry, this.#style));
      this.#fillGroup(command, entry.commands, entry);
    }
  }

  #fillGroup(above: Command, entries: readonly (Leaf | Group)[], group?: Group): void {
    for (const entry of entries) {
      const command = above.command(entry.name).summary(entry.summary);
      if (entry.alias !== undefined) command.alias(entry.alias);
      this.#entries.set(command, { entry, group });
    }
    const help = above.command("help", { hidden: true }).argument("[words...]");
    // The flags of the command that is asked about.
    help.allowUnknownOption();
    if (group === undefined) help.addOption(toOption(MANUAL_FLAG));
    help.action(async (words: readonly string[], { man }: { man?: true }) => {
      const topic = TOPICS.find(({ name }) => group === undefined && name === words[0]);
      const named = [group?.name ?? [], words.filter((word) => word !== "help")].flat();
      if (topic !== undefined) {
        const { topicText } = await import("./topics.ts");
        this.#page = topicText(topic.name, this.#style);
      } else if (man === true) this.#page = await manualPage(this.#style);
      else this.#result = await new Program(this.#style).parse([...named, "--help"]);
    });
    this.#addHiddenFlags(above, [...GLOBAL_FLAGS, HELP_FLAG]);
    above.hook("preSubcommand", async (_, command) => {
      await this.open(command);
      if (above.getOptionValue(HELP_FLAG.name) !== true) return;
      if (this.loaded !== undefined) command.help();
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
      const options = this.globalOptions(command);
      if (declared.printsCourses !== true) requireOtherFormat(path, options);
      const values = valuesOf(flags, () => command);
      requireNeeds(flags, (name) => isTyped(name, command), this.#words);
      const dashes = this.#words.indexOf("--");
      const passthrough = dashes === -1 ? undefined : this.#words.slice(dashes + 1);
      const input = declared.parse({ arguments: command.args, values, passthrough });
      this.#result = { command: declared, path, input, options };
    });
  }

  /** Adds flags that the page of a command does not list. */
  #addHiddenFlags(command: Command, flags: readonly Flag[]): void {
    for (const flag of flags) command.addOption(toOption(flag).hideHelp());
    command.version(VERSION, flagText(VERSION_FLAG), VERSION_FLAG.description);
    command.options.at(-1)?.hideHelp();
  }

  /** The global options; one after the name of the command overrides the same one before it. */
  globalOptions(command: Command): GlobalOptions {
    const own = new Set(this.loaded?.command.flags?.map(({ name }) => name));
    const holderOf = (name: string): Command => {
      let holder: Command | null = own.has(name) ? command.parent : command;
      while (holder !== null && !isTyped(name, holder)) holder = holder.parent;
      return holder ?? this.root;
    };
    return toGlobalOptions(valuesOf(GLOBAL_FLAGS, holderOf));
  }
}

/** Every page: of the program, of each command and of each topic. */
async function manualPage(style: PageStyle): Promise<string> {
  const paths = COMMANDS.flatMap((entry) =>
    "load" in entry ? [[entry.name]] : entry.commands.map(({ name }) => [entry.name, name]),
  );
  const topics = TOPICS.map(({ name }) => ["help", name]);
  const lines = [["--help"], ...paths.map((path) => [...path, "--help"]), ...topics];
  const pages = await Promise.all(lines.map((line) => new Program(style).parse(line)));
  return pages.map((line) => ("page" in line ? line.page : "")).join("\n");
}

/** The global flags without those that a command defines differently. */
function othersThan(own: readonly Flag[]): readonly Flag[] {
  return GLOBAL_FLAGS.filter(({ name }) => !own.some((flag) => flag.name === name));
}

function toOption(flag: Flag): Option {
  const { name, value, choices, parse, repeatable, excludes = [], group, isHidden } = flag;
  const option = new Option(flagText(flag), flag.description).conflicts(excludes.map(attributeOf));
  if (isHidden) option.hideHelp();
  if (group !== undefined) option.helpGroup(`${group}:`);
  if (choices !== undefined) option.choices(choices);
  if (parse !== undefined) option.argParser((text) => parse(text, name));
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

/** Whether a flag is on the command line, directly after the name of that command. */
export function isTyped(name: string, command: Command): boolean {
  return command.getOptionValueSource(attributeOf(name)) === "cli";
}

/** Whether an error of commander is about a flag without its value. */
export function lacksValue(thrown: unknown): boolean {
  return thrown instanceof CommanderError && thrown.code === "commander.optionMissingArgument";
}

/** The values of flags by their names in camel case. @param holderOf the command that has the value */
function valuesOf(
  flags: readonly Flag[],
  holderOf: (name: string) => Command,
): Record<string, unknown> {
  const entries = flags.map(({ name }) => {
    const value: unknown = holderOf(name).getOptionValue(attributeOf(name));
    return [camelCase(name), name.startsWith("no-") ? value === false : value];
  });
  return Object.fromEntries(entries);
}

/** How commander lays out the page of a command. */
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
