/** Hostile course files are reported in bounded time and memory. */
import { existsSync } from "node:fs";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { IS_LONG, someOf } from "../long.ts";
import {
  checkLongFile,
  findUnreported,
  type HarmfulFile,
  type LongFile,
  NAMELESS,
  NO_PROBLEMS,
  ONE_ERROR,
  runCheck,
} from "./hostile.ts";
import { linesOf, newFile, newFolder, runScript } from "./rig.ts";

/** Aliases that expand too far, or have no anchor. */
function aliases(): readonly HarmfulFile[] {
  const bomb = Array.from({ length: 9 }, (_, level) => {
    const inner = Array(9).fill(level === 0 ? "x" : `*a${level - 1}`);
    return `a${level}: &a${level} [${inner.join(",")}]\n`;
  }).join("");
  const long = "1,".repeat(3000);
  const twice = `a: 1\na: 2\nx: &x {title: t, description: [${long}]}\nsyllabus: [${"*x,".repeat(2000)}]\n`;
  const texts = {
    "nine levels of nine": bomb,
    "five thousand of a list as long": `a: &a [${"x,".repeat(5e3)}]\nb: [${"*a,".repeat(5e3)}]`,
    "a list within itself": "&a [*a]\n",
    "a list within itself, below a key": "syllabus: &a [{title: x, description: *a}]\n",
    "a mapping within itself": "&a {b: *a}\n",
    "a bomb after five hundred documents": "a: &a [1]\nb: *a\n---\n".repeat(500) + bomb,
    "too many after a duplicate key": twice,
  };
  const expected = /a\.yaml:\d+:\d+: error: .*\[too-many-aliases\]/;
  const harms = Object.entries(texts).map(
    ([says, text]): HarmfulFile => [says, "a.yaml", text, expected],
  );
  const unknown = /a\.yaml:1:\d+: error: .*\[syntax\]/;
  return [...harms, ["no anchor", "a.yaml", "name: *a\n", unknown]];
}

/** Thousands of levels. */
function levels(): readonly HarmfulFile[] {
  const indented = Array.from({ length: 4000 }, (_, level) => `${" ".repeat(level)}a:\n`).join("");
  const texts: readonly (readonly [says: string, name: string, text: string])[] = [
    ["lists in brackets", "a.yaml", "[".repeat(1e5)],
    ["closed brackets", "a.yaml", "[".repeat(1e5) + "]".repeat(1e5)],
    // A few thousand levels already have megabytes of indentation.
    ["lines further and further in", "a.yaml", indented],
    ["dashes", "a.yaml", "- ".repeat(1e5)],
    ["question marks", "a.yaml", "? ".repeat(1e5)],
    ["mappings in brackets", "a.yaml", "{a: ".repeat(1e5)],
    ["lists", "a.json", "[".repeat(1e5)],
    ["mappings", "a.json", '{"a":'.repeat(1e5)],
    ["closed lists", "a.json", "[".repeat(1e5) + "]".repeat(1e5)],
  ];
  const expected = /a\.(yaml|json):\d+:\d+: error: .*\[too-deep\]/;
  return texts.map((text) => [...text, expected]);
}

/** Bytes that are not UTF-8, and characters that no text may contain. */
function encodings(): readonly HarmfulFile[] {
  const latin1 = Buffer.from("name: Caf\xe9\n", "latin1");
  const surrogate = Uint8Array.from([0x61, 0x3a, 0x20, 0xed, 0xa0, 0x80]);
  const cutOff = Uint8Array.from([0x61, 0x3a, 0x20, 0xf0, 0x9f]);
  const half = /unknown field \["\\ud800"\]/;
  return [
    ["NUL", "a.yaml", "name: a\0b\n", /a\.yaml:1:8: error: .*\[syntax\]/],
    ["NUL in JSON", "a.json", '{"name": "a\0b"}', /a\.json:1:12: error: .*\[syntax\]/],
    [
      "NUL, escaped, in a key",
      "a.json",
      '{"name": "A", "url": "B", "a\\u0000b": 1}',
      /unknown field \["a\\u0000b"\]/,
    ],
    ["half a character, escaped", "a.json", '{"name": "A", "url": "B", "\\ud800": 1}', half],
    ["half a character, escaped, in YAML", "a.yaml", 'name: A\nurl: B\n"\\ud800": 1\n', half],
    ["Latin-1", "a.yaml", latin1, /a\.yaml:1:10: error: .*\[encoding\]/],
    ["Latin-1 in JSON", "a.json", latin1, /a\.json:1:10: error: .*\[encoding\]/],
    ["half a character", "a.yaml", surrogate, /a\.yaml:1:4: .*\[encoding\]/],
    ["a character cut off", "a.yaml", cutOff, /a\.yaml:1:4: .*\[encoding\]/],
    ["an escape sequence", "a.yaml", "na\u001b[31mme: x\n", /a\.yaml:1:\d+: error: .*\[syntax\]/],
  ];
}

