/** Walk-throughs in documents are executed as they are written, and lead to the result that they promise. */
import { execFile } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { MAPPING_FUNCTIONS } from "../../src/import/mapping-functions.ts";
import { DEFAULT_KEY, parseSeed } from "../../src/sandbox/seed.ts";
import { bytesOf, type Rig, type RunOptions, rig, testClock } from "../rig.ts";
import { storedCourses } from "./helpers.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A rig with the providers of the examples, and the exports of examples/import. */
async function rigWithExports(): Promise<Rig> {
  const providers = JSON.parse(await readFile(join(ROOT, "examples/providers.json"), "utf8"));
  const r = await rig({ seed: parseSeed(providers, testClock()) });
  await cp(join(ROOT, "examples/import"), r.folder, { recursive: true });
  return r;
}

/** The lines of the shell snippets in a document, or in its section with that heading, without comments. */
async function shellLines(document: string, heading?: string): Promise<string[]> {
  const text = await readFile(join(ROOT, document), "utf8");
  const [, below = text] = heading === undefined ? [] : text.split(`\n${heading}\n`);
  const [section = ""] = heading === undefined ? [text] : below.split(/^###? /m);
  const snippets = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, lines = ""]) => lines);
  const lines = snippets.flatMap((snippet) => snippet.replaceAll("\\\n", "").trim().split("\n"));
  return lines.map((line) => line.replace(/ +# .*/, ""));
}

/** Runs a line, in a shell unless it is a command of the program. @returns its messages */
async function runLine(r: Rig, line: string, options: RunOptions = {}): Promise<string> {
  if (!line.startsWith("catalog ")) {
    await promisify(execFile)("sh", ["-c", line], { cwd: r.folder });
    return "";
  }
  const [command = "", target] = line.split(" > ");
  const ran = await r.run(command.split(/ +/).slice(1), options);
  expect([line, ran.code, ran.stderr]).toEqual([line, 0, expect.not.stringContaining("error")]);
  if (target?.endsWith(".xlsx")) await r.write(target, bytesOf(ran.stdout));
  else if (target !== undefined) await r.write(target, ran.stdout);
  return ran.stderr;
}

test("import: the walk-through in docs/how-to/import-from-another-system.md leads from four exports to pushed courses", async () => {
  const r = await rigWithExports();
  const lines = await shellLines("docs/how-to/import-from-another-system.md");
  expect(lines.filter((line) => line.startsWith("catalog")).length).toBeGreaterThan(10);
  const outputs: string[] = [];
  for (const line of lines) outputs.push(await runLine(r, line));
  expect(outputs.join("")).toContain("Wrote no files: 3 unchanged");
  expect(await storedCourses(r)).toHaveLength(8);
}, 60_000);

test("docs/how-to/import-from-another-system.md: its table has every function of mappings", async () => {
  const page = await readFile(join(ROOT, "docs/how-to/import-from-another-system.md"), "utf8");
  const listed = Array.from(page.matchAll(/^\| `\$(\w+)\(x[^)]*\)` \|/gm), ([, name]) => name);
  expect(listed.sort()).toEqual(Object.keys(MAPPING_FUNCTIONS).sort());
});

test("docs/how-to/import-from-another-system.md: the recipes do what is said about them", async () => {
  const r = await rigWithExports();
  const page = await readFile(join(ROOT, "docs/how-to/import-from-another-system.md"), "utf8");
  const recipes = Array.from(
    page.matchAll(/```jsonata\n([\s\S]*?)```/g),
    ([, recipe = ""]) => recipe,
  );
  const header = "Titel;Untertitel;Kursart;Zielgruppe;Status;Art;Preis;Bild";
  const rows = [
    "A;eins;präsenz;Profis;fertig;;49,90 €;https://a.example/a.png",
    "B;;Hybrid;;;intern;kostenlos;b.png",
    "C;;Online;Alle;neu;extern;auf Anfrage;",
  ];
  await r.write("a.csv", [header, ...rows, ""].join("\n"));
  const found: unknown[] = [];
  for (const recipe of recipes) {
    await r.write("a.jsonata", recipe);
    const words = ["courses", "import", "a.csv", "--map", "a.jsonata", "--format", "json"];
    found.push(JSON.parse((await r.run(words)).stdout));
  }
  const [A, B, C] = [{ name: "A" }, { name: "B" }, { name: "C" }];
  expect(found).toEqual([
    [
      { ...A, pace: "instructor_paced", level: ["advanced"] },
      { ...B, level: ["beginner"] },
      { ...C, pace: "self_paced", level: ["beginner"] },
    ],
    [
      { ...A, published: true },
      { ...B, published: false },
      { ...C, published: false },
    ],
    [A, C],
    [{ name: "A: eins" }, B, C],
    [
      { ...A, prices: [{ type: "single_course", price: "49.90", currency: "EUR" }] },
      { ...B, free_content: true },
      C,
    ],
    [
      { ...A, short_description: "eins", url: "https://academy.example/courses/a" },
      { ...B, short_description: "B", url: "https://academy.example/courses/b" },
      { ...C, short_description: "C", url: "https://academy.example/courses/c" },
    ],
    [
      { ...A, image_url: "https://a.example/a.png" },
      { ...B, image_url: "https://academy.example/b.png" },
      C,
    ],
  ]);
});

test("README.md: the lines of “Your first course” create a course of a new user, and undo it", async () => {
  const r = await rig();
  const environment = { CATALOG_API_KEY: undefined, CATALOG_BASE_URL: undefined };
  // A test has no terminal: the answers are flags and input, and the editor is replaced by sed.
  const answers = new Map([
    ["catalog login", `catalog login --with-key --base-url ${r.sandbox.baseUrl}`],
    [
      "vi courses/intro.yaml",
      "sed -i.bak 's/Replace.this.with.a.language.code/en/; s/eplace.this/ntroduction/' courses/intro.yaml",
    ],
    ["catalog undo", "catalog undo --yes"],
  ]);
  const counts: number[] = [];
  for (const line of await shellLines("README.md", "## Your first course")) {
    await runLine(r, answers.get(line) ?? line, { environment, input: DEFAULT_KEY });
    counts.push((await storedCourses(r)).length);
  }
  expect(counts).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 0]);
});

test("README.md: the lines about other systems, reports, records and spreadsheets run as they are written", async () => {
  const r = await rigWithExports();
  await r.write("courses/catalog.defaults.yaml", "provider: swcarpentry-github-io\n");
  const counts: number[] = [];
  for (const heading of ["Other systems", "Checking", "History and undo", "Spreadsheets"]) {
    if (heading === "Spreadsheets") await runLine(r, "catalog courses push courses/");
    for (const line of await shellLines("README.md", `### ${heading}`)) {
      await runLine(r, line.replace('"$GITHUB_STEP_SUMMARY"', "summary.md").replaceAll("'", ""));
      counts.push((await storedCourses(r)).length);
    }
  }
  expect(counts).toEqual([0, 0, 0, 3, 3, 0, 3, 3, 3, 3, 3, 3]);
});
