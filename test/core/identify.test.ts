/** Which course a description identifies: by id, then key, then url. */
import { describe, expect, test } from "vitest";
import { CourseIndex } from "../../src/core/identify.ts";
import { PROVIDER_ID } from "../rig.ts";
import { uuid5 } from "./plans.ts";

const [ONE, TWO] = ["0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10", "7f0c5a52-52f3-4a4e-8f6d-1c9f5e0b7a11"];
const [A, B] = ["https://academy.example/a", "https://academy.example/b"];
const [MOVED, BEFORE] = ["https://academy.example/moved", "https://academy.example/before"];
const OWNED = { provider_id: PROVIDER_ID };
const [KEYED, CREATED] = [uuid5("key:K-1"), uuid5(BEFORE)];

const COURSES = [
  { id: ONE, url: A, ...OWNED },
  { id: TWO, url: B, ...OWNED },
  { id: KEYED, url: MOVED, ...OWNED },
  { id: CREATED, url: "https://academy.example/now", ...OWNED },
];

describe("the course of a description", () => {
  const index = new CourseIndex(COURSES);

  test.each([
    ["its id, in either case", { id: ONE.toUpperCase(), url: A }, ONE],
    ["its id, if its url is new", { id: ONE, url: `${A}-new` }, ONE],
    ["its key, if its url is new", { key: "K-1", url: `${A}-new` }, KEYED],
    ["its url, if no course has its key", { key: "K-2", url: B }, TWO],
    ["its url", { url: B }, TWO],
    ["its url in another spelling of the host", { url: "https://ACADEMY.example/b/" }, TWO],
    ["its url, if its id is empty", { id: "", url: A }, ONE],
    ["the id that an earlier push derived from its url", { url: BEFORE }, CREATED],
    ["none, if neither id nor url exists", { id: uuid5("x"), url: `${A}-new` }, undefined],
    ["none, if it has only a name", { name: "A" }, undefined],
  ])("a description means the course with %s", (_, description, id) => {
    const match = index.identify({ ...OWNED, ...description });
    expect("found" in match ? match.found?.id : match).toBe(id);
  });

  test.each([
    ["id", { id: ONE, url: B }, ONE, TWO],
    ["id", { id: uuid5("x"), url: A }, undefined, ONE],
    ["key", { key: "K-1", url: B }, KEYED, TWO],
  ])(
    "an %s that means another course than the url is a conflict: %j",
    (field, fields, own, other) => {
      const match = index.identify({ ...OWNED, ...fields });
      expect(match).toMatchObject({ field, other: { id: other } });
      expect("own" in match && match.own?.id).toBe(own);
    },
  );

  test("a url of several courses is a conflict, unless one of them has the id that it derives", () => {
    const same = { url: A, ...OWNED };
    const copies = [ONE, TWO].map((id) => ({ id, ...same }));
    expect(new CourseIndex(copies).identify(same)).toEqual({ candidates: copies });
    const own = { id: uuid5(A), ...same };
    expect(new CourseIndex([...copies, own]).identify(same)).toEqual({ found: own });
  });
});
