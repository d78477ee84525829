/** Words that name a field or a part of one: `certificate.price`, `pace=self_paced`. */

import { summaryOf } from "../../command-support/assignments.ts";
import { shapeAt, stepsOf } from "../../command-support/field-path.ts";
import { BOOLEANS } from "../../command-support/values.ts";
import { PROVIDER_FIELD, PROVIDER_KEY, WRITABLE_FIELDS } from "../../course/fields.ts";
import { CURRENCY_CODES, LANGUAGE_CODES } from "../../course/iso-codes.ts";
import type { Key, Shape } from "../../course/shape.ts";
import { type Answer, begun, behind, type Candidate, NOTHING, whole } from "./answer.ts";
import { codesOf } from "./languages.ts";
import { named } from "./lists.ts";

/** The answer for `--unset`: a path, which may lead on. */
export function pathAnswer(typed: string): Answer {
  return keyAnswer(typed, ({ name, shape }) => [name, ...wayInto(shape).map((way) => name + way)]);
}

/**
 * The answer for `--set`: a path, and behind `=` the values that it may have.
 *
 * @param providers the user's providers, which `provider` may name
 */
export async function assignmentAnswer(
  typed: string,
  providers: () => Promise<readonly Candidate[]> | undefined,
): Promise<Answer> {
  const [assigned, path = ""] = /^([^=]*)=/.exec(typed) ?? [];
  if (assigned === undefined) {
    return keyAnswer(typed, ({ name, shape }) => {
      const [way = "="] = wayInto(shape);
      return [name + way];
    });
  }
  if (path === PROVIDER_KEY) return behind(assigned, whole((await providers()) ?? []));
  const steps = stepsOf(path);
  const shape = steps === undefined ? undefined : shapeAt(steps);
  return shape === undefined ? NOTHING : behind(assigned, whole(named(closedValues(shape))));
}

/** The keys at the end of a path that is typed, each as the words that `name` makes of it. */
function keyAnswer(typed: string, name: (key: Key) => readonly string[]): Answer {
  const start = typed.lastIndexOf(".") + 1;
  const [path, begin] = [typed.slice(0, start), typed.slice(start)];
  const keys = path === "" ? [...WRITABLE_FIELDS, PROVIDER_FIELD] : keysOf(path.slice(0, -1));
  const candidates = keys.flatMap((key) =>
    name(key)
      .filter((value) => value.startsWith(begin))
      .map((value) => ({ value, description: summaryOf(key) })),
  );
  const goesOn = candidates.some(({ value }) => /[.=]$/.test(value));
  return behind(path, goesOn ? begun(candidates) : whole(candidates));
}

function keysOf(path: string): readonly Key[] {
  const steps = stepsOf(path);
  const shape = steps === undefined ? undefined : shapeAt(steps);
  return shape?.kind === "object" ? shape.keys : [];
}

/** What leads from a value to its parts, if these have names. */
function wayInto(shape: Shape): string[] {
  if (shape.kind === "object") return ["."];
  return shape.kind === "list" && shape.of.kind === "object" ? ["[0]."] : [];
}

/** Every value of a shape, as `--set` takes it, where these are a closed list. */
function closedValues(shape: Shape): readonly string[] {
  if (shape.kind === "boolean") return BOOLEANS;
  if (shape.kind === "choice") return shape.values;
  if (shape.kind === "text" && shape.format === "currency") return codesOf(CURRENCY_CODES);
  if (shape.kind === "text" && shape.format === "language") return codesOf(LANGUAGE_CODES);
  if (shape.kind !== "list" || shape.of.kind !== "choice") return [];
  return shape.of.values.map((value) => JSON.stringify([value]));
}
