/** Round trips of courses in many languages through programs that edit tables. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { read, write } from "@e965/xlsx";
import { describe, expect, test } from "vitest";
import { decodeWindows1252 } from "../../src/course/text-rules.ts";
import { IS_LONG } from "../long.ts";
import { realCourses } from "../real-courses.ts";
import { bytesOf, type Rig } from "../rig.ts";
import { numberedCourse, rigWith } from "./helpers.ts";
import { writeRequests } from "./push-files.ts";

const REAL = realCourses(IS_LONG ? undefined : 10);
const prices = [{ type: "single_course", price: "49.90", currency: "EUR" }];

/** A catalog with the texts of real courses in more than sixty languages. */
async function realCatalog(isKept: (text: string) => boolean = () => true): Promise<Rig> {
  const courses = REAL.map(({ name, short_description, long_description }, index) => {
    const texts = { name, short_description, long_description };
    const areKept = Object.values(texts).every((text) => isKept(String(text)));
    return numberedCourse(index + 1, { ...(areKept && texts), prices });
  });
  return await rigWith(...courses);
}

/** The changes that `diff` shows for a file, and the run and changing requests of its push. */
async function pushChanges(r: Rig, file: string) {
  const { stdout } = await r.run(["courses", "diff", file, "--json"]);
  const changed = JSON.parse(stdout).filter(
    ({ action }: { action: string }) => action !== "unchanged",
  );
  const pushed = await r.run(["courses", "push", file, "--yes"]);
  return { changed, pushed, writes: writeRequests(pushed) };
}

describe("other programs", { timeout: IS_LONG ? 120_000 : 20_000 }, () => {
  test("diff and push find one change after another program changes one price in a workbook of ls", async () => {
    const r = await realCatalog();
    const { stdout } = await r.run("courses ls --all -o xlsx");
    const book = read(bytesOf(stdout));
    const sheet = book.Sheets.Courses ?? {};
    const column = Object.keys(sheet)
      .find((cell) => sheet[cell]?.v === "prices[0].price")
      ?.slice(0, -1);
    const cell = sheet[`${column}7`];
    cell.v = String(cell.v).replace("49.90", "39.90");
    delete cell.h;
    delete cell.r;
    delete cell.w;
    await r.write("a.xlsx", write(book, { type: "buffer", bookType: "xlsx", compression: true }));
    const { changed, writes } = await pushChanges(r, "a.xlsx");
    expect(changed).toHaveLength(1);
    expect(writes).toHaveLength(1);
    expect(writes[0]).toMatch(/^PATCH /);
    expect((await pushChanges(r, "a.xlsx")).writes).toEqual([]);
  });

  test("push refuses UTF-8 that a program read as Windows-1252, and check --fix repairs the file", async () => {
    const r = await realCatalog();
    const { stdout } = await r.run("courses ls --all -o csv");
    await r.write("a.csv", decodeWindows1252(Buffer.from(stdout)));
    const pushed = await r.run("courses push a.csv --yes");
    expect([pushed.code, writeRequests(pushed)]).toEqual([3, []]);
    expect(pushed.stderr).toContain("was damaged by a wrong encoding");
    await r.run("courses check a.csv --fix");
    expect(await readFile(join(r.folder, "a.csv"), "utf8")).toBe(stdout);
  });
});
