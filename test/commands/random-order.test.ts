/** A service whose listing has no stable order, and whose courses change meanwhile. */
import { expect, test } from "vitest";
import { startOtherService } from "../other-service.ts";
import { type RunResult, rig } from "../rig.ts";
import { id, jsonErrors, lines, numberedCourse, unreliableService } from "./helpers.ts";
import { json, writeRequests } from "./push-files.ts";

const ALL = Array.from({ length: 240 }, (_, number) => numberedCourse(number));
/** Courses for two pages of a listing. */
const SOME = ALL.slice(0, 110);
/** The courses of SOME with 30 changes, enough to be read through the listing, and without the last course. */
const NEXT = SOME.slice(0, -1).map((course, index) => {
  return index < 30 ? { ...course, name: `New ${index}`, level: ["beginner"] } : course;
});

async function start(...courses: typeof ALL) {
  const r = await rig();
  const service = await startOtherService(r, ...courses);
  const { environment } = service;
  const run = async (...words: string[]): Promise<RunResult> => await r.run(words, { environment });
  await r.write("all.json", json(ALL));
  await r.write("next.json", json(NEXT));
  return { run, service };
}

test("push, a second push, pull and ls --all find each of 240 courses in random order", async () => {
  const { run, service } = await start();
  const first = await run("courses", "push", "all.json");
  expect([first.code, writeRequests(first).length]).toEqual([0, 240]);
  const readings = (): number =>
    service.requests.filter((line) => line.includes("offset=0")).length;
  const before = readings();
  const again = await run("courses", "push", "all.json", "--prune", "--yes");
  expect([again.code, writeRequests(again)]).toEqual([0, []]);
  expect(readings() - before).toBeLessThanOrEqual(12);
  const pulled = await run("courses", "pull", "out");
  expect([pulled.code, pulled.stderr]).toEqual([0, "Wrote 240 files.\n"]);
  const listed = await run("courses", "ls", "--all", "-o", "id");
  expect([listed.code, new Set(lines(listed.stdout)).size]).toEqual([0, 240]);
  expect(lines(listed.stdout)).toHaveLength(240);
  expect(readings() - before).toBeLessThanOrEqual(36);
});

test("undo reverses a push and another undo of 110 courses in random order, field by field", async () => {
  const { run, service } = await start(...SOME);
  const snapshot = () => structuredClone(new Map([...service.courses].sort()));
  const before = snapshot();
  const pushed = await run("courses", "push", "next.json", "--prune", "--yes");
  expect([pushed.code, pushed.stderr]).toEqual([
    0,
    expect.stringContaining("Updated 30 courses and deleted 1. 79 were up to date."),
  ]);
  const after = snapshot();
  expect((await run("undo", "--yes")).code).toBe(0);
  expect(withoutChosen(snapshot())).toEqual(withoutChosen(before));
  const undo = (await run("history", "--fields", "run")).stdout.split("\n")[0] ?? "";
  expect((await run("undo", "--yes", undo)).code).toBe(0);
  expect(withoutChosen(snapshot())).toEqual(withoutChosen(after));
});

/** The courses without their slugs: the service chooses a new slug for a recreated course. */
function withoutChosen(courses: ReadonlyMap<string, Readonly<Record<string, unknown>>>) {
  return new Map([...courses].map(([key, { slug: _, ...course }]) => [key, course]));
}

test("push --plan finds a course that changes between requests, and pull a course that appears", async () => {
  const { run, service } = await start(...SOME);
  const [theirs, ours] = [service.courses.get(id(0)), service.courses.get(id(1))];
  const planned = await run("courses", "diff", "next.json", "--out", "plan.json");
  expect(planned.code).toBe(0);
  service.onRequest = (line) => {
    if (line.startsWith("GET") && theirs !== undefined) theirs.name = "Theirs";
  };
  const ran = await run("courses", "push", "--plan", "plan.json", "--json");
  expect([ran.code, jsonErrors(ran).map(({ rule }) => rule)]).toEqual([1, ["stale"]]);
  expect([theirs?.name, ours?.name]).toEqual(["Theirs", "New 1"]);
  service.onRequest = (line) => {
    if (!line.includes("offset=100")) return;
    service.courses.set(id(999), { ...ours, id: id(999), name: "Theirs, too" });
  };
  const pulled = await run("courses", "pull", "out");
  expect([pulled.code, pulled.stderr]).toEqual([0, "Wrote 111 files.\n"]);
});

test("create warns once if the listing repeats a course every time", async () => {
  const rows = [...ALL.slice(0, 100), ...ALL.slice(99, 119)];
  const r = await rig();
  const { environment } = await unreliableService(r, ({ method, url }) => {
    const offset = /offset=(\d+)/.exec(url)?.[1];
    if (method !== "GET" || offset === undefined) return "pass";
    return { status: 200, body: json(rows.slice(Number(offset), Number(offset) + 100)) };
  });
  await r.write("new.json", json(ALL.slice(200, 230)));
  const created = await r.run(["courses", "create", "new.json"], { environment });
  expect([created.code, writeRequests(created).length]).toEqual([0, 30]);
  expect(
    created.stderr.match(/^warning: the service's list of courses is unreliable/gm),
  ).toHaveLength(1);
});
