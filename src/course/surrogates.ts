/** Finds strings that are not Unicode text. */
import { formatPath, isList, isObject, type Path } from "../base/values.ts";
import type { Problem } from "./problem.ts";

/** The strings and keys in a value that contain half of a surrogate pair (RFC 7493, section 2.1). */
export function* findSurrogates(value: unknown, path: Path = []): Generator<Problem> {
  if (typeof value === "string") {
    if (!value.isWellFormed()) yield loneSurrogate(path, "value", value);
  } else if (isList(value)) {
    for (const [index, element] of value.entries()) {
      yield* findSurrogates(element, [...path, index]);
    }
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (!key.isWellFormed()) yield loneSurrogate([...path, key], "key", key);
      yield* findSurrogates(inner, [...path, key]);
    }
  }
}

function loneSurrogate(path: Path, at: Problem["at"], text: string): Problem {
  // With the flag u, only a half that is alone matches.
  const [half = ""] = /\p{Cs}/u.exec(text) ?? [];
  const code = half.charCodeAt(0).toString(16);
  const what = at === "key" ? "the key " : "";
  const message = `${what}${formatPath(path)} contains half of a character (\\u${code}); write the complete one`;
  return { rule: "lone-surrogate", severity: "error", at, path, message };
}
