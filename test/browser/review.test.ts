/** The page on which a reviewer decides about a plan: with a keyboard, a screen reader and a phone, and with hostile courses. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { id, lines, numberedCourse, requestsOf, rigWith } from "../commands/helpers.ts";
import { courseWithoutId, push } from "../commands/push-files.ts";
import type { Rig } from "../rig.ts";
import { hostileCourses } from "./hostile-courses.ts";
import { findMisplaced, type OpenOptions, useBrowser } from "./rig.ts";

const { open } = useBrowser();

const PRICES = [{ type: "single_course", price: "49.00", currency: "EUR" }];

/** A plan with a large change of a price, two other updates, a creation and a deletion, and its page. */
async function plannedPage(options: OpenOptions = {}) {
  const names = [1, 2, 3, 4];
  const r = await rigWith(...names.map((number) => numberedCourse(number, { prices: PRICES })));
  const files = [
    numberedCourse(1, { prices: [{ ...PRICES[0], price: "490.00" }] }),
    numberedCourse(2, { name: "Käse \u202e \u2028 ::error::x ##vso[task.complete]" }),
    numberedCourse(3, { long_description: "From casting on to binding off. And more." }),
    courseWithoutId(5),
  ];
  await r.write("courses.ndjson", files.map((file) => `${JSON.stringify(file)}\n`).join(""));
  return await planned(r, "courses.ndjson", options);
}

async function planned(r: Rig, file: string, options: OpenOptions) {
  const words = ["--prune", "--max-deletes", "100%", "--out", "plan.ndjson"];
  const ran = await r.run(["courses", "diff", file, ...words, "--report", "html=review.html"]);
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  const opened = await open(await readFile(join(r.folder, "review.html"), "utf8"), options);
  return { r, ...opened };
}

/** Presses Save, and keeps what the browser downloads as `reviewed.ndjson` of the rig. @returns its lines */
async function save(page: Page, r: Rig): Promise<string[]> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save" }).press("Enter"),
  ]);
  expect(download.suggestedFilename()).toBe("reviewed.ndjson");
  await download.saveAs(join(r.folder, "reviewed.ndjson"));
  return lines(await readFile(join(r.folder, "reviewed.ndjson"), "utf8"));
}

const statusOf = (page: Page) => page.locator(".review output").textContent();

const groupOf = (page: Page, name: string) => page.getByRole("group", { name });

