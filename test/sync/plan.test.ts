/** What is matched with what, and what then becomes of it. */
import { describe, expect, test } from "vitest";
import { planSync } from "../../src/sync/plan.ts";
import { PROVIDER_ID } from "../rig.ts";
import { heldCourse, ID, NEW_ID, outline, uuid5, wanted } from "./plans.ts";

const URL = "https://academy.example/knitting";
const OTHER_ID = "7c2f3c1e-93a4-4a4e-8a3b-0c1f2e3d4b5a";
const OTHER_PROVIDER = "1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b";
const elsewhere = (url = "https://academy.example/elsewhere") => ({ url });

describe("a course with an id", () => {
  test("is matched by it, whatever the url, and although another has its url", () => {
    const held = [heldCourse({ id: OTHER_ID }), heldCourse({ id: ID, ...elsewhere() })];
    const { steps } = planSync([wanted({ id: ID })], held);
    expect(steps).toMatchObject([{ action: "update", id: ID, body: { url: URL } }]);
  });

  test("is matched by it in either case", () => {
    const lower = planSync([wanted({ id: ID.toUpperCase() })], [heldCourse({ id: ID })]);
    const upper = planSync([wanted({ id: ID })], [heldCourse({ id: ID.toUpperCase() })]);
    expect(outline(lower)).toEqual([`unchanged ${ID}`]);
    expect(outline(upper)).toEqual([`unchanged ${ID}`]);
  });

  test("that nobody has is created under it, although another course has its url", () => {
    const { steps } = planSync([wanted({ id: ID })], [heldCourse({ id: OTHER_ID })]);
    expect(steps).toMatchObject([{ action: "create", id: ID, body: { id: ID } }]);
  });

  test("of null has none", () => {
    expect(outline(planSync([wanted({ id: null })], [heldCourse()]))).toEqual([`unchanged ${ID}`]);
    const { steps } = planSync([wanted({ id: null })], []);
    expect(steps).toMatchObject([{ action: "create", id: NEW_ID, body: { id: NEW_ID } }]);
  });
});

describe("a course without an id", () => {
  test("is matched by its url, exactly as it is written", () => {
    expect(outline(planSync([wanted()], [heldCourse()]))).toEqual([`unchanged ${ID}`]);
    const slash = planSync([wanted()], [heldCourse({ url: `${URL}/` })]);
    expect(outline(slash)).toEqual([`create ${NEW_ID}`]);
  });

  test("that none matches is new: its body is the course without nulls, and the id", () => {
    const { steps } = planSync([wanted({ level: ["beginner"], image_url: null })], []);
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
    // Ids of databases need not be of a version or a variant that the RFC knows.
    ["00000000-0000-0000-c000-000000000001", URL, "4614c691-693c-52bf-9b0b-9d473ab500b4"],
    ["ffffffff-4f3b-9c58-0d7e-0d0c3c1f5b21", URL, "3decac62-d1d3-5398-886a-c66972b52eb4"],
  ])("of the provider %s at %s gets the UUIDv5 %s", (provider, url, id) => {
    expect(uuid5(url, provider.toLowerCase())).toBe(id);
    expect(outline(planSync([wanted({ provider_id: provider, url })], []))).toEqual([
      `create ${id}`,
    ]);
  });

  test("is matched by that id when an earlier push made it and its url has changed there since", () => {
    const { steps } = planSync([wanted()], [heldCourse({ id: NEW_ID, ...elsewhere() })]);
    expect(steps).toMatchObject([{ action: "update", id: NEW_ID, body: { url: URL } }]);
  });

  test("is, among several with its url, the one that an earlier push made", () => {
    const held = [heldCourse({ id: OTHER_ID }), heldCourse({ id: NEW_ID }), heldCourse()];
    expect(outline(planSync([wanted()], held))).toEqual([`unchanged ${NEW_ID}`]);
  });

  test("is a clash, and no step, where several have its url and none of them is that one", () => {
    const held = [heldCourse({ id: OTHER_ID }), heldCourse()];
    const item = wanted();
    expect(planSync([item], held)).toEqual({ steps: [], clashes: [{ item, candidates: held }] });
  });
});

