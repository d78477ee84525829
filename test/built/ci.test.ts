/** The files of examples/ci/ for the first workflow, GitLab, cron and other CI services, and the hook for pre-commit, run unchanged. github.test.ts runs the other workflows. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { load } from "js-yaml";
import { beforeEach, describe, expect, test } from "vitest";
import { writeExecutable } from "../executable.ts";
import { IS_LONG } from "../long.ts";
import { expectCodeQuality, readJunit } from "../output/report-schemas.ts";
import { openGitHub, readWorkflow } from "./github.ts";
import { breakCourse, COURSES, KEY, newRepository, serveUsers } from "./repository.ts";
import {
  example,
  newFolder,
  pathWithCatalog,
  ROOT,
  runCatalog,
  type ServedSandbox,
  type StartOptions,
  start,
  storedIds,
} from "./rig.ts";
import { theSnippet } from "./snippets.ts";

/** The version that the examples install: this one. */
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  version: string;
};
const PACKED = `course-catalog-cli-${version}.tgz`;

let repository: string;
let service: ServedSandbox;

beforeEach(async () => {
  repository = await newRepository();
  service = await serveUsers();
});

/** A search path with the command, and an `npm` that accepts only the line that installs it. */
async function pathAfterInstall(): Promise<string> {
  const folder = await newFolder();
  const line = "npm install --global ./course-catalog-cli-*.tgz";
  writeExecutable(join(folder, "npm"), `#!/bin/sh\n[ "npm $*" = "${line}" ]\n`);
  return [folder, await pathWithCatalog()].join(delimiter);
}

/** Runs a script of `sh` as a job of a CI service. */
async function runJob(words: readonly string[], environment: StartOptions["environment"] = {}) {
  const variables = { ...service.environment, PATH: await pathAfterInstall(), CI: "true" };
  const options = { folder: repository, environment: { ...variables, ...environment } };
  return await (await start("sh", words, options)).ended;
}

