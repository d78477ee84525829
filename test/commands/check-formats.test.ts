import { describe, expect, test } from "vitest";
import { type Ran, type Rig, rig } from "../rig.ts";
import { lines, numbered } from "./helpers.ts";

const json = (value: unknown): string => JSON.stringify(value);
const BAD = `name: Sewing
url: https://academy.example/sewing
short_description: Short.
long_description: Long.
audio: [en, xx]
provider_id: 6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21
pace: self-paced
colour: red
`;

interface Report {
  readonly files: number;
  readonly courses: number;
  readonly errors: number;
  readonly warnings: number;
  readonly diagnostics: readonly Record<string, unknown>[];
}
const report = (ran: Ran): Report => JSON.parse(ran.stdout) as Report;

/** A rig with a good file, a bad one and one with a warning. */
async function mixed(): Promise<Rig> {
  const r = await rig();
  await r.write("courses/a-good.json", json(numbered(1)));
  await r.write("courses/b-bad.yaml", BAD);
  await r.write("courses/c-warned.json", json(numbered(2, { approval_status: "pending" })));
  return r;
}

describe("--format and --json", () => {
  test.each([["--json"], ["-o", "json"], ["--format", "json"], ["--format=json", "--json"]])(
    "json is the counts and the diagnostics: %s %s",
    async (...words) => {
      const ran = await (await mixed()).run(["courses", "check", "courses", ...words]);
      expect(ran.code).toBe(3);
      expect(report(ran)).toMatchObject({ files: 3, courses: 3, errors: 3, warnings: 1 });
      expect(report(ran).diagnostics[1]).toEqual({
        file: "courses/b-bad.yaml",
        line: 7,
        column: 7,
        endLine: 7,
        endColumn: 17,
        severity: "error",
        rule: "choice",
        message: expect.any(String),
        suggestion: "self_paced",
        path: ["pace"],
      });
      expect(report(ran).diagnostics[0]?.path).toEqual(["audio", 1]);
    },
  );

  test("json without a problem is still the whole object", async () => {
    const ran = await (await mixed()).run(["courses", "check", "courses/a-good.json", "--json"]);
    expect([ran.code, report(ran)]).toEqual([
      0,
      { files: 1, courses: 1, errors: 0, warnings: 0, diagnostics: [] },
    ]);
  });

  test("github is workflow annotations, the default when GITHUB_ACTIONS=true", async () => {
    const r = await mixed();
    const ran = await r.run(["courses", "check", "courses", "--format", "github"]);
    expect(ran.code).toBe(3);
    expect(lines(ran.stdout)[1]).toMatch(
      /^::error file=courses\/b-bad\.yaml,line=7,col=7,[^:]*::pace is not one of /,
    );
    expect(ran.stdout).toContain("::warning file=courses/c-warned.json");
    const environment = { GITHUB_ACTIONS: "true" };
    expect((await r.run(["courses", "check", "courses"], { environment })).stdout).toBe(ran.stdout);
    const human = await r.run(["courses", "check", "courses", "--format", "human"], {
      environment,
    });
    expect(human.stdout).toContain("courses/b-bad.yaml:7:7: error: ");
  });

  test.each([
    ["--format", "xml"],
    ["-o", "csv"],
    ["--json", "--format=human"],
  ])("another format, or two at once, is a usage error: %s %s", async (...words) => {
    expectRefusedEither(await (await mixed()).run(["courses", "check", "courses", ...words]));
  });
});

function expectRefusedEither(ran: Ran): void {
  expect([ran.code, ran.stdout, ran.requests]).toEqual([2, "", []]);
  expect(ran.stderr).not.toBe("");
}
