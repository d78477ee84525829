/** Answers a shell that completes a word of a `catalog` line (`catalog __complete -- words…`). */
import { Secrets } from "../../base/secrets.ts";
import type { Argument, Flag } from "../../command-support/arguments.ts";
import type { AnyCommand } from "../../command-support/command.ts";
import type { System } from "../../command-support/context.ts";
import { COURSE_EXTENSIONS } from "../../files/formats.ts";
import { REPORT_FORMATS } from "../../output/formats.ts";
import { COMMANDS, type Group, type Leaf, namesOf } from "../command-tree.ts";
import { TOPICS } from "../help.ts";
import { isGiven, Program, type WordsBefore } from "../program.ts";
import {
  type Answer,
  answerText,
  assignmentAnswer,
  type Candidate,
  files,
  finished,
  languageCandidates,
  listAnswer,
  NOTHING,
  partial,
  pathAnswer,
  plainCandidates,
  withPrefix,
} from "./candidates.ts";
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

/** The word that is being typed, and what is known about it. */
interface Unfinished {
  readonly word: string;
  /** The words before it. */
  readonly before: readonly string[];
  readonly program: Program;
  readonly line: WordsBefore;
}

/** Completes the last word. Without `remote`, no courses, providers and profiles are offered. */
async function completeLine(words: readonly string[], remote?: RemoteCandidates): Promise<Answer> {
  const before = words.slice(0, -1);
  const word = words.at(-1) ?? "";
  const program = new Program({ columns: 80, bold: (text) => text });
  const typed = { word, before, program, line: await program.readBefore(before) };
  const { candidates, directive } = await answerFor(typed, words, remote);
  return { candidates: candidates.filter(({ value }) => value.startsWith(word)), directive };
}

async function answerFor(
  typed: Unfinished,
  words: readonly string[],
  remote: RemoteCandidates | undefined,
): Promise<Answer> {
  const { word, before, program, line } = typed;
  const { loaded } = program;
  const argument =
    loaded === undefined ? undefined : nextArgument(loaded.command, line.arguments.length);
  const dashes = before.indexOf("--");
  if (dashes !== -1) {
    if (loaded?.command.arguments?.at(-1)?.completes === "command") {
      return await passthroughAnswer(words, before.slice(dashes + 1));
    }
    return argument === undefined ? NOTHING : await valueAnswer(argument, word, typed, remote);
  }
  const { flag, prefix } = flagOfValue(typed);
  if (flag !== undefined) {
    return withPrefix(prefix, await valueAnswer(flag, word.slice(prefix.length), typed, remote));
  }
  if (word.startsWith("-")) {
    const isInput = argument?.completes === "course" && word === "-";
    return finished([...(isInput ? [INPUT_CANDIDATE] : []), ...flagCandidates(typed)]);
  }
  if (argument !== undefined && argument.completes !== "command") {
    return await valueAnswer(argument, word, typed, remote);
  }
  return finished(loaded === undefined ? commandCandidates(typed) : flagCandidates(typed));
}

/** The flag whose value the word is, or contains after a prefix such as `--output=` or `-o`. */
function flagOfValue({ word, before, program: { flags }, line }: Unfinished): {
  readonly flag: Flag | undefined;
  readonly prefix: string;
} {
  const last = before.at(-1) ?? "";
  const [prefix = ""] = line.awaitsValue ? [] : (/^(?:--[^=]+=|-[^-](?=.))/.exec(word) ?? []);
  // Of `-qo` the last letter is the flag.
  const typed = (prefix || last).replace(/=$/, "").replace(/^-[^-]*(?=[^-]$)/, "-");
  const flag = flags.find(({ name, short }) => typed === `--${name}` || typed === `-${short}`);
  const mayFollow = flag?.value?.startsWith("[") === true && !word.startsWith("-");
  const isValue = flag?.value !== undefined && (prefix !== "" || line.awaitsValue || mayFollow);
  return { flag: isValue ? flag : undefined, prefix: isValue ? prefix : "" };
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

/** The commands and groups that the word may name, and the topics that `help` prints. */
function commandCandidates({ program, line }: Unfinished): Candidate[] {
  const isHelp = line.command.name() === "help";
  const isTop = program.group === undefined && line.arguments.length === 0;
  const help = { name: "help", summary: "print help for a command or topic" };
  let entries: readonly (Leaf | Group)[] = program.group?.commands ?? COMMANDS;
  for (const name of line.arguments) {
    const entry = entries.find((each) => namesOf(each).includes(name));
    // Only after `help` an argument can be the name of a group.
    entries = isHelp && entry !== undefined && "commands" in entry ? entry.commands : [];
  }
  const more = isHelp ? TOPICS : [help];
  return [...entries, ...(isTop ? more : [])].map(({ name, summary }) => ({
    value: name,
    description: summary,
  }));
}

/** The flags that may still be given; short ones only after a dash. */
function flagCandidates({ word, program, line: { command } }: Unfinished): Candidate[] {
  const isUsed = (name: string): boolean => {
    let above: typeof command | null = command;
    while (above !== null && !isGiven(name, above)) above = above.parent;
    return above !== null;
  };
  return program.flags
    .filter(({ name, repeatable }) => repeatable === true || !isUsed(name))
    .flatMap(({ name, short, description }) => [
      { value: `--${name}`, description },
      ...(word === "" || short === undefined ? [] : [{ value: `-${short}`, description }]),
    ]);
}

/** Precedes the name of a file whose content is the value. */
const FILE_MARK = "@";

async function valueAnswer(
  { choices, completes }: Pick<Flag | Argument, "choices" | "completes">,
  text: string,
  { program, line }: Unfinished,
  remote: RemoteCandidates | undefined,
): Promise<Answer> {
  if (choices !== undefined) return finished(plainCandidates(choices));
  const options = () => program.globalOptions(line.command);
  const providers = async () => (await remote?.providers(options())) ?? [];
  switch (completes) {
    case "course-file":
      return files(COURSE_EXTENSIONS.map((extension) => extension.slice(1)));
    case "file":
      return files();
    case "@file":
      return text.startsWith(FILE_MARK)
        ? withPrefix(FILE_MARK, files())
        : partial(plainCandidates([FILE_MARK]));
    case "folder":
      return { candidates: [], directive: { kind: "folders", prefix: "" } };
    case "report": {
      const format = text.slice(0, text.indexOf("=") + 1);
      if (format !== "") return withPrefix(format, files());
      return partial(plainCandidates(REPORT_FORMATS.map((each) => `${each}=`)));
    }
    case "course": {
      const courses = (await remote?.courses(options())) ?? [];
      const given = line.arguments.map((id) => id.toLowerCase());
      return finished(courses.filter(({ value }) => !given.includes(value)));
    }
    case "provider":
      return finished(await providers());
    case "run":
      return finished(plainCandidates(remote?.runs() ?? []));
    case "profile":
      return finished((await remote?.profiles(options())) ?? []);
    case "columns":
      return listAnswer(text, () => plainCandidates(program.loaded?.command.columns ?? []));
    case "languages":
      return listAnswer(text, languageCandidates);
    case "field-path":
      return pathAnswer(text);
    case "assignment":
      return await assignmentAnswer(text, providers);
    default:
      return NOTHING;
  }
}
