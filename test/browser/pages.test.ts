/** Pages as people use them: in both color schemes, with a keyboard, without scripts, on paper. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { numberedCourse, rigWith } from "../commands/helpers.ts";
import { realCourses } from "../real-courses.ts";
import { course, type Rig, rig } from "../rig.ts";
import { checkAccessibility, checkHtml, findMisplaced, useBrowser } from "./rig.ts";

const { open } = useBrowser();

const ARABIC = {
  name: "مقدمة في علم البيانات",
  short_description: "تعلم أساسيات علم البيانات باستخدام Python.",
  audio: ["ar"],
};
const HEBREW = {
  name: "network.py לתכנת במרחב הרשת",
  short_description: "HTML5, CSS3, JavaScript ועוד.",
  audio: ["he"],
};
const JAPANESE = {
  name: "はじめてのプログラミング",
  short_description: "六週間で最初のアプリを作ります。",
  audio: ["ja"],
};

/** A diff of files that change, create and delete courses of the catalog. */
async function reviewedDiff(
  ...flags: readonly string[]
): Promise<{ readonly html: string; readonly r: Rig }> {
  const r = await rigWith(
    numberedCourse(1, { prices: [{ type: "single_course", price: "49.00", currency: "EUR" }] }),
    numberedCourse(2, JAPANESE),
    numberedCourse(3),
    numberedCourse(4),
  );
  const files = [
    numberedCourse(1, {
      short_description: "Knit your first woollen scarf.",
      prices: [{ type: "single_course", price: "59.00", currency: "EUR" }],
      level: ["beginner"],
      free_content: true,
    }),
    numberedCourse(2, { ...JAPANESE, short_description: "八週間で最初のアプリを作ります。" }),
    numberedCourse(3, { long_description: "From casting on to binding off.\n\nAnd more." }),
    course({ ...ARABIC, url: "https://academy.example/data" }),
  ];
  await r.write("courses.json", JSON.stringify(files));
  const words = ["--prune", "--max-deletes", "100%", "--report", "html=diff.html", ...flags];
  const ran = await r.run(["courses", "diff", "courses.json", ...words]);
  expect(ran).toMatchObject({ code: 0 });
  return { html: await readFile(join(r.folder, "diff.html"), "utf8"), r };
}

/** The page of the run that applies that diff, from the history. */
async function historyPage(): Promise<string> {
  const { r } = await reviewedDiff();
  const push = ["courses", "push", "courses.json", "--prune", "--yes", "--max-deletes", "100%"];
  expect(await r.run([...push, "--record", "run.ndjson"])).toMatchObject({ code: 0 });
  await r.run(["history", "run.ndjson", "--report", "html=run.html"]);
  return await readFile(join(r.folder, "run.html"), "utf8");
}

/** The check of two courses with problems, and of two without. */
async function problemsPage(): Promise<string> {
  const r = await rig();
  const courses = [
    course({ ...ARABIC, url: "academy.example/1" }),
    course({ ...HEBREW, url: "https://academy.example/2", levl: "beginner" }),
    course({ url: "https://academy.example/3" }),
    course({ name: "Crochet", url: "https://academy.example/4" }),
  ];
  await r.write("courses.json", JSON.stringify(courses));
  await r.run(["courses", "check", "courses.json", "--report", "html=check.html"]);
  return await readFile(join(r.folder, "check.html"), "utf8");
}

/** The preview of real courses in 13 languages. */
async function realPreview(): Promise<string> {
  const r = await rig();
  const courses = [...realCourses().slice(0, 60), course(ARABIC), course(JAPANESE)];
  await r.write("courses.json", JSON.stringify(courses));
  await r.run(["courses", "preview", "courses.json", "--out", "page.html"]);
  return await readFile(join(r.folder, "page.html"), "utf8");
}