describe.runIf(IS_LONG)("the first workflow of docs/how-to/run-in-ci.md", () => {
  test("the workflow of run-in-ci.md rehearses a pull request without an API key or a request, and pushes main with an API key that only the push step receives and no log shows", async () => {
    const workflow = readWorkflow("courses");
    const { on, permissions, jobs } = workflow;
    expect(on).toEqual({ pull_request: null, push: { branches: ["main"] } });
    expect(permissions).toEqual({ contents: "read" });
    expect(jobs.push).toMatchObject({ needs: "check" });
    expect(JSON.stringify(jobs).split("secrets.CATALOG_API_KEY")).toHaveLength(2);
    const github = await openGitHub(repository, {
      secrets: { catalog: { CATALOG_API_KEY: KEY } },
      vars: { CATALOG_BASE_URL: service.environment.CATALOG_BASE_URL },
    });
    const paths = (await pathAfterInstall()).split(delimiter);
    const proposed = github.propose();
    const checked = await github.run(workflow, "check", proposed, {}, paths);
    expect(checked.steps.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(checked.steps[1]?.summary).toContain(`${COURSES} courses: no problems`);
    expect(checked.steps[2]?.stderr).toContain(`Created ${COURSES} courses`);
    expect(service.sandbox.requests()).toBe(0);
    await expect(github.run(workflow, "push", proposed)).rejects.toThrow("push: if");
    const merged = github.commit("Nothing");
    const pushed = await github.run(workflow, "push", merged, {}, paths);
    expect(pushed.steps.map(({ code }) => code)).toEqual([0, 0]);
    expect(pushed.steps[1]?.summary).toContain(`${COURSES} courses`);
    expect(storedIds(service)).toHaveLength(COURSES);
    expect(JSON.stringify(pushed)).not.toContain(KEY);
  });
});

interface GitLabJob {
  readonly image?: string;
  readonly before_script?: readonly string[];
  readonly script?: readonly string[];
  readonly artifacts?: { readonly reports?: Readonly<Record<string, string>> };
}

describe.runIf(IS_LONG)("the GitLab pipeline of docs/how-to/run-in-ci.md", () => {
  test("the GitLab pipeline of docs/how-to/run-in-ci.md checks, writes a plan and applies the plan, with reports in the formats that it names", async () => {
    const text = await readFile(example("ci/gitlab-ci.yml"), "utf8");
    const { default: common, ...jobs } = load(text) as Readonly<Record<string, GitLabJob>>;
    const run = async (name: string) => await runJob(["-ec", `${jobs[name]?.script?.join("\n")}`]);
    expect(common?.image).toMatch(/^node:\d+\.\d+\.\d+$/);
    expect(common?.before_script).toEqual([`npm install --global ./${PACKED}`]);
    expect((await run("check")).code).toBe(0);
    const [plan, apply] = [await run("plan"), await run("apply")];
    expect([plan.code, plan.stdout]).toEqual([
      0,
      expect.stringContaining(`\n${COURSES} courses to create.\n`),
    ]);
    expect([apply.code, apply.stderr]).toEqual([
      0,
      expect.stringContaining(`Created ${COURSES} courses.`),
    ]);
    expect(storedIds(service)).toHaveLength(COURSES);
    const reports = Object.values(jobs).flatMap(({ artifacts }) =>
      Object.entries(artifacts?.reports ?? {}),
    );
    expect(reports.map(([format]) => format)).toEqual(["junit", "codequality", "junit"]);
    for (const [format, file] of reports) {
      const report = await readFile(join(repository, file), "utf8");
      if (format === "codequality") expectCodeQuality(JSON.parse(report));
      else expect(readJunit(report).attributes).toMatchObject({ tests: String(COURSES) });
    }
    const record = join(repository, "record.ndjson");
    expect((await runCatalog(["undo", record, "--yes"], service)).code).toBe(0);
    expect(storedIds(service)).toEqual([]);
  });
});

test.runIf(IS_LONG)(
  "the cron script of docs/how-to/run-in-ci.md pushes, and prints nothing unless something fails",
  async () => {
    const file = example("ci/push.sh");
    const script = await readFile(file, "utf8");
    const folder = `/srv/catalog-${version}`;
    expect(script).toContain(`\n# Once: npm install --global --prefix ${folder} ./${PACKED}\n`);
    expect(script).toContain(`\nPATH=${folder}/bin:$PATH\n`);
    const run = async () => await runJob([file], { COURSES: repository, CI: undefined });
    expect(await run()).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(storedIds(service)).toHaveLength(COURSES);
    const report = JSON.parse(await readFile(join(repository, "last-push.json"), "utf8"));
    expect(report).toHaveLength(COURSES);
    await breakCourse(repository);
    const failed = await run();
    expect(failed.code).toBe(3);
    expect(failed.stderr).toContain('"file":"courses/broken.yaml","line":4');
  },
);

test.runIf(IS_LONG)("the CI script of run-in-ci.md pushes on main", async () => {
  expect(await runJob([example("ci/courses.sh")], { CI_COMMIT_BRANCH: "main" })).toMatchObject({
    code: 0,
  });
  expect(storedIds(service)).toHaveLength(COURSES);
});

test.runIf(IS_LONG)(
  "the pre-commit hook of docs/how-to/run-in-ci.md checks all courses if a file that can contain courses changed",
  async () => {
    const hooks = load(await readFile(join(ROOT, ".pre-commit-hooks.yaml"), "utf8")) as [
      { id: string; entry: string; args: string[]; pass_filenames: boolean; files: string },
    ];
    const config = load(theSnippet("yaml", "repos:")) as {
      repos: [{ rev: string; hooks: [{ id: string }] }];
    };
    expect(config.repos[0].rev).toBe(`v${version}`);
    const [{ id, entry, args, pass_filenames: passes, files }, ...others] = hooks;
    expect([config.repos[0].hooks, others, passes]).toEqual([[{ id }], [], false]);
    const matching = ["a.yaml", "courses/b.tsv", "courses/catalog.defaults.yml", ".catalogignore"];
    const paths = [...matching, "README.md", "courses/a.yaml.bak"];
    expect(paths.filter((path) => new RegExp(files).test(path))).toEqual(matching);

    const [script = "", ...words] = [...entry.split(" "), ...args];
    const run = async () =>
      await (await start(join(ROOT, script), words, { folder: repository })).ended;
    expect((await run()).code).toBe(0);
    await breakCourse(repository);
    const failed = await run();
    expect(failed.code).toBe(3);
    expect(failed.stdout + failed.stderr).toContain("courses/broken.yaml:4:");
  },
);
