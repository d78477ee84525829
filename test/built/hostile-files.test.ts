/** Texts that mean harm: each is told where it does, in bounded time and memory. */
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MAX_FILE_SIZE, MAX_YAML_SIZE } from "../../src/files/limits.ts";
import { course } from "../rig.ts";
import { checked, type Long, newLongFile } from "./hostile.ts";
import { linesOf, newFile, runScript } from "./rig.ts";

const COURSE = JSON.stringify(course({ name: undefined })).slice(1, -1);

describe("aliases", () => {
  const bomb = Array.from({ length: 9 }, (_, level) => {
    const inner = Array(9).fill(level === 0 ? "x" : `*a${level - 1}`);
    return `a${level}: &a${level} [${inner.join(",")}]\n`;
  }).join("");

  test.each([
    ["nine levels of nine", bomb],
    [
      "a hundred thousand of a list as long",
      `a: &a [${"x,".repeat(1e5)}]\nb: [${"*a,".repeat(1e5)}]`,
    ],
    ["a list within itself", "&a [*a]\n"],
    ["a list within itself, below a key", "syllabus: &a [{title: x, description: *a}]\n"],
    ["a mapping within itself", "&a {b: *a}\n"],
    ["a bomb behind a hundred thousand documents", "a: &a [1]\nb: *a\n---\n".repeat(1e5) + bomb],
  ])("that stand for too much: %s", async (_, text) => {
    const path = await newFile("a.yaml", text);
    expect(await checked([path], 3)).toMatch(/a\.yaml:\d+:\d+: error: .*\[too-many-aliases\]/);
  });

  test("that stand for too much behind a key that stands twice", async () => {
    const text = `a: 1\na: 2\nx: &x {title: t, description: [${"1,".repeat(2000)}]}\nsyllabus: [${"*x,".repeat(2000)}]\n`;
    const path = await newFile("a.yaml", text);
    expect(await checked([path], 3)).toMatch(/\[too-many-aliases\]/);
  });

  test("of which there is no anchor are told", async () => {
    const path = await newFile("a.yaml", "name: *a\n");
    expect(await checked([path], 3)).toMatch(/a\.yaml:1:\d+: error: .*\[syntax\]/);
  });
});

describe("a hundred thousand levels", () => {
  const indented = Array.from({ length: 4000 }, (_, level) => `${" ".repeat(level)}a:\n`).join("");

  test.each([
    ["lists in brackets", "a.yaml", "[".repeat(1e5)],
    ["closed brackets", "a.yaml", "[".repeat(1e5) + "]".repeat(1e5)],
    // The indentation alone makes megabytes of these few thousand.
    ["lines further and further in", "a.yaml", indented],
    ["dashes", "a.yaml", "- ".repeat(1e5)],
    ["question marks", "a.yaml", "? ".repeat(1e5)],
    ["mappings in brackets", "a.yaml", "{a: ".repeat(1e5)],
    ["lists", "a.json", "[".repeat(1e5)],
    ["mappings", "a.json", '{"a":'.repeat(1e5)],
    ["closed lists", "a.json", "[".repeat(1e5) + "]".repeat(1e5)],
  ])("are too deep: %s, %s", async (_, name, text) => {
    const path = await newFile(name, text);
    expect(await checked([path], 3)).toMatch(/a\.(yaml|json):\d+:\d+: error: .*\[too-deep\]/);
  });
});

describe("a file beyond the size allowed is refused unread", () => {
  test.each([
    ["a.yaml", { head: "name: ", piece: "x", times: 100e6, tail: "\n" }],
    ["a.json", { head: '{"name":"', piece: "x", times: 100e6, tail: '"}' }],
  ])("one line of 100 MB: %s", async (name, long) => {
    const path = await newLongFile(name, long);
    expect(await checked([path], 3)).toContain(`${path} is larger than `);
  });

  test.skipIf(!existsSync("/dev/zero"))("standard input without an end", async () => {
    const { code, stderr } = await runScript("catalog courses check - < /dev/zero");
    expect(stderr).toMatch(/<stdin> is larger than .*\[too-large\]/);
    expect(code).toBe(3);
  });
});

function sizeAllowed(name: string): number {
  return name.endsWith(".yaml") ? MAX_YAML_SIZE : MAX_FILE_SIZE;
}

