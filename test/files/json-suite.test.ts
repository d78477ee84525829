/** Tricky JSON, accepted or rejected as RFC 8259 requires, without an internal error. */
import { describe, expect, test } from "vitest";
import { decode } from "../../src/files/decode.ts";
import { parseJson } from "../../src/files/json.ts";
import { rig } from "../rig.ts";
import { ENCODINGS } from "./json-cases/encodings.ts";
import type { Outcome } from "./json-cases/group.ts";
import { NUMBERS } from "./json-cases/numbers.ts";
import { STRINGS } from "./json-cases/strings.ts";
import { STRUCTURE } from "./json-cases/structure.ts";

const GROUPS = [...NUMBERS, ...STRINGS, ...STRUCTURE];

/** The result of reading the bytes of a file. */
async function read(bytes: Buffer): Promise<Outcome> {
  const { text, problem } = decode(bytes);
  if (problem !== undefined) return "refuse";
  const { documents, problems } = await parseJson(text);
  // The loader rejects a file without a value, because it has no course.
  if (problems.length > 0 || documents.length === 0) return "refuse";
  const [value] = documents;
  // JSON.parse keeps negative zero; we compare it as zero.
  return [value === 0 ? 0 : value];
}

/** A JSON text, abbreviated for a test title. */
function abbreviate(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}… (${text.length})` : text;
}

/** @param text the decoded bytes, if they are valid */
function expectOutcome(name: string, got: Outcome, wanted: Outcome, text: string): void {
  if (wanted !== "either") expect({ name, got }).toEqual({ name, got: wanted });
  // A reader that accepts it must return its value.
  else if (got !== "refuse") expect({ name, got }).toEqual({ name, got: [JSON.parse(text)] });
}

test("the JSON suite has more than three hundred texts", () => {
  const texts = GROUPS.flatMap(({ cases }) => Object.keys(cases));
  expect(texts.length + ENCODINGS.length).toBeGreaterThan(300);
});

describe.each(GROUPS)("JSON suite ($section)", ({ title, cases }) => {
  test(`JSON is read as RFC 8259 requires: ${title}`, async () => {
    for (const [text, wanted] of Object.entries(cases)) {
      expectOutcome(abbreviate(text), await read(Buffer.from(text)), wanted, text);
    }
  });
});

describe("JSON bytes", () => {
  test.each(ENCODINGS)(
    "JSON bytes are read or rejected as RFC 8259 requires: $title",
    async ({ title, bytes, outcome }) => {
      expectOutcome(title, await read(bytes), outcome, new TextDecoder().decode(bytes));
    },
  );
});

describe("choices of the JSON standard", () => {
  test("JSON with a duplicate key is rejected", async () => {
    expect(await read(Buffer.from('{"a":1,"\\u0061":2}'))).toBe("refuse");
  });

  test("a byte order mark before JSON is ignored", async () => {
    expect(await read(Buffer.from("\ufeff[1]"))).toEqual([[1]]);
  });

  test("JSON of 100 levels is accepted, and deeper JSON is rejected without a stack overflow", async () => {
    expect(await read(Buffer.from(`${"[".repeat(100)}${"]".repeat(100)}`))).not.toBe("refuse");
    expect(await read(Buffer.from(`${"[".repeat(101)}${"]".repeat(101)}`))).toBe("refuse");
  });
});

test("check reports every text of the JSON suite without an internal error", async () => {
  const front = await rig();
  const texts = GROUPS.flatMap(({ cases }) => Object.keys(cases)).map((text) => Buffer.from(text));
  const all = [...texts, ...ENCODINGS.map(({ bytes }) => bytes)];
  const names = await Promise.all(all.map((bytes, index) => front.write(`${index}.json`, bytes)));
  const { code, stdout, stderr } = await front.run(["courses", "check", ...names, "--json"]);
  // None of these files is a valid course; those without any course come first.
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ files: names.length });
  for (const line of stderr.trim().split("\n")) {
    expect(JSON.parse(line)).toMatchObject({ error: { kind: "usage" } });
  }
});
