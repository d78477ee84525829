/** Encodings, byte order marks, and invalid UTF-8. */

/** Bytes that test one rule of RFC 8259. */
export interface BytesCase {
  readonly title: string;
  readonly bytes: Buffer;
  readonly outcome: readonly [value: unknown] | "refuse" | "either";
}

/** Encodes a string as UTF-16BE. */
function utf16be(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}

/** Encodes a string as UTF-32. */
function utf32(text: string, write: "writeUInt32LE" | "writeUInt32BE"): Buffer {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const bytes = Buffer.alloc(points.length * 4);
  for (const [index, point] of points.entries()) bytes[write](point, index * 4);
  return bytes;
}

/** Bytes between quotation marks. */
function quoted(...bytes: readonly number[]): Buffer {
  return Buffer.from([0x22, ...bytes, 0x22]);
}

const OTHER = "exchanged text must be UTF-8 (8.1)";
const MARK = "a reader may skip a byte order mark (8.1)";
const BAD = "invalid UTF-8 is not text (8.1)";

export const ENCODINGS: readonly BytesCase[] = [
  { title: `UTF-8: ${OTHER}`, bytes: Buffer.from('"é編🧶"'), outcome: ["é編🧶"] },
  { title: `UTF-16LE: ${OTHER}`, bytes: Buffer.from("[1]", "utf16le"), outcome: "refuse" },
  { title: `UTF-16BE: ${OTHER}`, bytes: utf16be("[1]"), outcome: "refuse" },
  {
    title: `UTF-16LE with a mark: ${OTHER}`,
    bytes: Buffer.from("\ufeff[1]", "utf16le"),
    outcome: "refuse",
  },
  { title: `UTF-16BE with a mark: ${OTHER}`, bytes: utf16be("\ufeff[1]"), outcome: "refuse" },
  { title: `UTF-32LE: ${OTHER}`, bytes: utf32("[1]", "writeUInt32LE"), outcome: "refuse" },
  { title: `UTF-32BE: ${OTHER}`, bytes: utf32("[1]", "writeUInt32BE"), outcome: "refuse" },
  {
    title: `UTF-32LE with a mark: ${OTHER}`,
    bytes: utf32("\ufeff[1]", "writeUInt32LE"),
    outcome: "refuse",
  },
  {
    title: `UTF-32BE with a mark: ${OTHER}`,
    bytes: utf32("\ufeff[1]", "writeUInt32BE"),
    outcome: "refuse",
  },
  { title: `Latin-1: ${OTHER}`, bytes: Buffer.from('"é"', "latin1"), outcome: "refuse" },
  { title: `UTF-7: ${OTHER}`, bytes: Buffer.from("+AFsAMQBd-"), outcome: "refuse" },
  { title: `one mark: ${MARK}`, bytes: Buffer.from("\ufeff[1]"), outcome: "either" },
  { title: `two marks: ${MARK}`, bytes: Buffer.from("\ufeff\ufeff[1]"), outcome: "refuse" },
  { title: `a mark after a space: ${MARK}`, bytes: Buffer.from(" \ufeff[1]"), outcome: "refuse" },
  { title: `a mark after the value: ${MARK}`, bytes: Buffer.from("[1]\ufeff"), outcome: "refuse" },
  { title: `a mark alone: ${MARK}`, bytes: Buffer.from("\ufeff"), outcome: "refuse" },
  { title: `half of a mark: ${MARK}`, bytes: Buffer.from([0xef, 0xbb]), outcome: "refuse" },
  { title: `0xff: ${BAD}`, bytes: quoted(0xff), outcome: "refuse" },
  { title: `0xfe: ${BAD}`, bytes: quoted(0xfe), outcome: "refuse" },
  { title: `a lone continuation: ${BAD}`, bytes: quoted(0x80), outcome: "refuse" },
  { title: `a character cut short: ${BAD}`, bytes: quoted(0xe7, 0xb7), outcome: "refuse" },
  {
    title: `cut short at the end: ${BAD}`,
    bytes: Buffer.from([0x22, 0xf0, 0x9f]),
    outcome: "refuse",
  },
  { title: `a slash in two bytes: ${BAD}`, bytes: quoted(0xc0, 0xaf), outcome: "refuse" },
  { title: `a NUL in two bytes: ${BAD}`, bytes: quoted(0xc0, 0x80), outcome: "refuse" },
  {
    title: `a point in three bytes: ${BAD}`,
    bytes: quoted(0xe0, 0x80, 0xae),
    outcome: "refuse",
  },
  { title: `half a surrogate pair: ${BAD}`, bytes: quoted(0xed, 0xa0, 0x80), outcome: "refuse" },
  {
    title: `a surrogate pair, each half by itself: ${BAD}`,
    bytes: quoted(0xed, 0xa0, 0xbe, 0xed, 0xb7, 0xb6),
    outcome: "refuse",
  },
  {
    title: `beyond Unicode: ${BAD}`,
    bytes: quoted(0xf4, 0x90, 0x80, 0x80),
    outcome: "refuse",
  },
  { title: `five bytes: ${BAD}`, bytes: quoted(0xf8, 0x88, 0x80, 0x80, 0x80), outcome: "refuse" },
  {
    title: `the last character of Unicode is valid`,
    bytes: Buffer.from('"\u{10ffff}"'),
    outcome: ["\u{10ffff}"],
  },
  {
    title: `invalid bytes outside a string: ${BAD}`,
    bytes: Buffer.from([0x5b, 0xff, 0x5d]),
    outcome: "refuse",
  },
  {
    title: `an invalid key: ${BAD}`,
    bytes: Buffer.concat([Buffer.from('{"'), Buffer.from([0xc3]), Buffer.from('":1}')]),
    outcome: "refuse",
  },
];
