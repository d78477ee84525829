/** The adapter to commander: the tree of commands in, a command and its words out. */
import { Command as CommanderCommand, CommanderError, Option } from "commander";
import { type CatalogError, usageError } from "../base/errors.ts";
import { closest } from "../base/suggest.ts";
import { memoize } from "../base/values.ts";
import type { Flag, ParsedArguments } from "../command-support/arguments.ts";
import type { AnyCommand } from "../command-support/command.ts";
import { GLOBAL_FLAGS } from "../command-support/globals.ts";
import { argumentText, commandHelp, flagText, groupHelp, placed, rootHelp } from "./help.ts";
import { helpAsked } from "./help-words.ts";
import { COMMANDS, type Group, type Leaf } from "./registry.ts";
import { TOPICS } from "./topic-names.ts";

/** What the words come to: a command to run, or a text to print. */
export type Parsed =
  | { readonly command: AnyCommand; readonly words: ParsedArguments }
  | { readonly print: string };

/** How the help is laid out. */
export interface HelpOptions {
  readonly version: string;
  /** How long its lines are at most. */
  readonly columns: number;
}

/**
 * Reads the words of a command line. Only the command that they name is loaded.
 *
 * @throws CatalogError of kind `usage` for words that no command takes
 */
export async function parseArguments(argv: readonly string[], help: HelpOptions): Promise<Parsed> {
  const asked = helpAsked(argv);
  if (asked !== undefined && "topic" in asked) {
    const { topicText } = await import("./topics.ts");
    return { print: topicText(asked.topic, help.columns) };
  }
  const words = asked?.words ?? argv;
  const builder = new ProgramBuilder(help, words, passthrough(argv));
  try {
    await builder.parse();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help that nobody asked for, as of a bare group, is help all the same.
    if (error.exitCode === 0 || error.code === "commander.help") return { print: builder.printed };
    throw builder.refusal(error);
  }
  return builder.parsed ?? { print: builder.printed };
}

function passthrough(argv: readonly string[]): readonly string[] | undefined {
  const dashes = argv.indexOf("--");
  return dashes === -1 ? undefined : argv.slice(dashes + 1);
}

const ROOT = "catalog";

/** A command's entry in the tree, and the group that it is in. */
interface Entry {
  readonly leaf: Leaf;
  readonly group: Group | undefined;
}

/** Builds commander's tree and keeps what parsing comes to. */
class ProgramBuilder {
  readonly #help: HelpOptions;
  readonly #words: readonly string[];
  readonly #passthrough: readonly string[] | undefined;
  readonly #globals = memoize(() => optionsOf(GLOBAL_FLAGS));
  readonly #helpOption = new Option("-h, --help");
  readonly #leaves = new Map<CommanderCommand, Entry>();
  /** The words that lead to each command: `catalog courses ls`. */
  readonly #paths = new Map<CommanderCommand, string>();
  /** The command that the words have led to so far. */
  #reached = new CommanderCommand(ROOT);
  printed = "";
  parsed: Parsed | undefined;

  constructor(
    help: HelpOptions,
    words: readonly string[],
    passthrough: readonly string[] | undefined,
  ) {
    this.#help = help;
    this.#words = words;
    this.#passthrough = passthrough;
  }

  /** Takes the words apart. @throws CommanderError */
  async parse(): Promise<void> {
    const called = this.#called();
    if (called === undefined) {
      await this.#program().parseAsync([...this.#words], { from: "user" });
      return;
    }
    // Without the tree, which takes longer to build than a file takes to be checked.
    const { entry, depth } = called;
    const leaf = this.#leaf(entry.leaf, entry.group);
    // Commander tells of a command below another in other words.
    leaf.parent = this.#reached;
    this.#reached = leaf;
    this.#fill(leaf, entry, await entry.leaf.load());
    await leaf.parseAsync(this.#words.slice(depth), { from: "user" });
  }

  /** The command that the line begins with, and of how many words its name is. */
  #called(): { readonly entry: Entry; readonly depth: number } | undefined {
    const [word, next] = this.#words;
    const first = COMMANDS.find((entry) => isCalled(entry, word));
    if (first === undefined) return undefined;
    if ("load" in first) return { entry: { leaf: first, group: undefined }, depth: 1 };
    const leaf = first.commands.find((entry) => isCalled(entry, next));
    return leaf === undefined ? undefined : { entry: { leaf, group: first }, depth: 2 };
  }

  #program(): CommanderCommand {
    const program = this.#prepared(this.#reached);
    this.#parent(program, () => rootHelp(this.#help.columns));
    for (const entry of COMMANDS) {
      program.addCommand("load" in entry ? this.#leaf(entry) : this.#group(entry));
    }
    return program;
  }

  /** What is wrong with the words, in words of our own. */
  refusal(error: CommanderError): CatalogError {
    if (error.code === "commander.unknownCommand") return this.#unknown();
    const [what = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
    const meant = suggestion === undefined ? "" : `${suggestion.replace(/^\(|\)$/g, "")} `;
    return usageError(what.replace(/\.$/, ""), `${meant}${this.#see()}`);
  }

  #see(): string {
    return `"${this.#pathOf(this.#reached)} --help" lists what it takes.`;
  }

