/** Text from files and the service never becomes a command of the CI service that reads the log. */
import { describe, expect, test } from "vitest";
import { escapeJson } from "../../src/base/text.ts";
import { type Rig, rig } from "../rig.ts";
import { executedLines } from "../runner-commands.ts";
import { id, jsonRows, numberedCourse, rigWith, unreliableService } from "./helpers.ts";

const HOSTILE =
  "::error::x ##[error]y\n ::set-env name=A::b\n\u00a0::add-mask::c\n" +
  "##vso[task.prependpath]/tmp\n##teamcity[x]";
const GITHUB = { GITHUB_ACTIONS: "true", CI: "true" };

test("the test helper finds the commands of three CI services", () => {
  expect(executedLines(HOSTILE)).toHaveLength(5);
  expect(executedLines("a ::error::x\n## [error]\n::unknown::x\n##[error")).toEqual([]);
});

async function hostileRig(): Promise<Rig> {
  const r = await rigWith(
    numberedCourse(1, { name: HOSTILE, long_description: HOSTILE }),
    numberedCourse(2, { name: "::warning::two" }),
  );
  const changed = numberedCourse(1, { name: `${HOSTILE}!`, long_description: `${HOSTILE}\nnew` });
  await r.write("##[error]z/1.json", JSON.stringify(changed));
  await r.write(
    "bad/::error::.yaml",
    `name: "${HOSTILE.replaceAll("\n", "\\n")}"\npace: ##[debug]\n`,
  );
  await r.write("x.csv", "name;::error::a;\nA;::warning::b;c\nA;::warning::b;c\n::notice::x;;\n");
  await r.write("m", '{"name": name, "key": name, "duration_in_hours": $hours(`::error::a`)}');
  return r;
}

describe("data in a log", () => {
  test.each([
    "courses ls -o table",
    "courses ls --json",
    "courses ls -o ndjson",
    "courses ls -o yaml",
    `courses get ${id(1)} --json`,
    `courses get ${id(1)} -o table`,
    "courses diff ##[error]z --prune",
    "courses diff ##[error]z --json",
    "courses push ##[error]z --dry-run --prune",
    "courses push ##[error]z --prune --yes",
    "courses check bad -o human",
    "courses check bad --json",
    "courses import x.csv",
    "courses import x.csv --map m --out y",
    "courses import x.csv --map m --json",
    "courses create bad",
    "courses create bad --json",
    `courses rm ${id(1)} --yes`,
    "courses ls --provider ##[error]p",
    "courses get ##[error]p",
  ])("catalog %s prints no command of a CI service from data, in CI or not", async (line) => {
    const r = await hostileRig();
    for (const environment of [{}, GITHUB]) {
      const ran = await r.run(line.split(" "), { environment });
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

  test("ls prints no workflow command from hints of the service", async () => {
    const r = await rig();
    const body = JSON.stringify({ hint: HOSTILE, details: HOSTILE });
    const { environment } = await unreliableService(r, () => ({ status: 400, body }));
    for (const mode of [[], ["--json"], ["--verbose"]]) {
      const words = ["courses", "ls", ...mode];
      const ran = await r.run(words, { environment: { ...environment, ...GITHUB } });
      expect(ran.stderr).toContain("set-env");
      expect(executedLines(ran.stderr)).toEqual([]);
    }
  });
});

describe("responses in a log", () => {
  /** Runs against a service whose response to everything has this body. */
  async function runWith(body: string | Uint8Array, words: readonly string[], terminal = false) {
    const r = await rig();
    const { environment } = await unreliableService(r, () => ({ status: 200, body }));
    return await r.run(words, { environment: { ...environment, ...GITHUB }, terminal });
  }
  const rows = JSON.stringify([{ id: "::error::x", name: HOSTILE, slug: "##[error]y", url: "::" }]);
  const get = ["api", "GET", "developer/v1/courses"];

  test.each([
    ["a table of providers", rows, ["providers", "ls", "-o", "table"]],
    ["the JSON body of a raw request", rows, get],
    ["the body of a raw request that is not JSON", HOSTILE, get],
  ])("catalog prints no workflow command in %s", async (_, body, words) => {
    const ran = await runWith(body, words);
    expect(ran.stdout).not.toBe("");
    expect(executedLines(ran.stdout)).toEqual([]);
  });

  test.each(["csv", "table"])("providers ls -o %s escapes workflow commands", async (format) => {
    const words = ["providers", "ls", "-o", format, "--fields", "name,slug"];
    const ran = await runWith(rows, words, true);
    expect(ran.stdout).toContain("error");
    expect(executedLines(ran.stdout)).toEqual([]);
  });

  test("api escapes workflow commands in a JSON body without changing its value", async () => {
    expect(JSON.parse((await runWith(rows, get)).stdout)).toEqual(JSON.parse(rows));
  });
});

test("ls prints names that look like workflow commands unchanged as JSON and CSV", async () => {
  const r = await hostileRig();
  const ran = await r.run(["courses", "ls", "--json"], { environment: GITHUB });
  expect(jsonRows(ran)[0]).toMatchObject({ name: HOSTILE });
  const csv = await r.run(["courses", "ls", "-o", "csv", "--fields", "name"], {
    environment: GITHUB,
  });
  expect(csv.stdout).toContain(`"${HOSTILE}"`);
});

test("a command after ten million spaces is escaped", () => {
  const spaces = " ".repeat(10_000_000);
  expect(escapeJson(`${spaces}::error::x\n`) === `${spaces}\\u003a:error::x\n`).toBe(true);
});

test("check and push print their own annotations in GitHub Actions", async () => {
  const r = await hostileRig();
  const ran = await r.run(["courses", "check", "bad"], { environment: GITHUB });
  expect(executedLines(ran.stdout).length).toBeGreaterThan(0);
  for (const line of executedLines(ran.stdout)) expect(line).toMatch(/^::(error|warning) file=/);
  const pushed = await r.run(["courses", "push", "bad"], { environment: GITHUB });
  expect(pushed.stderr).toMatch(/^::error file=/m);
  expect(ran.stdout + pushed.stderr).not.toContain("##[");
});
