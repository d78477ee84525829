/** The plan that a push shows before it is applied. */
import { expect, test } from "vitest";
import { someOf } from "../long.ts";
import { rig } from "../rig.ts";
import { id, lines, numberedCourse, ownLines, rigWith } from "./helpers.ts";
import { courseWithoutId, push, SEWING } from "./push-files.ts";

const three = async () => {
  const r = await rigWith(
    numberedCourse(1),
    numberedCourse(2, { image_url: "https://i.example/2" }),
    numberedCourse(3),
  );
  await r.write("a.yaml", SEWING);
  await r.write("b.json", [
    numberedCourse(1),
    numberedCourse(2, { name: "New", image_url: null, audio: ["de"] }),
  ]);
  return r;
};

test("push first shows sign, name, file and fields of each course, and the counts", async () => {
  const r = await three();
  const ran = await push(r, ["a.yaml", "b.json", "--prune", "--yes"]);
  expect(lines(ran.stderr).slice(0, 6)).toEqual([
    "Look at these first:",
    "! Course 3: deleted",
    "+ Sewing (a.yaml)",
    `~ New (b.json, ${id(2)}): name, audio, image_url`,
    `- Course 3 (${id(3)})`,
    "1 course to create, 1 to update and 1 to delete. 1 is up to date.",
  ]);
  expect(ownLines(ran.stderr).at(-1)).toBe(
    "Created 1 course, updated 1 and deleted 1. 1 was up to date.",
  );
});

const PLACES: readonly (readonly [where: string, most: number, isTerminal: boolean])[] = [
  ["on a terminal", 100, true],
  ["in a pipe", 1000, false],
];
test.each(someOf(PLACES, 1))(
  "push shortens a long plan %s to %i lines, but not with --dry-run",
  async (_, most, terminal) => {
    const r = await rig();
    const courses = Array.from({ length: most + 30 }, (_, number) => courseWithoutId(number));
    await r.write("a.json", courses);
    const options = { terminal, environment: { NO_COLOR: "1" } };
    const planned = (text: string) => text.match(/^\+ /gm)?.length;
    expect(planned((await push(r, ["a.json", "--dry-run"], options)).stderr)).toBe(most + 30);
    const ran = await push(r, ["a.json", "--concurrency", "16"], options);
    expect(planned(ran.stderr)).toBe(most);
    expect(ran.stderr).toMatch(/^… and 30 more\n1?,?[01]30 courses to create\.$/m);
  },
);
