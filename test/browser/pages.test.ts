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
const JAPANESE = {
  name: "はじめてのプログラミング",
  short_description: "六週間で最初のアプリを作ります。",
  audio: ["ja"],
};

/** A diff of files that change, create and delete courses of the catalog. */
async function reviewedDiff(): Promise<{ readonly html: string; readonly r: Rig }> {
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
  const words = ["--prune", "--max-deletes", "100%", "--report", "html=diff.html"];
  const ran = await r.run(["courses", "diff", "courses.json", ...words]);
  expect(ran).toMatchObject({ code: 0 });
  return { html: await readFile(join(r.folder, "diff.html"), "utf8"), r };
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
  ["a preview of real courses", realPreview],
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
    const isOpen = (await page.locator("details").first().getAttribute("open")) !== null;
    if (!isOpen) await page.locator("summary").first().click();
    expect(await page.locator("details[open] dl").first().isVisible()).toBe(true);
  });

  test("a page shows on paper what is open", async () => {
    const { page } = await open(await make());
    const isOpen = (await page.locator(".card details").first().getAttribute("open")) !== null;
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".card dl").first().isVisible()).toBe(isOpen);
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
    // After the link to the courses, one leads to the deletion, which is to look at first.
    const tools = ["INPUT q", "BUTTON fold"];
    expect(reached.slice(0, 4)).toEqual(["A ", "A ", ...tools]);
    const details = page.locator("details").first();
    const before = await details.getAttribute("open");
    await page.locator("summary").first().focus();
    await page.keyboard.press("Enter");
    expect((await details.getAttribute("open")) === null).toBe(before !== null);
  });
});

test("a diff report shows a reviewer the counts, the old and new words of each change, and the problems", async () => {
  const { page } = await open((await reviewedDiff()).html);
  expect(await page.locator("header").textContent()).toContain(
    "1 course to create, 3 to update and 1 to delete.",
  );
  const first = page.locator(".card", { hasText: "Course 1" }).first();
  expect(await first.locator(".change .label").allTextContents()).toEqual([
    "Short description",
    "Prices[0].price",
    "Free content",
    "Level",
  ]);
  expect(await first.locator(".old del").allTextContents()).toEqual(["49.00"]);
  expect(await first.locator(".new ins").allTextContents()).toEqual([
    "woollen ",
    "59.00",
    "Yes",
    "beginner",
  ]);
  const japanese = page.locator(".card", { hasText: JAPANESE.name }).first();
  expect(await japanese.locator("del").allTextContents()).toEqual(["六"]);
  expect(await japanese.locator("ins").allTextContents()).toEqual(["八"]);
});
