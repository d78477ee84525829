/** Which remote course a desired one is matched with, and the step that follows. */
import { describe, expect, test } from "vitest";
import { findMoves, planSync } from "../../src/sync/plan.ts";
import { PROVIDER_ID } from "../rig.ts";
import { desiredCourse, ID, NEW_ID, outline, remoteCourse, uuid5 } from "./plans.ts";

const URL = "https://academy.example/knitting";
const OTHER_ID = "7c2f3c1e-93a4-4a4e-8a3b-0c1f2e3d4b5a";
const OTHER_PROVIDER = "1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b";
const elsewhere = (url = "https://academy.example/elsewhere") => ({ url });

describe("courses with an id", () => {
  test("a course with an id is matched by the id, even if its url differs and another course has that url", () => {
    const remote = [remoteCourse({ id: OTHER_ID }), remoteCourse({ id: ID, ...elsewhere() })];
    const { steps } = planSync([desiredCourse({ id: ID })], remote);
    expect(steps).toMatchObject([{ action: "update", id: ID, body: { url: URL } }]);
  });

  test("a course is matched by its id in uppercase or lowercase", () => {
    const lower = planSync([desiredCourse({ id: ID.toUpperCase() })], [remoteCourse({ id: ID })]);
    const upper = planSync([desiredCourse({ id: ID })], [remoteCourse({ id: ID.toUpperCase() })]);
    expect(outline(lower)).toEqual([`unchanged ${ID}`]);
    expect(outline(upper)).toEqual([`unchanged ${ID}`]);
  });

  test("a course with an unknown id is created under this id, even if another course has its url", () => {
    const { steps } = planSync([desiredCourse({ id: ID })], [remoteCourse({ id: OTHER_ID })]);
    expect(steps).toMatchObject([{ action: "create", id: ID, body: { id: ID } }]);
  });

  test("a course with an id of null counts as a course without an id", () => {
    expect(outline(planSync([desiredCourse({ id: null })], [remoteCourse()]))).toEqual([
      `unchanged ${ID}`,
    ]);
    const { steps } = planSync([desiredCourse({ id: null })], []);
    expect(steps).toMatchObject([{ action: "create", id: NEW_ID, body: { id: NEW_ID } }]);
  });
});

describe("courses without an id", () => {
  test("a course without an id is matched by its url, exactly as written", () => {
    expect(outline(planSync([desiredCourse()], [remoteCourse()]))).toEqual([`unchanged ${ID}`]);
    const slash = planSync([desiredCourse()], [remoteCourse({ url: `${URL}/` })]);
    expect(outline(slash)).toEqual([`create ${NEW_ID}`]);
  });

  test("a course that matches no other is created with its fields without nulls, plus the id", () => {
    const { steps } = planSync([desiredCourse({ level: ["beginner"], image_url: null })], []);
    const body = {
      id: NEW_ID,
      name: "Knitting for Beginners",
      url: URL,
      short_description: "Knit your first scarf.",
      long_description: "From casting on to binding off.",
      audio: ["en"],
      provider_id: PROVIDER_ID,
      pace: "self_paced",
      level: ["beginner"],
    };
    const [step] = steps;
    expect(step?.action === "create" && step.body).toEqual(body);
  });

  test.each([
    [PROVIDER_ID, URL, NEW_ID],
    [PROVIDER_ID, "https://academy.example/Knitting/", "4d32a3f9-ead6-50b4-8500-309e5310cfd6"],
    [PROVIDER_ID, "https://academy.example/编织?a=ü", "d0055ebe-908e-5939-90e3-0519393b128e"],
    [PROVIDER_ID.toUpperCase(), URL, NEW_ID],
    // Database ids may have versions or variants that the RFC does not define.
    ["00000000-0000-0000-c000-000000000001", URL, "4614c691-693c-52bf-9b0b-9d473ab500b4"],
    ["ffffffff-4f3b-9c58-0d7e-0d0c3c1f5b21", URL, "3decac62-d1d3-5398-886a-c66972b52eb4"],
  ])("provider %s and url %s give the UUIDv5 %s", (provider, url, id) => {
    expect(uuid5(url, provider.toLowerCase())).toBe(id);
    expect(outline(planSync([desiredCourse({ provider_id: provider, url })], []))).toEqual([
      `create ${id}`,
    ]);
  });

  test("a course without an id is matched by the id of an earlier push if its remote url has changed since", () => {
    const { steps } = planSync([desiredCourse()], [remoteCourse({ id: NEW_ID, ...elsewhere() })]);
    expect(steps).toMatchObject([{ action: "update", id: NEW_ID, body: { url: URL } }]);
  });

  test("a course without an id is matched with the course of its url that an earlier push created", () => {
    const remote = [remoteCourse({ id: OTHER_ID }), remoteCourse({ id: NEW_ID }), remoteCourse()];
    expect(outline(planSync([desiredCourse()], remote))).toEqual([`unchanged ${NEW_ID}`]);
  });

  test("several courses with the url of a course without an id are a conflict if no push created one of them", () => {
    const remote = [remoteCourse({ id: OTHER_ID }), remoteCourse()];
    const from = desiredCourse();
    expect(planSync([from], remote)).toEqual({
      steps: [],
      conflicts: [{ from, candidates: remote }],
      adopted: [],
    });
  });
});