describe("courses that would become the same one are a clash:", () => {
  const other = wanted({ id: ID, ...elsewhere() });

  test("one by its id, the other by its url", () => {
    const item = wanted();
    const { clashes } = planSync([other, item], [heldCourse()]);
    expect(clashes).toEqual([{ item, id: ID, other }]);
    expect(planSync([item, other], [heldCourse()]).clashes).toEqual([
      { item: other, id: ID, other: item },
    ]);
  });

  test("one by its id, the other by the id that it would get", () => {
    const first = wanted({ id: NEW_ID.toUpperCase(), ...elsewhere() });
    const item = wanted();
    expect(planSync([first, item], []).clashes).toEqual([{ item, id: NEW_ID, other: first }]);
  });

  test("but two of one url on different providers are two courses", () => {
    const plan = planSync([wanted(), wanted({ provider_id: OTHER_PROVIDER })], []);
    expect(plan.clashes).toEqual([]);
    expect(outline(plan)).toEqual([`create ${NEW_ID}`, `create ${uuid5(URL, OTHER_PROVIDER)}`]);
  });
});

describe("steps", () => {
  test("come in the order of the files, the deletions behind them", () => {
    const desired = [
      wanted({ url: "https://academy.example/new" }),
      wanted(),
      wanted({ id: OTHER_ID, ...elsewhere(), name: "Sewing" }),
    ];
    const gone = "2f1d3c1e-93a4-4a4e-8a3b-0c1f2e3d4b5a";
    const held = [
      heldCourse({ id: gone, ...elsewhere("https://academy.example/gone") }),
      heldCourse({ id: OTHER_ID, ...elsewhere() }),
      heldCourse(),
    ];
    expect(outline(planSync(desired, held, { prune: true }))).toEqual([
      `create ${uuid5("https://academy.example/new")}`,
      `unchanged ${ID}`,
      `update ${OTHER_ID}`,
      `delete ${gone}`,
    ]);
  });

  test("carry the very item that asked for them", () => {
    const item = { course: wanted().course, file: "a.yaml" };
    const [step] = planSync([item], []).steps;
    expect(step?.action === "create" && step.item).toBe(item);
  });

  test("for nothing are none", () => {
    expect(planSync([], [heldCourse()], { prune: true })).toEqual({ steps: [], clashes: [] });
  });
});

describe("pruning", () => {
  const gone = heldCourse({ id: OTHER_ID, ...elsewhere() });

  test("deletes what no file names, and only when it is asked for", () => {
    expect(outline(planSync([wanted()], [heldCourse(), gone]))).toEqual([`unchanged ${ID}`]);
    const { steps } = planSync([wanted()], [heldCourse(), gone], { prune: true });
    expect(steps).toMatchObject([{ action: "unchanged" }, { action: "delete", held: gone }]);
  });

  test("never deletes a course of a provider that no file names", () => {
    const strange = { ...gone, provider_id: OTHER_PROVIDER };
    const plan = planSync([wanted()], [heldCourse(), strange], { prune: true });
    expect(outline(plan)).toEqual([`unchanged ${ID}`]);
  });

  test("knows providers and courses by their ids in either case", () => {
    const shouted = { ...gone, id: OTHER_ID.toUpperCase(), provider_id: PROVIDER_ID.toUpperCase() };
    const plan = planSync([wanted()], [heldCourse(), shouted], { prune: true });
    expect(outline(plan)).toEqual([`unchanged ${ID}`, `delete ${OTHER_ID}`]);
    const named = wanted({ id: OTHER_ID, ...elsewhere() });
    expect(outline(planSync([named], [shouted], { prune: true }))).toEqual([
      `unchanged ${OTHER_ID}`,
    ]);
  });

  test("keeps a course that a file moves from one provider to another", () => {
    const moved = wanted({ id: OTHER_ID, ...elsewhere(), provider_id: OTHER_PROVIDER });
    const plan = planSync([wanted(), moved], [heldCourse(), gone], { prune: true });
    expect(outline(plan)).toEqual([`unchanged ${ID}`, `update ${OTHER_ID}`]);
  });
});
