/** A workbook that catalog wrote remembers its values, and what was pushed from it, so that only edited cells are sent. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { read, utils, type WorkBook, write } from "@e965/xlsx";
import { expect, test } from "vitest";
// The first import bundles the reader, which takes longer than a test.
import "../../src/files/workbook.ts";
import type { Rig } from "../rig.ts";
import { changeElsewhere, id, numberedCourse, rigWith, storedCourses } from "./helpers.ts";
import { courseWithoutId, json, rigWithTwoProviders, SCHOOL, writeRequests } from "./push-files.ts";

type Fields = Record<string, unknown>;

const PRICE = { type: "single_course", price: "99.00", currency: "EUR" };
const EURO = { price: "5.00", currency: "EUR" };
const priced = (price: string) => ({ prices: [{ ...PRICE, price }] });
const IMAGE = "https://academy.example/1.png";
const EXPORT = "courses ls --all --out book.xlsx";

/** A rig with four courses, and a workbook of them. */
async function exported(): Promise<Rig> {
  const fields = { ...priced("99.00"), subtitles_text: ["en"] };
  const r = await rigWith(...[1, 2, 3, 4].map((number) => numberedCourse(number, fields)));
  await r.run(EXPORT);
  return r;
}

/** Changes the workbook, and saves it as a spreadsheet program does. */
async function edit(r: Rig, make: (book: WorkBook) => void, name = "book.xlsx"): Promise<void> {
  const book = read(await readFile(join(r.folder, name)));
  make(book);
  await r.write(name, write(book, { type: "buffer", bookType: "xlsx" }));
}

/** Changes the rows of the visible sheet, of which the first is the header. */
async function editRows(r: Rig, make: (rows: string[][]) => string[][], name?: string) {
  const change = ({ Sheets }: WorkBook) => {
    const rows = utils.sheet_to_json<string[]>(Sheets.Courses ?? {}, { header: 1, defval: "" });
    Sheets.Courses = utils.aoa_to_sheet(make(rows));
  };
  await edit(r, change, name);
}

/** Types a value into the cell of a course. */
async function type(r: Rig, number: number, column: string, text: string): Promise<void> {
  await editRows(r, (rows) => {
    const row = rows.find((each) => each.includes(id(number))) ?? [];
    row[rows[0]?.indexOf(column) ?? -1] = text;
    return rows;
  });
}

const push = (r: Rig, ...flags: string[]) => r.run(["courses", "push", "book.xlsx", ...flags]);

/** The fields of the nth course; undefined if it was deleted. */
async function stored(r: Rig, number: number): Promise<Fields | undefined> {
  return (await storedCourses(r)).find((course) => course.id === id(number));
}

test("an emptied cell clears its field, of which a required one is an error, and a price is shown first", async () => {
  const r = await exported();
  await type(r, 1, "subtitles_text", "");
  await type(r, 1, "prices[0].price", "");
  const { code, stderr } = await push(r);
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining("! Course 1: price 1: 99.00 → none\n"),
  ]);
  expect(await stored(r, 1)).toMatchObject({ subtitles_text: null });
  await type(r, 2, "name", "");
  const ran = await push(r);
  expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining("name is required")]);
});

test("removed columns, removed rows, another order of rows, and a column provider in place of provider_id change nothing", async () => {
  const r = await exported();
  await changeElsewhere(r, id(1), { short_description: "By a colleague" });
  await editRows(r, ([header = [], ...rows]) => {
    const removed = header.indexOf("prices[0].currency");
    const provider = header.indexOf("provider_id");
    const named = (cells: string[], name: string) => cells.with(provider, name);
    return [
      named(header, "provider"),
      ...rows.reverse().map((cells) => named(cells, "example-academy")),
    ].map((cells) => cells.toSpliced(removed, 1));
  });
  for (const left of [5, 3]) {
    await editRows(r, (rows) => rows.slice(0, left));
    const ran = await push(r);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("Already up to date")]);
  }
});

