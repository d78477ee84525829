/** One workbook that an editor keeps open for weeks: what was pushed from it counts as exported. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { read, utils, write } from "@e965/xlsx";
import { expect, test } from "vitest";
import type { Rig, RunResult } from "../rig.ts";
import { id, numberedCourse, rigWith } from "./helpers.ts";

const PRICE = { type: "single_course", price: "99.00", currency: "EUR" };
const NUMBERS = [1, 2, 3, 4];

async function exported(): Promise<Rig> {
  const r = await rigWith(...NUMBERS.map((number) => numberedCourse(number, { prices: [PRICE] })));
  await r.run("courses ls --all --out book.xlsx");
  return r;
}

/** Types values into cells, and saves the workbook as a spreadsheet program does. */
async function type(r: Rig, ...cells: (readonly [number: number, column: string, text: string])[]) {
  const book = read(await readFile(join(r.folder, "book.xlsx")));
  const rows = utils.sheet_to_json<string[]>(book.Sheets.Courses ?? {}, { header: 1, defval: "" });
  for (const [number, column, text] of cells) {
    const row = rows.find((each) => each.includes(id(number))) ?? [];
    row[rows[0]?.indexOf(column) ?? -1] = text;
  }
  book.Sheets.Courses = utils.aoa_to_sheet(rows);
  await r.write("book.xlsx", write(book, { type: "buffer", bookType: "xlsx" }));
}

const push = (r: Rig, ...flags: string[]) => r.run(["courses", "push", "book.xlsx", ...flags]);

/** What a run sent: the method and the body of each write. */
const sent = (ran: RunResult) => ran.requests.filter((request) => !request.startsWith("GET"));

const stored = async (r: Rig, number: number): Promise<Record<string, unknown> | undefined> => {
  const { code, stdout } = await r.run(["courses", "get", id(number), "--json"]);
  return code === 0 ? JSON.parse(stdout) : undefined;
};

/** A colleague changes the catalog in a web form; null deletes the course. */
async function change(r: Rig, number: number, fields: Record<string, unknown> | null) {
  const path = `developer/v1/courses?id=${id(number)}`;
  const words = fields === null ? ["DELETE", path] : ["PATCH", path, "-d", JSON.stringify(fields)];
  expect((await r.run(["api", ...words])).code).toBe(0);
}

async function priceOf(r: Rig, number = 1): Promise<string | undefined> {
  const [price] = ((await stored(r, number))?.prices ?? []) as { price: string }[];
  return price?.price;
}

test("a workbook can be pushed again and again, and a cell that is typed back to its exported value is sent", async () => {
  const r = await exported();
  for (const price of ["105.00", "110.00", "99.00", "99.00"]) {
    await type(r, [1, "prices[0].price", price]);
    const ran = await push(r);
    expect([ran.code, await priceOf(r)]).toEqual([0, price]);
    expect(ran.stderr).not.toContain("Kept what changed");
  }
  expect(sent(await push(r))).toEqual([]);
});

test("a cell that was filled and pushed is cleared when it is emptied again, and update knows what push sent", async () => {
  const r = await exported();
  await type(r, [1, "image_url", "https://academy.example/1.png"]);
  expect((await push(r)).code).toBe(0);
  await type(r, [1, "image_url", ""]);
  const ran = await r.run("courses update book.xlsx");
  expect([ran.code, sent(ran).length, (await stored(r, 1))?.image_url]).toEqual([0, 1, null]);
});

test("overwrite sends only cells that were edited and that changed in the catalog too", async () => {
  const r = await exported();
  await type(r, [1, "prices[0].price", "140.00"]);
  await change(r, 2, { short_description: "By a colleague" });
  await change(r, 3, { prices: [{ ...PRICE, price: "19.00" }] });
  await change(r, 1, { prices: [{ ...PRICE, price: "96.00" }] });
  await change(r, 4, null);
  const refused = await push(r);
  expect([refused.code, sent(refused)]).toEqual([7, []]);
  expect(refused.stderr).toContain(
    'prices[0].price was "99.00", is "140.00" in the file and "96.00" in the catalog',
  );
  expect(refused.stderr.match(/^error:.*$|^book.xlsx.*error:.*$/gm)).toHaveLength(2);
  const ran = await push(r, "--on-drift", "overwrite");
  expect([ran.code, sent(ran).length]).toEqual([0, 1]);
  expect(await priceOf(r)).toBe("140.00");
  expect((await stored(r, 2))?.short_description).toBe("By a colleague");
  expect(await priceOf(r, 3)).toBe("19.00");
  expect(await stored(r, 4)).toBeUndefined();
});

test.each(["push", "update"])(
  "%s of a workbook asks nothing about an untouched row, whose course a colleague deleted, moved or replaced",
  async (command) => {
    const r = await exported();
    await change(r, 1, null);
    await r.run("courses create -", {
      input: JSON.stringify(numberedCourse(9, { url: "https://academy.example/1" })),
    });
    await change(r, 2, { url: "https://academy.example/moved" });
    await change(r, 3, { url: "https://academy.example/2" });
    await type(r, [4, "name", "Mine"]);
    const ran = await r.run(["courses", command, "book.xlsx"]);
    expect([ran.code, sent(ran).length]).toEqual([0, 1]);
    expect((await stored(r, 4))?.name).toBe("Mine");
    expect(ran.stderr).toMatch(/Kept what changed in the catalog: .*"Course 1" [^:]*: deleted/);
  },
);

