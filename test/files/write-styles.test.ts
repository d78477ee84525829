/** The style of strings and lists in the YAML files that `pull` writes. */
import { describe, expect, test } from "vitest";
import { yamlText } from "../../src/base/yaml-text.ts";
import { readBack, textOf } from "./read-back.ts";

/** The lines of a file with one field. */
async function linesOf(field: string, value: unknown): Promise<string> {
  const text = textOf({ [field]: value }, "yaml");
  expect(await readBack(text, "yaml")).toEqual({ [field]: value });
  return text;
}

describe("plain strings", () => {
  test.each([
    ["Основи програмування", "Основи програмування"],
    ["国立台湾大学：李宏毅", "国立台湾大学：李宏毅"],
    ["👩‍🏫 Teaching", "👩‍🏫 Teaching"],
    ["Les\u00a0bases", "Les\u00a0bases"],
    ["\u00a0Les bases\u00a0", "\u00a0Les bases\u00a0"],
    ["Lucian's Luscious Lasagna", "Lucian's Luscious Lasagna"],
    ["C# and C++", "C# and C++"],
    ["a:b", "a:b"],
  ])("courseText writes the string %j plain", async (text, written) => {
    expect(await linesOf("name", text)).toBe(`name: ${written}\n`);
  });
});

describe("quoted strings", () => {
  test.each([
    ["", '""'],
    ["49.99", '"49.99"'],
    ["2026-01-31", '"2026-01-31"'],
    ["no", '"no"'],
    ["null", '"null"'],
    ["~", '"~"'],
    ["0x1F", '"0x1F"'],
    ["1:30", '"1:30"'],
    [".inf", '".inf"'],
    ["Python: the basics", '"Python: the basics"'],
    ["Python\u00a0: c'est parti", '"Python\u00a0: c\'est parti"'],
    ["# One", '"# One"'],
    ["Number #1 # really", '"Number #1 # really"'],
    ["- dash", '"- dash"'],
    ["@home", '"@home"'],
    ["{a}", '"{a}"'],
    ['"quoted"', `'"quoted"'`],
    [" leading", '" leading"'],
    ["trailing ", '"trailing "'],
    ["a\ttab", '"a\\ttab"'],
    ["\u001b[31m\u0000\u0085", '"\\u001b[31m\\u0000\\u0085"'],
    ["\ufeffmark", '"\\ufeffmark"'],
    ["line\u2028separator", '"line\\u2028separator"'],
    ["half \ud83d", '"half \\ud83d"'],
    ["carriage\r\nreturn", '"carriage\\r\\nreturn"'],
    ["   ", '"   "'],
    ["\n\n", '"\\n\\n"'],
    ["one\n ", '"one\\n "'],
    ["one\n \n", '"one\\n \\n"'],
    ["\ttab first\nand a line", '"\\ttab first\\nand a line"'],
  ])("courseText quotes the string %j to keep it a string", async (text, written) => {
    expect(await linesOf("name", text)).toBe(`name: ${written}\n`);
  });
});

describe("blocks", () => {
  const long = "Knitting needs wool, two needles, and patience, ".repeat(3).trim();
  test.each([
    ["one\ntwo", "|-\n  one\n  two\n"],
    ["one\ntwo\n", "|\n  one\n  two\n"],
    ["one\n\n", "|+\n  one\n\n"],
    ["one\n\n\ntwo", "|-\n  one\n\n\n  two\n"],
    ["  one\ntwo", "|2-\n    one\n  two\n"],
    ["\n one", '"\\n one"\n'],
    ["one  \ntwo", "|-\n  one  \n  two\n"],
    ["---\n# two: [", "|-\n  ---\n  # two: [\n"],
    ["one\ttab\n\ttwo", "|-\n  one\ttab\n  \ttwo\n"],
    [long, `|-\n  ${long}\n`],
    [`${long}\n`, `|\n  ${long}\n`],
    ["長".repeat(81), `|-\n  ${"長".repeat(81)}\n`],
  ])("courseText puts long or multi-line text in blocks (case %#): $0", async (text, written) => {
    expect(await linesOf("long_description", text)).toBe(`long_description: ${written}`);
  });

  test("courseText writes a long URL on one line", async () => {
    const url = `https://academy.example/${"a".repeat(200)}`;
    expect(await linesOf("url", url)).toBe(`url: ${url}\n`);
  });
});

describe("lists", () => {
  test("courseText writes a list of a few words on one line, with quotes where necessary", async () => {
    expect(await linesOf("audio", ["en", "no", "pt-BR"])).toBe('audio: [en, "no", pt-BR]\n');
  });

  test("courseText writes a list of many words with one word per line", async () => {
    const many = Array.from({ length: 20 }, () => "pt-BR");
    expect(await linesOf("audio", many)).toBe(`audio:\n${"  - pt-BR\n".repeat(20)}`);
  });

  test("courseText writes a list that two fields share twice", () => {
    const words = ["en"];
    expect(textOf({ audio: words, subtitles_text: words }, "yaml")).toBe(
      "audio: [en]\nsubtitles_text: [en]\n",
    );
  });
});

test("yamlText quotes strings that some parsers do not accept without quotes", () => {
  const value = { "--- a": "=", "... b": ["=", "a?", ":a", "a:b"] };
  expect(yamlText(value)).toBe('"--- a": "="\n"... b": ["=", "a?", ":a", a:b]\n');
});

test("courseText escapes an invisible character in a key, so that every parser reads the key", async () => {
  expect(await linesOf("id", [{ "\uffff": 1 }])).toBe('id:\n  - "\\uffff": 1\n');
});