test("push --prune deletes only courses whose rows were removed from the workbook", async () => {
  const r = await exported();
  await r.run(["api", "POST", "developer/v1/courses", "-d", json(numberedCourse(5))]);
  await editRows(r, (rows) => rows.slice(0, 4));
  const ran = await push(r, "--prune", "--yes");
  const deletion = `DELETE /developer/v1/courses?id=${id(4)}`;
  expect([ran.code, writeRequests(ran)]).toEqual([0, [deletion]]);
});

test("an unknown sheet of a workbook of ls is refused without naming the hidden sheet", async () => {
  const { code, stdout } = await (await exported()).run("courses check book.xlsx --sheet 2028");
  expect(code).toBe(3);
  expect(stdout).toContain('book.xlsx has no sheet "2028", only "Courses" [');
});

test("without its hidden sheet, a workbook is a table like any other, with a notice", async () => {
  const r = await exported();
  await changeElsewhere(r, id(2), { name: "By a colleague" });
  await edit(r, (book) => {
    delete book.Sheets.catalog;
    book.SheetNames = ["Courses"];
    book.Workbook = {};
  });
  const ran = await push(r);
  expect([ran.code, ran.stderr]).toEqual([
    0,
    expect.stringContaining("has no record of the exported values"),
  ]);
  expect(await stored(r, 2)).toMatchObject({ name: "Course 2" });
  const refused = await push(r, "--on-drift", "keep");
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--on-drift needs")]);
});

test.each(["xlsx", "csv"])(
  "check --report %s gives the table back with what is wrong in a first column, which is not read again",
  async (format) => {
    const r = await exported();
    await type(r, 1, "pace", "slow");
    await r.run(`courses check book.xlsx --report ${format}=checked.${format}`);
    const [sheet = {}] = Object.values(
      read(await readFile(join(r.folder, `checked.${format}`))).Sheets,
    );
    const [header = [], one = [], two = []] = utils.sheet_to_json<string[]>(sheet, { header: 1 });
    expect(header.slice(0, 2)).toEqual(["problems", "name"]);
    const cell = `${String.fromCharCode(65 + header.indexOf("pace"))}2`;
    const problem = expect.stringMatching(`^cell ${cell} .*pace must be`);
    expect([one[0], one[1], two[0] ?? ""]).toEqual([problem, "Course 1", ""]);
    expect(one[header.indexOf("audio")]).toBe("en");
    const again = await r.run(`courses check checked.${format}`);
    expect([again.code, again.stdout.match(/\[.*\]/g)]).toEqual([3, ["[choice]"]]);
  },
);

test("a workbook that check writes still contains the record of its export", async () => {
  const r = await exported();
  await changeElsewhere(r, id(2), { name: "By a colleague" });
  await type(r, 1, "prices[0].price", "12.00");
  await r.run("courses check book.xlsx --report xlsx=checked.xlsx");
  expect(writeRequests(await r.run("courses push checked.xlsx"))).toHaveLength(1);
  expect(await stored(r, 2)).toMatchObject({ name: "By a colleague" });
});

test("a workbook that pull --force or check writes remembers only courses in the catalog, so that push creates its other rows", async () => {
  const r = await exported();
  await r.run("courses pull --format xlsx");
  const asNew = (cell: string) => (cell === id(1) ? "" : cell.replace(/example\/1$/, "example/5"));
  const copy = ([header = [], one = [], ...rows]: string[][]) => [
    header,
    one,
    ...rows,
    one.map(asNew),
  ];
  await editRows(r, copy, "courses.xlsx");
  await changeElsewhere(r, id(2), { name: "By a colleague" });
  await changeElsewhere(r, id(3), null);
  await r.run("courses pull --format xlsx --force");
  await r.write("new.json", numberedCourse(6));
  await r.run("courses check new.json --report xlsx=new.xlsx");
  for (const name of ["courses.xlsx", "new.xlsx"]) {
    const ran = await r.run(`courses push ${name}`);
    expect([ran.code, writeRequests(ran)]).toEqual([0, ["POST /developer/v1/courses"]]);
  }
});