describe.each([
  ["a diff report", async () => (await reviewedDiff()).html],
  ["a plan to decide on", async () => (await reviewedDiff("--out", "plan.ndjson")).html],
  ["a preview of real courses", realPreview],
  ["a run of the history", historyPage],
  ["a check with problems", problemsPage],
])("the page of %s", (_, make) => {
  test.each([false, true])("a page meets the accessibility rules; dark: %s", async (dark) => {
    const { page } = await open(await make(), { dark, bypassCSP: true });
    expect(await checkAccessibility(page)).toEqual([]);
  });

  test("a page is valid HTML and sends nothing by itself", async () => {
    const text = await make();
    expect(await checkHtml(text)).toEqual([]);
    const { deeds } = await open(text);
    expect(deeds).toEqual([]);
  });

  test("a page fits 320 to 1920 pixels", async () => {
    const { page } = await open(await make());
    for (const width of [320, 480, 768, 1024, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, ...(await findMisplaced(page))]).toEqual([width]);
    }
  });

  test("a page can be read without scripts", async () => {
    const { page } = await open(await make(), { script: false });
    expect(await page.locator(".card h2, .card h3").first().isVisible()).toBe(true);
    expect(await page.locator(".tools").isVisible()).toBe(false);
    if (!(await page.locator(".card dl").first().isVisible())) {
      await page.locator("summary").first().click();
    }
    expect(await page.locator(".card dl").first().isVisible()).toBe(true);
  });

  test("a page of up to fifty courses shows on paper the cards that are open, and no others; a longer one shows all in brief", async () => {
    const { page } = await open(await make());
    await page.emulateMedia({ media: "print" });
    const isShown = `[...document.querySelectorAll(".card")].map((card) =>
      (card.closest(".many") !== null || card.querySelector("details").open) === card.checkVisibility({ contentVisibilityAuto: true }) ||
      card.parentElement.closest("details:not([open])") !== null)`;
    expect(new Set(await page.evaluate<boolean[]>(isShown))).toEqual(new Set([true]));
    expect(await page.locator(".tools").isVisible()).toBe(false);
    expect((await page.pdf()).subarray(0, 5).toString()).toBe("%PDF-");
  });
});

describe("the search of a page", () => {
  test("the search finds text anywhere on a card, ignores case, and announces how many courses match", async () => {
    const { page } = await open(await realPreview());
    const search = page.getByRole("searchbox", { name: "Search" });
    const count = page.getByRole("status");
    const all = await count.textContent();
    await search.fill("PYTHON");
    expect(await count.textContent()).toMatch(/^\d+ of 62 courses$/);
    const found = page.locator(".card:visible");
    expect(await found.count()).toBeGreaterThan(0);
    for (const card of await found.all()) expect(await card.textContent()).toMatch(/python/i);
    await search.fill("プログラミング");
    expect(await found.count()).toBe(1);
    expect(await page.evaluate("CSS.highlights.get('found').size")).toBeGreaterThan(0);
    await search.fill("");
    expect(await count.textContent()).toBe(all);
  });

  test("the search opens the fold of the courses without problems, and searches the changes", async () => {
    const { page } = await open(await problemsPage());
    const crochet = page.locator(".card", { hasText: "Crochet" });
    expect(await page.locator(".card:visible").count()).toBe(2);
    const search = page.getByRole("searchbox", { name: "Search" });
    await search.fill("crochet");
    expect(await crochet.isVisible()).toBe(true);
    expect(await page.locator(".card:visible").count()).toBe(1);
    await search.fill("");
    expect(await crochet.isVisible()).toBe(false);
    const { page: diff } = await open((await reviewedDiff()).html);
    // Only the old text has the word.
    await diff.getByRole("searchbox", { name: "Search" }).fill("六週間");
    expect(await diff.locator("tbody:visible").allTextContents()).toEqual([
      expect.stringContaining(JAPANESE.name),
    ]);
    expect(await diff.evaluate("CSS.highlights.get('found').size")).toBe(1);
  });

  test("a page of more than fifty courses has closed cards, and filters by provider, state and missing field", async () => {
    const { page } = await open(await realPreview());
    expect(await page.locator(".card:not(:has(.problem)) [open]").count()).toBe(0);
    const count = page.getByRole("status");
    const choose = async (name: string, option: RegExp): Promise<string> => {
      const select = page.getByRole("combobox", { name });
      const options = await select.locator("option").allTextContents();
      const label = options.find((text) => option.test(text)) ?? "";
      await select.selectOption({ label });
      return label;
    };
    const label = await choose("Missing fields", /^(?!62)\d+ of 62 have no [A-Z]/);
    expect(await count.textContent()).toBe(`${label.split(" ")[0]} of 62 courses`);
    await choose("Missing fields", /^Missing fields$/);
    await choose("All providers", /^academy\.example \(2\)$/);
    expect(await count.textContent()).toBe("2 of 62 courses");
    await choose("All states", /^Free \(/);
    expect(await page.locator(".card:visible").count()).toBe(0);
  });

  test("the search, the links and the details of a page are reached with the keyboard", async () => {
    const { page } = await open((await reviewedDiff()).html);
    const reached: string[] = [];
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press("Tab");
      reached.push(
        await page.evaluate(
          `document.activeElement.tagName + " " + (document.activeElement.name ?? "")`,
        ),
      );
      const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
      expect(outline).not.toBe("none");
    }
    // A link leads to the deletion, which is to look at first; after the search, to each changed course.
    expect(reached.slice(0, 4)).toEqual(["A ", "INPUT q", "BUTTON fold", "A "]);
    const details = page.locator("details").first();
    const before = await details.getAttribute("open");
    await page.locator("summary").first().focus();
    await page.keyboard.press("Enter");
    expect((await details.getAttribute("open")) === null).toBe(before !== null);
  });
});

