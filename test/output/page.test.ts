/** Pages as text: what is escaped, which fields a card shows, and what a page costs. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isList, isObject, type PlainObject } from "../../src/base/values.ts";
import { planCreation, planDeletion } from "../../src/core/step.ts";
import { FIELDS } from "../../src/course/fields.ts";
import { withoutFile } from "../../src/course/problem.ts";
import type { Diagnostic } from "../../src/files/diagnostic.ts";
import type { CourseCard } from "../../src/output/diagnostics.ts";
import { html } from "../../src/output/page/html.ts";
import { type Page, renderPage } from "../../src/output/page/page.ts";
import { cardOf } from "../../src/output/page/report-page.ts";
import { compareWords } from "../../src/output/text-changes.ts";
import { anyCharacter } from "../any-character.ts";
import { IS_LONG } from "../long.ts";
import { realCourses } from "../real-courses.ts";
import { course } from "../rig.ts";

function pageOf(cards: readonly CourseCard[], more: Partial<Page> = {}): string {
  return renderPage({
    title: "Courses",
    facts: {},
    outcome: [],
    failures: [],
    problems: [],
    cards,
    providers: new Map(),
    ...more,
  });
}

const PRICE = { type: "single_course", price: "4999.00", currency: "USD" };
const FROM = { ...withoutFile({}), file: "a.yaml", line: 3 };

/** The card of an update. */
function changed(id: string, before: PlainObject, body: PlainObject): CourseCard {
  const facts = { id, name: `Course ${id}`, url: `https://academy.example/${id}` };
  return cardOf({ step: { action: "update", ...facts, before, body }, status: "planned" });
}

/** The rows of the table of changes, as text. */
function rowsOf(page: string): string[] {
  return [...page.matchAll(/<tr>(.*?)<\/tr>/gs)].slice(1).map(([, row = ""]) =>
    row
      .replaceAll(/<\/th><td[^>]*>/g, " | ")
      .replaceAll("</td><td>", " | ")
      .replace(/<[^>]*>/g, "")
      .replace(/\s+/g, " ")
      .trim(),
  );
}

test("html shows characters that hide or reverse others, and keeps such characters of emoji and scripts", () => {
  expect(String(html`${"a\u001b[0m\u0000\u007f\u202eb\u2066\ufeff\ud800"}`)).toBe(
    "a\\x1b[0m\\x00\\x7f\\u202eb\\u2066\\ufeff\ufffd",
  );
  const kept = "👩‍👧 می‌خواهم \u200f\u200e line\n\ttab";
  expect(String(html`${kept}`)).toBe(kept);
});

test("html turns no text into markup", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(String(html`${text}`)).not.toMatch(/[<>"'`]|&(?!(?:amp|lt|gt|quot|#39|#96);)/);
    }),
  );
});

test("a card shows every field of its course", () => {
  const given = Object.fromEntries(FIELDS.map(({ name, example }) => [name, example]));
  const whole = pageOf([{ course: given }]);
  for (const { name } of FIELDS) {
    const without = pageOf([{ course: { ...given, [name]: null } }]);
    expect([name, without === whole]).toEqual([name, false]);
  }
  // Prices are shown as people write them.
  const { prices: _, ...others } = given;
  const written = /^(?:pt-BR|EUR|[\d.]+)$/;
  const texts = leaves(others).filter(
    (leaf) => /[^a-z_]/.test(String(leaf)) && !written.test(String(leaf)),
  );
  for (const text of texts) {
    const shown = String(text).replace(/T12:.*/, "");
    expect(whole).toContain(String(html`${shown}`));
  }
});

