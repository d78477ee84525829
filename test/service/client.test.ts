/** What became of changes, and which courses a listing shows. */
import { describe, expect, test } from "vitest";
// The client loads it when it compares, which virtual time does not wait for.
import "../../src/course/difference.ts";
import { course as requiredCourse } from "../rig.ts";
import { first, idOf, type Rule, systemError, VirtualService } from "./virtual-service.ts";

const id = idOf(1);
const course = { ...requiredCourse(), id };

type Change = "create" | "update" | "delete";

/** Makes a change. @returns its status and kind of error, and the requests */
async function change(verb: Change, rule: Rule, others: { readonly isThere?: boolean } = {}) {
  const service = new VirtualService(rule);
  const { client, clock } = service;
  if (others.isThere ?? verb !== "create") service.courses.set(id, course);
  const outcome = await clock.run(
    verb === "create"
      ? client.create(course)
      : verb === "update"
        ? client.update(id, { name: "New" })
        : client.delete(id),
  );
  const kind = "error" in outcome ? outcome.error.kind : undefined;
  return { status: outcome.status, kind, lines: service.lines.join() };
}

test.each([
  { status: 429 },
  { status: 503, headers: { "retry-after": "1" } },
  systemError("ECONNREFUSED"),
  { status: 400 },
  { status: 408 },
  { status: 500, body: Buffer.from('{"hint":"no"}') },
])("a change that certainly had no effect has failed, without a look-up: %o", async (behavior) => {
  for (const verb of ["update", "delete"] as const) {
    const { status, lines } = await change(verb, () => behavior);
    expect([status, lines.includes("GET")]).toEqual(["failed", false]);
  }
});

test("create is done if the rejection of a repeated request shows the course", async () => {
  // The look-up after the lost response comes too early.
  const missed = { status: 200, body: Buffer.from("[]") };
  const rule = first("lose", missed);
  expect(await change("create", rule)).toEqual({
    status: "done",
    kind: undefined,
    lines: "POST 1,GET 1,POST 1,GET 1",
  });
});

test("create of an id that exists is unchanged with the same values, and an error with others", async () => {
  expect(await change("create", first(), { isThere: true })).toMatchObject({
    status: "unchanged",
  });
  const service = new VirtualService(first());
  service.courses.set(id, { ...course, name: "Other" });
  const outcome = await service.clock.run(service.client.create(course));
  expect(outcome).toMatchObject({ status: "failed", error: { kind: "rejected" } });
});

test.each(["update", "delete"] as const)(
  "%s of a course that does not exist has failed: not found, without a look-up",
  async (verb) => {
    expect(await change(verb, first(), { isThere: false })).toEqual({
      status: "failed",
      kind: "missing",
      lines: verb === "update" ? "PATCH 1" : "DELETE 1",
    });
  },
);

test("no change is sent without a UUID", async () => {
  const { client, seen } = new VirtualService(first());
  for (const wrong of ["", "x", `${id}&id=${id}`, "*"]) {
    await expect(client.update(wrong, {})).rejects.toMatchObject({ kind: "usage" });
    await expect(client.delete(wrong)).rejects.toMatchObject({ kind: "usage" });
    await expect(client.create({ id: wrong })).rejects.toMatchObject({ kind: "usage" });
  }
  expect(seen).toEqual([]);
});

describe("listings", () => {
  /** The id of a row of a page. */
  type IdAt = (
    index: number,
    page: { readonly reading: number; readonly offset: number },
  ) => number;

  /** Lists pages of ids, of which each page of each reading may have its own. */
  async function list(idAt: IdAt, count: number, range = {}, options = {}) {
    const offsets: number[] = [];
    let reading = 0;
    const service = new VirtualService((_, __, { url }) => {
      const { searchParams } = new URL(url);
      const [offset = 0, limit = 0] = ["offset", "limit"].map((name) =>
        Number(searchParams.get(name)),
      );
      if (offset === 0) reading++;
      offsets.push(offset);
      const length = Math.max(0, Math.min(limit, count - offset));
      const rows = Array.from({ length }, (_, index) => ({
        id: String(idAt(offset + index, { reading, offset })),
      }));
      return { status: 200, body: Buffer.from(JSON.stringify(rows)) };
    }, options);
    const pages = service.client.courses(range);
    const seen: string[] = [];
    const collect = async () => {
      for (;;) {
        const page = await pages.next();
        if (page.done) return page.value;
        seen.push(...page.value.map((row) => row.id));
      }
    };
    const end = await service.clock.run(collect());
    const elapsed = service.clock.elapsed();
    return { ...end, seen: seen.map(Number), readings: reading, offsets, elapsed };
  }

  test("a listing ends at a short page, and reads several pages at once after the first", async () => {
    const { seen, readings, elapsed, offsets, ...end } = await list((index) => index, 950);
    expect(end).toEqual({ more: false, isUnreliable: false });
    expect(seen).toEqual(Array.from({ length: 950 }, (_, index) => index));
    expect([readings, offsets.slice(0, 3)]).toEqual([1, [0, 99, 198]]);
    expect(elapsed).toBeLessThanOrEqual(400);
  });

  test("a listing of one page sends one request", async () => {
    expect((await list((index) => index, 99)).offsets).toEqual([0]);
  });

  test("a listing of a range has only the courses of the range, and says whether there are more", async () => {
    const range = { offset: 50, limit: 120 };
    const { seen, more } = await list((index) => index, 300, range);
    expect([seen.length, seen[0], more]).toEqual([120, 50, true]);
    for (const count of [120, 170]) {
      expect((await list((index) => index, count, range)).more).toBe(false);
    }
    expect(await list((index) => index, 3, { limit: 0 })).toMatchObject({ more: true, seen: [] });
  });

  test("a listing that shows courses twice is read six times at most, and says so", async () => {
    const { seen, readings, isUnreliable } = await list((index) => index % 140, 150);
    expect([readings, isUnreliable, seen.length]).toEqual([6, true, 140]);
  });

  test("a page without a new course ends the reading of a listing", async () => {
    const { seen, offsets, isUnreliable } = await list((index) => index % 100, 100_000);
    expect([seen.length, isUnreliable]).toEqual([100, true]);
    expect(offsets.length).toBeLessThanOrEqual(6 * 6);
  });

  test("at most 16 pages that do not exist are read, with any concurrency", async () => {
    const { offsets } = await list((index) => index, 100, {}, { concurrency: 64 });
    expect(offsets).toHaveLength(17);
  });
});
