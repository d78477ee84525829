/** Parses the bodies of POST and PATCH, and finds why the service rejects a body (docs/service.md, "Errors"). */
import type { IncomingHttpHeaders } from "node:http";
import { attempt } from "../base/errors.ts";
import { formatPath, isObject, type PlainObject } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import { FIELDS, findField } from "../course/fields.ts";
import { isRejected, type Problem } from "../course/problem.ts";
import { checkOwnership, type Provider } from "../course/provider.ts";
import { bodyTooLarge, Rejection, rejected } from "./responses.ts";

/** @throws Rejection of a request without `Content-Type: application/json` */
export function requireJson(headers: IncomingHttpHeaders): void {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json") {
    throw new Rejection(rejected("Content-Type should be application/json"));
  }
}

/** Parses a body, which must be a JSON object in UTF-8. @param bytes undefined for too many @throws Rejection */
export function parseBody(bytes: Uint8Array | undefined): PlainObject {
  if (bytes === undefined) throw new Rejection(bodyTooLarge);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const value = attempt((): unknown => JSON.parse(decoder.decode(bytes)));
  if (isObject(value)) return value;
  const expected = value === undefined ? "valid JSON, encoded in UTF-8" : "a JSON object";
  throw new Rejection(rejected(`The body should be ${expected}`));
}

/**
 * The hint about the first rule that a body breaks; undefined for a valid body. Unknown fields come first, then the
 * rules in the documented order of the fields, then read-only fields and the user's providers.
 */
export function findHint(
  body: PlainObject,
  mode: "create" | "patch",
  providers: readonly Provider[],
): string | undefined {
  // `provider` is a field of course files; the service does not have it.
  const unknown = Object.keys(body).find((name) => findField(name) === undefined);
  if (unknown !== undefined) return `unknown field ${formatPath([unknown])}`;
  const problems = checkCourse(body, mode).filter(isRejected);
  const [first] = problems;
  if (first !== undefined) return hintOf(first, problems);
  const readOnly = FIELDS.find((field) => field.readOnly && Object.hasOwn(body, field.name));
  if (readOnly !== undefined) return `${readOnly.name} cannot be set`;
  return checkOwnership(body, providers).find(isRejected)?.message;
}

function hintOf(problem: Problem, problems: readonly Problem[]): string {
  const [field, ...inside] = problem.path;
  const isMissing = problem.rule === "required" || problem.rule === "blank";
  if (isMissing && inside.length === 0) return `${field} is blank`;
  if (problem.rule !== "unknown-field" || inside.length === 0) return problem.message;
  const keys = problems
    .filter(({ rule, path }) => rule === "unknown-field" && path[0] === field)
    .map(({ path }) => String(path[path.length - 1]));
  // The misspelling is part of the service's interface.
  return `${field} should not contain the folowing keys: ${[...new Set(keys)].join(", ")}`;
}
