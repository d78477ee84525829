/** Makes random responses of a service, or of a server that responds instead. */
import fc from "fast-check";
import { DEFAULT_PROVIDER } from "../../src/sandbox/seed.ts";
import type { HttpResponse } from "../../src/service/errors.ts";
import type { Transport } from "../../src/service/http.ts";
import { unusualCourse } from "./random-courses.ts";
import { anyText, anyValue } from "./random-texts.ts";
import { COURSE_IDS } from "./runner.ts";

/** A response, or a failure without a response. */
type Turn = HttpResponse | Error;

const status = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(200, 200, 201, 204) },
  fc.constantFrom(301, 302, 304, 307, 400, 401, 403, 404, 406, 408, 409, 413, 429),
  fc.constantFrom(500, 501, 502, 503, 504, 520),
  fc.integer({ min: 100, max: 999 }),
);

const headers = fc.dictionary(
  fc.constantFrom("retry-after", "location", "content-type", "content-range", "x-a", "__proto__"),
  fc.oneof(
    fc.constantFrom("0", "1", "60", "86400", "-1", "1.5", "1e9", "Sat, 31 Jan 2026 12:00:30 GMT"),
    fc.constantFrom("https://elsewhere.example/", "//x", "/y", "text/html", "99999999999999999999"),
    anyText,
  ),
  { maxKeys: 2 },
);

/** A course in a list, with a valid id or any other value. */
export const listed: fc.Arbitrary<Record<string, unknown>> = fc
  .tuple(unusualCourse, fc.oneof(fc.constantFrom(...COURSE_IDS), fc.uuid(), anyText))
  .map(([course, id]) => ({ ...course, id }));

/** A provider in a list. */
export const provider: fc.Arbitrary<Record<string, unknown>> = fc
  .dictionary(fc.constantFrom(...Object.keys(DEFAULT_PROVIDER)), anyValue, { maxKeys: 2 })
  .map((changes) => ({ ...DEFAULT_PROVIDER, ...changes }));

const words = fc.dictionary(
  fc.constantFrom("hint", "details", "message", "code"),
  fc.oneof(anyText, anyValue),
);

const body = fc.oneof(
  { weight: 3, arbitrary: fc.array(listed, { maxLength: 3 }).map((rows) => JSON.stringify(rows)) },
  {
    weight: 2,
    arbitrary: fc.array(provider, { maxLength: 2 }).map((rows) => JSON.stringify(rows)),
  },
  { weight: 2, arbitrary: words.map((said) => JSON.stringify(said)) },
  fc.constantFrom("", "[]", "{}", "null", "[null]", "[[]]", "[{}]", "<!doctype html><p>", "[", "{"),
  fc.constant(`[${"[".repeat(5000)}`),
  fc.constant(`${"[".repeat(5000)}${"]".repeat(5000)}`),
  anyValue.map((value) => JSON.stringify(value)),
  anyText,
);

const noAnswer = fc
  .tuple(
    fc.constantFrom(
      "ECONNREFUSED",
      "ECONNRESET",
      "ETIMEDOUT",
      "ENOTFOUND",
      "UND_ERR_SOCKET",
      "CERT",
    ),
    anyText,
  )
  .map(([code, message]) => Object.assign(new Error(message), { code }));

const answer: fc.Arbitrary<HttpResponse> = fc
  .tuple(status, headers, body, anyText)
  .map(([code, named, text, reason]) => {
    return { status: code, reason, headers: named, body: Buffer.from(text) };
  });

/** A sequence of responses; the last one repeats. */
export const anyAnswers: fc.Arbitrary<readonly Turn[]> = fc.array(
  fc.oneof({ weight: 6, arbitrary: answer }, noAnswer),
  { minLength: 1, maxLength: 5 },
);

/** A service with these rows, which never change. */
export function serviceWith(
  courses: readonly unknown[],
  providers: readonly unknown[],
): Transport["send"] {
  return async ({ method, url }) => {
    const { pathname, searchParams } = new URL(url);
    if (method !== "GET") return { status: 204, headers: {}, body: Buffer.alloc(0) };
    const rows = pathname.endsWith("providers") ? providers : courses;
    const isBehind = Number(searchParams.get("offset") ?? 0) > 0;
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(isBehind ? [] : rows)) };
  };
}

/** A service with these responses to any request. */
export function respondWith(turns: readonly Turn[]): Transport["send"] {
  let next = 0;
  return async () => {
    const turn = turns[Math.min(next++, turns.length - 1)];
    if (turn === undefined || turn instanceof Error) throw turn;
    return turn;
  };
}
