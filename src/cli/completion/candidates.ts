/** Finds what the last word of an unfinished command line may become. */
import type { Argument, Flag } from "../../command-support/arguments.ts";
import type { AnyCommand } from "../../command-support/command.ts";
import { REPORT_FORMATS } from "../../output/report.ts";
import { type CommandLine, readLine } from "../command-line.ts";
import { COMMANDS, TOPICS } from "../command-tree.ts";
import type { RemoteCandidates } from "./remote-candidates.ts";

/** A string that the word may become. */
export interface Candidate {
  readonly value: string;
  readonly description?: string;
}

/**
 * What the shell does besides offering the candidates.
 *
 * - `end`: nothing
 * - `nospace`: it adds no space, because the word continues
 * - `files`: it offers files with these extensions (all if there are none), after the prefix
 * - `folders`: it offers folders, after the prefix
 * - `command`: it completes another command line, which starts after that many words
 */
export type Directive =
  | { readonly kind: "end" | "nospace" }
  | { readonly kind: "files"; readonly extensions: readonly string[]; readonly prefix: string }
  | { readonly kind: "folders"; readonly prefix: string }
  | { readonly kind: "command"; readonly start: number };

/** An answer to a shell. */
export interface Answer {
  readonly candidates: readonly Candidate[];
  readonly directive: Directive;
}

/** Offers complete words. */
export function finished(candidates: readonly Candidate[]): Answer {
  return { candidates, directive: { kind: "end" } };
}

/** Offers beginnings of words. */
export function partial(candidates: readonly Candidate[]): Answer {
  return { candidates, directive: { kind: "nospace" } };
}

/** Offers nothing, not even files. */
export const NOTHING: Answer = finished([]);

const FOLDERS: Answer = { candidates: [], directive: { kind: "folders", prefix: "" } };

function files(extensions: readonly string[] = []): Answer {
  return { candidates: [], directive: { kind: "files", extensions, prefix: "" } };
}

/** Candidates without descriptions. */
export function plainCandidates(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value }));
}

/** The answer for a word with this prefix, given the answer for the rest of the word. */
export function withPrefix(prefix: string, { candidates, directive }: Answer): Answer {
  return {
    candidates: candidates.map((each) => ({ ...each, value: prefix + each.value })),
    directive:
      "prefix" in directive ? { ...directive, prefix: prefix + directive.prefix } : directive,
  };
}

/**
 * Completes the last of the words, which may be empty.
 *
 * @param remote finds courses, providers and profiles; without it none are offered
 */
export async function completeLine(
  words: readonly string[],
  remote?: RemoteCandidates,
): Promise<Answer> {
  const before = words.slice(0, -1);
  const word = words.at(-1) ?? "";
  let line = await readLine(before, word);
  const { kind, text } = line.unfinished;
  // A word such as -q or -o is complete, but does not count as a flag that was given before.
  const isLetters = /^-[^-]/.test(word) && (kind === "flag" || text === "");
  if (isLetters) line = await readLine(before, "-");
  const prefix = line.unfinished.kind === "value" ? word.slice(0, word.length - text.length) : "";
  const { candidates, directive } = withPrefix(prefix, await answerFor(line, words, remote));
  return { candidates: candidates.filter(({ value }) => value.startsWith(word)), directive };
}

async function answerFor(
  line: CommandLine,
  words: readonly string[],
  remote: RemoteCandidates | undefined,
): Promise<Answer> {
  const { unfinished, loaded, unknownCommand, isHelp } = line;
  const { passthrough, arguments: given } = line.words;
  if (unknownCommand !== undefined || (isHelp && loaded !== undefined)) return NOTHING;
  if (unfinished.flag !== undefined) return await valueAnswer(unfinished.flag, line, remote);
  const argument = loaded === undefined ? undefined : nextArgument(loaded.command, given.length);
  if (passthrough !== undefined) {
    if (argument === undefined) return NOTHING;
    if (argument.completes !== "command") return await valueAnswer(argument, line, remote);
    return await passthroughAnswer(words, passthrough);
  }
  if (unfinished.kind === "flag") {
    const isInput = argument?.completes === "course" && unfinished.text === "-";
    return finished([...(isInput ? [STANDARD_INPUT] : []), ...flagCandidates(line)]);
  }
  if (argument !== undefined && argument.completes !== "command") {
    return await valueAnswer(argument, line, remote);
  }
  return finished(loaded === undefined ? commandCandidates(line) : flagCandidates(line));
}

