/** Finds strings that are not Unicode text. */
import { findValues, formatPath, type Path, type PlainObject } from "../base/values.ts";
import type { Problem } from "./problem.ts";

/** The strings and keys in a course that contain half of a surrogate pair (RFC 7493, section 2.1). */
export function findSurrogates(course: PlainObject): Problem[] {
  const found = findValues(
    course,
    (value, key): value is unknown => isBroken(value) || isBroken(key),
  );
  return found.flatMap(({ path, value }) => {
    const key = path.at(-1);
    return [
      ...(isBroken(key) ? [loneSurrogate(path, "key", key)] : []),
      ...(isBroken(value) ? [loneSurrogate(path, "value", value)] : []),
    ];
  });
}

function isBroken(text: unknown): text is string {
  return typeof text === "string" && !text.isWellFormed();
}

function loneSurrogate(path: Path, at: Problem["at"], text: string): Problem {
  // With the flag u, only a half that is alone matches.
  const [half = ""] = /\p{Cs}/u.exec(text) ?? [];
  const code = half.charCodeAt(0).toString(16);
  const what = at === "key" ? "the key " : "";
  const message = `${what}${formatPath(path)} contains half of a character (\\u${code}); write the complete one`;
  return { rule: "lone-surrogate", severity: "error", at, path, message };
}