test("without the history of the last push, the drift of a workbook says that it may be old", async () => {
  const r = await exported();
  await type(r, 1, "prices[0].price", "105.00");
  await push(r);
  await rm(join(r.folder, ".local/state/catalog"), { recursive: true });
  await type(r, 1, "prices[0].price", "110.00");
  const ran = await push(r);
  expect([ran.code, writeRequests(ran)]).toEqual([7, []]);
  expect(ran.stderr).toContain("on another computer, export the workbook again.");
});

test("removed columns of a workbook change nothing with --complete, and no notice proposes it", async () => {
  const r = await exported();
  await changeElsewhere(r, id(1), { image_url: IMAGE });
  const names = "id,name,url,provider_id,short_description,long_description,audio,pace,published";
  await r.run(`${EXPORT} --fields ${names},prices,subtitles_text`);
  const without = await r.run("courses diff book.xlsx");
  expect(without.stdout).toBe("Already up to date: 4 courses.\n");
  expect(without.stderr).not.toContain("--complete");
  const complete = await r.run("courses diff book.xlsx --complete");
  expect(complete.stdout).toBe("Already up to date: 4 courses.\n");
});

test("a workbook with only some columns remembers all values, so that push sends its edited cells", async () => {
  const r = await exported();
  await r.run(`${EXPORT} --fields id,name,prices[0].price`);
  await type(r, 1, "prices[0].price", "105.00");
  expect((await r.run("courses check book.xlsx")).code).toBe(0);
  const ran = await push(r);
  expect([ran.code, writeRequests(ran).length]).toEqual([0, 1]);
  expect(await stored(r, 1)).toMatchObject(priced("105.00"));
});

test("a row sends only its edited cells, also of a field of which the workbook shows a part, with push and update", async () => {
  const r = await exported();
  const instructors = [{ name: "Ada", main: true }, { name: "Bob" }];
  await changeElsewhere(r, id(1), { instructors, certificate: { type: "paid", ...EURO } });
  await r.run(`${EXPORT} --fields id,name,instructors[0].name,certificate.type,prices[0].price`);
  await changeElsewhere(r, id(2), { prices: [{ ...PRICE, price: "12.00" }, PRICE] });
  for (const command of ["push", "update"]) {
    const ran = await r.run(`courses ${command} book.xlsx`);
    expect([ran.code, writeRequests(ran)]).toEqual([0, []]);
  }
  await type(r, 1, "instructors[0].name", "Eve");
  expect(writeRequests(await push(r))).toHaveLength(1);
  expect(await stored(r, 1)).toMatchObject({
    instructors: [{ name: "Eve", main: true }, { name: "Bob" }],
    certificate: { type: "paid", ...EURO },
  });
});

test("each row is compared with what its own workbook remembers, in any order of the files", async () => {
  const r = await exported();
  await editRows(r, (rows) => rows.slice(0, 2));
  await changeElsewhere(r, id(2), { name: "Renamed" });
  await r.run("courses ls --all --out other.xlsx --name Renamed");
  await changeElsewhere(r, id(2), { name: "Course 2" });
  await r.write("one.yaml", json(numberedCourse(3, { name: "By its file" })));
  for (const files of ["book.xlsx other.xlsx one.yaml", "one.yaml other.xlsx book.xlsx"]) {
    const { stdout } = await r.run(`courses diff ${files}`);
    expect(stdout).toContain('changed in the catalog:\n    name: "Renamed" → "Course 2"\n');
    expect(stdout).toContain("~ By its file (one.yaml, ");
  }
});

test("default values fill no column that a workbook lacks", async () => {
  const r = await exported();
  await r.write("catalog.defaults.yaml", "level: [beginner]\npublished: false\n");
  await r.run(`${EXPORT} --fields id,name`);
  for (const command of ["push", "update"]) {
    const ran = await r.run(`courses ${command} book.xlsx`);
    expect([ran.code, writeRequests(ran)]).toEqual([0, []]);
  }
});

