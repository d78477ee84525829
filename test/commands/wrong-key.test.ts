/** A key that does not belong to the account of the files or of the run causes one error instead of many. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { DEFAULT_PROVIDER } from "../../src/sandbox/seed.ts";
import { id, lines, numberedCourse, rigWith } from "./helpers.ts";
import { json, SCHOOL, writeRequests } from "./push-files.ts";

/** Courses of a provider that the user of the key does not have. */
const FOREIGN = [1, 2, 3].map((number) =>
  numberedCourse(number, {
    provider_id: SCHOOL.id,
    url: `https://team07.example/${number}`,
  }),
);

test.each(["push", "diff"])(
  "%s ends with the count of all problems, including files that cannot be read",
  async (command) => {
    const r = await rigWith();
    await r.write("a.json", json({ name: 1 }));
    const ran = await r.run(["courses", command, "a.json", "missing.json"]);
    expect(ran.code).toBe(3);
    expect(lines(ran.stderr).at(-1)).toMatch(/^\d+ errors in 2 files; nothing was sent\.$/);
    const unread = await r.run(["courses", command, "missing.json"]);
    expect(lines(unread.stderr).at(-1)).toBe("1 error in 1 file; nothing was sent.");
  },
);

describe("key of another account", () => {
  test.each(["push", "diff"])(
    "%s reports a key of another account once, exits with 4 and sends nothing",
    async (command) => {
      const r = await rigWith();
      await r.write("a.json", json(FOREIGN));
      const ran = await r.run(["courses", command, "a.json"]);
      expect([ran.code, ran.stdout, writeRequests(ran)]).toEqual([4, "", []]);
      expect(lines(ran.stderr)[0]).toBe(
        `error: this key belongs to ${DEFAULT_PROVIDER.name}; all 3 courses are of team07.example: wrong key or wrong folder?`,
      );
      expect(ran.stderr.match(/error/g)).toHaveLength(1);
    },
  );

  test("check --online reports a key of another account once, besides the other problems", async () => {
    const r = await rigWith();
    await r.write("a.json", json(FOREIGN));
    await r.write(
      "b.json",
      json({ ...FOREIGN[0], id: id(9), url: `${FOREIGN[0]?.url}9`, nmae: "" }),
    );
    const ran = await r.run(["courses", "check", "--online", "a.json", "b.json"]);
    expect([ran.code, ran.stdout.match(/: error: /g)]).toEqual([4, [": error: "]]);
    expect(ran.stdout).toContain("[unknown-key]");
    expect(ran.stderr).toMatch(
      /^error: this key belongs to .* all 4 courses are of team07\.example/,
    );
    const words = ["courses", "check", "--online", "a.json", "--json", "--report", "sarif=r.json"];
    const machine = await r.run(words);
    expect([machine.code, JSON.parse(machine.stdout).problems]).toEqual([4, []]);
    const report = JSON.parse(await readFile(`${r.folder}/r.json`, "utf8"));
    expect(report.runs[0].results).toMatchObject([{ ruleId: "auth", level: "error" }]);
  });

  test("push names each course of another account if other courses belong to this account", async () => {
    const r = await rigWith();
    await r.write("a.json", json([...FOREIGN, numberedCourse(4)]));
    const ran = await r.run(["courses", "push", "a.json"]);
    expect([ran.code, writeRequests(ran)]).toEqual([3, []]);
    expect(ran.stderr.match(/\[url-host\]/g)).toHaveLength(3);
  });

  test("check --online suggests no provider of another host, because the course would move there", async () => {
    const r = await rigWith();
    const moved = numberedCourse(1, { provider: "exmple-academy", provider_id: undefined });
    await r.write("a.json", json({ ...moved, url: "https://team07.example/1" }));
    await r.write("b.json", json({ ...moved, id: id(2) }));
    const ran = await r.run(["courses", "check", "--online", "a.json", "b.json"]);
    const finding = (file: string): string =>
      lines(ran.stdout).find(
        (line) => line.startsWith(file) && line.includes("[provider-unknown]"),
      ) ?? "";
    expect(finding("a.json")).not.toContain("Did you mean");
    expect(finding("b.json")).toContain('Did you mean "example-academy"?');
  });

  test("undo exits with 2 and sends nothing if the run changed courses of another account", async () => {
    const r = await rigWith(numberedCourse(1));
    await r.run(["courses", "update", id(1), "--name", "New", "--record", "run.ndjson"]);
    const other = await rigWith();
    const record = await readFile(`${r.folder}/run.ndjson`, "utf8");
    const foreign = record
      .replaceAll(r.sandbox.baseUrl, other.sandbox.baseUrl)
      .replace(DEFAULT_PROVIDER.id, SCHOOL.id);
    await other.write("run.ndjson", foreign);
    const ran = await other.run(["undo", "run.ndjson", "--yes"]);
    expect([ran.code, writeRequests(ran)]).toEqual([2, []]);
    expect(ran.stderr).toMatch(/^error: run \S+ is for another account than this API key\n/);
  });
});
