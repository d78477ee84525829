/** Pages as text: what is escaped, which fields a card shows, and what a page costs. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isList, isObject } from "../../src/base/values.ts";
import { FIELDS } from "../../src/course/fields.ts";
import type { CourseCard } from "../../src/output/page/course-card.ts";
import { html } from "../../src/output/page/html.ts";
import { type Page, renderPage } from "../../src/output/page/page.ts";
import { cardOf } from "../../src/output/page/report-page.ts";
import { compareWords } from "../../src/output/text-changes.ts";
import { anyCharacter } from "../any-character.ts";
import { realCourses } from "../real-courses.ts";
import { course } from "../rig.ts";

function pageOf(cards: readonly CourseCard[], more: Partial<Page> = {}): string {
  return renderPage({
    title: "Courses",
    facts: [],
    outcome: [],
    banner: undefined,
    failures: [],
    problems: [],
    cards,
    providers: new Map(),
    ...more,
  });
}

describe("html", () => {
  test("html escapes texts and numbers, and inserts markup, lists and undefined unescaped", () => {
    const name = `<b title="x">'&\``;
    const list = [html`<li>${1}</li>`, html`<li>${"<"}</li>`];
    expect(String(html`<ul class="${name}">${list}${undefined}</ul>`)).toBe(
      '<ul class="&lt;b title=&quot;x&quot;&gt;&#39;&amp;&#96;"><li>1</li><li>&lt;</li></ul>',
    );
  });

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
});

describe("cards", () => {
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

  test("a card shows the old and new words of an update, and the course of a creation and a deletion", () => {
    const update = cardOf({
      ...{ id: "1", name: "A", url: null, file: "a.yaml", line: 3, action: "update" },
      fields: [
        { path: ["name"], old: "Old name", new: "New name" },
        { path: ["prices", 0, "price"], old: "1.00", new: null },
      ],
    });
    const text = pageOf([update]);
    expect(text).toContain("<del>Old</del> name");
    expect(text).toContain("<ins>New</ins> name");
    expect(text).toContain("Prices[0].price");
    expect(text).toContain("a.yaml:3");
    const fields = [{ path: ["level"], old: ["beginner"], new: null }];
    const gone = { id: "1", name: "A", url: null, action: "delete", fields };
    const deletion = pageOf([cardOf(gone)]);
    expect(deletion).toContain("Deletion");
    expect(deletion).toContain("beginner");
    expect(deletion).not.toContain('class="change"');
  });

  test("the courses to look at first have links to their cards, which come first and show both values of a change", () => {
    const price = { type: "single_course", price: "4999.00", currency: "USD" };
    const changed = (id: string, path: string, old: unknown, value: unknown): CourseCard =>
      cardOf({
        ...{ id, name: `Course ${id}`, url: null, action: "update" },
        fields: [{ path: [path], old, new: value }],
      });
    const page = pageOf(
      [changed("2", "prices", null, [price]), changed("3", "published", true, false)],
      { risks: [{ id: "3", text: "Course 3: unpublished" }] },
    );
    expect(page).toContain('<a href="#c1"><bdi>Course 3: unpublished</bdi></a>');
    const texts = [...page.matchAll(/<article.*?(?=<details)/gs)].map(([card]) =>
      card
        .replace(/<[^>]*>/g, " ")
        .replace(/\s+/g, " ")
        .trim(),
    );
    expect(texts).toEqual([
      "Course 3 Change Not published Published Before Yes After No",
      "Course 2 Change Prices Before none After $4,999.00",
    ]);
  });

  test("a title in Hebrew that begins with a Latin word runs from right to left", () => {
    const title = "network.py לתכנת במרחב הרשת";
    expect(pageOf([{ course: course({ name: title }) }])).toMatch(/<h2 id="n1" dir="rtl"/);
    expect(pageOf([{ course: course({ name: "CSS" }) }])).toMatch(/<h2 id="n1" dir="auto"/);
  });

  test("the text of a new course is open even if the run failed", () => {
    const fields = [{ path: ["long_description"], old: null, new: "Guaranteed." }];
    const added = cardOf({ id: "1", name: "A", url: null, action: "create", fields });
    expect(pageOf([added], { failures: [{ kind: "rejected", message: "B" }] })).toMatch(
      /<details open>.*Guaranteed/,
    );
  });
});

test("a page takes at most 3 KB for each course beyond its texts", () => {
  const courses = realCourses();
  const many = Array.from({ length: 300 }, (_, index) => ({
    course: { ...courses[index % courses.length], id: `${index}` },
  }));
  const texts = many.reduce((sum, each) => sum + Buffer.byteLength(leaves(each).join("")), 0);
  const bytes = Buffer.byteLength(pageOf(many));
  expect((bytes - texts) / many.length).toBeLessThan(3000);
});

test("a page may only show itself", () => {
  const [, written = ""] = /Content-Security-Policy" content="([^"]*)"/.exec(pageOf([])) ?? [];
  const base =
    /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$/;
  expect(written.replaceAll("&#39;", "'")).toMatch(base);
});

describe("the comparison of words", () => {
  test("compareWords returns parts that together are both texts again", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.string({ unit: "grapheme" }),
        (old, value) => {
          const parts = compareWords(old, value);
          if (parts === undefined) return;
          const without = (other: "old" | "new"): string =>
            parts.flatMap(({ text, side }) => (side === other ? [] : [text])).join("");
          expect([without("new"), without("old")]).toEqual([old, value]);
        },
      ),
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
});

/** Every value inside a value that has no parts. */
function leaves(value: unknown): unknown[] {
  if (isList(value)) return value.flatMap(leaves);
  return isObject(value) ? Object.values(value).flatMap(leaves) : [value ?? ""];
}

const MONTH = { unit: "months", value: 1 };

test.each([
  [{ type: "single_course", price: "49.9", currency: "EUR" }, "€49.90"],
  [{ type: "single_course", price: "0.00", currency: "EUR" }, "Free"],
  [{ type: "single_course", price: "1200", currency: "JPY" }, "¥1,200"],
  [
    { type: "single_course", price: "1234567890123456.79", currency: "USD" },
    "$1,234,567,890,123,456.79",
  ],
  [{ type: "single_course", price: "about 5", currency: "USD" }, "about 5 USD"],
  [
    {
      type: "subscription",
      price: "9.99",
      currency: "GBP",
      plan_type: "premium",
      payment_period: MONTH,
    },
    "£9.99, subscription, paid every month, premium plan",
  ],
])("a card shows the price %j as %s", (price, shown) => {
  expect(pageOf([{ course: course({ prices: [price] }) }])).toContain(`<bdi>${shown}</bdi>`);
});