  /** The word that is no command where it stands, and what was probably meant. */
  #unknown(): CatalogError {
    const reached = this.#reached;
    const [word = ""] = reached.args;
    const here = reached.commands.flatMap((below) => [below.name(), ...below.aliases()]);
    const isRoot = reached.parent === null;
    // Of those who forget the group, most leave it out before the right word.
    const forgotten = isRoot ? inGroup(word) : undefined;
    const topics = isRoot ? TOPICS.map(({ name }) => name) : [];
    const near =
      forgotten ?? closest(word, [...here, ...topics]) ?? (isRoot ? nearInGroup(word) : undefined);
    const isTopic = near !== undefined && topics.some((name) => name === near);
    const path = isTopic ? `${ROOT} help` : this.#pathOf(reached);
    const meant = near === undefined ? "" : `Did you mean "${path} ${near}"? `;
    return usageError(`there is no command ${JSON.stringify(word)}`, `${meant}${this.#see()}`);
  }

  #group(entry: Group): CommanderCommand {
    const group = this.#prepared(named(entry));
    this.#paths.set(group, `${ROOT} ${entry.name}`);
    this.#parent(group, () => groupHelp(entry, this.#help.columns));
    for (const inner of entry.commands) group.addCommand(this.#leaf(inner, entry));
    return group;
  }

  #leaf(leaf: Leaf, group?: Group): CommanderCommand {
    const command = this.#prepared(named(leaf));
    this.#leaves.set(command, { leaf, group });
    this.#paths.set(
      command,
      [ROOT, ...(group === undefined ? [] : [group.name]), leaf.name].join(" "),
    );
    return command;
  }

  #pathOf(command: CommanderCommand): string {
    return this.#paths.get(command) ?? ROOT;
  }

  /** What holds for the program and for each of its commands. */
  #prepared(command: CommanderCommand): CommanderCommand {
    const print = (text: string): void => {
      this.printed += text;
    };
    return command
      .exitOverride()
      .addHelpOption(this.#helpOption)
      .version(this.#help.version, "-V, --version")
      .helpCommand(false)
      .configureOutput({
        writeOut: print,
        writeErr: print,
        // An error is told once, by the door.
        outputError: () => undefined,
      });
  }

  /** What holds for a command with commands below it: global flags, and loading of what is named. */
  #parent(command: CommanderCommand, help: () => string): void {
    command.enablePositionalOptions();
    command.configureHelp({
      formatHelp: () => {
        // Commander would show this help in the place of that of a command that is not there.
        const [word] = command.args;
        if (word !== undefined && !word.startsWith("-")) throw this.#unknown();
        return help();
      },
    });
    addOptions(command, this.#globals());
    command.hook("preSubcommand", async (_parent, child) => {
      this.#reached = child;
      const entry = this.#leaves.get(child);
      if (entry !== undefined) this.#fill(child, entry, await entry.leaf.load());
    });
  }

  #fill(leaf: CommanderCommand, entry: Entry, command: AnyCommand): void {
    const { arguments: positional = [], flags = [] } = command;
    for (const argument of positional) leaf.argument(argumentText(argument));
    // A line without flags is most often typed, and commander takes a millisecond to know them all.
    if (this.#words.some((word) => word.startsWith("-"))) {
      addOptions(leaf, [...optionsOf(flags), ...this.#globals()]);
    }
    leaf.configureHelp({
      formatHelp: () => commandHelp(placed(entry.leaf, entry.group, command), this.#help.columns),
    });
    leaf.allowExcessArguments(false);
    leaf.action(() => {
      const words = {
        arguments: leaf.args,
        flags: flagValues(leaf, [...GLOBAL_FLAGS, ...flags]),
        passthrough: this.#passthrough,
      };
      this.parsed = { command, words };
    });
  }
}

/** The command of that name in whatever group has it, with its group: `courses push`. */
function inGroup(word: string): string | undefined {
  for (const entry of COMMANDS) {
    if ("load" in entry) continue;
    const found = entry.commands.find((inner) => isCalled(inner, word));
    if (found !== undefined) return `${entry.name} ${found.name}`;
  }
  return undefined;
}

function nearInGroup(word: string): string | undefined {
  const names = COMMANDS.flatMap((entry) => ("load" in entry ? [] : entry.commands));
  const near = closest(
    word,
    names.map(({ name }) => name),
  );
  return near === undefined ? undefined : inGroup(near);
}

function isCalled({ name, alias }: Leaf | Group, word: string | undefined): boolean {
  return word !== undefined && (word === name || word === alias);
}

function named({ name, alias }: Leaf | Group): CommanderCommand {
  const command = new CommanderCommand(name);
  return alias === undefined ? command : command.alias(alias);
}

function optionsOf(flags: readonly Flag[]): Option[] {
  return flags.map((flag) => {
    const option = new Option(flagText(flag), flag.description);
    if (flag.repeatable) {
      option.argParser((text: string, before: readonly string[] | undefined) => [
        ...(before ?? []),
        text,
      ]);
    }
    return option;
  });
}

function addOptions(command: CommanderCommand, options: readonly Option[]): void {
  for (const option of options) command.addOption(option);
}

/** The flags that were given, by their long names; the word nearest to the command wins. */
function flagValues(leaf: CommanderCommand, flags: readonly Flag[]): ParsedArguments["flags"] {
  const values: Record<string, string | boolean | readonly string[]> = {};
  for (let command: CommanderCommand | null = leaf; command !== null; command = command.parent) {
    for (const option of command.options) {
      const flag = flags.find(({ name }) => `--${name}` === option.long);
      const key = option.attributeName();
      if (flag === undefined || flag.name in values) continue;
      if (command.getOptionValueSource(key) !== "cli") continue;
      // Commander stores `--no-color` as `color: false`.
      values[flag.name] = option.negate ? true : command.getOptionValue(key);
    }
  }
  return values;
}
