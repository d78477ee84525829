import { expect, test } from "vitest";
import { derivedId } from "../../src/course/request-body.ts";
import { PROVIDER_ID, type Rig, rig } from "../rig.ts";
import {
  expectRefused,
  id,
  jsonRows,
  numberedCourse,
  PATCH,
  PRICES,
  requestsOf,
  rigWith,
  storedCourses,
  unreliableService,
} from "./helpers.ts";

/** Starts a rig with course 1, which has a level, an image and prices. */
async function rigWithCourse(): Promise<Rig> {
  return await rigWith(
    numberedCourse(1, { level: ["beginner"], image_url: "https://i.example/1", prices: PRICES }),
  );
}

/** A rig with a course that has two prices, one that has the first, and one without any. */
async function rigWithPrices(): Promise<Rig> {
  return await rigWith(
    numberedCourse(1, { prices: PRICES }),
    numberedCourse(2, { prices: [PRICES[0]] }),
    numberedCourse(3),
  );
}

test("update prefers the values of flags over the values of the file, and clears a field for null in a file and for --unset", async () => {
  const r = await rigWithCourse();
  await r.write("part.yaml", `id: ${id(1)}\nname: File\nimage_url: null\n`);
  await r.run("courses update part.yaml --name Flag --unset level");
  expect(await storedCourses(r)).toMatchObject([
    { name: "Flag", image_url: null, level: [], prices: PRICES },
  ]);
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
  const row = (number: number, name: string) => JSON.stringify({ id: id(number), name });
  for (const [name, input] of [
    ["JSON", `\ufeff \n[${row(1, "JSON")},${row(2, "JSON")}]`],
    ["YAML", `---\nid: ${id(1)}\nname: YAML\n---\nid: ${id(2)}\nname: YAML\n`],
    ["CSV", `id,name\n${id(1)},CSV\n${id(2)},CSV\n`],
    ["NDJSON", `${row(1, "NDJSON")}\n${row(2, "NDJSON")}\n`],
  ] as const) {
    const ran = await r.run("courses update -", { input });
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("Updated 2 courses.")]);
    expect(await names()).toEqual([name, name]);
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

test("update changes only the given fields of every course in its files, found by id or key", async () => {
  const keyed = derivedId({ provider_id: PROVIDER_ID, key: "SKU-3" });
  const r = await rigWith(numberedCourse(1), numberedCourse(2), numberedCourse(3, { id: keyed }));
  const before = await storedCourses(r);
  await r.write("a.csv", `id;name\r\n${id(1)};One\r\n${id(2)};Two\r\n`);
  await r.write("b.yaml", "key: SKU-3\nprices: null\nname: Three\n");
  const ran = await r.run("courses update a.csv b.yaml --set level=[beginner]");
  expect(ran).toMatchObject({ code: 2 });
  const done = await r.run(["courses", "update", "a.csv", "b.yaml", "--set", 'level=["beginner"]']);
  expect(done).toMatchObject({ code: 0, stdout: "" });
  expect(requestsOf(done, "PATCH")).toHaveLength(3);
  const names = ["One", "Two", "Three"];
  expect(await storedCourses(r)).toEqual(
    before.map((course, index) => ({ ...course, name: names[index], level: ["beginner"] })),
  );
});

test("update reports a course that does not exist at its id or key, and changes no other course", async () => {
  const r = await rigWith();
  const rows = `key,id,name\nSKU-9,,Nine\n,${id(9)},Ten\n,${id(1)},One\n`;
  await r.write("a.csv", rows);
  const ran = await r.run("courses update a.csv");
  expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([5, []]);
  expect(ran.stderr).toContain('a.csv:2:1: error: no course has the key "SKU-9"');
  expect(ran.stderr).toContain(`a.csv:3:2: error: no course has the id "${id(9)}"`);
});

const UPDATE = ["courses", "update", "p.csv"];

test("update reads an amount with a decimal comma in a table, and neither it nor check --fix decides about one that is ambiguous", async () => {
  const courses = [1, 2, 3].map((number) => numberedCourse(number, { prices: PRICES }));
  const r = await rigWith(...courses);
  const rows = courses.map((each) => `${each.id};1,299\r\n`);
  await r.write("p.csv", `id;prices[0].price\r\n${rows.join("")}`);
  const ran = await r.run(UPDATE);
  expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([3, []]);
  const fixed = await r.run("courses check --fix p.csv");
  expect(fixed.stdout).toContain("No automatic fixes.");
  await r.write("p.csv", `id;prices[0].price\r\n${id(1)};1.299,50\r\n`);
  expect((await r.run(UPDATE)).code).toBe(0);
  expect((await storedCourses(r))[0]?.prices).toMatchObject([{ price: "1299.50" }, {}]);
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

test("update --unset removes parts of a field by their original indexes, and --set adds a key or an element", async () => {
  const r = await rigWithCourse();
  const words = ["--set", "certificate.type=free", "--unset", "prices[0]", "--unset", "prices[1]"];
  const more = ["--set", 'prices[2]={"type":"single_course","price":"3","currency":"EUR"}'];
  const ran = await r.run(["courses", "update", id(1), ...words, ...more]);
  expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([0, [PATCH]]);
  expect(await storedCourses(r)).toMatchObject([
    { certificate: { type: "free" }, prices: [{ price: "3", currency: "EUR" }] },
  ]);
});

test.each([
  ["--set name", ["--name", "A", "--set", "name=B"]],
  ["--set prices[0].price", ["--set", "prices[0].price=80", "--unset", "prices[0]"]],
  ["--set level", ["--unset", "level", "--set", "level=beginner"]],
  ["--set provider", ["--set", "provider=example-academy", "--set", `provider_id=${id(1)}`]],
])(
  "update refuses two flags of which one would have no effect: %s and another one",
  async (flag, words) => {
    const ran = await (await rigWithCourse()).run(["courses", "update", id(1), ...words]);
    expect([ran.code, ran.requests]).toEqual([2, []]);
    expect(ran.stderr).toMatch(/ cannot be combined with /);
    expect(ran.stderr).toContain(flag);
  },
);

test.each([
  ["--set", "prices[1].price=25", 0],
  ["--unset", "prices[1].type", 2],
])(
  "update refuses only new errors, not an error that the course already had: %s %s",
  async (flag, value, code) => {
    const r = await rigWithCourse();
    const [first] = await storedCourses(r);
    const prices = [{ ...PRICES[0], currency: "XXQ" }, PRICES[1]];
    const body = JSON.stringify([{ ...first, prices }]);
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "GET" ? { status: 200, body } : { status: 204 },
    );
    const ran = await r.run(["courses", "update", id(1), flag, value], { environment });
    expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([code, code === 0 ? [PATCH] : []]);
  },
);

async function storedPrices(r: Rig): Promise<unknown[]> {
  return (await storedCourses(r)).map(({ prices }) => prices);
}

test("update changes only the values of columns with paths, in several fields and in tab-separated text", async () => {
  const instructors = [{ name: "Ada", main: true }, { name: "Bo" }];
  const video = { type: "youtube", id: "abcdefghijk", thumbnail_url: "https://i.example/old" };
  const r = await rigWith(numberedCourse(1, { instructors, video, prices: PRICES }));
  const header = "id\tinstructors[0].name\tvideo.thumbnail_url\tprices[1].price";
  await r.write("p.tsv", `${header}\n${id(1)}\tEva\thttps://i.example/new\t21\n`);
  const ran = await r.run("courses update p.tsv");
  expect([ran.code, requestsOf(ran, "PATCH").length]).toEqual([0, 1]);
  expect(await storedCourses(r)).toMatchObject([
    {
      instructors: [{ name: "Eva", main: true }, { name: "Bo" }],
      video: { ...video, thumbnail_url: "https://i.example/new" },
      prices: [PRICES[0], { ...PRICES[1], price: "21" }],
    },
  ]);
});

test("update clears a value with null, and removes an element of a list with null", async () => {
  const video = { type: "youtube", id: "abcdefghijk", thumbnail_url: "https://i.example/t" };
  const r = await rigWith(
    numberedCourse(1, { prices: PRICES, video }),
    numberedCourse(2, { prices: [PRICES[0]] }),
  );
  const rows = [1, 2].map((number) => `${id(number)};null;null\n`).join("");
  await r.write("p.csv", `id;prices[1];video.thumbnail_url\n${rows}`);
  const ran = await r.run(UPDATE);
  expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([0, [PATCH]]);
  const [first] = await storedCourses(r);
  expect(first).toMatchObject({ prices: [PRICES[0]], video: { type: "youtube" } });
  expect(first?.video).not.toHaveProperty("thumbnail_url", video.thumbnail_url);
});

test("update adds an element to a list if the row has all its values, in any order of columns", async () => {
  const r = await rigWithPrices();
  const header = "id;prices[1].price;prices[1].type;prices[1].currency;prices[0].price";
  await r.write("p.csv", `${header}\n${id(2)};20;single_course;GBP;11\n`);
  expect((await r.run(UPDATE)).code).toBe(0);
  expect((await storedPrices(r))[1]).toEqual([{ ...PRICES[0], price: "11" }, PRICES[1]]);
});

test("update reports incomplete elements and elements after a gap at their cells, and sends nothing", async () => {
  const r = await rigWithPrices();
  await r.write("p.csv", `id;prices[1].price\n${id(1)};7\n${id(2)};8\n${id(3)};9\n${id(9)};1\n`);
  const ran = await r.run(UPDATE);
  expect([ran.code, ran.stdout, requestsOf(ran, "PATCH")]).toEqual([3, "", []]);
  for (const line of [3, 4]) {
    const missing = `error: cell B${line}: prices[1].type is missing [incomplete]\n`;
    expect(ran.stderr).toContain(`p.csv:${line}:38: ${missing}`);
  }
  expect(ran.stderr).toContain(`p.csv:5:1: error: no course has the id "${id(9)}"`);
  expect(ran.stderr).not.toContain("p.csv:2:");
});

const EXPORT = ["courses", "ls", "--all", "--fields", "id,prices[0].price", "--output"];

test.each([
  ["ndjson", "p.ndjson", 2],
  ["yaml", "p.yaml", 4],
  ["json", "-", 8],
])(
  "update changes only the value of a key with a path that ls --fields wrote as %s, and reports a wrong value at the key (%s)",
  async (format, file, line) => {
    const r = await rigWithPrices();
    const { stdout: written } = await r.run([...EXPORT, format]);
    const update = async (text: string) => {
      if (file !== "-") await r.write(file, text);
      return await r.run(["courses", "update", file], { input: text });
    };
    const changed = await update(written.replace("10", "11"));
    expect([changed.code, requestsOf(changed, "PATCH").length]).toEqual([0, 1]);
    const [first, second] = PRICES;
    const prices = [[{ ...first, price: "11" }, second], [first], null];
    expect(await storedPrices(r)).toEqual(prices);
    const at = written.lastIndexOf("10");
    const wrong = await update(`${written.slice(0, at)}x${written.slice(at + 2)}`);
    expect([wrong.code, requestsOf(wrong, "PATCH")]).toEqual([3, []]);
    const name = file === "-" ? "<stdin>" : file;
    expect(wrong.stderr).toMatch(
      new RegExp(`^${name}:${line}:\\d+: error: prices\\[0\\]\\.price must be .*"x"`, "m"),
    );
  },
);

test.each([
  [{ prices: PRICES, "prices[0].price": "7" }, /: error: unknown field .*no other field sets it/],
  [{ "prices[1].price": "7" }, /: error: prices\[1\]\.type is missing/],
  [{ "prices[99999].price": "7" }, /: error: unknown field .*if the course has this value/],
])(
  "update reports a key with a path at the key if %j cannot be one change",
  async (values, error) => {
    const r = await rigWithPrices();
    await r.write("p.ndjson", `\n${JSON.stringify({ id: id(2), ...values })}\n`);
    const ran = await r.run("courses update p.ndjson");
    expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([3, []]);
    expect(ran.stderr).toMatch(error);
    expect(ran.stderr).toMatch(/^p\.ndjson:2:[4-9]\d|^p\.ndjson:2:1\d\d/);
  },
);

test("only update accepts keys with paths", async () => {
  const r = await rigWithPrices();
  await r.write("p.json", numberedCourse(1, { "prices[0].price": "7" }));
  const ran = await r.run("courses check p.json");
  expect(ran.code).toBe(3);
  expect(ran.stdout).toContain('unknown field ["prices[0].price"]: only update accepts a path');
});
