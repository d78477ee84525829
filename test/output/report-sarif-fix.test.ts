import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Result } from "sarif";
import { describe, expect, test } from "vitest";
import { loadCourses } from "../../src/files/load.ts";
import type { Diagnostic } from "../../src/output/diagnostics.ts";
import { reportOf } from "./report-rig.ts";
import { CHOICE, sarifResult, sarifRun, temporaryFolder } from "./report-sarif-rig.ts";

describe("sarif report: fixes", () => {
  test("replace the affected text and preserve its quotes", async () => {
    const { fixes } = await sarifResult(CHOICE);
    expect(fixes).toEqual([
      {
        artifactChanges: [
          {
            artifactLocation: { uri: "courses/a.yaml" },
            replacements: [
              {
                deletedRegion: { startLine: 12, startColumn: 11, endLine: 12, endColumn: 22 },
                insertedContent: { text: "'self_paced'" },
              },
            ],
          },
        ],
      },
    ]);
  });

  test.each([
    ["there is no suggestion", { suggestion: undefined }],
    ["the source line is unknown", { source: undefined }],
    ["the finding ends on another line", { endLine: 13 }],
    ["the value has an anchor", { source: "  - pace: &p selfpace # so" }],
    ["the value is an alias", { source: "  - pace: *selfpaced  # so" }],
    ["the suggestion is not a plain word", { suggestion: "self_paced # x" }],
    ["the suggestion would not be a string", { suggestion: "null" }],
    ["the finding is about a key, which may already exist", { rule: "unknown-key" as const }],
  ])("are omitted if %s", async (_, changes) => {
    const changed = Object.entries({ ...CHOICE, ...changes }).filter(
      ([, value]) => value !== undefined,
    );
    const diagnostic = Object.fromEntries(changed) as unknown as Diagnostic;
    expect((await sarifResult(diagnostic)).fixes).toBeUndefined();
  });

  test.each([
    [
      "a.yaml",
      "name: A\nurl: https://a.example/a\nshort_description: a\nlong_description: a\n" +
        "provider_id: 6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21\n" +
        "audio: [en, \"iw\", de-ch]\npace: self-paced # so\nassessments: 'yes'\nlevel: [beginer]\n" +
        "prices: [{type: single_course, price: 49.90, currency: 'eur'}]\n",
      7,
    ],
    [
      "a.json",
      '{"name": "A", "url": "https://a.example/a", "short_description": "a", "long_description": "a",\n' +
        '"provider_id": "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21", "audio": ["en-us"], "pace": "selfpaced",\n' +
        '"number_of_lessons": "12", "prices": [{"type": "single_course", "price": 5, "currency": "eur"}]}\n',
      5,
    ],
  ])("make the file %s valid when they are applied", async (name, text, count) => {
    const folder = await temporaryFolder();
    const path = join(folder, name);
    await writeFile(path, text);
    const found = await findingsIn(name, folder);
    const { results } = await sarifRun(reportOf(found));
    expect([found.length, results.filter(({ fixes }) => fixes?.length === 1).length]).toEqual([
      count,
      count,
    ]);
    await writeFile(path, applied(text, results));
    expect(await findingsIn(name, folder)).toEqual([]);
  });
});

async function findingsIn(name: string, folder: string): Promise<readonly Diagnostic[]> {
  const input = { stream: Readable.from([]) };
  const found: Diagnostic[] = [];
  for await (const file of loadCourses([name], { folder, input })) found.push(...file.diagnostics);
  return found;
}

/** Applies every fix, last position first. */
function applied(text: string, results: readonly Result[]): string {
  const lines = text.split("\n");
  const replacements = results.flatMap(({ fixes }) =>
    (fixes ?? []).flatMap(({ artifactChanges }) =>
      artifactChanges.flatMap(({ replacements: all }) => all),
    ),
  );
  for (const { deletedRegion, insertedContent } of replacements.toReversed()) {
    const { startLine = 0, startColumn = 0, endColumn = 0 } = deletedRegion;
    const line = lines[startLine - 1] ?? "";
    lines[startLine - 1] =
      line.slice(0, startColumn - 1) + insertedContent?.text + line.slice(endColumn - 1);
  }
  return lines.join("\n");
}
