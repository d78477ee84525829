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

/** Finds a piece of a file. @returns where it begins and ends */
type Piece = (bytes: Buffer) => readonly [start: number, end: number];
/** A change of some bytes. */
type Edit = (bytes: Buffer) => Buffer;

const places = fc.nat({ max: 1_000_000 });

/** No bytes or a few, which may split characters. */
const bytePiece = fc.tuple(places, fc.nat({ max: 60 })).map(([place, length]): Piece => {
  return (bytes) => {
    const start = place % (bytes.length + 1);
    return [start, Math.min(start + length, bytes.length)];
  };
});

const linePiece = places.map((place): Piece => {
  return (bytes) => {
    const ends = [...bytes.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []));
    const starts = [0, ...ends];
    const line = place % starts.length;
    return [starts[line] ?? 0, starts[line + 1] ?? bytes.length];
  };
});

/** The value of a key. */
const valuePiece = places.map((place): Piece => {
  return (bytes) => {
    // Latin-1 has one byte per character, so offsets in the text are offsets of bytes.
    const values = [...bytes.toString("latin1").matchAll(/(?<=: ?)[^\s:,][^,\n]*/g)];
    const { index = 0, 0: value = "" } = values[place % Math.max(1, values.length)] ?? {};
    return [index, index + value.length];
  };
});

/** Text with a meaning in YAML or JSON, and unexpected text. */
const hostile = fc.constantFrom(
  ...`" ' { } [ ] : , - ? # | > &a *a [*a] !x !<a> % \ufeff --- \\ \\u \\ud800 \\x // /* ~`.split(
    " ",
  ),
  ..."__proto__ constructor null true 1e999 0x10 -0 編🧶 {{ [[[[ ]]]] = ` @".split(" "),
  ...[": ", "- ", "? ", " #", "&a *a", "!!str ", "!!int ", "%TAG ! a\n", "\n---\n", "\n...\n"],
  ...["\t", "\n", "\n\n", "\r", "\r\n", "\n\r", " ", "  ", "\0", "\u001b[31m", "\u007f", "\u0085"],
  ...[
    "<<: *a",
    "\u2028",
    "__proto__: 1\n",
    '"__proto__": 1,',
    "\ud83e",
    '"": ""',
    ": : :",
    "? ? ?",
  ],
  ...["- - -", "...: ", "0x1: ", "1: "],
);

const inserted = fc.oneof(
  { weight: 4, arbitrary: hostile.map((text) => Buffer.from(text)) },
  fc.uint8Array({ minLength: 1, maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
  // These bytes never occur in UTF-8.
  fc.constantFrom(Buffer.from([0xff]), Buffer.from([0xc3]), Buffer.from([0xed, 0xa0, 0x80])),
  // Nothing, so that the piece is removed.
  fc.constant(Buffer.alloc(0)),
);

const edits: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(fc.oneof(bytePiece, linePiece, valuePiece), inserted).map(([find, middle]): Edit => {
    return (bytes) => {
      const [start, end] = find(bytes);
      return Buffer.concat([bytes.subarray(0, start), middle, bytes.subarray(end)]);
    };
  }),
  // A piece again, or moved: somewhere else.
  fc
    .tuple(fc.oneof(bytePiece, linePiece), fc.oneof(bytePiece, linePiece), fc.boolean())
    .map(([find, other, isMoved]): Edit => {
      return (bytes) => {
        const [start, end] = find(bytes);
        const rest = isMoved
          ? Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])
          : bytes;
        const [place] = other(rest);
        return Buffer.concat([
          rest.subarray(0, place),
          bytes.subarray(start, end),
          rest.subarray(place),
        ]);
      };
    }),
  places.map((place): Edit => {
    return (bytes) => bytes.subarray(0, place % (bytes.length + 1));
  }),
);

/** A random file after some random edits. */
export const damaged: fc.Arbitrary<SourceFile> = fc
  .tuple(fc.constantFrom(...readExamples()), fc.array(edits, { minLength: 1, maxLength: 4 }))
  .map(([{ extension, bytes }, changes]) => ({
    extension,
    bytes: changes.reduce((changed, edit) => edit(changed), bytes),
  }));
