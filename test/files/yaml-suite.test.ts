/** Tricky YAML, read as YAML 1.2.2 requires with the core schema, or rejected. */
import { describe, expect, test } from "vitest";
import { decode } from "../../src/files/decode.ts";
import { parseYaml } from "../../src/files/yaml.ts";
import { IS_LONG } from "../long.ts";
import { rig } from "../rig.ts";
import { BLOCK_SCALARS } from "./yaml-cases/block-scalars.ts";
import { CHARACTERS } from "./yaml-cases/characters.ts";
import { COLLECTIONS } from "./yaml-cases/collections.ts";
import { DEVIATIONS, NO_JSON } from "./yaml-cases/deviations.ts";
import { DOCUMENTS } from "./yaml-cases/documents.ts";
import { FLOW } from "./yaml-cases/flow.ts";
import type { Outcome } from "./yaml-cases/group.ts";
import { PLAIN } from "./yaml-cases/plain.ts";
import { PROPERTIES } from "./yaml-cases/properties.ts";
import { QUOTED } from "./yaml-cases/quoted.ts";
import { SCALARS } from "./yaml-cases/scalars.ts";

const GROUPS = [
  SCALARS,
  PLAIN,
  QUOTED,
  BLOCK_SCALARS,
  FLOW,
  COLLECTIONS,
  DOCUMENTS,
  PROPERTIES,
  CHARACTERS,
].flat();

const TEXTS = GROUPS.flatMap(({ cases }) => Object.keys(cases));

/** The result of reading the bytes of a file. */
async function read(bytes: Buffer): Promise<Outcome> {
  const { text, problem } = decode(bytes);
  if (problem !== undefined) return "error";
  const { documents, problems } = await parseYaml(text);
  if (problems.length > 0) return "error";
  return normalized(documents);
}

/** Compares negative zero as zero, and ignores an empty document at the end. */
function normalized(documents: readonly unknown[]): readonly unknown[] {
  const values = documents.map((value) => (value === 0 ? 0 : value));
  while (values.length > 0 && (values.at(-1) ?? null) === null) values.pop();
  return values;
}

test("the YAML suite has more than eight hundred texts and fewer than twenty deviations", () => {
  expect(TEXTS.length).toBeGreaterThan(800);
  expect(Object.keys(DEVIATIONS).length).toBeLessThan(20);
  expect(Object.keys(DEVIATIONS).filter((text) => !TEXTS.includes(text))).toEqual([]);
});

describe.each(GROUPS)("YAML suite ($section)", ({ title, cases }) => {
  test(`YAML is read as YAML 1.2.2 requires: ${title}`, async () => {
    for (const [text, standard] of Object.entries(cases)) {
      const expected = DEVIATIONS[text]?.gives ?? standard;
      const gives = expected === "error" ? expected : normalized(expected);
      expect({ text, gives: await read(Buffer.from(text)) }).toEqual({ text, gives });
    }
  });
});

describe("data that JSON cannot represent", () => {
  test.each(Object.entries(NO_JSON))(
    "YAML that JSON cannot represent is rejected: %s",
    async (_, texts) => {
      for (const text of texts) {
        expect({ text, gives: await read(Buffer.from(text)) }).toEqual({ text, gives: "error" });
      }
    },
  );
});

describe("encodings", () => {
  test.each([
    ["UTF-16LE", Buffer.from("\ufeffa: 1", "utf16le")],
    ["UTF-16BE", Buffer.from("\ufeffa: 1", "utf16le").swap16()],
    ["UTF-16LE without a mark", Buffer.from("a: é", "utf16le")],
    ["UTF-16BE without a mark", Buffer.from("a: é", "utf16le").swap16()],
    ["UTF-32LE", Buffer.from("\ufeff\0a\0:\0 \x001\0", "utf16le")],
    ["Latin-1", Buffer.from("a: é", "latin1")],
  ])("YAML in %s is rejected, because course files must be UTF-8", async (_, bytes) => {
    expect(await read(bytes)).toBe("error");
  });
});

test("check reports a YAML escape beyond Unicode at its position", async () => {
  const front = await rig();
  await front.write("a.yaml", 'name: "\\\\U0011 \\U0010FFFF \\U00110000"\n');
  const { code, stdout } = await front.run(["courses", "check", "a.yaml"]);
  expect(code).toBe(3);
  expect(stdout).toContain("a.yaml:1:27: error: not valid YAML: invalid escape \\U");
});

test("parseYaml finds a duplicate key after keys that are numbers", async () => {
  const { problems, positions } = await parseYaml("1e999: a\n2: b\nc: 1\nc: 2\n");
  expect(problems).toMatchObject([{ rule: "duplicate-key", span: { start: 19, end: 20 } }]);
  expect((await positions()).place({ document: 0 })?.entries?.map(({ name }) => name)).toEqual([
    "1e999",
    "2",
    "c",
    "c",
  ]);
});

test("check reports every text of a sample of the YAML suite without an internal error", async () => {
  const front = await rig();
  const texts = TEXTS.filter((_, index) => IS_LONG || index % 4 === 0);
  const names = await Promise.all(texts.map((text, index) => front.write(`${index}.yaml`, text)));
  const { code, stdout, stderr } = await front.run(["courses", "check", ...names, "--json"]);
  // None of these files is a valid course; those without any course come first.
  expect(code).toBe(2);
  const { files, diagnostics } = JSON.parse(stdout);
  const silent = stderr
    .trim()
    .split("\n")
    .flatMap((line) => JSON.parse(line).error ?? []);
  expect(silent.filter(({ kind }) => kind !== "usage")).toEqual([]);
  const reported = new Set([...diagnostics, ...silent].map(({ file }) => file));
  expect(reported.size).toBe(files);
  expect(files).toBe(names.length);
});
