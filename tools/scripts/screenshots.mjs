/**
 * Writes docs/pictures/*.png: pages of the built program in Chromium. No test compares them, because other machines
 * have other fonts. With a folder as its argument, it writes every page there instead, in three widths, light and
 * dark, and with courses in Arabic and Japanese.
 */
import { execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { ROOT } from "./packed.mjs";
import { withSources } from "./sources.mjs";

const run = promisify(execFile);
const PROGRAM = join(ROOT, "bin/catalog.js");
const OTHERS = [
  {
    name: "مقدمة في علم البيانات",
    url: "https://academy.example/data",
    provider: "example-academy",
    short_description: "تعلم أساسيات علم البيانات باستخدام Python في ستة أسابيع.",
    long_description: "من الجداول الأولى إلى الرسوم البيانية.",
    audio: ["ar"],
    pace: "self_paced",
  },
  {
    name: "はじめてのプログラミング",
    url: "https://academy.example/programming",
    provider: "example-academy",
    short_description: "六週間で最初のアプリを作ります。",
    long_description: "変数と関数から、自分のアプリまで。",
    audio: ["ja"],
    pace: "instructor_paced",
  },
];

const [folder] = process.argv.slice(2);
const work = await mkdtemp(join(tmpdir(), "catalog-screenshots-"));
const { CHROMIUM_FLAGS, findChromium } = await withSources(
  { "../test/browser/chromium.ts": ["CHROMIUM_FLAGS", "findChromium"] },
  async (found) => found,
);
const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
const sandbox = spawn(
  process.execPath,
  [PROGRAM, "sandbox", "--port", "0", "--seed", join(ROOT, "examples/providers.json")],
  { cwd: work, env: { ...process.env, HOME: work } },
);
try {
  const baseUrl = await printedUrl(sandbox);
  const key = "sandbox.0123456789abcdef";
  const env = { ...process.env, HOME: work, CATALOG_BASE_URL: baseUrl, CATALOG_API_KEY: key };
  const catalog = async (...words) =>
    await run(process.execPath, [PROGRAM, ...words], { cwd: work, env }).catch((error) => error);
  await cp(join(ROOT, "examples/courses"), join(work, "courses"), { recursive: true });
  await cp(join(ROOT, "examples/broken.yaml"), join(work, "broken.yaml"));
  await catalog("courses", "push", "--yes", "courses");
  const ids = (await catalog("courses", "ls", "-o", "id", "--limit", "5")).stdout
    .trim()
    .split("\n");
  await catalog("sandbox", "approve", ...ids);
  if (folder !== undefined)
    await writeFile(join(work, "courses/more.json"), JSON.stringify(OTHERS));
  await catalog("courses", "preview", "courses", "--online", "--out", "preview.html");
  await changeFile(join(work, "courses/exercism.org/typescript.yaml"));
  await catalog("courses", "diff", "courses", "--report", "html=review.html");
  await catalog("courses", "check", "broken.yaml", "--report", "html=problems.html");
  const pages = {
    "page-preview": { url: `file://${work}/preview.html`, height: 1020 },
    "page-review": { url: `file://${work}/review.html`, height: 1020 },
    "page-problems": { url: `file://${work}/problems.html`, height: 820 },
  };
  for (const [name, page] of Object.entries(pages)) {
    if (folder === undefined) {
      const path = join(ROOT, "docs/pictures", `${name}.png`);
      await photograph(page, { path, width: 1100 });
      continue;
    }
    await mkdir(folder, { recursive: true });
    for (const width of [320, 768, 1440]) {
      for (const colorScheme of ["light", "dark"]) {
        const path = join(resolve(folder), `${name}-${width}-${colorScheme}.png`);
        await photograph({ ...page, height: 1400 }, { path, width, colorScheme });
      }
    }
  }
} finally {
  sandbox.kill();
  await browser.close();
  await rm(work, { recursive: true, force: true });
}

/** The url that the sandbox prints when it is ready. */
async function printedUrl({ stdout }) {
  for await (const chunk of stdout) {
    const [url] = /http:\/\/[\d.]+:\d+/.exec(String(chunk)) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error("the sandbox did not start");
}

/** Changes five fields of a course. */
async function changeFile(path) {
  const before = await readFile(path, "utf8");
  const after = before
    .replace("writing more maintainable JavaScript.\nlong", "writing safer JavaScript.\nlong")
    .replace("TypeScript (TS) is a superset", "TypeScript (TS) is a typed superset")
    .replace(/^number_of_lessons: .*$/m, "number_of_lessons: 112")
    .replace(/^level:[\s\S]*?(?=^\w)/m, "level: [intermediate, advanced]\n")
    .concat("prices:\n  - { type: single_course, price: '49.00', currency: EUR }\n");
  await writeFile(path, after);
}

async function photograph({ url, height }, { path, width, colorScheme = "light" }) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  await page.goto(url);
  await page.screenshot({ path });
  await context.close();
}
