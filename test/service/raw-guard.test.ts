/** Which raw requests are sent, and to which URL. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CatalogError } from "../../src/base/errors.ts";
import { isUuid } from "../../src/base/values.ts";
import { METHODS, type Method } from "../../src/service/errors.ts";
import { anyCharacter } from "../any-character.ts";
import { scaleRuns } from "../long.ts";
import { ID, sentFor } from "./raw-calls.ts";

const COURSES = "developer/v1/courses";
const CHANGING: readonly Method[] = ["PATCH", "PUT", "DELETE"];
const BASES = [
  "https://catalog.example",
  "https://catalog.example:8443/tenant/one",
  "http://127.0.0.1:4010/a/",
];

describe("paths", () => {
  test.each([
    [COURSES, "https://catalog.example/developer/v1/courses"],
    [`/${COURSES}?limit=5`, "https://catalog.example/developer/v1/courses?limit=5"],
    [`${COURSES}?name=a%20b&x=@1:2//3`, `https://catalog.example/${COURSES}?name=a%20b&x=@1:2//3`],
    ["?limit=5", "https://catalog.example/?limit=5"],
    ["/", "https://catalog.example/"],
    ["a..b/...", "https://catalog.example/a..b/..."],
  ])("the path %s of a raw request leads to %s", async (path, url) => {
    expect(await sentFor({ method: "GET", path })).toMatchObject({ url });
  });

  test("the path of a raw request stays below the path of the base URL, with or without slashes at the ends", async () => {
    for (const base of ["https://c.example/a/b", "https://c.example/a/b/"]) {
      for (const path of [COURSES, `/${COURSES}`]) {
        const url = "https://c.example/a/b/developer/v1/courses";
        expect(await sentFor({ method: "GET", path }, base)).toMatchObject({ url });
      }
    }
  });

  test.each([
    "",
    "https://elsewhere.example/",
    "//elsewhere.example/x",
    "me@elsewhere.example/x",
    "\\\\elsewhere.example/x",
    "/\t/elsewhere.example",
    "x\r\nx-evil: 1",
    "x#y",
    "..",
    "a/../../x",
    "%2e%2e/x",
    "%252e%252e/x",
    "a/..%5c..%5cx",
    "kurse/größe",
    "/a:b",
  ])("the path %j of a raw request is rejected", async (path) => {
    for (const method of METHODS) {
      const error = await sentFor({ method, path }, BASES[1]);
      expect(error).toMatchObject({
        kind: "usage",
        message: expect.stringContaining("the path must be relative to the base URL"),
      });
    }
  });
});

const token = fc.constantFrom(
  ..."/ // \\ . .. %2e %2E%2e %252e %2f %5c ; : @ ? # http: a b % %zz & = id= é developer".split(
    " ",
  ),
  ..."https://elsewhere.example elsewhere.example 127.0.0.1:1 [::1]".split(" "),
  ...[" ", "\t", "\n", "\u0000", "\u202e", `id=${ID}`],
);
/** URLs of the web; those of fast-check take two seconds to build a table of characters. */
const word = fc.stringMatching(
  /^(?:[a-z\dA-Z_~.,!$&'()*+;=:@-]|%[2-7][\dA-F]|%C3%[89AB][\dA-F])*$/,
);
const anyUrl = fc
  .tuple(
    fc.constantFrom("http", "https"),
    fc.domain(),
    fc.array(word, { maxLength: 4 }),
    fc.option(word),
    fc.option(word),
  )
  .map(([scheme, host, names, query, fragment]) => {
    const end = `${query === null ? "" : `?${query}`}${fragment === null ? "" : `#${fragment}`}`;
    return `${scheme}://${[host, ...names].join("/")}${end}`;
  });
const text = fc.oneof(
  fc.array(token, { maxLength: 8 }).map((tokens) => tokens.join("")),
  fc
    .array(fc.constantFrom("a", "b", "c", "d", ".."), { minLength: 1, maxLength: 4 })
    .map((names) => names.join("/")),
  fc.string({ unit: anyCharacter, maxLength: 24 }),
  anyUrl,
);

/** The path as the most lenient server would read it: fully decoded, slashes merged. */
function obliging(pathname: string): string {
  let decoded = pathname;
  for (let before = ""; before !== decoded; ) {
    before = decoded;
    decoded = decoded.replace(/%([\da-f]{2})/gi, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
  const kept: string[] = [];
  for (const segment of decoded.split(/[/\\]+/)) {
    const [name] = segment.split(";");
    if (name === "..") kept.pop();
    else if (name !== "" && name !== ".") kept.push(segment);
  }
  return `/${kept.join("/")}/`;
}

test("any path of a raw request is rejected or stays below the base URL", async () => {
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.constantFrom(...METHODS),
      fc.constantFrom(...BASES),
      async (path, method, baseUrl) => {
        const request = await sentFor({ method, path }, baseUrl);
        if (request instanceof CatalogError) {
          expect(request.kind).toBe("usage");
          return;
        }
        sent++;
        const [url, base] = [new URL(request.url), new URL(`${baseUrl.replace(/\/$/, "")}/`)];
        expect(url.origin).toBe(base.origin);
        expect([url.username, url.password, url.hash]).toEqual(["", "", ""]);
        expect(url.pathname.startsWith(base.pathname)).toBe(true);
        expect(obliging(url.pathname).startsWith(base.pathname)).toBe(true);
      },
    ),
    { numRuns: scaleRuns(200) },
  );
  expect(sent).toBeGreaterThan(3);
});

describe.each(CHANGING)("raw request: %s", (method) => {
  test.each([
    `${COURSES}?id=${ID}`,
    `/${COURSES}?id=${ID.toUpperCase()}`,
    `${COURSES}?select=id&id=${ID}`,
    `${COURSES}?id=${ID}&video_id=7&idle=1`,
  ])(`a raw ${method} is sent to %s`, async (path) => {
    expect(await sentFor({ method, path })).toMatchObject({ method });
  });

  test.each([
    COURSES,
    "/developer/v1/providers",
    `${COURSES}/${ID}`,
    `${COURSES}?limit=1`,
    `${COURSES}?id=`,
    `${COURSES}?id=eq.${ID}`,
    `${COURSES}?id=${ID},${ID}`,
    `${COURSES}?id=${ID}%0a`,
    `${COURSES}?id=${ID}&id=${ID}`,
    `${COURSES}?id=${ID}&id`,
    `${COURSES}?ID=${ID}`,
    `${COURSES}?id=${ID}&id[]=x`,
    `${COURSES}?%69d=${ID}`,
    `${COURSES}?id=${ID}&%2569d=x`,
    `${COURSES}?id=${ID};id=x`,
    `${COURSES}?id=${ID}&x=1%26id=2`,
    `${COURSES}?x=%2523&id=${ID}`,
    `${COURSES}?not.id=${ID}`,
  ])(`a raw ${method} is never sent to %s`, async (path) => {
    expect(await sentFor({ method, path })).toMatchObject({
      kind: "usage",
      message: expect.stringContaining(`${method} needs exactly one id=<uuid>`),
    });
  });
});

test("a raw PATCH, PUT or DELETE of any path has exactly one id, a UUID, or is not sent", async () => {
  const name = fc.constantFrom("id", "ID", "%69d", "id[]", "id ", "+id", "x", "provider_id", "");
  const value = fc.constantFrom(ID, "", "12", `eq.${ID}`, `${ID}&id=`, `${ID};id=1`, "*", "null");
  const pair = fc.tuple(name, fc.constantFrom("=", "", "=="), value).map((all) => all.join(""));
  const parameter = fc.oneof(pair, fc.constantFrom(`id=${ID}`, "limit=1", "x=id"));
  const query = fc
    .tuple(fc.array(parameter, { maxLength: 3 }), fc.constantFrom("&", ";", "&&", "?"))
    .map(([parameters, between]) => `${COURSES}?${parameters.join(between)}`);
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(query, text), fc.constantFrom(...CHANGING), async (path, method) => {
      const request = await sentFor({ method, path });
      if (request instanceof CatalogError) return;
      sent++;
      const names = [...new URL(request.url).searchParams].filter(([key]) => /^\W*id\b/i.test(key));
      expect(names).toHaveLength(1);
      expect(names[0]?.[0]).toBe("id");
      expect(isUuid(names[0]?.[1] ?? "")).toBe(true);
    }),
    { numRuns: scaleRuns(200) },
  );
  expect(sent).toBeGreaterThan(0);
});