test.each(["--no-ids", "--force"])(
  "a workbook of pull %s remembers its courses, by their providers too, also after a push",
  async (flag) => {
    const r = await rigWithTwoProviders(numberedCourse(1), numberedCourse(2));
    await r.run(`courses pull books --format xlsx ${flag}`);
    const file = "books/courses.xlsx";
    const rename = (rows: string[][]) =>
      rows.map((cells) => cells.map((text) => (text === "Course 1" ? "Edited" : text)));
    await editRows(r, rename, file);
    expect(writeRequests(await r.run(`courses push ${file}`))).toHaveLength(1);
    await changeElsewhere(r, id(2), { name: "By a colleague", provider_id: SCHOOL.id });
    const ran = await r.run(`courses push ${file}`);
    expect([ran.code, writeRequests(ran)]).toEqual([0, []]);
  },
);

test("an item of a list whose cells are all emptied is removed once, and later pushes change nothing else", async () => {
  const r = await exported();
  const instructors = [{ name: "Ada" }, { name: "Bob" }, { name: "Cid" }];
  const prices = [PRICE, { ...PRICE, currency: "USD" }];
  await changeElsewhere(r, id(1), { prices, instructors });
  await r.run(
    `${EXPORT} --fields id,name,instructors[0].name,prices[0].type,prices[0].price,prices[0].currency`,
  );
  for (const name of ["prices[0].type", "prices[0].price", "prices[0].currency"]) {
    await type(r, 1, name, "");
  }
  await type(r, 1, "instructors[0].name", "");
  await push(r);
  await type(r, 1, "name", "Edited");
  await push(r);
  expect(await stored(r, 1)).toMatchObject({
    name: "Edited",
    prices: prices.slice(1),
    instructors: instructors.slice(1),
  });
});

test("an untouched row with empty objects and texts in the catalog is not sent", async () => {
  const r = await exported();
  const syllabus = [{ title: "A", description: "" }];
  await changeElsewhere(r, id(1), { prices: [{}, PRICE], syllabus });
  for (const fields of ["", " --fields id,syllabus[0].description,prices[1].price"]) {
    await r.run(EXPORT + fields);
    expect((await r.run("courses diff book.xlsx")).stdout).toBe("Already up to date: 4 courses.\n");
  }
});

test("what a run sent from other files is not of the workbook, and --prune leaves it", async () => {
  const r = await exported();
  await r.write("new.yaml", json(courseWithoutId(7)));
  await type(r, 1, "name", "Edited");
  expect(writeRequests(await r.run("courses push book.xlsx new.yaml"))).toHaveLength(2);
  const ran = await push(r, "--prune", "--yes");
  expect([ran.code, writeRequests(ran)]).toEqual([0, []]);
});

test("an emptied cell of a row that was added clears the value that was pushed from it", async () => {
  const r = await exported();
  const url = "https://academy.example/new";
  await editRows(r, ([header = [], first = [], ...rows]) => {
    const added = first.with(header.indexOf("id"), "").with(header.indexOf("url"), url);
    return [header, first, ...rows, added];
  });
  await push(r);
  await editRows(r, ([header = [], ...rows]) => {
    const at = header.indexOf("subtitles_text");
    return [header, ...rows.map((row) => (row.includes(url) ? row.with(at, "") : row))];
  });
  expect(writeRequests(await push(r))).toHaveLength(1);
});

test("update refuses a row that sets a part of what does not exist", async () => {
  const r = await exported();
  await r.run(`${EXPORT} --fields id,video.id`);
  await type(r, 1, "video.id", "abc");
  const ran = await r.run("courses update book.xlsx");
  expect([ran.code, ran.stderr]).toEqual([
    3,
    expect.stringContaining("the table has no column video.type"),
  ]);
});
