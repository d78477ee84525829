/** Reads an unfinished command line: which command its words lead to, and what they have given. */

import type { Flag, ParsedArguments } from "../../command-support/arguments.ts";
import type { AnyCommand } from "../../command-support/command.ts";
import { GLOBAL_FLAGS } from "../../command-support/globals.ts";
import { OWN_FLAGS } from "../help.ts";
import { COMMANDS, type Group, type Leaf } from "../registry.ts";

/** Where the words lead: to a choice of commands, to that of the help, or to a command. */
export type Place =
  | { readonly kind: "commands" | "help"; readonly entries: readonly (Leaf | Group)[] }
  | { readonly kind: "command"; readonly command: AnyCommand };

/** What the words before the one that is typed come to. */
export interface Line {
  readonly place: Place;
  /** The flags that may stand here, the command's own first. */
  readonly flags: readonly Flag[];
  /** The flags that were given, by their long names. */
  readonly given: ParsedArguments["flags"];
  readonly arguments: readonly string[];
  /** Those of the arguments that stood behind `--`; undefined when there was none. */
  readonly passthrough: readonly string[] | undefined;
  /** The flag whose value the next word is. */
  readonly open: Flag | undefined;
}

/** Reads the words. @returns undefined when they lead nowhere */
export async function readLine(words: readonly string[]): Promise<Line | undefined> {
  const reader = new Reader();
  for (const word of words) {
    if (!(await reader.take(word))) return undefined;
  }
  return reader.line();
}

/** One or several letters behind a single dash, as flags. */
export interface Letters {
  /** The flag that the last of the read letters stands for. */
  readonly last: Flag | undefined;
  /** What stands behind that letter, where its flag takes a value. */
  readonly value: string;
  readonly flags: readonly Flag[];
}

/** Reads `-qo`, `-ojson`: letters up to the first whose flag takes a value. */
export function readLetters(word: string, flags: readonly Flag[]): Letters {
  const found: Flag[] = [];
  for (let index = 1; index < word.length; index++) {
    const flag = flags.find(({ short }) => short === word[index]);
    if (flag === undefined) return { last: undefined, value: "", flags: found };
    found.push(flag);
    if (flag.value !== undefined) return { last: flag, value: word.slice(index + 1), flags: found };
  }
  return { last: found.at(-1), value: "", flags: found };
}

/** Takes a command line word by word. */
class Reader {
  #place: Place = { kind: "commands", entries: COMMANDS };
  #flags: readonly Flag[] = [...GLOBAL_FLAGS, ...OWN_FLAGS];
  readonly #given: Record<string, string | boolean | readonly string[]> = {};
  readonly #arguments: string[] = [];
  #passthrough: string[] | undefined;
  #open: Flag | undefined;

  line(): Line {
    return {
      place: this.#place,
      flags: this.#flags,
      given: this.#given,
      arguments: this.#arguments,
      passthrough: this.#passthrough,
      open: this.#open,
    };
  }

  /** @returns whether the word leads anywhere */
  async take(word: string): Promise<boolean> {
    if (this.#open !== undefined) {
      this.#give(this.#open, word);
      this.#open = undefined;
    } else if (this.#passthrough !== undefined) {
      this.#passthrough.push(word);
      this.#arguments.push(word);
    } else if (word === "--") {
      this.#passthrough = [];
    } else if (word.startsWith("--")) {
      this.#long(word);
    } else if (word.startsWith("-") && word !== "-") {
      this.#letters(word);
    } else if (this.#place.kind === "command") {
      this.#arguments.push(word);
    } else {
      return await this.#enter(word, this.#place);
    }
    return true;
  }

  #long(word: string): void {
    const [, name, value] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    const flag = this.#flags.find((known) => known.name === name);
    if (flag === undefined) return;
    if (flag.value === undefined || value !== undefined) this.#give(flag, value ?? true);
    else this.#open = flag;
  }

  #letters(word: string): void {
    const { last, value, flags } = readLetters(word, this.#flags);
    for (const flag of flags) {
      if (flag !== last || flag.value === undefined) this.#give(flag, true);
      else if (value === "") this.#open = flag;
      else this.#give(flag, value);
    }
  }

  #give(flag: Flag, value: string | true): void {
    const before = this.#given[flag.name];
    const texts = Array.isArray(before) ? before : [];
    this.#given[flag.name] = flag.repeatable ? [...texts, String(value)] : value;
  }

  async #enter(word: string, place: Exclude<Place, { kind: "command" }>): Promise<boolean> {
    if (word === HELP_WORD && place.entries === COMMANDS && place.kind === "commands") {
      this.#place = { kind: "help", entries: COMMANDS };
      return true;
    }
    const entry = place.entries.find(({ name, alias }) => word === name || word === alias);
    if (entry === undefined) return false;
    if (!("load" in entry)) {
      this.#place = { kind: place.kind, entries: entry.commands };
    } else if (place.kind === "help") {
      this.#place = { kind: "help", entries: [] };
    } else {
      const command = await entry.load();
      this.#place = { kind: "command", command };
      this.#flags = [...(command.flags ?? []), ...GLOBAL_FLAGS, ...OWN_FLAGS];
    }
    return true;
  }
}

/** The word that asks for help in front of a command or a topic. */
export const HELP_WORD = "help";
