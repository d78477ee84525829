/** Text from files and the service never becomes a command of the CI service that reads the log. */
import { expect, test } from "vitest";
import { escapeJson } from "../../src/base/text.ts";
import type { Rig } from "../rig.ts";
import { executedLines } from "../runner-commands.ts";
import { id, numberedCourse, rigWith } from "./helpers.ts";

const HOSTILE =
  "::error::x ##[error]y\n ::set-env name=A::b\n\u00a0::add-mask::c\n" +
  "##vso[task.prependpath]/tmp\n##teamcity[x]";
const GITHUB = { GITHUB_ACTIONS: "true", CI: "true" };

async function hostileRig(): Promise<Rig> {
  const r = await rigWith(
    numberedCourse(1, { name: HOSTILE, long_description: HOSTILE }),
    numberedCourse(2, { name: "::warning::two" }),
  );
  const changed = numberedCourse(1, { name: `${HOSTILE}!`, long_description: `${HOSTILE}\nnew` });
  await r.write("##[error]z/1.json", changed);
  await r.write(
    "bad/::error::.yaml",
    `name: "${HOSTILE.replaceAll("\n", "\\n")}"\npace: ##[debug]\n`,
  );
  await r.write("x.csv", "name;::error::a;\nA;::warning::b;c\nA;::warning::b;c\n::notice::x;;\n");
  await r.write("m", '{"name": name, "key": name, "duration_in_hours": $hours(`::error::a`)}');
  return r;
}

test.each([
  "courses ls -o table",
  "courses ls --json",
  "courses ls -o ndjson",
  "courses ls -o yaml",
  `courses get ${id(1)} -o table`,
  "courses diff ##[error]z --prune",
  "courses push ##[error]z --dry-run --prune",
  "courses push ##[error]z --prune --yes",
  "courses check bad -o human",
  "courses import x.csv",
  "courses import x.csv --map m --out y",
  "courses create bad",
  `courses rm ${id(1)} --yes`,
  "courses ls --provider ##[error]p",
  "courses get ##[error]p",
])("catalog %s prints no command of a CI service from data, in CI or not", async (line) => {
  const r = await hostileRig();
  for (const environment of [{}, GITHUB]) {
    const ran = await r.run(line, { environment });
    expect(`${ran.stdout}${ran.stderr}`).not.toBe("");
    const own = /^::(error|warning) file=[^\n]*$/gm;
    expect(executedLines(ran.stdout)).toEqual([]);
    expect(executedLines(ran.stderr.replace(own, ""))).toEqual([]);
  }
});

test.each(["CI", "TF_BUILD", "BUILD_ID", "BUILD_NUMBER", "TEAMCITY_VERSION"])(
  "tab-separated lines have no command of a CI service where %s is set",
  async (name) => {
    const r = await hostileRig();
    const words = ["courses", "ls", "-o", "tsv", "--fields", "name"];
    expect(executedLines((await r.run(words)).stdout)).not.toEqual([]);
    const { stdout } = await r.run(words, { environment: { [name]: "1" } });
    expect(stdout).toContain("vso[task.prependpath]");
    expect(executedLines(stdout)).toEqual([]);
  },
);

test("a command after ten million spaces is escaped", () => {
  const spaces = " ".repeat(10_000_000);
  expect(escapeJson(`${spaces}::error::x\n`) === `${spaces}\\u003a:error::x\n`).toBe(true);
});
