/** Shared by the tests of output: streams in memory, hostile text, and many scripts. */
import fc from "fast-check";
import { guardedOutput, Secrets } from "../../src/base/credentials.ts";
import type { PlainObject } from "../../src/base/values.ts";
import { createRenderer, type LayoutName } from "../../src/output/layouts.ts";
import type { RenderOptions } from "../../src/output/renderer.ts";
import { stylesFor } from "../../src/output/text-measure.ts";
import { anyCharacter } from "../any-character.ts";
import { MemoryOutput } from "../rig.ts";

/** An output that records each write. */
export class Memory extends MemoryOutput {
  readonly writes: string[] = [];

  constructor({ isTerminal = false, columns = 80 } = {}) {
    super(isTerminal, columns);
  }

  override async write(text: string | Uint8Array): Promise<void> {
    const before = this.text.length;
    await super.write(text);
    this.writes.push(this.text.slice(before));
  }
}

/** How `render` differs from JSON without a terminal and without color. */
export type RenderChanges = Partial<Omit<RenderOptions, "out" | "styles">> & {
  readonly layout?: LayoutName;
  readonly terminal?: number;
  readonly color?: boolean;
};

/** Renders rows in one batch. `terminal` is the width of a terminal. */
export async function render(
  rows: readonly PlainObject[],
  changes: RenderChanges = {},
): Promise<string> {
  const { layout = "json", terminal, color = false, ...options } = changes;
  const out = new Memory(terminal === undefined ? {} : { isTerminal: true, columns: terminal });
  const renderer = await createRenderer(layout, {
    columns: ["id", "name", "published", "approval_status"],
    allColumns: ["id", "name", "published", "prices", "approval_status"],
    ...options,
    out: guardedOutput(out, new Secrets(), {}),
    styles: await stylesFor(color),
  });
  await renderer.rows(rows);
  await renderer.end();
  return out.text;
}

/** A course as the service returns it. */
export function courseRow(changes: PlainObject = {}): PlainObject {
  return {
    id: "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
    name: "Knitting for Beginners",
    published: true,
    prices: [{ type: "single_course", price: "49.90", currency: "EUR" }],
    approval_status: "pending",
    ...changes,
  };
}

/** Names in scripts whose width differs from their length. */
export const NAMES = [
  "Knitting for Beginners",
  "编程入门：从零开始学习 Python 与数据分析",
  "データ構造とアルゴリズム",
  "자료구조와 알고리즘 입문",
  "👩‍👩‍👧‍👦 Family finance 🏳️‍🌈 for everyone 🇧🇷",
  "การเขียนโปรแกรมภาษาซีพลัสพลัสเบื้องต้น",
  "हिन्दी में प्रोग्रामिंग सीखें",
  "מבוא לתכנות בפייתון",
  "هياكل البيانات والخوارزميات",
  "Cafe\u0301 et pa\u0302tisserie",
  "",
];

/** Text that would move the cursor, ring, recolor, reorder or forge lines if printed raw. */
export const HOSTILE =
  "a\u001b[31mred\u001b]0;title\u0007\u009b2J\u0085b\r\nc\td\u202ee\u2066f\u200eg\u061ch\u2028i\u0000\u007f\ufeff";

/** What must not reach a terminal. */
export const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/;

/** The escape sequences of colors. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colors begin with one
export const COLORS = /\u001b\[[\d;]*m/g;

/** Rows with random JSON values, under keys that need care. */
export const rows = fc.array(
  fc.dictionary(
    fc.oneof(
      fc.constantFrom("id", "name", "a b", "no", "12", "x:y", "a.b", "c[0]"),
      fc.string({ unit: "grapheme" }).filter((key) => key !== "__proto__"),
    ),
    fc.oneof(
      tricky(),
      fc.jsonValue({ stringUnit: anyCharacter }).map((value) => JSON.parse(JSON.stringify(value))),
    ),
    { noNullPrototype: true },
  ),
  { maxLength: 5 },
);

/** Strings that formats tend to lose or to read as another value. */
export function tricky(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(
      ..."no Yes on ~ null = << 2026-01-31 1:30 0o7 012 1_000 .5 1e3 0x1F --- ... ' \" \\".split(
        " ",
      ),
      ...'- a;# b;a: b;a #b;!t;&x;*x;@;`;%;|;>;?;[;{;,;a,b;"a";=1+1;; '.split(";"),
      ...["a\nb", "a\n", "\na", " a\n  b", "a \n", "\n\n", "a\r\nb", "a\rb", "\t", "a\tb\\n"],
      ...["a\u202eb", "\u200f\u05e9\u05dc\u05d5\u05dd\nb", "\u2066", "\ufeffa"],
      HOSTILE,
      `${"long words ".repeat(30)}\n\n  indented ${"x".repeat(90)}\n`,
    ),
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: anyCharacter }),
  );
}
