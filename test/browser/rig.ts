/** Opens pages in Chromium, and records everything that they try to do. */
import { readFileSync } from "node:fs";
import { HtmlValidate } from "html-validate";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { CHROMIUM_FLAGS, findChromium } from "./chromium.ts";

const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** A page in the browser, and what it did besides showing itself. */
export interface OpenedPage {
  readonly page: Page;
  /** Errors, dialogs, requests and navigations, which a page must not have. */
  readonly deeds: readonly string[];
}

export interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  /** Whether scripts run; they do by default. */
  readonly script?: boolean;
  /** Whether axe-core can be added, which the page's own policy forbids. */
  readonly bypassCSP?: boolean;
}

/** Starts one browser for the tests of a file. */
export function useBrowser() {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: findChromium(), args: [...CHROMIUM_FLAGS] });
  });
  afterAll(async () => await browser?.close());
  return {
    /** Opens a document. */
    open: async (source: string, options: OpenOptions = {}): Promise<OpenedPage> => {
      if (browser === undefined) throw new Error("the browser was not started");
      return await openPage(browser, source, options);
    },
  };
}

/** A URL at which a document is shown, without a server. */
const DOCUMENT = "http://page.example/";

async function openPage(
  browser: Browser,
  source: string,
  { width = 1280, height = 900, dark = false, script = true, bypassCSP = false }: OpenOptions,
): Promise<OpenedPage> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    javaScriptEnabled: script,
    bypassCSP,
  });
  onTestFinished(async () => await context.close());
  const deeds: string[] = [];
  let isLoaded = false;
  await context.route("**/*", async (route) => {
    const url = route.request().url();
    if (!isLoaded && url === DOCUMENT) {
      isLoaded = true;
      return await route.fulfill({ contentType: "text/html; charset=utf-8", body: source });
    }
    deeds.push(`request: ${url.slice(0, 200)}`);
    await route.abort();
  });
  const page = await context.newPage();
  page.on("dialog", (dialog) => {
    deeds.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => deeds.push(`error: ${error.message}`));
  page.on("console", (message) => deeds.push(`console: ${message.text().slice(0, 300)}`));
  page.on("framenavigated", (frame) => {
    if (frame.url() !== DOCUMENT) deeds.push(`navigation: ${frame.url()}`);
  });
  page.on("popup", () => deeds.push("popup"));
  page.on("download", () => deeds.push("download"));
  await page.goto(DOCUMENT, { waitUntil: "load" });
  return { page, deeds };
}

/** What is wrong with a document as HTML. */
export async function checkHtml(text: string): Promise<string[]> {
  const validator = new HtmlValidate({
    extends: ["html-validate:recommended", "html-validate:document"],
    rules: {
      // Layout is not markup.
      "no-trailing-whitespace": "off",
      "long-title": "off",
      // `noopener noreferrer` is in each link for browsers that do not imply it.
      "no-inline-style": "error",
    },
  });
  const { results } = await validator.validateString(text);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${line}: ${message} [${ruleId}]`),
  );
}

/** What axe-core finds on a page that was opened with `bypassCSP`. */
export async function checkAccessibility(page: Page): Promise<string[]> {
  await page.addScriptTag({ content: AXE });
  return await page.evaluate(`axe.run().then(({ violations }) => violations.map(
    ({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 200) + " " + nodes[0].failureSummary,
  ))`);
}

/** Cards that are wider than the page or overlap another one, and whether the page scrolls sideways. */
export async function findMisplaced(page: Page): Promise<string[]> {
  const { width, total, cards } = await page.evaluate<{
    readonly width: number;
    readonly total: number;
    readonly cards: readonly Box[];
  }>(`({
    width: document.documentElement.clientWidth,
    total: document.documentElement.scrollWidth,
    cards: [...document.querySelectorAll(".card")].map((card) => {
      const { left, right, top, bottom } = card.getBoundingClientRect();
      return { id: card.id, left, right, top, bottom };
    }),
  })`);
  const outside = cards.filter(({ left, right }) => left < 0 || right > width + 1);
  const overlapping = cards.filter((box, index) =>
    cards
      .slice(index + 1)
      .some(
        (other) =>
          box.right > other.left &&
          other.right > box.left &&
          box.bottom > other.top &&
          other.bottom > box.top,
      ),
  );
  return [
    ...(total > width ? [`the page is ${total} pixels wide instead of ${width}`] : []),
    ...outside.map(({ id }) => `${id} leaves the page`),
    ...overlapping.map(({ id }) => `${id} overlaps another card`),
  ];
}

interface Box {
  readonly id: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}
