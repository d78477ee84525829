/** `update` with CSV files that contain only some fields of courses. */
import { describe, expect, test } from "vitest";
import { derivedId } from "../../src/course/request-body.ts";
import { PROVIDER_ID, type Rig } from "../rig.ts";
import {
  expectRefused,
  id,
  numberedCourse,
  PRICES,
  requestsOf,
  rigWith,
  rigWithPrices,
} from "./helpers.ts";

const UPDATE = ["courses", "update", "p.csv"];

describe("CSV files with prices", () => {
  test.each([
    ["id", 300],
    ["key", 30],
  ])(
    "update sends only the prices that differ with a column %s and %i rows, and undo restores them",
    async (name, count) => {
      const keys = Array.from({ length: count }, (_, index) => `K-${index}`);
      const ids = keys.map((key) => derivedId({ provider_id: PROVIDER_ID, key }));
      const names = name === "id" ? ids : keys;
      const amounts = keys.map((_, index) => (index % 3 === 0 ? "10.0" : `${index + 11}.50`));
      const [changed, same] = [(count * 2) / 3, count / 3];
      const r = await rigWith(
        ...ids.map((each, index) => numberedCourse(index, { id: each, prices: PRICES })),
      );
      const rows = names.map((each, index) => `${each};${amounts[index]}\r\n`);
      await r.write("p.csv", `${name};prices[0].price\r\n${rows.join("")}`);
      const summary = `\n${changed} courses to update. ${same} are up to date.\n`;
      const planned = await r.run([...UPDATE, "--dry-run"]);
      expect([planned.code, requestsOf(planned, "PATCH")]).toEqual([0, []]);
      const values = planned.stderr.match(/^ {4}prices\[0\]\.price: "10" → "\d+\.50"$/gm);
      expect(values).toHaveLength(changed);
      expect(planned.stderr).toContain(summary);
      const done = await r.run(UPDATE);
      expect([done.code, done.stdout, requestsOf(done, "PATCH").length]).toEqual([0, "", changed]);
      expect(done.stderr).toContain(summary);
      expect(done.stderr).toContain(`\nUpdated ${changed} courses. ${same} were up to date.\n`);
      const prices = await readPrices(r);
      expect(prices.size).toBe(count);
      for (const [index, each] of ids.entries()) {
        const amount = index % 3 === 0 ? "10" : amounts[index];
        expect(prices.get(each)).toEqual([{ ...PRICES[0], price: amount }, PRICES[1]]);
      }
      expect((await r.run(["undo", "--yes"])).code).toBe(0);
      for (const restored of (await readPrices(r)).values()) expect(restored).toEqual(PRICES);
    },
  );

  async function readPrices(r: Rig): Promise<Map<string, unknown>> {
    const listed = await r.run(["courses", "ls", "--all", "-o", "ndjson"]);
    const rows = listed.stdout.trim().split("\n");
    const parsed = rows.map((line) => JSON.parse(line) as { id: string; prices: unknown });
    return new Map(parsed.map(({ id: each, prices }) => [each, prices]));
  }
});

test("update and check --fix change no amount with a decimal comma", async () => {
  const courses = [1, 2, 3].map((number) => numberedCourse(number, { prices: PRICES }));
  const r = await rigWith(...courses);
  const rows = courses.map((each) => `${each.id};12,5\r\n`);
  await r.write("p.csv", `id;prices[0].price\r\n${rows.join("")}`);
  const ran = await r.run(UPDATE);
  expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([3, []]);
  const fixed = await r.run(["courses", "check", "--fix", "p.csv"]);
  expect(fixed.stdout).toContain("Fixed 0 problems.");
  expect(fixed.stdout).toContain('Did you mean "12.5"?');
});

describe("amounts in another notation", () => {
  test("push, diff and pull find no change if the same amount is written differently", async () => {
    const stored = numberedCourse(1, {
      prices: [{ ...PRICES[0], price: "1375.00" }],
      certificate: { type: "paid", price: "20.50", currency: "USD" },
    });
    const r = await rigWith(stored);
    const other = {
      ...stored,
      prices: [{ ...PRICES[0], price: "1375.0" }],
      certificate: { type: "paid", price: "20.5", currency: "USD" },
    };
    await r.write("courses/a.json", JSON.stringify(other));
    const push = await r.run(["courses", "push", "courses"]);
    expect([push.code, requestsOf(push, "PATCH")]).toEqual([0, []]);
    expect((await r.run(["courses", "diff", "--exit-code", "courses"])).code).toBe(0);
    const pull = await r.run(["courses", "pull", "courses"]);
    expect(pull).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("Already up to date: "),
    });
  });
});

describe("rows with nothing to change", () => {
  test("update sends only the rows that change something", async () => {
    const r = await rigWithPrices();
    await r.write("p.csv", `id;name;prices[0].price\n${id(1)};;\n${id(2)};Two;\n`);
    const ran = await r.run(UPDATE);
    expect([ran.code, requestsOf(ran, "PATCH").length]).toEqual([0, 1]);
    expect(ran.stderr).toContain("Updated 1 course. 1 was up to date.");
  });
});

test("update reports two rows for one course as an error, by id or by id and key", async () => {
  const keyed = derivedId({ provider_id: PROVIDER_ID, key: "K-1" });
  const r = await rigWith(numberedCourse(1, { id: keyed, prices: PRICES }));
  await r.write("p.csv", `id;key;prices[0].price\n${keyed};;7\n${keyed};;8\n`);
  expectRefused(await r.run(UPDATE), 3);
  await r.write("p.csv", `id;key;prices[0].price\n${keyed};;7\n;K-1;8\n`);
  const ran = await r.run(UPDATE);
  expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([3, []]);
  expect(ran.stderr).toContain("p.csv:3:");
});
