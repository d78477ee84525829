/** `courses preview`: cards of courses in files and in the catalog, as a file or in the browser. */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test, vi } from "vitest";
import { StopRequest } from "../../src/cli/context.ts";
import { main } from "../../src/main.ts";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { writeExecutable } from "../executable.ts";
import { course, MemoryOutput, rig } from "../rig.ts";
import { numberedCourse, rigWith } from "./helpers.ts";

/** The texts of the elements with a class, without markup. */
function textsOf(page: string, name: string): string[] {
  const pattern = new RegExp(`<(\\w+) class="${name}[ "][^]*?</\\1>`, "g");
  return [...page.matchAll(pattern)].map(([element]) => element.replace(/<[^>]*>/g, "").trim());
}

/** The names of the courses of a page, in their order. */
function namesOn(page: string): (string | undefined)[] {
  const names = page.matchAll(/<h2 id="n\d+"[^>]*>(?:<a[^>]*>)?([^<]*)/g);
  return Array.from(names, ([, name]) => name);
}

test("preview needs no API key, sends nothing, and writes one file with a card for each course", async () => {
  const r = await rig();
  await r.write("courses/a.json", course({ name: "Knitting" }));
  await r.write("courses/b.yaml", "name: Sewing\nurl: https://academy.example/sewing\n");
  const ran = await r.run("courses preview courses --out page.html", {
    environment: { CATALOG_API_KEY: undefined, CATALOG_BASE_URL: undefined },
  });
  expect(ran).toMatchObject({ code: 0, requests: [], stdout: "" });
  expect(ran.stderr).toBe("Wrote 2 courses to page.html.\n");
  const page = await r.read("page.html");
  expect(namesOn(page)).toEqual(["Sewing", "Knitting"]);
  expect(page).not.toMatch(/<img|https?:\/\/(?!academy\.example)/);
});

test("preview exits with 0 for courses with problems, and shows them first, with links, and opens only their cards", async () => {
  const r = await rig();
  const wrong = course({ name: "Wrong", pace: "slow", prices: [{ type: "free" }] });
  await r.write("a.json", [numberedCourse(1), { ...wrong, url: "https://a.example/2" }]);
  const ran = await r.run("courses preview a.json --out page.html");
  expect(ran.code).toBe(0);
  const page = await r.read("page.html");
  expect(textsOf(page, "badge failed")).toEqual(["2 errors"]);
  expect(page).toMatch(/<h2 id="problems">.*<a href="#c1"><bdi>Wrong<\/bdi><\/a>: 2 errors/);
  const cards = page.split("<article").slice(1);
  const heads = cards.map((card) => [/Wrong|Course 1/.exec(card)?.[0], card.includes(" open>")]);
  expect(heads).toEqual([
    ["Wrong", true],
    ["Course 1", false],
  ]);
});

test("preview orders numbers in names as numbers, and finds one provider by its slug and by its id without the service", async () => {
  const r = await rig();
  const { provider_id: _, ...bySlug } = course({ name: "Part 2", url: "https://a.example/2" });
  const others = [10, 1].map((number) =>
    course({ name: `Part ${number}`, url: `https://a.example/${number}` }),
  );
  await r.write("a.json", [{ ...bySlug, provider: "a-example" }, ...others]);
  await r.run("courses preview a.json --out page.html", {
    environment: { CATALOG_API_KEY: undefined, CATALOG_BASE_URL: undefined },
  });
  const page = await r.read("page.html");
  expect(namesOn(page)).toEqual(["Part 1", "Part 2", "Part 10"]);
  expect(new Set(textsOf(page, "provider"))).toEqual(new Set(["a.example"]));
});

test("preview folds the slug of a course with the other technical fields", async () => {
  const r = await rig();
  await r.write("a.json", course({ slug: "knitting-7f3a" }));
  await r.run("courses preview a.json --out page.html");
  const [shown = "", technical = ""] = (await r.read("page.html")).split(
    "<summary>Technical fields</summary>",
  );
  expect(shown).not.toContain("knitting-7f3a");
  expect(technical).toContain('<dt><bdi>Slug</bdi></dt><dd><bdi dir="auto">knitting-7f3a');
});

test("preview without files shows the courses in the catalog with their states", async () => {
  const r = await rigWith(numberedCourse(1, { published: false }), numberedCourse(2));
  const ran = await r.run("courses preview --out page.html");
  expect(ran).toMatchObject({ code: 0, stderr: "Wrote 2 courses to page.html.\n" });
  const page = await r.read("page.html");
  expect(page).toContain("<h1>2 courses</h1>");
  expect(textsOf(page, "badge off")).toEqual(["Not published"]);
  expect(textsOf(page, "provider")).toEqual(["Example Academy", "Example Academy"]);
});

/** Previews a file on a terminal, with a program in place of the browser. */
async function previewInBrowser(program: string, platform: NodeJS.Platform = "linux") {
  const r = await rig();
  await r.write("a.json", course({ name: "Weaving" }));
  const name = platform === "win32" ? "explorer.exe" : "xdg-open";
  writeExecutable(join(r.folder, await r.write(`bin/${name}`, "")), `#!/bin/sh\n${program}`);
  writeExecutable(join(r.folder, name), "#!/bin/sh\nprintf hostile > opened.txt\n");
  const TMPDIR = join(r.folder, "$(touch run)");
  await mkdir(TMPDIR);
  const [out, err] = [new MemoryOutput(true), new MemoryOutput(true)];
  const PATH = `${join(r.folder, "bin")}:${process.env.PATH}`;
  const Path = `.;"";"${join(r.folder, "bin")}"`;
  const environment = { TMPDIR, ...(platform === "win32" ? { Path } : { PATH }) };
  const stop = new StopRequest();
  const system = r.system({ out, err, terminal: true, environment });
  const ended = main(["courses", "preview", "a.json"], { ...system, platform, stop });
  if (platform === "win32") await vi.waitFor(() => r.read("opened.txt"), 10_000);
  else await ended;
  stop.abort("SIGINT");
  const code = await ended;
  const [page = ""] = await readdir(TMPDIR);
  return { r, code, stdout: out.text, stderr: err.text, path: join(TMPDIR, page) };
}

test("preview opens a temporary page that only the user can read, in a browser that gets no API key and no shell", async () => {
  const program = 'env > seen.txt; printf %s "$1" > opened.txt\n';
  const { r, code, stdout, stderr, path } = await previewInBrowser(program);
  expect([code, stdout]).toEqual([0, ""]);
  expect(stderr.replace(/\n(?!$)/, " ")).toContain(`Wrote 1 course to ${path}.`);
  expect(await r.read("opened.txt")).toBe(pathToFileURL(path).href);
  expect(await r.read("seen.txt")).not.toContain(DEFAULT_KEY);
  expect(existsSync(join(r.folder, "run"))).toBe(false);
  expect(await readFile(path, "utf8")).toContain("Weaving");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("preview names the page and exits with 0 if the browser fails", async () => {
  const { code, stderr, path } = await previewInBrowser("exit 3\n");
  expect(code).toBe(0);
  expect(stderr.replace(/\n(?!$)/, " ")).toContain(`Wrote 1 course to ${path}.`);
  expect(stderr).toContain("cannot open the browser: xdg-open ended with exit code 3");
});

test("preview on Windows starts the explorer.exe of PATH, and nothing of the current folder", async () => {
  const { r } = await previewInBrowser("printf own > opened.txt; exit 1\n", "win32");
  expect(await r.read("opened.txt")).toBe("own");
});
