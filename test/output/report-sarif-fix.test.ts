import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Result } from "sarif";
import { describe, expect, test } from "vitest";
import { loadCourses } from "../../src/files/load.ts";
import type { Diagnostic } from "../../src/output/diagnostics.ts";
import { reportOf } from "./report-rig.ts";
import { CHOICE, sarifResult, sarifRun, temporaryFolder } from "./report-sarif-rig.ts";

describe("report sarif: fixes", () => {
  test("replace exactly the range of the finding, with its quotation marks", async () => {
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
    ["the line is not known", { source: undefined }],
    ["it ends on another line", { endLine: 13 }],
    ["an anchor stands there", { source: "  - pace: &p selfpace # so" }],
    ["an alias stands there", { source: "  - pace: *selfpaced  # so" }],
    ["the suggestion is no plain word", { suggestion: "self_paced # x" }],
    ["the suggestion would be no text", { suggestion: "null" }],
    ["it is a key, which may be there already", { rule: "unknown-key" as const }],
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
  ])("correct a file when applied: %s", async (name, text, count) => {
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
