/** Turns what a file says into what is sent, and what is sent into what the service would hold. */
import { isList, isMapping, type Mapping } from "../base/values.ts";
import { WRITABLE_FIELDS } from "./fields.ts";

/** A course as the service returns it: the fields of api.md, and any that it may add. */
export type Course = Mapping & { readonly id: string };

/**
 * The body that creates a course: the writable fields in the document's order, without nulls, which
 * on create mean "not set" (cli.md section 7).
 */
export function toCreation(course: Mapping): Mapping {
  return writable(course, (value) => value !== null);
}

/**
 * The body that changes a course: the writable fields that are given, nulls included, which on
 * update mean "clear". The id is no attribute to change.
 */
export function toChange(course: Mapping): Mapping {
  return writable(course, (_value, name) => name !== "id");
}

function writable(course: Mapping, keep: (value: unknown, name: string) => boolean): Mapping {
  const entries = WRITABLE_FIELDS.filter(
    ({ name }) => Object.hasOwn(course, name) && course[name] !== undefined,
  )
    .filter(({ name }) => keep(course[name], name))
    .map(({ name }) => [name, withoutNulls(course[name])]);
  return Object.fromEntries(entries);
}

/** Inside an object a null says what leaving the key out says, and is easier to refuse. */
function withoutNulls(value: unknown): unknown {
  if (isList(value)) return value.map(withoutNulls);
  if (!isMapping(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNulls(inner)]));
}
