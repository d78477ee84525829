/** The adapter to commander: the tree of commands in, a command and its words out. */
import { Command as CommanderCommand, CommanderError, Option } from "commander";
import { type CatalogError, usageError } from "../base/errors.ts";
import type { AnyCommand } from "../kit/command.ts";
import { GLOBAL_FLAGS } from "../kit/globals.ts";
import type { Argument, Flag, Words } from "../kit/words.ts";
import { exampleText, formatHelp, GLOBAL_GROUP, OWN_GROUP, ROOT_EXAMPLES } from "./help.ts";
import { COMMANDS, type Group, type Leaf } from "./registry.ts";

/** What the words come to: a command to run, or a text to print. */
export type Parsed =
  | { readonly command: AnyCommand; readonly words: Words }
  | { readonly print: string };

/** How the help is laid out. */
export interface HelpOptions {
  readonly version: string;
  /** The width of the terminal. */
  readonly columns: number;
}

/**
 * Reads the words of a command line. Only the command that they name is loaded.
 *
 * @throws CatalogError of kind `usage` for words that no command takes
 */
export async function parseArguments(argv: readonly string[], help: HelpOptions): Promise<Parsed> {
  const builder = new ProgramBuilder(help, behindDashes(argv));
  const program = builder.program();
  try {
    const [word, ...rest] = argv;
    // Help asked for before the command is help for that command.
    const asksFirst = word === "help" || ((word === "--help" || word === "-h") && rest.length > 0);
    const words = asksFirst ? [...rest, "--help"] : [...argv];
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help that nobody asked for, as of a bare group, is help all the same.
    if (error.exitCode === 0 || error.code === "commander.help") return { print: builder.printed };
    throw refusal(error, builder.reached);
  }
  return builder.parsed ?? { print: builder.printed };
}

function behindDashes(argv: readonly string[]): readonly string[] | undefined {
  const dashes = argv.indexOf("--");
  return dashes === -1 ? undefined : argv.slice(dashes + 1);
}

/** Builds commander's tree and keeps what parsing comes to. */
class ProgramBuilder {
  readonly #help: HelpOptions;
  readonly #behindDashes: readonly string[] | undefined;
  readonly #leaves = new Map<CommanderCommand, Leaf>();
  printed = "";
  parsed: Parsed | undefined;
  /** The command that the words have led to so far. */
  reached = "catalog";

  constructor(help: HelpOptions, behindDashes: readonly string[] | undefined) {
    this.#help = help;
    this.#behindDashes = behindDashes;
  }

  program(): CommanderCommand {
    const program = this.#prepared(new CommanderCommand("catalog"))
      .description("Publish courses to a course catalog from YAML and JSON files.")
      .addHelpText("after", exampleText(ROOT_EXAMPLES));
    this.#parent(program);
    for (const entry of COMMANDS) {
      program.addCommand("load" in entry ? this.#leaf(entry) : this.#group(entry));
    }
    return program;
  }

  #group(entry: Group): CommanderCommand {
    const group = this.#prepared(new CommanderCommand(entry.name)).description(entry.summary);
    if (entry.alias !== undefined) group.alias(entry.alias);
    this.#parent(group);
    for (const inner of entry.commands) group.addCommand(this.#leaf(inner));
    return group;
  }

  #leaf(entry: Leaf): CommanderCommand {
    const command = this.#prepared(new CommanderCommand(entry.name)).description(entry.summary);
    if (entry.alias !== undefined) command.alias(entry.alias);
    this.#leaves.set(command, entry);
    return command;
  }

  /** What holds for the program and for each of its commands. */
  #prepared(command: CommanderCommand): CommanderCommand {
    const print = (text: string): void => {
      this.printed += text;
    };
    return command
      .exitOverride()
      .helpOption("-h, --help", "print this help")
      .version(this.#help.version, "-V, --version", "print the version")
      .configureHelp({ formatHelp })
      .helpCommand(false)
      .configureOutput({
        writeOut: print,
        writeErr: print,
        // An error is told once, by the door.
        outputError: () => undefined,
        getOutHelpWidth: () => Math.min(this.#help.columns, 100),
      });
  }

  /** What holds for a command with commands below it: global flags, and loading of what is named. */
  #parent(command: CommanderCommand): void {
    command.enablePositionalOptions();
    addFlags(command, GLOBAL_FLAGS, GLOBAL_GROUP);
    command.hook("preSubcommand", async (_parent, child) => {
      this.reached = `${this.reached} ${child.name()}`;
      const entry = this.#leaves.get(child);
      if (entry !== undefined) this.#fill(child, await entry.load());
    });
  }

  #fill(leaf: CommanderCommand, command: AnyCommand): void {
    const { arguments: positional = [], flags = [], description } = command;
    if (description !== undefined) leaf.description(`${leaf.description()}\n\n${description}`);
    for (const argument of positional) leaf.argument(syntaxOf(argument), argument.description);
    addFlags(leaf, flags, OWN_GROUP);
    addFlags(leaf, GLOBAL_FLAGS, GLOBAL_GROUP);
    leaf.addHelpText("after", exampleText(command.examples));
    leaf.allowExcessArguments(false);
    leaf.action(() => {
      const words = {
        arguments: leaf.args,
        flags: flagValues(leaf, [...GLOBAL_FLAGS, ...flags]),
        behindDashes: this.#behindDashes,
      };
      this.parsed = { command, words };
    });
  }
}

function syntaxOf({ name, required, variadic }: Argument): string {
  const inner = variadic ? `${name}...` : name;
  return required ? `<${inner}>` : `[${inner}]`;
}

function addFlags(command: CommanderCommand, flags: readonly Flag[], heading: string): void {
  for (const flag of flags) {
    const short = flag.short === undefined ? "" : `-${flag.short}, `;
    const value = flag.value === undefined ? "" : ` ${flag.value}`;
    const option = new Option(`${short}--${flag.name}${value}`, flag.description).helpGroup(
      heading,
    );
    if (flag.repeatable) {
      option.argParser((text: string, before: readonly string[] | undefined) => [
        ...(before ?? []),
        text,
      ]);
    }
    command.addOption(option);
  }
}

/** The flags that were given, by their long names; the word nearest to the command wins. */
function flagValues(leaf: CommanderCommand, flags: readonly Flag[]): Words["flags"] {
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

function refusal(error: CommanderError, reached: string): CatalogError {
  const [what = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
  const see = `"${reached} --help" lists what it takes.`;
  const meant = suggestion === undefined ? see : `${suggestion.replace(/^\(|\)$/g, "")} ${see}`;
  return usageError(what.replace(/\.$/, ""), meant);
}
