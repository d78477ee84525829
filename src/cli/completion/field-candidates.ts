/** Completes fields, their parts and their values: `certificate.price`, `pace=self_paced`, `pt-BR`. */
import { parsePath } from "../../base/values.ts";
import { BOOLEANS } from "../../command-support/arguments.ts";
import { summarize } from "../../command-support/assignments.ts";
import { splitCodes } from "../../course/codes.ts";
import { PROVIDER_KEY } from "../../course/field-names.ts";
import { COURSE_SHAPE, shapeAt } from "../../course/fields.ts";
import { COUNTRY_CODES, CURRENCY_CODES, LANGUAGE_CODES } from "../../course/iso-codes.ts";
import type { Key, Shape } from "../../course/shape.ts";
import {
  type Answer,
  type Candidate,
  finished,
  NOTHING,
  partial,
  plainCandidates,
  withPrefix,
} from "./answer.ts";

/** The answer for `--unset`: a path, which may continue. */
export function pathAnswer(typed: string): Answer {
  return keyAnswer(typed, ({ name, shape }) => [
    name,
    ...separators(shape).map((separator) => name + separator),
  ]);
}

/** The answer for `--set`: a path, and after `=` the values that it may have. */
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

/** The keys at the end of a path, each in the forms that `spell` returns. */
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

/** What follows a name before the name of a part, if its parts have names. */
function separators(shape: Shape): string[] {
  if (shape.kind === "object") return ["."];
  return shape.kind === "list" && shape.of.kind === "object" ? ["[0]."] : [];
}

/** Every value of a shape, as `--set` accepts it, if there are few. */
function closedValues(shape: Shape): readonly string[] {
  if (shape.kind === "boolean") return BOOLEANS;
  if (shape.kind === "enum") return shape.values;
  if (shape.kind === "string" && shape.format === "currency") return splitCodes(CURRENCY_CODES);
  if (shape.kind === "string" && shape.format === "language") return splitCodes(LANGUAGE_CODES);
  if (shape.kind !== "list" || shape.of.kind !== "enum") return [];
  return shape.of.values.map((value) => JSON.stringify([value]));
}

/** The languages that `typed` may become: `pt`, or after `pt-` those of countries. */
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