const STANDARD_INPUT: Candidate = { value: "-", description: "ids from standard input" };

function nextArgument({ arguments: positional = [] }: AnyCommand, index: number) {
  const last = positional.at(-1);
  return positional[index] ?? (last?.variadic === true ? last : undefined);
}

/** The answer for the command that `sandbox` runs. */
async function passthroughAnswer(
  words: readonly string[],
  passthrough: readonly string[],
): Promise<Answer> {
  const start = words.length - 1 - passthrough.length;
  // Our own ids are not those of the sandbox that it will talk to.
  if (passthrough[0] === "catalog") return await completeLine(words.slice(start + 1));
  return { candidates: [], directive: { kind: "command", start } };
}

function commandCandidates({ entries, isHelp }: CommandLine): Candidate[] {
  const more = isHelp ? TOPICS : [{ name: "help", summary: "print help for a command or topic" }];
  return [...entries, ...(entries === COMMANDS ? more : [])].map(({ name, summary }) => ({
    value: name,
    description: summary,
  }));
}

/** The flags that may still be given; short ones only after a dash. */
function flagCandidates({ knownFlags, words, unfinished }: CommandLine): Candidate[] {
  return knownFlags
    .filter(({ name, repeatable }) => repeatable === true || !(name in words.flags))
    .flatMap(({ name, short, description }) => [
      { value: `--${name}`, description },
      ...(unfinished.text === "" || short === undefined
        ? []
        : [{ value: `-${short}`, description }]),
    ]);
}

const COURSE_FILES = ["yaml", "yml", "json"];
/** Precedes the name of a file whose content is the value. */
const FILE_MARK = "@";

/** What the value of a flag or an argument may become. */
async function valueAnswer(
  { choices, completes }: Pick<Flag | Argument, "choices" | "completes">,
  { unfinished: { text }, words, loaded }: CommandLine,
  remote: RemoteCandidates | undefined,
): Promise<Answer> {
  if (choices !== undefined) return finished(plainCandidates(choices));
  const providers = async () => (await remote?.providers(words.flags)) ?? [];
  switch (completes) {
    case "course-file":
      return files(COURSE_FILES);
    case "file":
      return files();
    case "@file":
      return text.startsWith(FILE_MARK)
        ? withPrefix(FILE_MARK, files())
        : partial(plainCandidates([FILE_MARK]));
    case "folder":
      return FOLDERS;
    case "report": {
      const format = text.slice(0, text.indexOf("=") + 1);
      if (format !== "") return withPrefix(format, files());
      return partial(plainCandidates(REPORT_FORMATS.map((each) => `${each}=`)));
    }
    case "course": {
      const courses = (await remote?.courses(words.flags)) ?? [];
      const given = words.arguments.map((id) => id.toLowerCase());
      return finished(courses.filter(({ value }) => !given.includes(value)));
    }
    case "provider":
      return finished(await providers());
    case "profile":
      return finished((await remote?.profiles(words.flags)) ?? []);
    case "columns":
      return listAnswer(text, () => plainCandidates(loaded?.command.columns ?? []));
    case "languages": {
      const { languageCandidates } = await import("./field-candidates.ts");
      return listAnswer(text, languageCandidates);
    }
    case "field-path":
      return (await import("./field-candidates.ts")).pathAnswer(text);
    case "assignment":
      return await (await import("./field-candidates.ts")).assignmentAnswer(text, providers);
    default:
      return NOTHING;
  }
}

/** The answer for a list such as `a,b,c`: its last entry is completed, and none is offered twice. */
function listAnswer(typed: string, candidates: (entry: string) => readonly Candidate[]): Answer {
  const prefix = typed.slice(0, typed.lastIndexOf(",") + 1);
  const used = prefix.split(",").map((entry) => entry.trim());
  const free = candidates(typed.slice(prefix.length)).filter(({ value }) => !used.includes(value));
  return withPrefix(prefix, partial(free));
}
