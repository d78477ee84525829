/** Which course a description identifies: by id, then key, then url. */
import { describe, expect, test } from "vitest";
import { CourseIndex } from "../../src/core/identify.ts";
import { providerIn } from "../../src/course/provider.ts";
import type { Course } from "../../src/course/request-body.ts";
import { normalizeUrl } from "../../src/course/special-fields.ts";
import { PROVIDER_ID } from "../rig.ts";
import { uuid5 } from "./plans.ts";

const [ONE, TWO] = ["0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10", "7f0c5a52-52f3-4a4e-8f6d-1c9f5e0b7a11"];
const [A, B] = ["https://academy.example/a", "https://academy.example/b"];
const [MOVED, BEFORE] = ["https://academy.example/moved", "https://academy.example/before"];
const PROVIDER = providerIn({ id: PROVIDER_ID, name: "Academy" });
const OWNED = { provider_id: PROVIDER_ID };
const [KEYED, CREATED] = [uuid5("key:K-1"), uuid5(BEFORE)];

const COURSES = [
  { id: ONE, url: A, ...OWNED },
  { id: TWO, url: B, ...OWNED },
  { id: KEYED, url: MOVED, ...OWNED },
  { id: CREATED, url: "https://academy.example/now", name: "Knitting", ...OWNED },
];

describe("the course of a description", () => {
  const index = new CourseIndex<Course>(COURSES, [PROVIDER]);

  test.each([
    ["its id, in either case", { id: ONE.toUpperCase(), url: A }, ONE],
    ["its id, if its url is new", { id: ONE, url: `${A}-new` }, ONE],
    ["its key, if its url is new", { key: "K-1", url: `${A}-new` }, KEYED],
    ["its key with any provider", { key: "K-1", provider_id: undefined }, KEYED],
    ["its url, if no course has its key", { key: "K-2", url: B }, TWO],
    ["its url", { url: B }, TWO],
    ["its url in another spelling", { url: "https://ACADEMY.example:443/%62/" }, TWO],
    ["its url, if its id is empty", { id: "", url: A }, ONE],
    [
      "its name, and the url from which its id is derived",
      { url: BEFORE, name: "Knitting" },
      CREATED,
    ],
  ])("a description means the course with %s", (_, description, id) => {
    const meaning = index.identify({ ...OWNED, ...description });
    expect(meaning).toMatchObject({ is: "found", course: { id } });
  });

  test.each([
    ["if neither id nor url exists", { id: uuid5("x"), url: `${A}-new` }],
    ["if it has only a name", { name: "A" }],
  ])(
    "a description means no course %s, which is unknown after an unreliable listing",
    (_, fields) => {
      expect(index.identify({ ...OWNED, ...fields })).toEqual({ is: "free" });
      const unreliable = new CourseIndex<Course>(COURSES, [PROVIDER], false);
      expect(unreliable.identify({ ...OWNED, ...fields })).toEqual({ is: "unknown" });
    },
  );

  test.each([
    ["id", { id: ONE, url: B }, ONE, TWO],
    ["id", { id: uuid5("x"), url: A }, undefined, ONE],
    ["key", { key: "K-1", url: B }, KEYED, TWO],
  ])("an %s that means another course than the url is a conflict: %j", (by, fields, own, other) => {
    const meaning = index.identify({ ...OWNED, ...fields });
    expect(meaning).toMatchObject({ is: "taken", by, other: { id: other } });
    expect("own" in meaning && meaning.own?.id).toBe(own);
  });

  test("a new course with the url that a renamed course had when it was created is not that course", () => {
    const meaning = index.identify({ ...OWNED, url: BEFORE, name: "Weaving" });
    expect(meaning).toMatchObject({ is: "derived", own: { id: CREATED } });
  });

  test("a url of several courses is a conflict, unless one of them has the id that it derives", () => {
    const same = { url: A, ...OWNED };
    const copies = [ONE, TWO].map((id) => ({ id, ...same }));
    const both = new CourseIndex<Course>(copies, [PROVIDER]);
    expect(both.identify(same)).toEqual({ is: "several", by: "url", courses: copies });
    expect(both.identifyWord(A)).toEqual({ is: "several", by: "url", courses: copies });
    const own = { id: uuid5(A), ...same };
    const all = new CourseIndex<Course>([...copies, own], [PROVIDER]);
    expect(all.identify(same)).toEqual({ is: "found", by: "url", course: own });
    expect(all.identifyWord(A)).toEqual({ is: "found", by: "url", course: own });
  });
});

/** Spellings of one url, and urls that differ (RFC 3986, section 6.2). */
test.each([
  ["https://a.example/x", "HTTPS://A.example:443/x/", true],
  ["https://a.example/~x", "https://a.example/%7ex", true],
  ["https://a.example/ä", "https://a.example/%c3%a4", true],
  ["https://a.example/b/../x/?q=1", "https://a.example/x?q=1", true],
  ["https://a.example/x", "https://a.example/X", false],
  ["https://a.example/x", "https://a.example/x//", false],
  ["https://a.example/x", "http://a.example/x", false],
  ["https://a.example/a%2Fb", "https://a.example/a/b", false],
])("%s and %s are one url: %s", (one, other, isSame) => {
  expect(normalizeUrl(one) === normalizeUrl(other)).toBe(isSame);
});
