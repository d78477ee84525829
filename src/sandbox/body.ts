/** Reads the bodies of POST and PATCH, and finds why the service rejects one (docs/service.md, "Errors"). */
import type { IncomingHttpHeaders } from "node:http";
import { attempt } from "../base/errors.ts";
import { formatPath, isObject, type PlainObject } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import { FIELDS, findField } from "../course/fields.ts";
import { checkOwnership } from "../course/ownership.ts";
import { isRejected, type Problem } from "../course/problem.ts";
import type { Provider } from "../course/provider.ts";
import {
  bodyTooLarge,
  invalidJson,
  notAnObject,
  type ServiceResponse,
  wrongContentType,
} from "./responses.ts";

/** An object, or the response that rejects the body. */
type ParsedBody =
  | { readonly body: PlainObject; readonly rejection?: undefined }
  | { readonly body?: undefined; readonly rejection: ServiceResponse };

/** The rejection of a request without `Content-Type: application/json`. */
export function checkContentType(headers: IncomingHttpHeaders): ServiceResponse | undefined {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  return type.trim().toLowerCase() === "application/json" ? undefined : wrongContentType;
}

/** @param bytes undefined if there were too many */
export function parseBody(bytes: Uint8Array | undefined): ParsedBody {
  if (bytes === undefined) return { rejection: bodyTooLarge };
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const value = attempt((): unknown => JSON.parse(decoder.decode(bytes)));
  if (value === undefined) return { rejection: invalidJson };
  return isObject(value) ? { body: value } : { rejection: notAnObject };
}

/** A hint shows one problem; listing every mistake in ten megabytes would take gigabytes. */
const MOST_PROBLEMS = 1000;

/**
 * The hint for the first rule that a body breaks, or undefined: unknown attributes first, then the
 * rules in the documented order of the fields, read-only fields, and the caller's providers.
 */
export function findHint(
  body: PlainObject,
  mode: "create" | "patch",
  providers: readonly Provider[],
): string | undefined {
  // The key `provider` of course files is unknown to the service.
  const unknown = Object.keys(body).find((name) => findField(name) === undefined);
  if (unknown !== undefined) return `unknown field ${formatPath([unknown])}`;
  const problems = checkCourse(body, { mode, most: MOST_PROBLEMS }).filter(isRejected);
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
  if (problem.rule === "unknown-key" && inside.length > 0) {
    const keys = problems
      .filter(({ rule, path }) => rule === "unknown-key" && path[0] === field)
      .map(({ path }) => String(path[path.length - 1]));
    // The service spells it so.
    return `${field} should not contain the folowing keys: ${[...new Set(keys)].join(", ")}`;
  }
  return problem.message;
}
