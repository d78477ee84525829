/**
 * Writes docs/pictures/page-*.png: pages of the built program in Chromium. Their words are written to screenshots.txt next
 * to this file, because other machines have other fonts. With --check it writes nothing, and exits with 1 if a page has
 * other words than its picture.
 */
import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { ROOT } from "./packed.mjs";

/** The pages: their names, the heights of their pictures, and the commands that write them, in this order. */
const PAGES = [
  ["preview", 1020, "courses preview --out preview.html"],
  ["review", 1020, "courses diff courses --report html=review.html"],
  ["decide", 1020, "courses diff courses --out plan.ndjson --report html=decide.html"],
];

/** The words of a page that its picture can show. */
const WORDS = 120;

const isCheck = process.argv.includes("--check");
const folder = await mkdtemp(join(tmpdir(), "catalog-screenshots-"));
try {
  await cp(join(ROOT, "examples/courses"), join(folder, "courses"), { recursive: true });
  await cp(join(ROOT, "examples/courses"), join(folder, "before"), { recursive: true });
  await changeFile(join(folder, "courses/exercism.org/typescript.yaml"));
  const catalog = `"${process.execPath}" "${ROOT}bin/catalog.js"`;
  const script = [
    // One request at a time fixes the order of the courses.
    `${catalog} courses push --quiet --yes --concurrency 1 before`,
    `${catalog} sandbox approve $(${catalog} courses ls -o id --limit 5)`,
    ...PAGES.map(([, , command]) => `${catalog} ${command}`),
  ].join("\n");
  execFileSync(
    process.execPath,
    [
      ...[join(ROOT, "bin/catalog.js"), "sandbox", "--seed", join(ROOT, "examples/providers.json")],
      ...["--", "sh", "-c", script],
    ],
    { cwd: folder, env: { ...process.env, HOME: folder }, stdio: ["ignore", "ignore", "inherit"] },
  );
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  const words = [];
  for (const [name, height] of PAGES) {
    const page = await browser.newPage({ viewport: { width: 1100, height } });
    await page.goto(`file://${folder}/${name}.html`);
    if (name === "decide") {
      await page.getByLabel("Not OK").first().check();
      await page.getByLabel("What is wrong?").first().fill("The course is free until May.");
      await page.getByLabel("Your name").fill("Ada");
    }
    const text = (await page.locator("body").innerText()).replace(/[\d-]{10} \d\d:\d\d/, "…");
    words.push(`page-${name}.png: ${text.split(/\s+/).slice(0, WORDS).join(" ")}\n`);
    if (!isCheck) await page.screenshot({ path: join(ROOT, `docs/pictures/page-${name}.png`) });
  }
  await browser.close();
  const file = join(ROOT, "tools/scripts/screenshots.txt");
  if (!isCheck) await writeFile(file, words.join("\n"));
  else if ((await readFile(file, "utf8")) !== words.join("\n")) {
    process.stderr.write("docs/pictures/page-*.png are out of date: run npm run screenshots\n");
    process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
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
