/** Course files with values that would reach the service as different values. */
import { describe, expect, test } from "vitest";
import { course, rig } from "../rig.ts";

/** The problems that `check` finds in a course file: rule, path and position. */
async function findings(name: string, text: string) {
  const r = await rig();
  await r.write(name, text);
  const ran = await r.run(["courses", "check", name, "--json"]);
  const { problems } = JSON.parse(ran.stdout) as { problems: Record<string, unknown>[] };
  return problems.map(({ rule, path, line, column }) => ({ rule, path, line, column }));
}

/** The id of no course. */
const ID = "00000000-0000-4000-8000-000000000001";

const json = (changes: Record<string, unknown>) => JSON.stringify(course(changes), null, 1);

describe("lone surrogates", () => {
  test("check reports lone surrogates in JSON and YAML, in fields and inside objects", async () => {
    const text = json({ name: "@@", instructors: [{ name: "@@" }] }).replaceAll("@@", "a\\ud83e");
    const expected = [["name"], ["instructors", 0, "name"]];
    for (const name of ["a.json", "a.yaml"]) {
      const found = await findings(name, text);
      expect(found.map(({ rule }) => rule)).toEqual(["lone-surrogate", "lone-surrogate"]);
      expect(found.map(({ path }) => path)).toEqual(expected);
      expect(found[0]).toMatchObject({ line: 2, column: 10 });
    }
  });

  test("check accepts complete surrogate pairs", async () => {
    expect(await findings("a.json", json({ name: "\u{1f9f6}" }))).toEqual([]);
    const escaped = json({ name: "@@" }).replace("@@", "\\ud83e\\uddf6");
    expect(await findings("a.json", escaped)).toEqual([]);
  });
});

describe("integers beyond 2^53", () => {
  const withLessons = (digits: string) => json({ number_of_lessons: 77 }).replace("77", digits);

  test.each(["9007199254740993", "100000000000000000001"])(
    "check reports an integer that would lose digits: %s",
    async (digits) => {
      for (const name of ["a.json", "a.yaml"]) {
        expect(await findings(name, withLessons(digits))).toMatchObject([
          { rule: "inexact-number", path: ["number_of_lessons"] },
        ]);
      }
    },
  );

  test("check accepts the largest integer below which all are exact", async () => {
    expect(await findings("a.json", withLessons("9007199254740991"))).toEqual([]);
  });
});

describe("--set", () => {
  test.each([
    ["number_of_lessons=9007199254740993", "number_of_lessons is too large to be exact"],
    ['provider_rating={"type":"scale","value":-9007199254740993}', "too large to be exact"],
    ['syllabus=[{"title":"\\udfff"}]', "half of a character"],
  ])("update --set refuses a value that would be sent differently: %s", async (value, message) => {
    const r = await rig();
    const ran = await r.run(["courses", "update", ID, "--set", value]);
    expect([ran.code, ran.requests]).toEqual([2, []]);
    expect(ran.stderr).toContain(message);
  });

  test("update --set accepts a string with many digits and an exact number", async () => {
    const r = await rig();
    for (const value of ["name=9007199254740993", "number_of_lessons=9007199254740991"]) {
      const ran = await r.run(["courses", "update", ID, "--set", value]);
      expect([value, ran.code]).toEqual([value, 5]);
    }
  });
});

describe("the template of init", () => {
  test("check and push refuse the template of init until the user edits it", async () => {
    const name = "intro.yaml";
    const r = await rig();
    await r.run(["courses", "init", name]);
    const ran = await r.run(["courses", "check", name, "--json"]);
    expect(ran.code).toBe(3);
    const { problems } = JSON.parse(ran.stdout) as { problems: Record<string, unknown>[] };
    expect(problems.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
      "placeholder name",
      "placeholder url",
      "placeholder short_description",
      "placeholder long_description",
      "language-code audio,0",
    ]);
    const pushed = await r.run(["courses", "push", name]);
    expect([pushed.code, pushed.requests]).toEqual([3, []]);
  });
});

describe("suggestions and notes", () => {
  const found = async (text: string) => {
    const r = await rig();
    await r.write("a.yaml", text);
    const environment = { NO_COLOR: "1" };
    return (await r.run(["courses", "check", "a.yaml"], { terminal: true, environment })).stdout;
  };

  test("check does not suggest a value that it would refuse", async () => {
    expect(await found(`${json({ number_of_lessons: "0" })}`)).not.toContain("Did you mean");
    expect(await found(`${json({ number_of_lessons: "1.5" })}`)).not.toContain("Did you mean");
    expect(await found(`${json({ number_of_lessons: "2" })}`)).toContain("Did you mean 2?");
  });

  test("check shows an example in a note that can be pasted into a file", async () => {
    const text = await found(json({ long_description: undefined }));
    const example = text.replace(/\s+/g, " ");
    expect(example).toContain(
      'note: For example: long_description: "From casting on to binding off: yarn',
    );
  });
});
