/** Responses that the service's documentation leaves open (docs/service.md, "Undocumented behavior"). */
import { expect, test } from "vitest";
import { rig } from "../rig.ts";
import type { ServerBehavior } from "../unreliable-server.ts";
import { id, numberedCourse, requestsOf, rigWith, unreliableService } from "./helpers.ts";

const COURSE = JSON.stringify(numberedCourse(1));
const CONFIRMED: ServerBehavior = { status: 204 };
const DONE: readonly ServerBehavior[] = [
  { status: 200 },
  { status: 200, body: COURSE },
  { status: 200, body: `[${COURSE}]` },
  { status: 200, body: "[]" },
  { status: 200, body: "OK", headers: { "content-type": "text/plain" } },
  { status: 201 },
  { status: 201, body: `[${COURSE}]`, headers: { location: `/courses?id=${id(1)}` } },
  CONFIRMED,
];

test.each(DONE)("create, publish, update and rm succeed if the response is %j", async (fate) => {
  const empty = await rig();
  await empty.write("a.json", COURSE);
  const posted = await unreliableService(empty, ({ method }) =>
    method === "POST" ? fate : "pass",
  );
  const created = await empty.run("courses create a.json", {
    environment: posted.environment,
  });
  expect([created.code, created.stdout]).toEqual([0, `${id(1)}\n`]);
  expect(requestsOf(created, "POST")).toHaveLength(1);
  const r = await rigWith(numberedCourse(1));
  const changed = await unreliableService(r, ({ method }) => (method === "GET" ? "pass" : fate));
  for (const words of [["publish"], ["update", "--name", "X"], ["rm", "--yes"]]) {
    const ran = await r.run(["courses", ...words, id(1)], { environment: changed.environment });
    expect([words, ran.code]).toEqual([words, 0]);
    if (words[0] === "rm") expect(requestsOf(ran, "DELETE")).toHaveLength(1);
  }
});

test("ls and get show rows with missing fields and with values of other types", async () => {
  const r = await rig();
  const body = JSON.stringify([{ id: id(1) }, { id: id(2), name: 7, published: "maybe" }]);
  const { environment } = await unreliableService(r, () => ({ status: 200, body }));
  const ran = await r.run("courses ls", { environment });
  expect([ran.code, ran.stdout]).toEqual([0, `${id(1)}\t\t\t\n${id(2)}\t7\tmaybe\t\n`]);
  const shown = await r.run("courses ls", { environment, terminal: true });
  expect([shown.code, shown.stdout.includes("maybe")]).toEqual([0, true]);
  const block = await r.run(`courses get ${id(1)}`, { environment, terminal: true });
  expect([block.code, block.stdout.includes(id(1))]).toEqual([0, true]);
});

test("ls --json prints big numbers and unusual keys of a row unchanged", async () => {
  const r = await rig();
  const body = `[{"id":"${id(1)}","duration_in_hours":1.50,"__proto__":{"a":1},"constructor":"b"}]`;
  const { environment } = await unreliableService(r, () => ({ status: 200, body }));
  const ran = await r.run("courses ls --json", { environment });
  expect(ran.stdout.replace(/\s/g, "")).toBe(
    `[{"id":"${id(1)}","duration_in_hours":1.5,"__proto__":{"a":1},"constructor":"b"}]`,
  );
});

test.each([200, 403])(
  "an HTML page with status %i is reported as a page of a proxy, a firewall or a login",
  async (status) => {
    const r = await rig();
    const body = "<!DOCTYPE html><html><h1>Sorry, you have been blocked</h1></html>";
    const { environment } = await unreliableService(r, () => ({ status, body }));
    const { stderr } = await r.run("providers ls", { environment });
    expect(stderr).toContain("A proxy, a firewall or a login page may have answered");
    expect(stderr).not.toContain("API key");
  },
);