test("a table shows the old and new words of an update, and text and prices of a new and a deleted course", () => {
  const text = pageOf([
    changed("1", { name: "Old name", level: ["beginner"] }, { name: "New name", level: [] }),
  ]);
  expect(rowsOf(text)).toEqual([
    "New name Change academy.example",
    "Name | Old name | New name",
    "Level | Beginner | none",
  ]);
  expect(text).toContain("<del>Old</del> name");
  expect(text).toContain("<ins>New</ins> name");
  const whole = { id: "2", ...course({ prices: [PRICE], short_description: "Knit." }) };
  const added = cardOf({ step: planCreation(FROM, whole), status: "planned" });
  const gone = cardOf({ step: planDeletion(whole), status: "planned" });
  expect(rowsOf(pageOf([added, gone]))).toEqual([
    "Knitting for Beginners Deletion academy.example",
    "URL | https://academy.example/knitting | none",
    "Short description | Knit. | none",
    "Prices | $4,999.00 | none",
    "Knitting for Beginners New academy.example",
    "URL | https://academy.example/knitting",
    "Short description | Knit.",
    "Prices | $4,999.00",
  ]);
  expect(pageOf([added])).toContain("a.yaml:3");
});

test("a table shows prices with their currencies, also where only the amount changes, and marks the amount", () => {
  const other = { ...PRICE, price: "5", currency: "EUR" };
  const before = { prices: [PRICE, other] };
  const text = pageOf([changed("1", before, { prices: [PRICE, { ...other, price: "6" }] })]);
  expect(rowsOf(text).at(-1)).toBe("Prices | $4,999.00; €5.00 | $4,999.00; €6.00");
  expect(text).toContain("€<del>5.00</del>");
});

test("the courses to look at first have links to their cards, which come first, in the order of the risks", () => {
  const page = pageOf(
    [
      changed("1", { prices: null }, { prices: [PRICE] }),
      changed("2", { published: true }, { published: false }),
      changed("3", { url: "https://a.example" }, { url: "https://b.example" }),
    ],
    {
      risks: [
        { id: "3", text: "Course 3: url" },
        { id: "2", text: "Course 2: unpublished" },
      ],
    },
  );
  expect(page).toContain('<a href="#d1">Course 3: url</a>');
  expect(page).toContain('<a href="#d2">Course 2: unpublished</a>');
  expect(rowsOf(page)).toEqual([
    "Course 3 Change b.example",
    "URL | https://a.example | https://b.example",
    "Course 2 Change academy.example",
    "Published | Yes | No",
    "Course 1 Change academy.example",
    "Prices | none | $4,999.00",
  ]);
});

test("a course in Hebrew sets texts with Hebrew letters from right to left, and names the language of texts only", () => {
  const texts = { short_description: "HTML5, CSS3, JavaScript ועוד", name: "CSS" };
  const page = pageOf([{ course: course({ ...texts, audio: ["he"], pace: "self_paced" }) }]);
  expect(page).toContain('<p dir="rtl" lang="he">HTML5, CSS3');
  expect(page).toMatch(/<h2 id="n1" dir="auto">/);
  const name = "network.py לתכנת במרחב הרשת";
  expect(pageOf([{ course: course({ name }) }])).toMatch(/<h2 id="n1" dir="rtl"/);
  expect(page).toMatch(/<dd><bdi>Self-paced/);
});

test("a card says Free of a free course without prices", () => {
  const free = course({ free_content: true });
  expect(pageOf([{ course: free }])).toContain("<bdi>Free</bdi>");
  expect(pageOf([{ course: { ...free, prices: [PRICE] } }])).not.toContain("<bdi>Free</bdi>");
});

test("a card has no link to a url that is not on the web", () => {
  const page = pageOf([{ course: course({ url: "javascript:alert(1)" }) }]);
  expect(page).toContain("<bdi>Knitting for Beginners</bdi>");
  expect(page).not.toContain('href="javascript');
});