test("a page says in its title what it shows, names the course of a problem once at the top, and folds technical fields", async () => {
  const { page } = await open(await problemsPage());
  expect(await page.title()).toBe("2 errors");
  expect(await page.locator("h1").textContent()).toBe("2 errors");
  expect(await page.locator("section li").allTextContents()).toEqual([
    `${HEBREW.name}: 1 error`,
    `${ARABIC.name}: 1 error`,
  ]);
  const { page: diff } = await open((await reviewedDiff()).html);
  expect(await diff.title()).toBe("5 changes to review");
  const added = diff.locator(".card.new");
  expect(await added.locator("dt:visible").allTextContents()).toEqual([
    "Long description",
    "URL",
    "Audio",
    "Pace",
  ]);
  expect(await added.locator("dd:visible").allTextContents()).toContain("Self-paced");
  await added.getByText("Technical fields").click();
  expect(await added.locator("dt:visible").allTextContents()).toContain("Provider ID");
  const { page: past } = await open(await historyPage());
  expect(await past.title()).toBe("5 changes");
});

test.each(["preview courses.json --out page.html", "diff courses.json --report html=page.html"])(
  "four hundred courses take at most sixty sheets of paper: %s",
  async (command) => {
    const r = await rig();
    const all = realCourses();
    const courses = Array.from({ length: 400 }, (_, index) => {
      const url = `https://academy.example/${index}`;
      const provider = { provider_id: undefined, provider: "example-academy" };
      return { ...all[index % all.length], ...provider, id: undefined, url };
    });
    await r.write("courses.json", JSON.stringify(courses));
    await r.run(`courses ${command}`);
    const { page } = await open(await readFile(join(r.folder, "page.html"), "utf8"));
    const paper = await page.pdf({ format: "A4" });
    expect(paper.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(60);
  },
);

test.each([390, 768, 1440])(
  "the table of changes shows old and new values next to each other at %i pixels",
  async (width) => {
    const { page } = await open((await reviewedDiff()).html, { width });
    const boxes = await page
      .locator("tr:has(td + td)")
      .evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll("td")].map((td) => td.getBoundingClientRect())),
      );
    for (const [old, value] of boxes) {
      expect(old?.top).toBe(value?.top);
      expect(old?.width ?? 0).toBeGreaterThan(width / 4);
      expect((value?.left ?? 0) + (value?.width ?? 0)).toBeLessThanOrEqual(width);
    }
    expect(boxes).toHaveLength(8);
  },
);
