/** No command creates a course twice: at any size of the catalog, at the same time, and after a lost response. */
import { expect, test } from "vitest";
import { type Rig, rig } from "../rig.ts";
import {
  gate,
  id,
  jsonMessages,
  jsonRows,
  numberedCourse,
  rigWith,
  storedCourses,
  unreliableService,
} from "./helpers.ts";
import { json, writeRequests } from "./push-files.ts";
import { startRecordingProxy } from "./recording-proxy.ts";

test("create reports its own creation as done if the response was lost and the service normalizes values", async () => {
  const r = await rig();
  const course = numberedCourse(1, { name: "Knitting  for all" });
  await r.write("a.json", course);
  const stored = { status: 200, body: json([{ ...course, name: "Knitting for all" }]) };
  let isCreating = true;
  const { environment } = await unreliableService(r, ({ method, url }) => {
    if (method === "POST") return "drop after";
    if (!isCreating) return "pass";
    return method === "GET" && url.includes("?id=") ? stored : "pass";
  });
  const ran = await r.run("courses create a.json", { environment });
  expect([ran.code, ran.stdout]).toEqual([0, `${id(1)}\n`]);
  isCreating = false;
  const undone = await r.run("undo --yes", { environment });
  expect([undone.code, await storedCourses(r)]).toEqual([0, []]);
});

/** A proxy that lets two runs read the empty catalog before either of them writes. */
async function startTogether(r: Rig) {
  let readings = 0;
  const { opened, open } = gate();
  return await startRecordingProxy(r, async ({ method, url }) => {
    if (url.includes("offset=0") && ++readings === 2) open();
    if (method === "POST") await opened;
  });
}

test("of two creates of one file at the same time, one created the course, and only its undo deletes it", async () => {
  const r = await rig();
  await r.write("a.json", numberedCourse(1));
  const { environment } = await startTogether(r);
  const create = (record: string) =>
    r.run(["courses", "create", "a.json", "--json", "--record", record], { environment });
  const both = await Promise.all([create("one.ndjson"), create("two.ndjson")]);
  const statuses = both.map((ran) => jsonRows(ran).map(({ id: each, status }) => [each, status]));
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(statuses.sort()).toEqual([[[id(1), "done"]], [[id(1), "unchanged"]]]);
  const late = jsonRows(both[0])[0]?.status === "unchanged" ? "one" : "two";
  const undone = await r.run(`undo ${late}.ndjson --yes`, { environment });
  expect(undone.code).toBe(0);
  expect(await storedCourses(r)).toHaveLength(1);
});

test("push refuses a file whose id no course has if another course has its url, and names both", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.write("a.json", { ...numberedCourse(1), id: id(7) });
  for (const words of [["push"], ["diff"], ["update"]]) {
    const ran = await r.run(["courses", ...words, "a.json", "--json"]);
    expect([ran.code, writeRequests(ran)]).toEqual([3, []]);
    const [message] = jsonMessages(ran);
    expect(message?.error).toMatchObject({
      rule: "other-id",
      message: `id ${id(7)} names no course in the catalog, but the course with this url is ${id(1)}: correct the id or the url`,
    });
  }
});