describe("a file of almost the size allowed", () => {
  const told = /\/a\.(yaml|json):\d+:\d+: error: /;
  const fine = /1 course: no problems/;

  test.each<[string, string, Long, 0 | 2 | 3, RegExp]>([
    ["one text", "a.yaml", { head: `{${COURSE}, "name": "`, piece: "x", tail: '"}' }, 0, fine],
    ["one text", "a.json", { head: `{${COURSE},"name":"`, piece: "x", tail: '"}' }, 0, fine],
    [
      "one text in Chinese",
      "a.json",
      { head: `{${COURSE},"name":"`, piece: "語", tail: '"}' },
      0,
      fine,
    ],
    ["backslashes", "a.json", { head: `{${COURSE},"name":"`, piece: "\\\\", tail: '"}' }, 0, fine],
    [
      "a backslash that escapes no end",
      "a.json",
      { head: '{"name":"', piece: '\\"' },
      3,
      /\[syntax\]/,
    ],
    ["one key", "a.json", { head: `{${COURSE},"`, piece: "k", tail: '":1}' }, 3, /\[unknown-key\]/],
    ["digits", "a.json", { head: `{${COURSE},"name":`, piece: "1", tail: "}" }, 3, /\[type\]/],
    ["opening brackets", "a.json", { piece: "[" }, 3, /\[too-deep\]/],
    ["quotation marks", "a.json", { piece: '"' }, 3, /\[syntax\]/],
    ["NUL", "a.json", { piece: "\0" }, 3, /\[syntax\]/],
    ["line ends", "a.json", { piece: "\n" }, 2, /\/a\.json holds no course/],
    ["line ends", "a.yaml", { piece: "\n" }, 3, /\[too-large\]/],
    ["comments", "a.yaml", { piece: "# nothing to see\n" }, 3, /\[too-large\]/],
    ["empty mappings", "a.json", { head: "[", piece: "{},", tail: "{}]" }, 3, told],
    ["empty lists", "a.json", { head: "[", piece: "[],", tail: "[]]" }, 3, told],
    ["tiny mappings", "a.yaml", { piece: "- a: 1\n" }, 3, told],
    ["empty mappings", "a.yaml", { head: "[", piece: "{},", tail: "{}]" }, 3, told],
    [
      "numbers",
      "a.json",
      { head: `{${COURSE},"level":[`, piece: "1,", times: 5e6, tail: "1]}" },
      3,
      told,
    ],
    [
      "numbers",
      "a.yaml",
      { head: `{${COURSE}, "level": [`, piece: "1,", times: 5e6, tail: "1]}" },
      3,
      told,
    ],
    [
      "one key again and again",
      "a.json",
      { head: "{", piece: '"name":1,', tail: '"name":2}' },
      3,
      told,
    ],
    ["one key again and again", "a.yaml", { piece: "name: 1\n" }, 3, told],
    ["documents", "a.yaml", { piece: "--- a\n" }, 3, told],
    ["dashes", "a.yaml", { piece: "-\n" }, 3, told],
    ["aliases", "a.yaml", { head: "- &a 1\n- [", piece: "*a,", tail: "1]\n" }, 3, told],
    ["opening brackets", "a.yaml", { piece: "[" }, 3, /\[too-large\]/],
    ["quotation marks", "a.yaml", { piece: '"' }, 3, /\[syntax\]/],
    ["single quotation marks", "a.yaml", { piece: "'" }, 3, told],
    ["NUL", "a.yaml", { piece: "\0" }, 3, /\[syntax\]/],
    ["one key", "a.yaml", { piece: "k", tail: ": 1\n" }, 3, told],
    ["line ends before a mistake", "a.yaml", { piece: "\n", tail: "[" }, 3, /\[too-large\]/],
    ["line ends before a mistake", "a.json", { piece: "\n", tail: "[" }, 3, /\[syntax\]/],
    ["comments before a course", "a.yaml", { piece: "#\n", tail: "name: x\n" }, 3, told],
    [
      "backslashes",
      "a.yaml",
      { head: `{${COURSE}, "name": "`, piece: "\\\\", tail: '"}\n' },
      0,
      fine,
    ],
    ["lines of one text", "a.yaml", { head: "name: >\n", piece: "  a\n" }, 3, told],
    [
      "the name of an alias",
      "a.yaml",
      { head: "name: *", piece: "a", tail: "\n" },
      3,
      /\[syntax\]/,
    ],
    ["a tag", "a.yaml", { head: "name: !", piece: "a", tail: " x\n" }, 3, /\[syntax\]/],
    ["blanks between two items", "a.yaml", { head: "- 1\n", piece: " \n", tail: "- 2\n" }, 3, told],
    [
      "comments between two keys",
      "a.yaml",
      { head: "a: 1\n", piece: "#\n", tail: "b: 2\n" },
      3,
      told,
    ],
    ["blanks", "a.json", { piece: " ", tail: '{"name": 1}' }, 3, told],
    ["no UTF-8", "a.yaml", { piece: Uint8Array.from([0x80]) }, 3, /\/a\.yaml:1:1: .*\[encoding\]/],
  ])("of nothing but %s: %s", async (_, name, long, code, said) => {
    const path = await newLongFile(name, long, sizeAllowed(name) - 1024);
    expect(await checked([path], code)).toMatch(said);
  });
});