test("a reviewer decides with the keyboard alone, and the saved file is the plan byte for byte without what is not OK", async () => {
  const { r, page, deeds } = await plannedPage();
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  // The deletion is first. An arrow chooses the second of two choices.
  await groupOf(page, "Deletion: Course 4").getByLabel("OK", { exact: true }).focus();
  await press("ArrowRight", "Tab");
  await page.keyboard.type("Course 4 is on sale until May");
  // The link of the next change, then its choices.
  await press("Tab", "Tab", "Space");
  await press("Tab", "Tab", "ArrowRight", "Tab");
  await page.keyboard.type('<b>"wrong"</b> ::error:: ##[error]');
  expect(await statusOf(page)).toBe("3 of 5 decided, 2 not OK.");
  await page.getByRole("button", { name: "OK for all others" }).press("Enter");
  await press("Tab");
  await page.keyboard.type("Ada");
  const plan = lines(await readFile(join(r.folder, "plan.ndjson"), "utf8"));
  const [header = "", ...saved] = await save(page, r);
  const isRefused = (line: string) =>
    [id(2), id(4)].some((each) => line.includes(`"id":"${each}"`));
  expect(saved).toEqual(plan.slice(1).filter((line) => !isRefused(line)));
  expect(saved).toHaveLength(3);
  const { review, ...rest } = JSON.parse(header);
  expect(rest).toEqual(JSON.parse(plan[0] ?? ""));
  expect(header).toMatch(/^[ -"$-~]+$/);
  const { action, file, name, url } = JSON.parse(plan.find((line) => line.includes(id(2))) ?? "");
  expect(review).toEqual({
    by: "Ada",
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    refused: [
      { action: "delete", id: id(4), name: "Course 4", url: "https://academy.example/4" },
      { action, id: id(2), name, url },
    ].map((facts, index) => ({
      ...facts,
      ...[
        { file: null, line: null, remark: "Course 4 is on sale until May" },
        { file, line: 2, remark: '<b>"wrong"</b> ::error:: ##[error]' },
      ][index],
    })),
  });
  expect(deeds).toEqual(["download"]);
});

test("OK for all others decides nothing that is listed first, and Save leads to what is missing", async () => {
  const { page } = await plannedPage();
  await page.getByRole("button", { name: "OK for all others" }).click();
  expect(await statusOf(page)).toBe("3 of 5 decided, 0 not OK.");
  const saveButton = page.getByRole("button", { name: "Save" });
  for (const name of ["Deletion: Course 4", "Change: Course 1"]) {
    // What a search hides must be decided, too.
    await page.getByRole("searchbox").fill("binding");
    await saveButton.click();
    expect(await statusOf(page)).toContain("This one is open.");
    const choice = groupOf(page, name).getByLabel("OK", { exact: true });
    expect(await choice.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press("Space");
  }
  await saveButton.click();
  expect(await statusOf(page)).toBe("5 of 5 decided, 0 not OK. Enter your name.");
  await page.keyboard.type("Ada");
  const [download] = await Promise.all([page.waitForEvent("download"), saveButton.click()]);
  expect(download.suggestedFilename()).toBe("reviewed.ndjson");
});

test("a page warns who leaves it with decisions that are not saved, and only then", async () => {
  const { r, page } = await plannedPage();
  const asks = async (): Promise<boolean> => {
    let asked = false;
    page.once("dialog", (dialog) => {
      asked = dialog.type() === "beforeunload";
    });
    await page.evaluate("location.hash = ''");
    await page.goto("about:blank", { timeout: 3000 }).catch(() => undefined);
    return asked;
  };
  for (const choice of await page.getByLabel("Not OK").all()) {
    await choice.check();
  }
  await page.getByLabel("Your name").fill("Ada");
  expect(await asks()).toBe(true);
  expect(await save(page, r)).toHaveLength(1);
  expect(await asks()).toBe(false);
});

test("a screen reader hears the change, the decision and the counts", async () => {
  const { page } = await plannedPage();
  const group = groupOf(page, "Change: Course 1");
  expect(await group.ariaSnapshot()).toBe(
    `- 'group "Change: Course 1"':\n  - text: "Change: Course 1"\n  - radio "OK"\n  - text: OK\n  - radio "Not OK"\n  - text: Not OK`,
  );
  await group.getByLabel("Not OK").check();
  expect(await group.ariaSnapshot()).toContain('radio "Not OK" [checked]');
  expect(await group.getByRole("textbox", { name: "What is wrong?" }).isVisible()).toBe(true);
  const region = page.getByRole("region", { name: "Review" });
  expect(await region.getByRole("status").textContent()).toBe("1 of 5 decided, 1 not OK.");
});

test.each([320, 390])(
  "at %i pixels, each choice is large enough for a thumb, and the bar leaves most of the screen to the changes",
  async (width) => {
    const { page } = await plannedPage({ width, height: 844 });
    await page.getByLabel("Not OK").first().check();
    expect(await findMisplaced(page)).toEqual([]);
    const heights = await page
      .locator(".decision label:has([type]), .review button")
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
    const bar = await page.locator(".review").boundingBox();
    expect(bar?.height).toBeLessThan(844 / 5);
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBe(844);
    // Cards that come into view may make the page longer.
    await expect
      .poll(async () => {
        await page.evaluate("scrollTo(0, document.body.scrollHeight)");
        const box = await page.locator(".card").last().boundingBox();
        return (box?.y ?? 0) + (box?.height ?? 0);
      })
      .toBeLessThanOrEqual(bar?.y ?? 0);
  },
);

test("hostile courses and remarks run nothing, send nothing, and are data in the saved file", async () => {
  const texts = hostileCourses().flatMap(({ name }) =>
    typeof name === "string" && !/\p{Cc}|\p{Cs}|\ufeff/u.test(name) ? name : [],
  );
  const r = await rigWith(...texts.map((_, number) => numberedCourse(number)));
  const files = texts.map((text, number) =>
    numberedCourse(number, {
      name: text,
      short_description: `::error::${text}`,
      image_url: "https://i.example/1",
    }),
  );
  await r.write("courses.json", JSON.stringify(files));
  const { page, deeds } = await planned(r, "courses.json", {});
  const remark = `</script><img src=x onerror="globalThis.__hit=1"> \u202e \u2028\n::error::x ##vso[x] ${"x".repeat(2000)}`;
  const groups = await page.locator(".decision").all();
  expect(groups).toHaveLength(files.length);
  await groups[1]?.getByLabel("Not OK").check();
  await groups[1]?.locator("textarea").fill(remark);
  await groups[0]?.getByLabel("Not OK").check();
  await page.evaluate("document.querySelector('.review button').click()");
  await page.getByLabel("Your name").fill('<script>globalThis.__hit=1</script>"');
  const [header = "", ...saved] = await save(page, r);
  expect(saved).toHaveLength(files.length - 2);
  expect(header).toMatch(/^[ -"$-~]+$/);
  expect(JSON.parse(header).review.refused[1].remark).toBe(remark.slice(0, 1000));
  expect(await page.evaluate("globalThis.__hit")).toBeUndefined();
  expect(deeds).toEqual(["download"]);
  const ran = await push(r, ["--plan", "reviewed.ndjson", "--report", "html=push.html"]);
  expect([ran.code, requestsOf(ran, "PATCH").length]).toEqual([0, files.length - 2]);
  const pushed = await open(await readFile(join(r.folder, "push.html"), "utf8"));
  expect(await pushed.page.evaluate("globalThis.__hit")).toBeUndefined();
  expect(await pushed.page.locator("header").textContent()).toContain("not approved");
  expect(pushed.deeds).toEqual([]);
});
