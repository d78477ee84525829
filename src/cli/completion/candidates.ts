/** The answer of completion to the shell, and the candidates from the fields of a course. */
import { escapeLine } from "../../base/text.ts";
import { parsePath } from "../../base/values.ts";
import { BOOLEANS } from "../../command-support/arguments.ts";
import { summarize } from "../../command-support/assignments.ts";
import { splitCodes } from "../../course/codes.ts";
import { PROVIDER_KEY } from "../../course/field-names.ts";
import { COURSE_SHAPE, shapeAt } from "../../course/fields.ts";
import { COUNTRY_CODES, CURRENCY_CODES, LANGUAGE_CODES } from "../../course/iso-codes.ts";
import type { Key, Shape } from "../../course/shape.ts";

/** A word that completion offers. */
export interface Candidate {
  readonly value: string;
  readonly description?: string;
}

/**
 * What the shell does besides offering the candidates.
 *
 * - `end`: nothing
 * - `nospace`: the shell adds no space, because the word continues
 * - `files`: the shell offers files with these extensions, or all files if there are none, after the prefix
 * - `folders`: the shell offers folders, after the prefix
 */
type Directive =
  | { readonly kind: "end" | "nospace" }
  | { readonly kind: "files"; readonly extensions: readonly string[]; readonly prefix: string }
  | { readonly kind: "folders"; readonly prefix: string };

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

/** Lets the shell offer files: with these extensions, or all files if there are none. */
export function files(extensions: readonly string[] = []): Answer {
  return { candidates: [], directive: { kind: "files", extensions, prefix: "" } };
}

/** Candidates without descriptions. */
export function plainCandidates(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value }));
}

/** Adds a prefix to the answer for the rest of a word: `--output=` to the answer for `js`. */
export function withPrefix(prefix: string, { candidates, directive }: Answer): Answer {
  return {
    candidates: candidates.map((each) => ({ ...each, value: prefix + each.value })),
    directive:
      "prefix" in directive ? { ...directive, prefix: prefix + directive.prefix } : directive,
  };
}

/**
 * The answer as the shell scripts read it: one candidate per line, with its description after a tab, then the
 * directive.
 */
export function answerText({ candidates, directive }: Answer): string {
  const lines = candidates
    .filter(({ value }) => escapeLine(value) === value)
    .map(({ value, description = "" }) =>
      description === "" ? value : `${value}\t${description}`,
    );
  // A prefix with a line break would end the answer early.
  const isUnsafe = "prefix" in directive && escapeLine(directive.prefix) !== directive.prefix;
  return `${[...lines, directiveLine(isUnsafe ? NOTHING.directive : directive)].join("\n")}\n`;
}

function directiveLine(directive: Directive): string {
  if (directive.kind === "files") {
    return `:files\t${directive.extensions.join(" ")}\t${directive.prefix}`;
  }
  return directive.kind === "folders" ? `:folders\t${directive.prefix}` : `:${directive.kind}`;
}

/** The answer for the value of `--unset`: the beginning of a path, such as `video.`. */
export function pathAnswer(typed: string): Answer {
  return keyAnswer(typed, ({ name, shape }) => [
    name,
    ...separators(shape).map((separator) => name + separator),
  ]);
}

/** The answer for the value of `--set`: a path or, after `path=`, the values of that field. */
export async function assignmentAnswer(
  typed: string,
  providers: () => Promise<readonly Candidate[]>,
): Promise<Answer> {
  const [assigned, path = ""] = /^([^=]*)=/.exec(typed) ?? [];
  if (assigned === undefined) {
    return keyAnswer(typed, ({ name, shape }) => {
      const [separator = "="] = separators(shape);
      return [name + separator];
    });
  }
  if (path === PROVIDER_KEY) return withPrefix(assigned, finished(await providers()));
  const steps = parsePath(path);
  const shape = steps === undefined ? undefined : shapeAt(steps);
  if (shape === undefined) return NOTHING;
  return withPrefix(assigned, finished(plainCandidates(closedValues(shape))));
}

function keyAnswer(typed: string, spell: (key: Key) => readonly string[]): Answer {
  const start = typed.lastIndexOf(".") + 1;
  const [path, begin] = [typed.slice(0, start), typed.slice(start)];
  const keys = path === "" ? WRITABLE_KEYS : keysOf(path.slice(0, -1));
  const candidates = keys.flatMap((key) =>
    spell(key)
      .filter((value) => value.startsWith(begin))
      .map((value) => ({ value, description: summarize(key) })),
  );
  const isPartial = candidates.some(({ value }) => /[.=]$/.test(value));
  return withPrefix(path, isPartial ? partial(candidates) : finished(candidates));
}

const WRITABLE_KEYS = COURSE_SHAPE.keys.filter(({ readOnly }) => !readOnly);

function keysOf(path: string): readonly Key[] {
  const steps = parsePath(path);
  const shape = steps === undefined ? undefined : shapeAt(steps);
  return shape?.kind === "object" ? shape.keys : [];
}

/** What separates a field from the names of its parts: `.` for an object, `[0].` for a list of objects. */
function separators(shape: Shape): string[] {
  if (shape.kind === "object") return ["."];
  return shape.kind === "list" && shape.of.kind === "object" ? ["[0]."] : [];
}

/** Every value of a field, as `--set` accepts it; empty if there are too many to list. */
function closedValues(shape: Shape): readonly string[] {
  if (shape.kind === "boolean") return BOOLEANS;
  if (shape.kind === "enum") return shape.values;
  if (shape.kind === "string" && shape.format === "currency") return splitCodes(CURRENCY_CODES);
  if (shape.kind === "string" && shape.format === "language") return splitCodes(LANGUAGE_CODES);
  if (shape.kind !== "list" || shape.of.kind !== "enum") return [];
  return shape.of.values.map((value) => JSON.stringify([value]));
}

/** Languages that begin with `typed`: `pt` for `p`, `pt-BR` for `pt-`. */
export function languageCandidates(typed: string): Candidate[] {
  const names = new Intl.DisplayNames("en", { type: "language" });
  const [, language] = /^([a-z]{2})-/.exec(typed) ?? [];
  const codes =
    language === undefined
      ? splitCodes(LANGUAGE_CODES)
      : splitCodes(COUNTRY_CODES).map((country) => `${language}-${country}`);
  return codes
    .filter((code) => code.startsWith(typed))
    .map((value) => ({ value, description: names.of(value) ?? "" }));
}

/** The answer for a list such as `a,b,c`: completes its last entry, without entries that the list has already. */
export function listAnswer(
  typed: string,
  candidates: (entry: string) => readonly Candidate[],
): Answer {
  const prefix = typed.slice(0, typed.lastIndexOf(",") + 1);
  const used = prefix.split(",").map((entry) => entry.trim());
  const free = candidates(typed.slice(prefix.length)).filter(({ value }) => !used.includes(value));
  return withPrefix(prefix, partial(free));
}
