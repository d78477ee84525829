/** `import --suggest --out`: the file with the mapping, and the questions on a terminal. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { StopRequest } from "../../src/command-support/context.ts";
import { main } from "../../src/main.ts";
import { MemoryOutput, type Rig } from "../rig.ts";
import { rigWith } from "./helpers.ts";

const TABLE = [
  "Kursübersicht 2027;;;",
  ";;;",
  "Titel;Status;Dauer;URL",
  "Stricken;veröffentlicht;3 Tage;https://academy.example/a",
  "Häkeln;Entwurf;16 UE;https://academy.example/b",
  "Weben;in Prüfung;8 Std.;https://academy.example/c",
  "",
].join("\n");

const WORDS = ["courses", "import", "kurse.csv", "--suggest", "--out", "kurse.jsonata"];

const HEADER = "Which row is the header?";
const STATUS = 'Does "in Prüfung" in column "Status" mean published?';
const DAY = "How many hours are a day";

/** What a user types at each question; for other questions, the enter key. Undefined means Ctrl-C. */
type Typed = Readonly<Record<string, string | undefined>>;

/** Runs a command line on a terminal. */
async function runTyping(r: Rig, typed: Typed, words: readonly string[] = WORDS) {
  const [out, err] = [new MemoryOutput(true, 400), new MemoryOutput(true, 400)];
  const environment = { NO_COLOR: "1" };
  const system = {
    ...r.system({ out, err, terminal: true, environment }),
    stop: new StopRequest(),
  };
  const input = new PassThrough();
  const asked: string[] = [];
  // The first prompt would end it; standard error cannot be ended.
  err.stream.end = () => err.stream;
  err.stream.on("data", () => {
    const questions = [...Object.keys(typed), HEADER, STATUS, DAY];
    const question = questions.find((each) => err.text.includes(each) && !asked.includes(each));
    if (question === undefined) return;
    asked.push(question);
    // The prompt is not listening yet.
    setImmediate(() => {
      if (question in typed && typed[question] === undefined) system.stop.send("SIGINT");
      else input.write(`${typed[question] ?? ""}\n`);
    });
  });
  const io = { ...system.io, in: { isTerminal: true, stream: input } };
  const code = await main(words, { ...system, io });
  return { code, asked, stdout: out.text, stderr: err.text };
}

async function rigWithTable(text = TABLE): Promise<Rig> {
  const r = await rigWith();
  await r.write("kurse.csv", text);
  return r;
}

function readMapping(r: Rig): Promise<string> {
  return readFile(join(r.folder, "kurse.jsonata"), "utf8");
}