test("a course with a key is matched by the key's id, even if another course has its url", () => {
  const key = "knit-1";
  const own = uuid5(`key:${key}`);
  const remote = [remoteCourse({ id: OTHER_ID }), remoteCourse({ id: own, ...elsewhere() })];
  const { steps } = planSync([desiredCourse({ key })], remote);
  expect(steps).toMatchObject([{ action: "update", id: own, body: { url: URL } }]);
});

test("findMoves reports the course that would be deleted if a new course may be one of two courses", () => {
  const remote = [
    remoteCourse({ id: OTHER_ID, provider_id: OTHER_PROVIDER, url: `${URL}/` }),
    remoteCourse({ id: ID, ...elsewhere() }),
  ];
  const { steps } = planSync([desiredCourse()], remote, { prune: true });
  expect(outline({ steps, conflicts: [], adopted: [] })).toEqual([
    `create ${NEW_ID}`,
    `delete ${ID}`,
  ]);
  expect(findMoves(steps, remote)).toMatchObject([{ remote: { id: ID }, isDeleted: true }]);
});

describe("desired courses that describe the same remote course", () => {
  const other = desiredCourse({ id: ID, ...elsewhere() });

  test("two desired courses are a conflict if one matches by its id and the other by its url", () => {
    const from = desiredCourse();
    const { conflicts } = planSync([other, from], [remoteCourse()]);
    expect(conflicts).toEqual([{ from, id: ID, other }]);
    expect(planSync([from, other], [remoteCourse()]).conflicts).toEqual([
      { from: other, id: ID, other: from },
    ]);
  });

  test("two desired courses are a conflict if one has the id that the other would get", () => {
    const first = desiredCourse({ id: NEW_ID.toUpperCase(), ...elsewhere() });
    const from = desiredCourse();
    expect(planSync([first, from], []).conflicts).toEqual([{ from, id: NEW_ID, other: first }]);
  });

  test("two desired courses with one url on different providers are no conflict", () => {
    const plan = planSync([desiredCourse(), desiredCourse({ provider_id: OTHER_PROVIDER })], []);
    expect(plan.conflicts).toEqual([]);
    expect(outline(plan)).toEqual([`create ${NEW_ID}`, `create ${uuid5(URL, OTHER_PROVIDER)}`]);
  });
});

describe("steps", () => {
  test("steps of a plan are in the order of the files, followed by the deletions", () => {
    const desired = [
      desiredCourse({ url: "https://academy.example/new" }),
      desiredCourse(),
      desiredCourse({ id: OTHER_ID, ...elsewhere(), name: "Sewing" }),
    ];
    const gone = "2f1d3c1e-93a4-4a4e-8a3b-0c1f2e3d4b5a";
    const remote = [
      remoteCourse({ id: gone, ...elsewhere("https://academy.example/gone") }),
      remoteCourse({ id: OTHER_ID, ...elsewhere() }),
      remoteCourse(),
    ];
    expect(outline(planSync(desired, remote, { prune: true }))).toEqual([
      `create ${uuid5("https://academy.example/new")}`,
      `unchanged ${ID}`,
      `update ${OTHER_ID}`,
      `delete ${gone}`,
    ]);
  });

  test("each step of a plan contains the desired item itself", () => {
    const from = desiredCourse();
    const [step] = planSync([from], []).steps;
    expect(step?.from).toBe(from);
  });

  test("a plan for no desired courses has no steps, even with pruning", () => {
    expect(planSync([], [remoteCourse()], { prune: true })).toEqual({
      steps: [],
      conflicts: [],
      adopted: [],
    });
  });
});

describe("pruning", () => {
  const gone = remoteCourse({ id: OTHER_ID, ...elsewhere() });

  test("pruning deletes courses that are in no file, and a plan without pruning deletes none", () => {
    expect(outline(planSync([desiredCourse()], [remoteCourse(), gone]))).toEqual([
      `unchanged ${ID}`,
    ]);
    const { steps } = planSync([desiredCourse()], [remoteCourse(), gone], { prune: true });
    expect(steps).toMatchObject([{ action: "unchanged" }, { action: "delete", remote: gone }]);
  });

  test("pruning never deletes a course of a provider that is in no file", () => {
    const foreign = { ...gone, provider_id: OTHER_PROVIDER };
    const plan = planSync([desiredCourse()], [remoteCourse(), foreign], { prune: true });
    expect(outline(plan)).toEqual([`unchanged ${ID}`]);
  });

  test("pruning compares the ids of providers and courses without regard to case", () => {
    const shouted = { ...gone, id: OTHER_ID.toUpperCase(), provider_id: PROVIDER_ID.toUpperCase() };
    const plan = planSync([desiredCourse()], [remoteCourse(), shouted], { prune: true });
    expect(outline(plan)).toEqual([`unchanged ${ID}`, `delete ${OTHER_ID}`]);
    const named = desiredCourse({ id: OTHER_ID, ...elsewhere() });
    expect(outline(planSync([named], [shouted], { prune: true }))).toEqual([
      `unchanged ${OTHER_ID}`,
    ]);
  });

  test("pruning does not delete a course that a file moves to another provider", () => {
    const moved = desiredCourse({ id: OTHER_ID, ...elsewhere(), provider_id: OTHER_PROVIDER });
    const plan = planSync([desiredCourse(), moved], [remoteCourse(), gone], { prune: true });
    expect(outline(plan)).toEqual([`unchanged ${ID}`, `update ${OTHER_ID}`]);
  });
});
