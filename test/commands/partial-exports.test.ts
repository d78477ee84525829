/** Exports of some fields, which have no hidden sheet. */
import { expect, test } from "vitest";
import { id, lines, numberedCourse, rigWith } from "./helpers.ts";

const PRICE = { type: "single_course", price: "99.00", currency: "EUR" };

test.each(["csv", "json", "ndjson", "yaml"])(
  "what ls --fields writes as %s is accepted by update, and check, diff and push say so in one problem",
  async (extension) => {
    const r = await rigWith(...[1, 2, 3].map((n) => numberedCourse(n, { prices: [PRICE] })));
    const file = `some.${extension}`;
    const fields = "id,name,prices[0].price";
    await r.run(["courses", "ls", "--all", "--fields", fields, "--out", file]);
    for (const command of ["check", "diff", "push"]) {
      const ran = await r.run(["courses", command, file]);
      const output = lines(ran.stdout + ran.stderr);
      expect([command, ran.code]).toEqual([command, 3]);
      expect(output.filter((line) => line.includes("error:"))).toEqual([
        expect.stringMatching(
          new RegExp(
            `^${file}:\\d+:\\d+: error: .*all courses of this file lack .*url.*, so only update accepts it: catalog courses update ${file} \\[required\\]$`,
          ),
        ),
      ]);
    }
    const ran = await r.run(["courses", "update", file]);
    expect([ran.code, ran.stderr]).toEqual([0, "Already up to date: 3 courses.\n"]);
  },
);

test("a file in which only some courses lack a required field has a problem for each of them", async () => {
  const r = await rigWith();
  const [one, two] = [numberedCourse(1), numberedCourse(2)];
  const { pace: _, ...short } = two;
  await r.write(
    "some.json",
    JSON.stringify([one, short, { ...short, id: id(3), url: `${two.url}3` }]),
  );
  const ran = await r.run("courses check some.json");
  expect(ran.code).toBe(3);
  expect(ran.stdout.match(/error: pace is missing/g)).toHaveLength(2);
});