test("the text of a new course is open even if the run failed", () => {
  const body = { id: "1", ...course({ long_description: "Guaranteed." }) };
  const step = planCreation(FROM, body);
  const added = cardOf({ step, status: "skipped" });
  expect(pageOf([added])).toContain("New: not sent");
  expect(pageOf([cardOf({ step, status: "done" })])).not.toContain("New: ");
  expect(pageOf([added], { failures: [{ kind: "auth", message: "B" }] })).toMatch(
    /<details open>.*Guaranteed/s,
  );
});

test("a page folds courses without problems and changes into one line if another course has a problem", () => {
  const problem = { severity: "error", file: "a", line: 1, column: 1, rule: "url", path: [] };
  const found = { ...problem, message: "m", endLine: 1, endColumn: 1 } as Diagnostic;
  const cards = ["A 10", "A 9", "B"].map((name) => ({ course: course({ name }) }));
  const page = pageOf([...cards.slice(0, 2), { course: course({ name: "C" }), problems: [found] }]);
  expect(page).toMatch(/C<\/a><\/h2>.*<summary>2 other courses<.*A 9.*A 10/s);
  expect(pageOf(cards)).not.toContain("other courses");
});

test.runIf(IS_LONG)("a page takes at most 3 KB for each course beyond its texts", () => {
  const courses = realCourses();
  const many = Array.from({ length: 300 }, (_, index) => ({
    course: { ...courses[index % courses.length], id: `${index}` },
  }));
  const texts = many.reduce((sum, each) => sum + Buffer.byteLength(leaves(each).join("")), 0);
  const bytes = Buffer.byteLength(pageOf(many));
  expect((bytes - texts) / many.length).toBeLessThan(3000);
});

test("the content security policy of a page allows only its own style and script", () => {
  const [, written = ""] = /Content-Security-Policy" content="([^"]*)"/.exec(pageOf([])) ?? [];
  const base =
    /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$/;
  expect(written.replaceAll("&#39;", "'")).toMatch(base);
});

test("compareWords returns parts that together are both texts again", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (old, value) => {
      const parts = compareWords(old, value);
      if (parts === undefined) return;
      const without = (other: "old" | "new"): string =>
        parts.flatMap(({ text, side }) => (side === other ? [] : [text])).join("");
      expect([without("new"), without("old")]).toEqual([old, value]);
    }),
  );
});

test.each([
  ["six evenings of knitting", "eight evenings of knitting", ["six"], ["eight"]],
  ["六週間で最初のアプリ", "八週間で最初のアプリ", ["六"], ["八"]],
  ["Preis: 49,00 €", "Preis: 59,00 €", ["49,00"], ["59,00"]],
])("compareWords of %s with %s finds the changed words", (old, value, removed, added) => {
  const parts = compareWords(old, value);
  const changed = (side: "old" | "new"): string[] =>
    (parts ?? []).filter((part) => part.side === side).map(({ text }) => text);
  expect([changed("old"), changed("new")]).toEqual([removed, added]);
});

/** Every value inside a value that has no parts. */
function leaves(value: unknown): unknown[] {
  if (isList(value)) return value.flatMap(leaves);
  return isObject(value) ? Object.values(value).flatMap(leaves) : [value ?? ""];
}

const MONTHLY = {
  type: "subscription",
  plan_type: "premium",
  payment_period: { unit: "months", value: 1 },
};

test.each<[amount: string, currency: string, shown: string, others?: object]>([
  ["49.9", "EUR", "€49.90"],
  ["0.00", "EUR", "Free"],
  ["1200", "JPY", "¥1,200"],
  ["1234567890123456.79", "USD", "$1,234,567,890,123,456.79"],
  ["about 5", "USD", "about 5 USD"],
  ["9.99", "GBP", "£9.99, subscription, plan type premium, payment period 1 month", MONTHLY],
])("a card shows the price %s %s as %s", (price, currency, shown, others) => {
  const prices = [{ type: "single_course", price, currency, ...others }];
  expect(pageOf([{ course: course({ prices }) }])).toContain(`<bdi>${shown}</bdi>`);
});
