/** Tricky JSON, each text taken or refused as RFC 8259 says, and never with a fault. */
import { describe, expect, test } from "vitest";
import { decode } from "../../src/files/bytes.ts";
import { parseJson } from "../../src/files/json.ts";
import { rig } from "../rig.ts";
import { ENCODINGS } from "./json-cases/encodings.ts";
import type { Outcome } from "./json-cases/group.ts";
import { NUMBERS } from "./json-cases/numbers.ts";
import { STRINGS } from "./json-cases/strings.ts";
import { STRUCTURE } from "./json-cases/structure.ts";

const GROUPS = [...NUMBERS, ...STRINGS, ...STRUCTURE];

/** What the product makes of the bytes of a file. */
function read(bytes: Buffer): Outcome {
  const { text, problem } = decode(bytes);
  if (problem !== undefined) return "refuse";
  const { documents, problems } = parseJson(text);
  // A file that holds nothing is refused by its reader, as one without a course.
  if (problems.length > 0 || documents.length === 0) return "refuse";
  const [value] = documents;
  // Minus zero is zero.
  return [value === 0 ? 0 : value];
}

/** A text as a message shows it. */
function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}… (${text.length})` : text;
}

/** @param text what the bytes say, if they are any text */
function expectOutcome(name: string, got: Outcome, wanted: Outcome, text: string): void {
  if (wanted !== "either") expect({ name, got }).toEqual({ name, got: wanted });
  // Whoever takes it takes it for what it says.
  else if (got !== "refuse") expect({ name, got }).toEqual({ name, got: [JSON.parse(text)] });
}

test("there are more than two hundred texts", () => {
  const texts = GROUPS.flatMap(({ cases }) => Object.keys(cases));
  expect(texts.length + ENCODINGS.length).toBeGreaterThan(300);
});

describe.each(GROUPS)("$title ($section)", ({ cases }) => {
  test("in every text", () => {
    for (const [text, wanted] of Object.entries(cases)) {
      expectOutcome(shown(text), read(Buffer.from(text)), wanted, text);
    }
  });
});

describe("bytes", () => {
  test.each(ENCODINGS)("$title", ({ title, bytes, outcome }) => {
    expectOutcome(title, read(bytes), outcome, new TextDecoder().decode(bytes));
  });
});

describe("where the standard leaves a choice", () => {
  test("a key that stands twice is refused, as cli.md section 7 says", () => {
    expect(read(Buffer.from('{"a":1,"\\u0061":2}'))).toBe("refuse");
  });

  test("a byte order mark is passed over", () => {
    expect(read(Buffer.from("\ufeff[1]"))).toEqual([[1]]);
  });

  test("as many levels as any course needs are taken, and no stack overflows", () => {
    expect(read(Buffer.from(`${"[".repeat(64)}${"]".repeat(64)}`))).not.toBe("refuse");
    expect(read(Buffer.from(`${"[".repeat(65)}${"]".repeat(65)}`))).toBe("refuse");
  });
});

test("as files, each of them ends with a finding and none with a fault", async () => {
  const front = await rig();
  const texts = GROUPS.flatMap(({ cases }) => Object.keys(cases)).map((text) => Buffer.from(text));
  const all = [...texts, ...ENCODINGS.map(({ bytes }) => bytes)];
  const names = await Promise.all(all.map((bytes, index) => front.write(`${index}.json`, bytes)));
  const { code, stdout, stderr } = await front.run(["courses", "check", ...names, "--json"]);
  // No text is a course, and those that hold none at all come first.
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ files: names.length });
  for (const line of stderr.trim().split("\n")) {
    expect(JSON.parse(line)).toMatchObject({ error: { kind: "usage" } });
  }
});
