/** Finds out what a command line asks help for, wherever the word or the flag for it stands. */
import { GLOBAL_FLAGS } from "../command-support/globals.ts";
import { COMMANDS } from "./registry.ts";
import { TOPICS, type TopicName } from "./topic-names.ts";

/** What is asked for: a topic, or the help of the command that these words lead to. */
export type HelpAsked = { readonly topic: TopicName } | { readonly words: readonly string[] };

const HELP = "help";
const HELP_FLAGS = new Set(["-h", "--help"]);

/**
 * What the line asks help for: `help` before or behind a group, and `--help` before the words that
 * it is about, where commander would take it for an earlier one. Undefined for everything else.
 */
export function helpAsked(argv: readonly string[]): HelpAsked | undefined {
  const end = argv.indexOf("--");
  const typed = end === -1 ? argv : argv.slice(0, end);
  const operands = operandsOf(typed);
  const words = operands.map(({ word }) => word);
  const place = words.indexOf(HELP);
  if (place === 0 || (place === 1 && isGroup(words[0]))) {
    const about = [...words.slice(0, place), ...words.slice(place + 1)];
    const topic = about.length === 1 ? TOPICS.find(({ name }) => name === about[0]) : undefined;
    // "help help" is a cry for help, too.
    const rest = about.filter((word) => word !== HELP);
    return topic === undefined ? { words: [...rest, "--help"] } : { topic: topic.name };
  }
  const flag = typed.findIndex((word) => HELP_FLAGS.has(word));
  const depth = isGroup(words[0]) ? 2 : 1;
  const isEarly = operands.slice(0, depth).some(({ index }) => flag !== -1 && index > flag);
  return isEarly ? { words: [...words.slice(0, depth), "--help"] } : undefined;
}

function isGroup(word: string | undefined): boolean {
  return COMMANDS.some(
    (entry) => !("load" in entry) && (entry.name === word || entry.alias === word),
  );
}

/** The words that are neither flags nor the values of global ones, with their places. */
function operandsOf(words: readonly string[]): { word: string; index: number }[] {
  const found: { word: string; index: number }[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (takesNext(word)) index++;
    else if (!word.startsWith("-")) found.push({ word, index });
  }
  return found;
}

function takesNext(word: string): boolean {
  return GLOBAL_FLAGS.some(
    ({ name, short, value }) =>
      value !== undefined &&
      (word === `--${name}` || (short !== undefined && word === `-${short}`)),
  );
}
