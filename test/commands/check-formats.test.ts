import { expect, test } from "vitest";
import { parseReport, rigWithMixedFiles } from "./check-files.ts";
import { lines } from "./helpers.ts";

test.each([["--json"], ["-o", "json"]])(
  "check prints the counts and the problems as JSON with %s %s",
  async (...words) => {
    const ran = await (await rigWithMixedFiles()).run(["courses", "check", "courses", ...words]);
    expect(ran.code).toBe(3);
    expect(parseReport(ran)).toMatchObject({ files: 3, courses: 3, errors: 3, warnings: 1 });
    expect(parseReport(ran).problems[1]).toEqual({
      file: "courses/b-bad.yaml",
      line: 7,
      column: 7,
      severity: "error",
      rule: "choice",
      message: expect.any(String),
      suggestion: "self_paced",
      fix: "self_paced",
    });
  },
);

test("check -o github prints annotations; in GitHub Actions they follow the text report", async () => {
  const r = await rigWithMixedFiles();
  const ran = await r.run("courses check courses -o github");
  expect(ran.code).toBe(3);
  expect(lines(ran.stdout)[1]).toMatch(
    /^::error file=courses\/b-bad\.yaml,line=7,col=7,[^:]*::pace must be self_paced or /,
  );
  expect(ran.stdout).toContain("::warning file=courses/c-warned.json");
  const environment = { GITHUB_ACTIONS: "true" };
  const inWorkflow = await r.run("courses check courses", { environment });
  expect(inWorkflow.stdout).toContain("courses/b-bad.yaml:7:7: error: ");
  expect(inWorkflow.stdout).toContain("\n3 errors and 1 warning in 2 of 3 files\n");
  expect(inWorkflow.stdout.endsWith(ran.stdout)).toBe(true);
  const human = await r.run("courses check courses -o human", {
    environment,
  });
  expect(human.stdout).toContain("courses/b-bad.yaml:7:7: error: ");
  expect(human.stdout).not.toContain("::");
});
