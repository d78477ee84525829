/** What people read has one word for each thing (CONTRIBUTING.md, "Style"). */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { findBanned, readTexts } from "./words.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TEXTS = readTexts(ROOT);

test.each(["document", "message", "comment", "title"])("no %s has a banned word", (kind) => {
  const texts = TEXTS.filter((text) => text.kind === kind);
  expect(texts.length).toBeGreaterThan(500);
  const found = findBanned(texts).map(
    ({ file, line, text, banned }) => `${file}:${line}: write "${banned.better}": ${text}`,
  );
  expect(found).toEqual([]);
});

describe("the search for banned words", () => {
  test.each([
    ["document", "The address of the service.", "URL, base URL, host"],
    ["message", "replace the quotes by straight ones", "replace … with"],
    ["comment", "The directory of a course.", "folder"],
    ["title", "check reports a mistake", "problem"],
  ] as const)("the search for banned words finds one in a %s", (kind, text, better) => {
    const found = findBanned([{ kind, file: "a", line: 1, text }]);
    expect(found.map(({ banned }) => banned.better)).toEqual([better]);
  });

  test("the search for banned words accepts the IP address of a host", () => {
    const text = "The IP address of a network.";
    expect(findBanned([{ kind: "document", file: "a", line: 1, text }])).toEqual([]);
  });
});