describe("--suggest --out on a terminal", () => {
  test("import --suggest --out asks for the header, the statuses and the hours, and writes the answers", async () => {
    const r = await rigWithTable();
    const typed = { [STATUS]: "y", [DAY]: "7,5" };
    const ran = await runTyping(r, typed);
    expect(ran).toMatchObject({ code: 0, asked: [HEADER, STATUS, DAY], stdout: "" });
    expect(ran.stderr).toContain(
      "Wrote the mapping to kurse.jsonata. Check the mapping, then run: catalog courses import kurse.csv --header-row 3 --map kurse.jsonata --out <folder>\n",
    );
    const mapping = await readMapping(r);
    expect(mapping).toContain("catalog courses import kurse.csv --header-row 3 --map <this file>");
    expect(mapping).toContain(
      '"published": $choice(Status, {\n    "veröffentlicht": true,\n    "Entwurf": false,\n    "in Prüfung": true\n  }) = true',
    );
    expect(mapping).toContain('"duration_in_hours": $hours(Dauer, { "day": 7.5 })');
    const words = ["courses", "import", "kurse.csv", "--map", "kurse.jsonata", "--format", "json"];
    expect(JSON.parse((await r.run(words)).stdout)).toMatchObject([
      { published: true, duration_in_hours: 22.5 },
      { published: false },
      { published: true, duration_in_hours: 8 },
    ]);
  });

  test("import --suggest --out uses the known values and a day of 8 hours for the enter key", async () => {
    const r = await rigWithTable();
    expect((await runTyping(r, {})).code).toBe(0);
    const mapping = await readMapping(r);
    expect(mapping).toContain(
      '"veröffentlicht": true,\n    "Entwurf": false,\n    "in Prüfung": false',
    );
    expect(mapping).toContain('$hours(Dauer, { "day": 8 })');
    expect(mapping).toContain("not understood: 16 UE");
  });

  test("import --suggest --out reads the header from the row that the user types", async () => {
    const r = await rigWithTable(
      "Liste;;\n;;\nTitel;Link;Art\nTitle;Address;Kind\nA;https://a.example/a;x\n",
    );
    expect((await runTyping(r, { [HEADER]: "4" })).code).toBe(0);
    const mapping = await readMapping(r);
    expect(mapping).toContain("--header-row 4");
    expect(mapping).toContain('"name": Title,');
  });

  test("import --suggest --out asks about each value of a status column without known values", async () => {
    const r = await rigWithTable("Titel;Status\nA;neu\nB;alt\n");
    const [first, second] = ['Does "neu" in column', 'Does "alt" in column'];
    const ran = await runTyping(r, { [first]: "", [second]: "y" });
    expect(ran).toMatchObject({ code: 0, asked: [first, second] });
    expect(ran.stderr).not.toContain("will be published");
    expect(await readMapping(r)).toContain('"neu": false,\n    "alt": true');
  });

  test("import --suggest --out asks again after an answer that it does not understand", async () => {
    const r = await rigWithTable();
    const [row, hours] = ["Type the number of the row", "Type a number of hours"];
    const ran = await runTyping(r, {
      ...{ [HEADER]: "first", [row]: "\u00153", [DAY]: "eight", [hours]: "\u00156" },
    });
    expect([ran.code, ran.asked]).toEqual([0, [HEADER, row, STATUS, DAY, hours]]);
    expect(await readMapping(r)).toContain('{ "day": 6 }');
  });

  test("import --suggest --out exits with 130 and writes nothing after Ctrl-C", async () => {
    const r = await rigWithTable();
    expect((await runTyping(r, { [DAY]: undefined })).code).toBe(130);
    expect(await readdir(r.folder)).toEqual(["kurse.csv"]);
  });

  test("import --suggest --out overwrites an existing file only if the answer is yes", async () => {
    const r = await rigWithTable();
    await r.write("kurse.jsonata", "mine");
    const question = "kurse.jsonata already exists. Overwrite it?";
    const refused = await runTyping(r, { [question]: "n" });
    expect([refused.code, refused.asked, await readMapping(r)]).toEqual([2, [question], "mine"]);
    expect((await runTyping(r, { [question]: "y" })).code).toBe(0);
    expect(await readMapping(r)).toContain("This mapping turns kurse.csv");
  });

  test("import --suggest asks nothing without --out or with --yes", async () => {
    const r = await rigWithTable();
    const printed = await runTyping(r, {}, WORDS.slice(0, 4));
    expect([printed.code, printed.asked]).toEqual([0, []]);
    expect(printed.stdout).toContain("$hours(Dauer)");
    const written = await runTyping(r, {}, [...WORDS, "--yes"]);
    expect([written.code, written.asked]).toEqual([0, []]);
    expect(await readMapping(r)).toBe(printed.stdout);
  });
});

describe("--suggest --out without a terminal", () => {
  test("import --suggest --out writes the mapping without questions off a terminal and in CI", async () => {
    const r = await rigWithTable();
    expect(await r.run(WORDS)).toMatchObject({ code: 0, stdout: "" });
    expect(await readMapping(r)).toContain('"published": $published(Status) = true');
    const ci = await r.run([...WORDS, "--yes"], { terminal: true, environment: { CI: "true" } });
    expect(ci.code).toBe(0);
  });

  test("import --suggest --out overwrites no file off a terminal unless --yes is passed", async () => {
    const r = await rigWithTable();
    await r.write("kurse.jsonata", "mine");
    const ran = await r.run(WORDS);
    expect([ran.code, ran.stderr, await readMapping(r)]).toEqual([
      2,
      "error: kurse.jsonata already exists\n  Choose another name, or pass --yes to overwrite it.\n",
      "mine",
    ]);
    expect((await r.run([...WORDS, "--yes"])).code).toBe(0);
    expect(await readMapping(r)).toContain("This mapping turns kurse.csv");
  });

  test.each(["a.yaml", "a.csv", "a.ndjson"])("import --suggest refuses --out %s", async (out) => {
    const r = await rigWithTable();
    const ran = await r.run([...WORDS.slice(0, 5), out]);
    expect([ran.code, ran.stderr]).toEqual([
      2,
      `error: --suggest writes a mapping, but ${out} is the name of a course file\n  Choose a name that ends in .jsonata. For example: --out mapping.jsonata\n`,
    ]);
  });
});
