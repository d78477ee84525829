/** Properties of course files: any content gives a problem or a correct result. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { isList, isObject } from "../../src/base/values.ts";
import { decode } from "../../src/files/decode.ts";
import { parseJson } from "../../src/files/json.ts";
import { loadCourses } from "../../src/files/load.ts";
import { findCourses } from "../../src/files/parsed.ts";
import type { PlacedNode, Span } from "../../src/files/position.ts";
import { parseYaml } from "../../src/files/yaml.ts";
import { damaged } from "../../test/files/damage.ts";
import { lineLengths, requireInside } from "./positions.ts";
import { type AnyProperty, property } from "./property.ts";
import { randomJson, validJson } from "./random-json.ts";
import { anyText } from "./random-strings.ts";
import { randomYaml } from "./random-yaml.ts";
import type { Runner } from "./runner.ts";

/** Reads and checks a file, and checks that all problems are inside the file. */
async function checkFile(bytes: Uint8Array, extension: string, { folder }: Runner): Promise<void> {
  const name = `case${extension}`;
  writeFileSync(join(folder, name), bytes);
  const lengths = lineLengths(decode(Buffer.from(bytes)).text);
  const input = { stream: Readable.from([]) };
  for await (const { diagnostics, failure } of loadCourses([name], {
    folder,
    environment: {},
    input,
  })) {
    if (failure !== undefined) {
      assert(failure.kind === "usage" || failure.kind === "file", failure.message);
      continue;
    }
    for (const finding of diagnostics) {
      requireInside(finding, lengths, finding.message);
      for (const related of finding.related ?? []) requireInside(related, lengths, related.message);
    }
  }
}

/**
 * The value at a position, if it is on one line and has no tag. A key may end with a colon, which is not part of
 * the key.
 */
const WRITTEN_OUT = /^(?![-?:]$)[^|>*&!\r\n](?:[^\r\n]*[^:\r\n])?$/;

/** Fails if the text has another value or key at the position. */
async function requirePlaced(
  value: unknown,
  node: PlacedNode | undefined,
  text: string,
): Promise<void> {
  assert(node !== undefined, `${JSON.stringify(value)} has no place`);
  if (isList(value)) {
    assert.equal(node.items?.length, value.length);
    for (const [index, item] of value.entries())
      await requirePlaced(item, node.items?.[index], text);
  } else if (isObject(value)) {
    for (const [key, held] of Object.entries(value)) {
      const place: Span | undefined = node.entries?.findLast(({ name }) => name === key)?.key;
      await requirePlaced(held, node.entries?.findLast(({ name }) => name === key)?.value, text);
      // An empty key has the position of the character next to it.
      const said: Said | undefined =
        place === undefined || key === "null" ? undefined : await saidAt(place, text);
      if (said !== undefined) assert.equal(String(said.value), key);
    }
  } else if (value !== null) {
    const said = await saidAt(node.span, text);
    if (said !== undefined) assert.deepEqual(said.value, value);
  }
}

/** The value of a part of a text. */
interface Said {
  readonly value: unknown;
}

/** The value of a span, parsed separately; undefined if it is not a single value. */
async function saidAt({ start, end }: Span, text: string): Promise<Said | undefined> {
  assert(start >= 0 && start <= end && end <= text.length, `${start} to ${end} is no place`);
  const written = text.slice(start, end);
  if (!WRITTEN_OUT.test(written)) return undefined;
  const { documents } = await parseYaml(`- ${written}`);
  const [read] = documents;
  return { value: isList(read) ? read[0] : read };
}

/** Compares our result for a JSON text with the results of JSON.parse and of the YAML parser. */
async function checkJson(text: string): Promise<void> {
  const { documents, problems } = await parseJson(text);
  const isBroken = problems.some(({ rule }) => rule === "syntax");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    assert(isBroken || text.trim() === "", "invalid JSON was accepted");
    return;
  }
  assert(!isBroken, "valid JSON was refused");
  assert.deepEqual(documents, [value]);
  const yaml = await parseYaml(text);
  // YAML does not allow every tab that JSON allows.
  if (yaml.problems.some(({ rule }) => rule === "syntax")) return;
  assert.equal(problems.length > 0, yaml.problems.length > 0, "duplicate keys");
}

const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  anyText.map((text) => Buffer.from(text)),
  anyText.map((text) => Buffer.from(text, "utf16le")),
  anyText.map((text) => Buffer.from(text, "latin1")),
);

/** The properties of course files. */
export const COURSE_FILE_PROPERTIES: readonly AnyProperty[] = [
  property({
    name: "bytes",
    says: "the problems of a file of any bytes are inside the file",
    arbitrary: fc.tuple(anyBytes, fc.constantFrom(".yaml", ".json")),
    check: ([bytes, extension], runner) => checkFile(bytes, extension, runner),
  }),
  property({
    name: "damaged",
    says: "the problems of a damaged example are inside the file",
    arbitrary: damaged,
    check: ({ bytes, extension }, runner) => checkFile(bytes, extension, runner),
  }),
  property({
    name: "yaml",
    says: "the problems of random YAML are inside the text",
    arbitrary: randomYaml,
    check: (text, runner) => checkFile(Buffer.from(text), ".yaml", runner),
  }),
  property({
    name: "places",
    says: "every value of a YAML text is at its reported position",
    arbitrary: randomYaml.map((text) => decode(Buffer.from(text)).text),
    check: async (text) => {
      const parsed = await parseYaml(text);
      if (parsed.problems.length > 0 || text.includes("!")) return;
      const { place } = await parsed.positions();
      // Empty documents are not courses.
      for (const course of findCourses(parsed)) {
        await requirePlaced(course.value, place(course), text);
      }
    },
  }),
  property({
    name: "json",
    says: "almost valid JSON is parsed as the standard requires, or reported at the position of the problem",
    arbitrary: randomJson,
    check: async (text, runner) => {
      await checkFile(Buffer.from(text), ".json", runner);
      await checkJson(text);
    },
  }),
  property({
    name: "json-as-yaml",
    says: "JSON has the same value when it is read as YAML, in every layout",
    arbitrary: validJson,
    check: async (text) => {
      const [json, yaml] = await Promise.all([parseJson(text), parseYaml(text)]);
      assert.deepEqual(yaml.problems, []);
      assert.deepEqual(yaml.documents, json.documents);
    },
  }),
];
