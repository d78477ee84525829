/** Damages course files at random, like typing errors and broken disks. */
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { CORE_SCHEMA, loadAll } from "js-yaml";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

/** The bytes and the extension of a file. */
export interface SourceFile {
  readonly extension: string;
  readonly bytes: Buffer;
}

/** The examples, and their courses as JSON on many lines and on one. */
function readExamples(): SourceFile[] {
  const names = readdirSync(join(EXAMPLES, "courses"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(json|yaml)$/.test(name))
    .map((name) => join("courses", name))
    .sort();
  return ["every-field.yaml", ...names].flatMap((name) => {
    const bytes = readFileSync(join(EXAMPLES, name));
    const documents = loadAll(bytes.toString(), null, { schema: CORE_SCHEMA });
    const course = documents.length === 1 ? documents[0] : documents;
    return [
      { extension: extname(name), bytes },
      { extension: ".json", bytes: Buffer.from(JSON.stringify(course, null, 2)) },
      { extension: ".json", bytes: Buffer.from(JSON.stringify(course)) },
      // JSON is also YAML, in a style that the examples rarely use.
      { extension: ".yaml", bytes: Buffer.from(JSON.stringify(course, null, 1)) },
      { extension: extname(name), bytes: Buffer.from(`\ufeff${bytes}`.replaceAll("\n", "\r\n")) },
    ];
  });
}

const SOURCES = readExamples();

/** A change of some bytes; offsets are limited to the file. */
type Edit = (bytes: Buffer) => Buffer;

/** Replaces the bytes from `from` up to, but excluding, `to`. */
function spliced(bytes: Buffer, from: number, to: number, middle: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(to)]);
}

/** The boundaries of two ranges of bytes, in order. */
type Ranges = (bytes: Buffer) => readonly [number, number, number, number];

const places = fc.nat({ max: 1_000_000 });

/** Two random ranges of bytes, which may split characters. */
const byteRanges = fc
  .tuple(places, places, fc.nat({ max: 60 }), fc.nat({ max: 60 }))
  .map(([one, other, length, otherLength]): Ranges => {
    return (bytes) => {
      const within = (offset: number): number => offset % (bytes.length + 1);
      const [first, second] = [within(one), within(other)].sort((a, b) => a - b) as [
        number,
        number,
      ];
      const end = Math.min(first + length, second);
      return [first, end, second, Math.min(second + otherLength, bytes.length)];
    };
  });

/** Two random lines. */
const lineRanges = fc.tuple(places, places).map(([one, other]): Ranges => {
  return (bytes) => {
    const ends = [...bytes.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []));
    const starts = [0, ...ends];
    const [first, second] = [one % starts.length, other % starts.length].sort((a, b) => a - b) as [
      number,
      number,
    ];
    const at = (line: number): number => starts[line] ?? bytes.length;
    return first === second
      ? [at(first), at(first + 1), at(first + 1), at(first + 1)]
      : [at(first), at(first + 1), at(second), at(second + 1)];
  };
});

const nothing = Buffer.alloc(0);

const moves: readonly ((ranges: Ranges) => Edit)[] = [
  (ranges) => (bytes) => {
    const [start, end] = ranges(bytes);
    return spliced(bytes, start, end, nothing);
  },
  (ranges) => (bytes) => {
    const [start, end] = ranges(bytes);
    return spliced(bytes, end, end, bytes.subarray(start, end));
  },
  (ranges) => (bytes) => {
    const [start, end, otherStart, otherEnd] = ranges(bytes);
    return Buffer.concat([
      bytes.subarray(0, start),
      bytes.subarray(otherStart, otherEnd),
      bytes.subarray(end, otherStart),
      bytes.subarray(start, end),
      bytes.subarray(otherEnd),
    ]);
  },
];

/** Text with a meaning in YAML or JSON, and unexpected text. */
const hostile = fc.constantFrom(
  ...['"', "'", "{", "}", "[", "]", ":", ": ", ",", "-", "- ", "?", "? ", "#", " #", "|", ">"],
  ...["\t", "\n", "\n\n", "\r", "\r\n", "\n\r", " ", "  ", "\0", "\u001b[31m", "\u007f", "\u0085"],
  ...[
    "&a ",
    "*a",
    "&a *a",
    "[*a]",
    "!!str ",
    "!!int ",
    "!x ",
    "!<a> ",
    "%",
    "%TAG ! a\n",
    "\ufeff",
  ],
  ...["---", "\n---\n", "\n...\n", "<<: *a", "\\", "\\u", "\\ud800", "\\x", "//", "/*", "\u2028"],
  ...[
    "__proto__: 1\n",
    '"__proto__": 1,',
    "constructor",
    "null",
    "~",
    "true",
    "1e999",
    "0x10",
    "-0",
  ],
  ...[
    "編🧶",
    "\ud83e",
    "{{",
    "[[[[",
    "]]]]",
    '"": ""',
    ": : :",
    "? ? ?",
    "- - -",
    "=",
    "`",
    "@",
    "...: ",
    "0x1: ",
    "1: ",
  ],
);

const inserted = fc.oneof(
  { weight: 4, arbitrary: hostile.map((text) => Buffer.from(text)) },
  fc.uint8Array({ minLength: 1, maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
  // These bytes never occur in UTF-8.
  fc.constantFrom(Buffer.from([0xff]), Buffer.from([0xc3]), Buffer.from([0xed, 0xa0, 0x80])),
);

const edits: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(fc.constantFrom(...moves), fc.oneof(byteRanges, lineRanges)).map(([move, ranges]) => {
    return move(ranges);
  }),
  {
    weight: 2,
    arbitrary: fc.tuple(places, inserted).map(([at, what]): Edit => {
      return (bytes) => spliced(bytes, at % (bytes.length + 1), at % (bytes.length + 1), what);
    }),
  },
  fc.tuple(byteRanges, inserted).map(([ranges, what]): Edit => {
    return (bytes) => {
      const [start, end] = ranges(bytes);
      return spliced(bytes, start, end, what);
    };
  }),
  places.map(
    (at): Edit =>
      (bytes) =>
        bytes.subarray(0, at % (bytes.length + 1)),
  ),
  fc.tuple(places, inserted).map(([which, what]): Edit => {
    return (bytes) => {
      // Latin-1 has one byte per character, so offsets in the text are offsets of bytes.
      const values = [...bytes.toString("latin1").matchAll(/(?<=: ?)[^\s:,][^,\n]*/g)];
      const value = values[which % Math.max(1, values.length)];
      if (value === undefined) return bytes;
      return spliced(bytes, value.index, value.index + value[0].length, what);
    };
  }),
);

/** A random file after some random edits. */
export const damaged: fc.Arbitrary<SourceFile> = fc
  .tuple(fc.constantFrom(...SOURCES), fc.array(edits, { minLength: 1, maxLength: 4 }))
  .map(([{ extension, bytes }, changes]) => ({
    extension,
    bytes: changes.reduce((changed, edit) => edit(changed), bytes),
  }));
