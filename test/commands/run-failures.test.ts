/** Runs that fail: files with two descriptions of one course, and a service that fails. */
import { expect, test } from "vitest";
import type { ServerBehavior } from "../unreliable-server.ts";
import {
  id,
  jsonErrors,
  jsonMessages,
  jsonRows,
  numberedCourse,
  requestsOf,
  rigWith,
  storedCourses,
  unreliableService,
} from "./helpers.ts";
import { json, writeRequests } from "./push-files.ts";

const COUNT = 15;
const FAILURE: ServerBehavior = { status: 500 };

/** Pushes 15 new courses one after the other; `behaviors` are the answers to the POSTs, from 1. */
async function pushNew(
  answer: (number: number) => ServerBehavior,
  flags: readonly string[] = ["--concurrency", "1"],
) {
  const r = await rigWith();
  const courses = Array.from({ length: COUNT }, (_, number) => numberedCourse(number));
  await r.write("a.json", json(courses));
  let posts = 0;
  const { environment } = await unreliableService(r, ({ method }) =>
    method === "POST" ? answer(++posts) : "pass",
  );
  const words = ["courses", "push", "a.json", "--retries", "0", "--json"];
  const ran = await r.run([...words, ...flags], { environment });
  return { r, ran, environment, statuses: jsonRows(ran).map(({ status }) => status) };
}

test("push stops after ten failures of the service in a row, exits with 6 and skips the other courses", async () => {
  const { r, ran, statuses } = await pushNew(() => FAILURE);
  // The next request is in flight when the look-up after the tenth one fails too.
  const sent = 11;
  expect([ran.code, writeRequests(ran).length]).toEqual([6, sent]);
  const skipped = COUNT - sent;
  expect(statuses).toEqual([...Array(sent).fill("unknown"), ...Array(skipped).fill("skipped")]);
  const message = "the service failed 10 times in a row; nothing more was sent";
  expect(jsonErrors(ran).filter((error) => error.message === message)).toHaveLength(1);
  expect(jsonErrors(ran).at(-1)).toMatchObject({ kind: "unreachable", message });
  expect(jsonMessages(ran).at(-1)).toMatchObject({ counts: { unknown: sent, skipped } });
  expect((await r.run("courses push a.json")).code).toBe(0);
  expect(await storedCourses(r)).toHaveLength(COUNT);
});

test.each<[string, ServerBehavior, number, string]>([
  ["a creation is rejected", { status: 400, body: '{"hint":"no"}' }, 1, "failed"],
  ["the effect of a creation is unknown", { status: 504 }, 6, "unknown"],
])("push --prune deletes nothing if %s", async (_, answer, code, status) => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  await r.write("a.json", json([numberedCourse(1, { name: "New" }), numberedCourse(3)]));
  const { environment } = await unreliableService(r, ({ method }) =>
    method === "POST" ? answer : "pass",
  );
  const words = ["courses", "push", "a.json", "--prune", "--yes", "--retries", "0", "--json"];
  const ran = await r.run(words, { environment });
  expect([ran.code, requestsOf(ran, "DELETE")]).toEqual([code, []]);
  expect(jsonRows(ran).map((row) => `${row.action} ${row.status}`)).toEqual([
    "update done",
    `create ${status}`,
    "delete skipped",
  ]);
  // A later run deletes what is left to delete.
  const again = await r.run("courses push a.json --prune --yes");
  expect([again.code, requestsOf(again, "DELETE").length]).toEqual([0, 1]);
});

test("a deletion that fails stops no other deletion", async () => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  const { environment } = await unreliableService(r, ({ method, url }) =>
    method === "DELETE" && url.includes(id(1)) ? { status: 403 } : "pass",
  );
  const words = ["courses", "rm", "--yes", id(1), id(2), "--json"];
  const ran = await r.run(words, { environment });
  expect(jsonRows(ran).map((row) => row.status)).toEqual(["failed", "done"]);
  expect(await storedCourses(r)).toMatchObject([{ id: id(1) }]);
});