test("the built program reports aliases that expand too far, thousands of levels and invalid UTF-8", async () => {
  expect(await findUnreported([...aliases(), ...levels(), ...encodings()])).toEqual([]);
});

describe("input over the size limit", () => {
  test("check rejects YAML and JSON files of a gigabyte without reading them", async () => {
    const folder = await newFolder();
    const names = ["a.yaml", "a.json"];
    for (const name of names) {
      await writeFile(join(folder, name), "{");
      await truncate(join(folder, name), 2 ** 30);
    }
    const said = await runCheck(names, 3, { folder, most: 100 });
    for (const name of names) expect(said).toContain(`error: ${name} is larger than `);
  });

  test.skipIf(!existsSync("/dev/zero"))("check rejects endless standard input", async () => {
    const { code, stderr } = await runScript("catalog courses check - < /dev/zero");
    expect(stderr).toMatch(/<stdin> is larger than .*\[too-large\]/);
    expect(code).toBe(3);
  });
});

/** One file for each way to exhaust memory or time, the most telling first; `LONG_FILES` has the others. */
const ONE_EACH: readonly LongFile[] = [
  ["aliases", "a.yaml", { head: "- &a 1\n- [", piece: "*a,", tail: "1]\n" }, 3, ONE_ERROR],
  ["one text", "a.json", { head: `{${NAMELESS},"name":"`, piece: "x", tail: '"}' }, 0, NO_PROBLEMS],
  [
    "a key again and again",
    "a.json",
    { head: "{", piece: '"name":1,', times: 2e4, tail: '"name":2}' },
    3,
    ONE_ERROR,
  ],
  [
    "numbers",
    "a.json",
    { head: `{${NAMELESS},"level":[`, piece: "1,", times: 5e6, tail: "1]}" },
    3,
    ONE_ERROR,
  ],
  ["line ends before a mistake", "a.json", { piece: "\n", times: 4e6, tail: "[" }, 3, /\[syntax\]/],
  ["NUL", "a.yaml", { piece: "\0" }, 3, /\[syntax\]/],
  ["no UTF-8", "a.yaml", { piece: Uint8Array.from([0x80]) }, 3, /\/a\.yaml:1:1: .*\[encoding\]/],
];

describe("files just below the size limit", () => {
  for (const file of someOf(ONE_EACH, 1)) {
    const [says, name] = file;
    test(`check needs bounded memory for a file just below the size limit that contains only ${says} (${name})`, async () =>
      await checkLongFile(file));
  }
});

describe("field names such as __proto__", () => {
  const keys = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];
  const harm = '{"polluted": true, "name": "x"}';
  const inner = keys.map((key) => `"${key}": ${harm}`).join(", ");
  const text = `{${NAMELESS}, "name": "x", ${inner}, "video": {${inner}}, "prices": [{${inner}}]}\n`;

  test.runIf(IS_LONG).each(["a.json", "a.yaml"])(
    "check reports field names such as __proto__ as unknown at any depth: %s",
    async (name) => {
      const path = await newFile(name, text);
      const lines = linesOf(await runCheck([path], 3)).filter((line) =>
        line.includes("[unknown-key]"),
      );
      for (const owner of ["", "video.", "prices[0]."]) {
        const missing = keys.filter(
          (key) => !lines.some((line) => line.includes(`"${owner}${key}"`)),
        );
        expect({ owner, missing }).toEqual({ owner, missing: [] });
      }
      expect(lines).toHaveLength(keys.length * 3);
    },
  );

  test.runIf(IS_LONG)("check reports __proto__ if it appears twice in one object", async () => {
    const duplicate = /duplicate key "__proto__".*\[duplicate-key\]/;
    const harms: readonly HarmfulFile[] = [
      ["in JSON", "a.json", '{"__proto__": 1, "__proto__": 2}', duplicate],
      ["in YAML", "a.yaml", "__proto__: 1\n__proto__: 2\n", duplicate],
      ["escaped", "a.json", '{"\\u005f_proto__": 1, "__proto__": 2}', duplicate],
    ];
    expect(await findUnreported(harms)).toEqual([]);
  });
});