describe("keys that every object has", () => {
  const keys = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];
  const harm = '{"polluted": true, "name": "x"}';
  const inner = keys.map((key) => `"${key}": ${harm}`).join(", ");
  const text = `{${COURSE}, "name": "x", ${inner}, "video": {${inner}}, "prices": [{${inner}}]}\n`;

  test.each(["a.json", "a.yaml"])("are unknown keys at any depth: %s", async (name) => {
    const path = await newFile(name, text);
    const lines = linesOf(await checked([path], 3)).filter((line) =>
      line.includes("[unknown-key]"),
    );
    for (const owner of ["", "video.", "prices[0]."]) {
      const missing = keys.filter(
        (key) => !lines.some((line) => line.includes(` ${owner}${key} `)),
      );
      expect({ owner, missing }).toEqual({ owner, missing: [] });
    }
    expect(lines).toHaveLength(keys.length * 3);
  });

  test.each([
    ["a.json", '{"__proto__": 1, "__proto__": 2}'],
    ["a.yaml", "__proto__: 1\n__proto__: 2\n"],
    ["a.json", '{"\\u005f_proto__": 1, "__proto__": 2}'],
  ])("are told when they stand twice: %s %j", async (name, twice) => {
    const path = await newFile(name, twice);
    expect(await checked([path], 3)).toMatch(/__proto__ stands twice.*\[duplicate-key\]/);
  });
});

describe("bytes that are no text", () => {
  const utf16 = Buffer.from("\ufeffname: x\n", "utf16le");
  const latin1 = Buffer.from("name: Caf\xe9\n", "latin1");

  test.each<[string, string, string | Uint8Array, RegExp]>([
    ["NUL", "a.yaml", "name: a\0b\n", /a\.yaml:1:8: error: .*\[syntax\]/],
    ["NUL", "a.json", '{"name": "a\0b"}', /a\.json:1:12: error: .*\[syntax\]/],
    ["NUL, escaped, in a key", "a.json", '{"a\\u0000b": 1}', /\["a\\u0000b"\] is not a key/],
    ["half a character, escaped", "a.json", '{"\\ud800": 1}', /\["\\ud800"\] is not a key/],
    ["half a character, escaped", "a.yaml", '"\\ud800": 1\n', /\["\\ud800"\] is not a key/],
    ["Latin-1", "a.yaml", latin1, /a\.yaml:1:10: error: .*\[encoding\]/],
    ["Latin-1", "a.json", latin1, /a\.json:1:10: error: .*\[encoding\]/],
    ["UTF-16", "a.yaml", utf16, /a\.yaml:1:1: error: .*UTF-16.*\[encoding\]/],
    [
      "UTF-16, high bytes first",
      "a.json",
      Buffer.from(utf16).swap16(),
      /:1:1: .*UTF-16.*\[encoding\]/,
    ],
    [
      "half a character",
      "a.yaml",
      Uint8Array.from([0x61, 0x3a, 0x20, 0xed, 0xa0, 0x80]),
      /1:4: .*\[enc/,
    ],
    [
      "a character cut off",
      "a.yaml",
      Uint8Array.from([0x61, 0x3a, 0x20, 0xf0, 0x9f]),
      /1:4: .*\[enc/,
    ],
    ["an escape sequence", "a.yaml", "na\u001b[31mme: x\n", /a\.yaml:1:\d+: error: .*\[syntax\]/],
  ])("%s in %s", async (_, name, content, told) => {
    const path = await newLongFile(name, { piece: content, times: 1 });
    expect(await checked([path], 3)).toMatch(told);
  });
});
