/** Pages with hostile courses run nothing, load nothing, and keep each course in its card. */
import { describe, expect, test } from "vitest";
import { id, numberedCourse } from "../commands/helpers.ts";
import { serviceListing } from "../hostile/service.ts";
import { hostileCourses } from "./hostile-courses.ts";
import { checkHtml, findMisplaced, useBrowser } from "./rig.ts";

const { open } = useBrowser();

const PUSH = "courses push valid.json --prune --max-deletes 100% --yes --record run.ndjson";

/** The commands that write each kind of page. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  preview: ["courses preview hostile.json --out page.html"],
  check: ["courses check hostile.json --report html=page.html"],
  diff: ["courses diff valid.json --prune --max-deletes 100% --report html=page.html"],
  run: [PUSH, "history run.ndjson --report html=page.html"],
};

/** A page with hostile courses, which are in a file, and in the catalog, where valid files replace them. */
async function makePage(commands: readonly string[]): Promise<string> {
  const hostile = hostileCourses();
  const stored = hostile.map((course, number) => ({ ...course, id: id(number) }));
  const { r, run } = await serviceListing(...stored);
  await r.write("hostile.json", hostile);
  const kept = stored.slice(3).map((_, number) => numberedCourse(number));
  await r.write("valid.json", kept);
  for (const command of commands) await run(command);
  return await r.read("page.html");
}

describe.each(Object.entries(COMMANDS))("the page of %s with hostile courses", (_, commands) => {
  test("a page with hostile courses runs nothing, goes nowhere and loads nothing", async () => {
    const { page, deeds } = await open(await makePage(commands));
    await page.evaluate(
      "document.querySelectorAll('details').forEach((each) => { each.open = true; })",
    );
    await page.mouse.move(200, 300);
    await page.mouse.wheel(0, 5000);
    expect(deeds).toEqual([]);
    expect(await page.evaluate("globalThis.__hit")).toBeUndefined();
  });

  test("a page with hostile courses has only its own script and style, and links only to the web", async () => {
    const { page } = await open(await makePage(commands));
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
    expect(await checkHtml(await makePage(commands))).toEqual([]);
  });

  test("a page with hostile courses keeps each card in its place from 320 to 1920 pixels", async () => {
    const { page } = await open(await makePage(commands));
    for (const width of [320, 768, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, ...(await findMisplaced(page))]).toEqual([width]);
    }
  });

  test("a page with hostile courses shows no control character and no override of direction", async () => {
    const hidden = /[\u202a-\u202e\u2066-\u2069\ufeff]|(?![\t\n])\p{Cc}|\p{Cs}/u;
    expect(hidden.exec(await makePage(commands))?.[0]).toBeUndefined();
  });
});
