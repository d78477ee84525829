/** What the last word of an unfinished command line may become. */
import type { Argument, Flag } from "../../command-support/arguments.ts";
import { COMMANDS } from "../registry.ts";
import { TOPICS } from "../topic-names.ts";
import { type Answer, behind, type Candidate, fitting, NOTHING, whole } from "./answer.ts";
import type { Known } from "./known.ts";
import { HELP_WORD, type Line, type Place, readLetters, readLine } from "./line.ts";
import { valuesOf } from "./values.ts";

/**
 * The answer for the last of the words, which may be empty.
 *
 * @param known what is asked for names that change; nothing is where it is left out
 */
export async function completed(words: readonly string[], known?: Known): Promise<Answer> {
  const word = words.at(-1) ?? "";
  const line = await readLine(words.slice(0, -1));
  if (line === undefined) return NOTHING;
  return fitting(word, await answerFor(word, line, words, known));
}

async function answerFor(
  word: string,
  line: Line,
  words: readonly string[],
  known: Known | undefined,
): Promise<Answer> {
  const { open, passthrough } = line;
  if (open !== undefined) return await valuesOf(open, word, line, known);
  const argument = nextArgument(line);
  if (argument?.completes === "command") {
    // Before the dashes there is no place for it.
    if (passthrough !== undefined) return await innerAnswer(words, passthrough);
  } else if (passthrough === undefined && word.startsWith("-")) {
    return await flagAnswer(word, line, argument, known);
  } else if (argument !== undefined) {
    return await valuesOf(argument, word, line, known);
  }
  if (passthrough !== undefined) return NOTHING;
  if (line.place.kind !== "command") return whole(commandsAt(line.place));
  return await flagAnswer(word, line, undefined, known);
}

/** The argument that the next word is. */
function nextArgument({ place, arguments: given }: Line): Argument | undefined {
  if (place.kind !== "command") return undefined;
  const { arguments: positional = [] } = place.command;
  const last = positional.at(-1);
  return positional[given.length] ?? (last?.variadic === true ? last : undefined);
}

/** The answer for a command that another one runs. */
async function innerAnswer(words: readonly string[], inner: readonly string[]): Promise<Answer> {
  const begins = words.length - 1 - inner.length;
  // Our own ids are not those of the sandbox that it will talk to.
  if (inner[0] === "catalog") return await completed(words.slice(begins + 1));
  return { candidates: [], directive: { kind: "command", begins } };
}

function commandsAt({ kind, entries }: Exclude<Place, { kind: "command" }>): Candidate[] {
  const commands = entries.map(({ name, summary }) => ({ value: name, description: summary }));
  if (entries !== COMMANDS) return commands;
  if (kind === "commands") {
    return [...commands, { value: HELP_WORD, description: "print help for a command or topic" }];
  }
  return [
    ...commands,
    ...TOPICS.map(({ name, summary }) => ({ value: name, description: summary })),
  ];
}

/** The answer for a word that is a flag, or one with its value. */
async function flagAnswer(
  word: string,
  line: Line,
  argument: Argument | undefined,
  known: Known | undefined,
): Promise<Answer> {
  const [, name, value] = /^--([^=]*)=(.*)$/s.exec(word) ?? [];
  if (value !== undefined) {
    const flag = line.flags.find((candidate) => candidate.name === name);
    if (flag?.value === undefined) return NOTHING;
    return behind(`--${name}=`, await valuesOf(flag, value, line, known));
  }
  if (!word.startsWith("--")) {
    const { last, value: text } = readLetters(word, line.flags);
    if (last !== undefined && text !== "") {
      const front = word.slice(0, -text.length);
      return behind(front, await valuesOf(last, text, line, known));
    }
  }
  const dash = argument?.completes === "course" && word === "-" ? [STANDARD_INPUT] : [];
  return whole([...dash, ...flagCandidates(word, line)]);
}

const STANDARD_INPUT: Candidate = { value: "-", description: "ids from standard input" };

/** The flags that may still be given; short ones where a dash asks for them. */
function flagCandidates(word: string, { flags, given }: Line): Candidate[] {
  const free = flags.filter(({ name, repeatable }) => repeatable === true || !(name in given));
  const candidate = (value: string, { description }: Flag): Candidate => ({ value, description });
  return free.flatMap((flag) => [
    candidate(`--${flag.name}`, flag),
    ...(word === "" || flag.short === undefined ? [] : [candidate(`-${flag.short}`, flag)]),
  ]);
}
