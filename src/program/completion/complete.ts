/** Completes a word of a command line for a shell script, which runs `catalog __complete -- words…`. */

import type { Output } from "../../base/io.ts";
import type { Argument, Flag } from "../../cli/arguments.ts";
import { COURSE_EXTENSIONS } from "../../files/parse.ts";
import { FORMATS } from "../../output/formats.ts";
import { COMMANDS, type Group, type Leaf, namesOf } from "../command-tree.ts";
import { TOPICS } from "../help.ts";
import { isTyped, lacksValue, Program } from "../program.ts";
import {
  type Answer,
  answerText,
  type Candidate,
  files,
  finished,
  listAnswer,
  NOTHING,
  partial,
  plainCandidates,
  withPrefix,
} from "./candidates.ts";

/** Stands for an empty last word, for shells that cannot pass one. */
const NEW_WORD = "--new";

/**
 * Prints the candidates for the last word, one per line, and a directive. A failure prints no message, because it would
 * damage the line that the user is typing.
 *
 * @param argv the words after `__complete`: `--new` if the last word is empty, `--`, and the words after `catalog`
 */
export async function complete(argv: readonly string[], out: Output): Promise<void> {
  const isNew = argv[0] === NEW_WORD;
  const typed = argv.slice(isNew ? 1 : 0);
  // PowerShell drops the dashes.
  const words = [...typed.slice(typed[0] === "--" ? 1 : 0), ...(isNew ? [""] : [])];
  const { candidates, directive } = await answerFor(words).catch(() => NOTHING);
  const fitting = candidates.filter(({ value }) => value.startsWith(words.at(-1) ?? ""));
  await out.write(answerText({ candidates: fitting, directive }));
}

interface Typed {
  readonly word: string;
  readonly program: Program;
  readonly line: Awaited<ReturnType<typeof readBefore>>;
}

async function answerFor(words: readonly string[]): Promise<Answer> {
  const before = words.slice(0, -1);
  const word = words.at(-1) ?? "";
  const program = new Program({ columns: 80, bold: (text) => text });
  const line = await readBefore(before, program);
  const typed: Typed = { word, program, line };
  const { command } = program.loaded ?? {};
  const last = command?.arguments?.at(-1);
  const argument =
    command?.arguments?.[line.given.length] ?? (last?.variadic === true ? last : undefined);
  if (before.includes("--")) {
    if (last?.completes === "command") return files();
    return argument === undefined ? NOTHING : valueAnswer(argument, word, typed);
  }
  const [flag, prefix] = flagOfValue(before.at(-1) ?? "", typed);
  if (flag !== undefined) {
    return withPrefix(prefix, valueAnswer(flag, word.slice(prefix.length), typed));
  }
  if (word.startsWith("-")) {
    return finished(flagCandidates(typed));
  }
  if (argument !== undefined && argument.completes !== "command") {
    return valueAnswer(argument, word, typed);
  }
  return finished(command === undefined ? commandCandidates(typed) : flagCandidates(typed));
}

/**
 * Reads the words before the word that is being typed: the command or group that they name, its arguments without
 * flags, and whether the last word is a flag whose value comes next.
 */
async function readBefore(words: readonly string[], program: Program) {
  let command = program.root;
  let rest = [...words];
  for (;;) {
    try {
      const { operands, unknown } = command.parseOptions(rest);
      const [word = "", ...others] = operands;
      const named = command.commands.find(
        (each) => each.name() === word || each.aliases().includes(word),
      );
      if (named === undefined) return { command, given: operands, awaitsValue: false };
      await program.open(named);
      command = named;
      rest = [...others, ...unknown];
    } catch (thrown) {
      if (!lacksValue(thrown)) throw thrown;
      return { command, given: [], awaitsValue: true };
    }
  }
}

/** The flag whose value is being typed, and the part of the word before the value: `--output=`, `-o`. */
function flagOfValue(last: string, { word, program, line }: Typed): [Flag | undefined, string] {
  const [prefix = ""] = line.awaitsValue ? [] : (/^(?:--[^=]+=|-[^-](?=.))/.exec(word) ?? []);
  // In `-qo`, the last letter is the flag with the value.
  const name = (prefix || last).replace(/=$/, "").replace(/^-[^-]*(?=[^-]$)/, "-");
  const flag = program.flags.find((each) => name === `--${each.name}` || name === `-${each.short}`);
  const { value } = flag ?? {};
  if (value === undefined) return [undefined, ""];
  const mayFollow = value.startsWith("[") && !word.startsWith("-");
  return prefix !== "" || line.awaitsValue || mayFollow ? [flag, prefix] : [undefined, ""];
}

function commandCandidates({ program, line }: Typed): Candidate[] {
  const isHelp = line.command.name() === "help";
  let entries: readonly (Leaf | Group)[] = program.group?.commands ?? COMMANDS;
  for (const name of line.given) {
    const entry = entries.find((each) => namesOf(each).includes(name));
    // Only after `help`, an argument can be the name of a group.
    entries = isHelp && entry !== undefined && "commands" in entry ? entry.commands : [];
  }
  const help = { name: "help", summary: "print help for a command or topic" };
  const more = isHelp ? TOPICS : [help];
  return [...entries, ...(entries === COMMANDS ? more : [])].map(({ name, summary }) => ({
    value: name,
    description: summary,
  }));
}

function flagCandidates({ word, program, line: { command } }: Typed): Candidate[] {
  const above = [command, command.parent, command.parent?.parent];
  return program.flags
    .filter(({ name, repeatable }) => {
      return repeatable === true || !above.some((each) => each && isTyped(name, each));
    })
    .flatMap(({ name, short, description }) => [
      { value: `--${name}`, description },
      ...(word === "" || short === undefined ? [] : [{ value: `-${short}`, description }]),
    ]);
}

/** In `--data @body.json`, the mark before the name of the file that contains the value. */
const FILE_MARK = "@";

function valueAnswer(
  { choices, completes }: Pick<Flag | Argument, "choices" | "completes">,
  text: string,
  { program }: Typed,
): Answer {
  if (choices !== undefined && completes !== "report") return finished(plainCandidates(choices));
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
      return partial(plainCandidates((choices ?? []).map((each) => `${each}=`)));
    }
    case "columns":
      return listAnswer(text, program.loaded?.command.output?.columns ?? []);
    case "format":
      return finished(plainCandidates(program.loaded?.command.output?.formats ?? FORMATS));
    default:
      return NOTHING;
  }
}
