/** Reads the JSON body of POST and PATCH (api.md, "Endpoints"). */
import { isObject, type PlainObject } from "../base/values.ts";
import { type Answer, brokenJson, noObject, notJson, tooLarge } from "./answers.ts";
import type { Call } from "./endpoint.ts";

/** A body, or the answer that refuses it. */
export type ReadBody =
  | { readonly body: PlainObject; readonly refusal?: undefined }
  | { readonly body?: undefined; readonly refusal: Answer };

/** The refusal of a request that does not say `Content-Type: application/json`. */
export function contentTypeFault({ headers }: Call): Answer | undefined {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  return type.trim().toLowerCase() === "application/json" ? undefined : notJson;
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/** The JSON object that a request carries. */
export function readObject({ body }: Call): ReadBody {
  if (body === undefined) return { refusal: tooLarge };
  let value: unknown;
  try {
    value = JSON.parse(UTF_8.decode(body));
  } catch {
    return { refusal: brokenJson };
  }
  return isObject(value) ? { body: value } : { refusal: noObject };
}
