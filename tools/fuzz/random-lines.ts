/** Random command lines from the table of commands, most of them almost valid. */
import fc from "fast-check";
import { type Argument, type Flag, valueName } from "../../src/cli/arguments.ts";
import type { AnyCommand } from "../../src/cli/command.ts";
import { GLOBAL_FLAGS } from "../../src/cli/global-flags.ts";
import { loadAllCommands } from "../documents/commands.ts";
import { anyText, SIGNS } from "./random-texts.ts";
import { COURSE_IDS } from "./runner.ts";

/** A command with its path. */
interface Known {
  readonly path: readonly string[];
  readonly command: AnyCommand;
}

const KNOWN: readonly Known[] = (await loadAllCommands()).map(({ path, command }) => ({
  path: path.split(" "),
  command,
}));

/** The files in the folder of a run. */
export function filesOf(course: string): Readonly<Record<string, string>> {
  return { "a.yaml": course, "bad.yaml": "name: [", "courses/b.json": course, "a b": "x" };
}

/** Valid values of a flag or an argument, by its name or the name of its value. */
const FITTING: Readonly<Record<string, readonly string[]>> = {
  "base-url": ["https://catalog.example", "https://catalog.example/x/", "http://127.0.0.1:1"],
  timeout: ["1", "0.5", "30"],
  retries: ["0", "4"],
  concurrency: ["1", "4", "256"],
  limit: ["1", "3", "250"],
  offset: ["0", "1"],
  field: ["video", "prices[0].currency", "required", "nmae"],
  published: ["true", "false"],
  path: [
    "developer/v1/courses",
    `developer/v1/courses?id=${COURSE_IDS[0]}`,
    ...["a.yaml", "courses", "courses/b.json", "-", "."],
  ],
  id: [...COURSE_IDS],
  course: [...COURSE_IDS, COURSE_IDS[0].toUpperCase(), "-"],
  file: ["a.yaml", "new.yaml", "courses/b.json", "-"],
  folder: ["out", "courses", "."],
  data: ["@a.yaml", "-", "{}"],
  provider: ["example-academy", "academy.example", "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21"],
  fields: ["id", "name,url", "prices[0].currency", "id,id", "status", "action,error"],
  audio: ["en", "en,pt-BR"],
  unset: ["video", "prices[0].currency", "certificate", "id", "syllabus[0].description[1]"],
  set: ["name=x", "pace=self_paced", "level=[]", "syllabus[0].title=x", "video=null"],
  report: ["codequality=r.json", "markdown=r.md", "sarif=r", "junit=a b"],
};

/** Values that are rarely valid. */
const UNFITTING = [
  ...["", " ", "a b", "99999999999999999999", "http://elsewhere.example", "none.yaml", "bad.yaml"],
  ..."x|0|-1|1e3|1.5|1/0|3/2|ftp://x|true|null|json|id=|=|x=y|@|@none|,|EN|0b6ec7b5".split("|"),
  ..."prices.currency|prices[99]|nmae|slug|name".split("|"),
];

/** Words for any position. No word names a path outside the folder of a run. */
const strayWords = fc.oneof(
  fc.constantFrom(..."--|-|--help|-h|-V|help|courses|--no-such|-z|--=|-qv".split("|")),
  fc.constantFrom(...KNOWN.flatMap(({ path }) => path.filter((word) => word !== "sandbox"))),
  fc.constantFrom(...SIGNS.filter(isHarmless)),
  anyText.filter(isHarmless),
);

/** Whether a word cannot name a path outside the folder, a server or a program. */
function isHarmless(text: string): boolean {
  return !/[/\\]|\.\.|sandbox/.test(text);
}

function valueFor(declared: Flag | Argument): fc.Arbitrary<string> {
  const { name, choices } = declared;
  const value = "value" in declared ? declared.value?.slice(1, -1) : undefined;
  const fitting = FITTING[name] ?? choices ?? FITTING[value ?? ""] ?? ["x", "a text"];
  return fc.oneof(
    { weight: 14, arbitrary: fc.constantFrom(...fitting) },
    fc.constantFrom(...UNFITTING),
    anyText.filter(isHarmless),
  );
}

function wordsOfFlag(flag: Flag): fc.Arbitrary<readonly string[]> {
  const long = `--${flag.name}`;
  const short = flag.short === undefined ? long : `-${flag.short}`;
  if (valueName(flag) === undefined) return fc.constantFrom([long], [short]);
  return fc.tuple(valueFor(flag), fc.nat({ max: 9 })).map(([value, form]): readonly string[] => {
    if (form < 4) return [long, value];
    if (form < 8) return [`${long}=${value}`];
    return form === 8 ? [short, value] : [long];
  });
}

function lineOf({ path, command }: Known): fc.Arbitrary<readonly string[]> {
  const { arguments: positional = [], flags = [] } = command;
  const words = positional.map((argument) =>
    fc.array(valueFor(argument), {
      minLength: argument.required ? 1 : 0,
      maxLength: argument.variadic ? 3 : 1,
    }),
  );
  const flagWords = fc.oneof(...flags.map(wordsOfFlag), fc.oneof(...GLOBAL_FLAGS.map(wordsOfFlag)));
  return fc
    .tuple(fc.tuple(...words), fc.array(flagWords, { maxLength: 4 }))
    .map(([values, given]) => [...path, ...values.flat(), ...given.flat()]);
}

/** A line with a word inserted, removed or moved. */
function bent(line: fc.Arbitrary<readonly string[]>): fc.Arbitrary<readonly string[]> {
  return fc
    .tuple(line, fc.nat({ max: 20 }), fc.nat({ max: 20 }), fc.option(strayWords))
    .map(([words, from, to, stray]) => {
      const [at, target] = [from % (words.length + 1), to % (words.length + 1)];
      if (stray !== null) return words.toSpliced(at, target % 2, stray);
      const moved = words.slice(at, at + 1);
      return words.toSpliced(at, 1).toSpliced(target, 0, ...moved);
    });
}

function growing(commands: readonly Known[]): fc.Arbitrary<readonly string[]> {
  const line = fc.oneof(...commands.map(lineOf));
  return fc.oneof(
    { weight: 6, arbitrary: line },
    { weight: 3, arbitrary: bent(line) },
    fc.array(strayWords),
  );
}

/** Lines of every command, to be parsed but not run. */
export const anyLine = growing(KNOWN);

/**
 * Lines that can be run: not `sandbox`, which starts programs, no line that ends only with Ctrl-C, and none that leaves a
 * temporary file.
 */
export const harmlessLine = growing(KNOWN.filter(({ path }) => path[0] !== "sandbox")).filter(
  (words) => !words.includes("--watch") && !(words.includes("preview") && !hasOutput(words)),
);

function hasOutput(words: readonly string[]): boolean {
  return words.some((word) => word === "--out" || word.startsWith("--out="));
}
