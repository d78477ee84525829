/** Answers a shell that completes a word of a `catalog` line (`catalog __complete -- words…`). */
import { Secrets } from "../../base/secrets.ts";
import type { Argument, Flag } from "../../command-support/arguments.ts";
import type { AnyCommand } from "../../command-support/command.ts";
import type { System } from "../../command-support/context.ts";
import { REPORT_FORMATS } from "../../output/formats.ts";
import { type CommandLine, readCommandLine } from "../command-line.ts";
import { COMMANDS } from "../command-tree.ts";
import { TOPICS } from "../help.ts";
import {
  type Answer,
  answerText,
  type Candidate,
  FOLDERS,
  files,
  finished,
  NOTHING,
  partial,
  plainCandidates,
  withPrefix,
} from "./answer.ts";
import { RemoteCandidates } from "./remote-candidates.ts";

/** Says that the word to complete is a new one, for shells that cannot pass an empty word. */
const NEW_WORD = "--new";

/**
 * Prints the candidates for the last word, one per line, and a directive. Failures print nothing:
 * pressing Tab is not a command.
 *
 * @param argv the words after `__complete`: perhaps `--new`, then `--`, then those after `catalog`
 */
export async function complete(argv: readonly string[], system: System): Promise<void> {
  const isNew = argv[0] === NEW_WORD;
  const typed = argv.slice(isNew ? 1 : 0);
  // Some shells drop the dashes.
  const words = [...typed.slice(typed[0] === "--" ? 1 : 0), ...(isNew ? [""] : [])];
  const secrets = new Secrets();
  const remote = new RemoteCandidates(system, secrets);
  const answer = await completeLine(words, remote).catch(() => NOTHING);
  await system.io.out.write(secrets.mask(answerText(answer)));
  // The shell does not wait for connections to close.
  void remote.close();
}

/** Completes the last word. Without `remote`, no courses, providers and profiles are offered. */
async function completeLine(words: readonly string[], remote?: RemoteCandidates): Promise<Answer> {
  const before = words.slice(0, -1);
  const word = words.at(-1) ?? "";
  let line = await readCommandLine(before, word);
  const { kind, text } = line.unfinished;
  // A word such as -q or -o is complete, but does not count as a flag that was given before.
  const isLetters = /^-[^-]/.test(word) && (kind === "flag" || text === "");
  if (isLetters) line = await readCommandLine(before, "-");
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
    if (loaded?.command.arguments?.at(-1)?.completes === "command") {
      return await passthroughAnswer(words, passthrough);
    }
    return argument === undefined ? NOTHING : await valueAnswer(argument, line, remote);
  }
  if (unfinished.kind === "flag") {
    const isInput = argument?.completes === "course" && unfinished.text === "-";
    return finished([...(isInput ? [INPUT_CANDIDATE] : []), ...flagCandidates(line)]);
  }
  if (argument !== undefined && argument.completes !== "command") {
    return await valueAnswer(argument, line, remote);
  }
  return finished(loaded === undefined ? commandCandidates(line) : flagCandidates(line));
}

const INPUT_CANDIDATE: Candidate = { value: "-", description: "ids from standard input" };

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

/** Precedes the name of a file whose content is the value. */
const FILE_MARK = "@";

/** The extensions of course files, without their dots. */
async function courseExtensions(): Promise<string[]> {
  const { COURSE_EXTENSIONS } = await import("../../files/parse.ts");
  return COURSE_EXTENSIONS.map((extension) => extension.slice(1));
}

async function valueAnswer(
  { choices, completes }: Pick<Flag | Argument, "choices" | "completes">,
  { unfinished: { text }, words, loaded }: CommandLine,
  remote: RemoteCandidates | undefined,
): Promise<Answer> {
  if (choices !== undefined) return finished(plainCandidates(choices));
  const providers = async () => (await remote?.providers(words.flags)) ?? [];
  switch (completes) {
    case "course-file":
      return files(await courseExtensions());
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
    case "run":
      return finished(plainCandidates(remote?.runs() ?? []));
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
