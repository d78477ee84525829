import { describe, expect, test } from "vitest";
import { loadTextMeasure, wrapMessage } from "../../src/output/text-measure.ts";
import { render } from "./rig.ts";

test("blocks indent nested values, omit null inside them, and wrap long text below its field", async () => {
  const row = {
    prices: [{ type: "single_course", price: "49.90", currency: null }],
    audio: ["en", "pt-BR"],
    published: false,
    short_description: `${"word ".repeat(20).trim()}\nsecond`,
  };
  expect(await render([row], { layout: "blocks", terminal: 50 })).toBe(
    [
      "short_description: |-",
      "  word word word word word word word word word",
      "  word word word word word word word word word",
      "  word word",
      "  second",
      "audio: [en, pt-BR]",
      "published: false",
      "prices:",
      "  - type: single_course",
      '    price: "49.90"',
      "",
    ].join("\n"),
  );
});

describe("TextMeasure", () => {
  test("TextMeasure cuts between characters, never inside a character", async () => {
    const { cut } = await loadTextMeasure();
    expect(cut("编程入门", 8)).toBe("编程入门");
    expect(cut("编程入门", 7)).toBe("编程入…");
    expect(cut("编程入门", 6)).toBe("编程…");
    expect(cut("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3)).toBe("👩‍👩‍👧‍👦…");
    expect(cut("abc", 1)).toBe("…");
    expect(cut("abc", 0)).toBe("");
    expect(cut("", 0)).toBe("");
  });

  test("wrapMessage breaks a text at spaces, and no word, so that a URL can be copied", () => {
    expect(wrapMessage("one two three", 7)).toBe("one two\nthree");
    expect(wrapMessage("https://a.example ij", 3)).toBe("https://a.example\nij");
    expect(wrapMessage("编程 入门", 5)).toBe("编程\n入门");
    expect(wrapMessage("- one two", 5, 4)).toBe("- one\n    two");
    expect(wrapMessage("a\n\nb", 5)).toBe("a\n\nb");
  });
});
