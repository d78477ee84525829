/** Pages with hostile courses run nothing, load nothing, and keep each course in its card. */
import { describe, expect, test } from "vitest";
import { hostilePages } from "./hostile-pages.ts";
import { checkHtml, findMisplaced, useBrowser } from "./rig.ts";

const { open } = useBrowser();
const PAGES = hostilePages();

describe.each(Object.keys(PAGES))("the page of %s with hostile courses", (name) => {
  const text = PAGES[name] ?? "";

  test("a page with hostile courses runs nothing, goes nowhere and loads nothing", async () => {
    const { page, deeds } = await open(text);
    await page.evaluate(
      "document.querySelectorAll('details').forEach((each) => { each.open = true; })",
    );
    await page.mouse.move(200, 300);
    await page.mouse.wheel(0, 5000);
    expect(deeds).toEqual([]);
    expect(await page.evaluate("globalThis.__hit")).toBeUndefined();
  });

  test("a page with hostile courses has only its own script and style, and links only to the web", async () => {
    const { page } = await open(text);
    const tags =
      "script, style, iframe, object, embed, base, link, form, svg, video, audio, [style]";
    const found = await page.$$eval(tags, (all) => all.map(({ tagName }) => tagName).sort());
    expect(found).toEqual(["SCRIPT", "STYLE"]);
    const links = await page.$$eval("a[href]", (all) =>
      all.map((link) => link.getAttribute("href") ?? ""),
    );
    expect(links.filter((link) => !/^(?:#|https?:\/\/)/i.test(link))).toEqual([]);
    const handlers = await page.evaluate(
      `[...document.querySelectorAll("*")].flatMap(({ attributes }) =>
        [...attributes].filter(({ name }) => name.startsWith("on")).map(({ name }) => name))`,
    );
    expect(handlers).toEqual([]);
  });

  test("a page with hostile courses is valid HTML", async () => {
    expect(await checkHtml(text)).toEqual([]);
  });

  test("a page with hostile courses keeps each card in its place from 320 to 1920 pixels", async () => {
    const { page } = await open(text);
    for (const width of [320, 768, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, ...(await findMisplaced(page))]).toEqual([width]);
    }
  });

  test("a page with hostile courses shows no control character and no override of direction", () => {
    const hidden = /[\u202a-\u202e\u2066-\u2069\ufeff]|(?![\t\n])\p{Cc}|\p{Cs}/u;
    expect(hidden.exec(text)?.[0]).toBeUndefined();
  });
});
