import { expect, test } from "vitest";
import { rig } from "../rig.ts";
import {
  expectRefused,
  id,
  jsonRows,
  numberedCourse,
  PATCH,
  PRICES,
  requestsOf,
  rigWith,
  rigWithCourse,
  storedCourses,
} from "./helpers.ts";

test("update with a partial file changes only the given fields", async () => {
  const r = await rigWithCourse();
  const [before] = await storedCourses(r);
  await r.write("part.yaml", `id: ${id(1)}\nname: New\nlevel: [advanced]\n`);
  const ran = await r.run("courses update part.yaml");
  expect(ran).toMatchObject({ code: 0, stdout: "" });
  expect(requestsOf(ran, "PATCH")).toEqual([PATCH]);
  expect(await storedCourses(r)).toEqual([{ ...before, name: "New", level: ["advanced"] }]);
});

test("update prefers the values of flags over the values of the file", async () => {
  const r = await rigWithCourse();
  await r.write("part.yaml", `id: ${id(1)}\nname: File\npace: instructor_paced\n`);
  await r.run("courses update part.yaml --name Flag --audio de");
  expect(await storedCourses(r)).toMatchObject([
    { name: "Flag", pace: "instructor_paced", audio: ["de"] },
  ]);
});

test("update clears a field for null in a file and for --unset", async () => {
  const r = await rigWithCourse();
  await r.write("part.yaml", `id: ${id(1)}\nimage_url: null\n`);
  await r.run("courses update part.yaml --unset level");
  expect(await storedCourses(r)).toMatchObject([{ image_url: null, level: [], prices: PRICES }]);
});

test("update - with flags changes each course that a line of standard input names", async () => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2), numberedCourse(3));
  const ran = await r.run("courses update - --pace instructor_paced --json", {
    input: `${id(1)}\n\nhttps://academy.example/3\n${id(1)}\n`,
  });
  expect(ran.code).toBe(0);
  expect(jsonRows(ran).map((row) => [row.id, row.status])).toMatchObject([
    [id(1), "done"],
    [id(3), "done"],
  ]);
  const paces = (await storedCourses(r)).map(({ pace }) => pace);
  expect(paces).toEqual(["instructor_paced", "self_paced", "instructor_paced"]);
});

test("update - changes every course that standard input describes, in any format", async () => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  const names = async (): Promise<readonly unknown[]> =>
    (await storedCourses(r)).map(({ name }) => name);
  const row = (number: number, name: string) => ({ id: id(number), name });
  const inputs = (name: string): readonly string[] => [
    `${JSON.stringify(row(1, name))}\n${JSON.stringify(row(2, name))}\n`,
    `\ufeff \n${JSON.stringify([row(1, name), row(2, name)])}`,
    `# Names\n- id: ${id(1)}\n  name: ${name}\n- name: ${name}\n  id: ${id(2)}\n`,
    `---\nid: ${id(1)}\nname: ${name}\n---\nid: ${id(2)}\nname: ${name}\n`,
    `id,name\n${id(1)},${name}\n${id(2)},${name}\n`,
  ];
  for (const index of inputs("").keys()) {
    const name = `Name ${index}`;
    const input = inputs(name)[index] ?? "";
    const ran = await r.run("courses update -", { input });
    expect([input, ran.code, ran.stderr, await names()]).toEqual([
      ...[input, 0, expect.stringContaining("Updated 2 courses."), [name, name]],
    ]);
  }
});

test("update refuses a flag that gives a course the url of another course, or several courses one url", async () => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  const before = await storedCourses(r);
  for (const words of [
    [id(1), "--url", "https://ACADEMY.example/2/"],
    [id(1), "--set", "url=https://academy.example/2"],
    [id(1), id(2), "--url", "https://academy.example/3"],
  ]) {
    const ran = await r.run(["courses", "update", ...words]);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("url")]);
  }
  expect(await storedCourses(r)).toEqual(before);
  const own = await r.run(`courses update ${id(1)} --url https://academy.example/3`);
  expect(own.code).toBe(0);
});

test.each(["part.yaml", "missing.csv", "folder"])(
  "update exits with 2 before any request for a course together with the file %s",
  async (file) => {
    const r = await rigWithCourse();
    for (const name of ["part.yaml", "folder/a.yaml"]) await r.write(name, "name: New\n");
    for (const flags of [[], ["--name", "X"]]) {
      const ran = await r.run(["courses", "update", id(1), file, ...flags]);
      expectRefused(ran, 2);
      expect(ran.stderr).toContain("files and courses cannot be combined");
    }
  },
);

test("update exits with 3 before any request for an invalid file", async () => {
  const r = await rig();
  await r.write("part.yaml", `pace: fast\nnope: 1\nid: ${id(1)}\n`);
  const ran = await r.run("courses update part.yaml");
  expectRefused(ran, 3);
  expect(ran.stderr).toContain("part.yaml:1:7");
  expect(ran.stderr).toContain("part.yaml:2:1");
});

test.each(["create", "update"])(
  "%s with a flag exits with 3 for a file that cannot be read, and names no flag",
  async (name) => {
    const r = await rig();
    await r.write("broken.yaml", "name: [\n");
    for (const file of ["broken.yaml", "missing.csv"]) {
      const ran = await r.run(["courses", name, file, "--name", "X"]);
      expectRefused(ran, 3);
      expect(ran.stderr).toContain(`${file}:1:`);
      expect(ran.stderr).not.toContain("--name");
    }
  },
);