test("what was undone does not count as exported, so that the edited cell is sent again", async () => {
  const r = await exported();
  await type(r, [1, "prices[0].price", "105.00"]);
  await push(r);
  expect((await r.run("undo --yes")).code).toBe(0);
  expect(await priceOf(r)).toBe("99.00");
  const again = await push(r);
  expect([again.code, sent(again).length, await priceOf(r)]).toEqual([0, 1, "105.00"]);
});

test("a plan that was made from a workbook and applied counts as sent from it", async () => {
  const r = await exported();
  await type(r, [1, "prices[0].price", "105.00"]);
  await r.run("courses diff book.xlsx --out plan.ndjson");
  expect((await r.run("courses push --plan plan.ndjson")).code).toBe(0);
  await type(r, [1, "prices[0].price", "99.00"]);
  expect([(await push(r)).code, await priceOf(r)]).toEqual([0, "99.00"]);
});

test("without the history of the last push, the drift of a workbook says that it may be old", async () => {
  const r = await exported();
  await type(r, [1, "prices[0].price", "105.00"]);
  await push(r);
  await rm(join(r.folder, ".local/state/catalog"), { recursive: true });
  await type(r, [1, "prices[0].price", "110.00"]);
  const ran = await push(r);
  expect([ran.code, sent(ran)]).toEqual([7, []]);
  expect(ran.stderr).toContain("The workbook may be older than the last push from it");
  expect(ran.stderr).toContain("export it again");
});

test("no notice about a workbook with removed columns proposes --complete", async () => {
  const r = await exported();
  await change(r, 1, { image_url: "https://academy.example/1.png" });
  await r.run("courses ls --all --out book.xlsx --fields id,name,prices[0].price");
  const ran = await r.run("courses diff book.xlsx");
  expect([ran.code, ran.stdout]).toEqual([0, "Already up to date: 4 courses.\n"]);
  expect(ran.stderr).not.toContain("--complete");
});

test("with --complete, diff shows that the values of a removed column are cleared", async () => {
  const r = await exported();
  await change(r, 1, { image_url: "https://academy.example/1.png" });
  const names = "id,name,url,provider_id,short_description,long_description,audio,pace,published";
  await r.run(`courses ls --all --out book.xlsx --fields ${names},prices`);
  const without = await r.run("courses diff book.xlsx");
  expect(without.stdout).toBe("Already up to date: 4 courses.\n");
  const ran = await r.run("courses diff book.xlsx --complete");
  expect(ran.stdout).toContain('image_url: "https://academy.example/1.png" → none');
  expect(ran.stdout).toContain("1 course to update. 3 are up to date.\n");
});

test("a workbook with only some columns remembers all values, so that push sends its edited cells", async () => {
  const r = await exported();
  const fields = "id,name,prices[0].price";
  await r.run(["courses", "ls", "--all", "--out", "book.xlsx", "--fields", fields]);
  await type(r, [1, "prices[0].price", "105.00"]);
  for (const command of ["check", "diff"]) {
    expect((await r.run(["courses", command, "book.xlsx"])).code).toBe(0);
  }
  const ran = await push(r);
  expect([ran.code, sent(ran).length]).toEqual([0, 1]);
  expect((await stored(r, 1))?.prices).toEqual([
    expect.objectContaining({ ...PRICE, price: "105.00" }),
  ]);
});

test("price columns stay if one course has a subscription, and change nothing when they are read", async () => {
  const r = await exported();
  const monthly = {
    ...{ type: "subscription", price: "19.00", currency: "EUR", total_price: "228.00" },
    payment_period: { unit: "months", value: 1 },
  };
  await change(r, 2, { prices: [PRICE, monthly] });
  await r.run("courses ls --all --out book.xlsx");
  const book = read(await readFile(join(r.folder, "book.xlsx")));
  const [header = []] = utils.sheet_to_json<string[]>(book.Sheets.Courses ?? {}, { header: 1 });
  expect(header.filter((name) => name.startsWith("prices"))).toEqual([
    ...["type", "price", "currency"].map((key) => `prices[0].${key}`),
    ...["type", "price", "total_price", "payment_period.unit", "payment_period.value", "currency"]
      .map((key) => `prices[1].${key}`)
      .sort((one, other) => header.indexOf(one) - header.indexOf(other)),
  ]);
  expect(sent(await push(r))).toEqual([]);
  await type(r, [2, "prices[1].price", "21.00"], [1, "prices[0].price", "98.00"]);
  expect(sent(await push(r))).toHaveLength(2);
  expect((await stored(r, 2))?.prices).toMatchObject([PRICE, { ...monthly, price: "21.00" }]);
});

test("an emptied price is among the changes to look at first", async () => {
  const r = await exported();
  await type(r, [1, "prices[0].price", ""]);
  const ran = await r.run("courses diff book.xlsx");
  expect(ran.stdout).toContain("! Course 1: price 1: 99.00 → none\n");
});
