/** The files of examples/ci/ that docs/how-to/run-in-ci.md begins with run unchanged: a workflow, and a script for other CI services. */
import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { load } from "js-yaml";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { writeExecutable } from "../executable.ts";
import { IS_LONG } from "../long.ts";
import { COURSES, KEY, newRepository, serveProviders } from "./repository.ts";
import {
  newFolder,
  type ProcessResult,
  pathWithCatalog,
  ROOT,
  type ServedSandbox,
  start,
  storedIds,
} from "./rig.ts";
import { isTrue, runSteps, type Step, type StepEnded } from "./runner.ts";

interface Job {
  readonly if?: string;
  readonly needs?: string;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

let repository: string;
let service: ServedSandbox;

beforeEach(async () => {
  repository = await newRepository();
  service = await serveProviders();
});

/** The line that installs the command. */
const INSTALL = "npm install --global ./course-catalog-cli-*.tgz";

/** A search path with the command, and an `npm` that accepts only the line that installs it. */
async function pathAfterInstall(): Promise<string> {
  const folder = await newFolder();
  writeExecutable(join(folder, "npm"), `#!/bin/sh\n[ "npm $*" = "${INSTALL}" ]\n`);
  return [folder, await pathWithCatalog()].join(delimiter);
}

describe("the workflow of run-in-ci.md", () => {
  let workflow: Workflow;

  beforeAll(async () => {
    workflow = load(await readFile(join(ROOT, "examples/ci/courses.yaml"), "utf8")) as Workflow;
  });

  /**
   * Runs the jobs of an event in order, except those that need a failed one.
   *
   * @param passed a job that another test runs, so that it counts as passed
   */
  async function runFor(
    event: string,
    secrets: Readonly<Record<string, string>> = {},
    passed?: string,
  ) {
    const vars = { CATALOG_BASE_URL: service.environment.CATALOG_BASE_URL };
    const contexts = { github: { event_name: event }, vars, secrets };
    const environment = { PATH: await pathAfterInstall() };
    const ended = new Map<string, StepEnded[]>();
    for (const [name, job] of Object.entries(workflow.jobs)) {
      const needed = ended.get(job.needs ?? "");
      if (!isTrue(job.if, contexts) || needed?.some(({ code }) => code !== 0)) continue;
      const options = { repository, contexts, environment };
      ended.set(name, name === passed ? [] : await runSteps(job.steps, options));
    }
    return ended;
  }

  test("the workflow of run-in-ci.md runs for pull requests and for main only, with read permission", () => {
    expect(workflow.on).toEqual({ pull_request: null, push: { branches: ["main"] } });
    expect(workflow.permissions).toEqual({ contents: "read" });
  });

  test.runIf(IS_LONG)(
    "the workflow of run-in-ci.md checks a pull request and rehearses its push in a sandbox, without a key or a request",
    async () => {
      const jobs = await runFor("pull_request");
      expect([...jobs.keys()]).toEqual(["check"]);
      const [install, check, rehearsal] = jobs.get("check") ?? [];
      expect([install?.code, check?.code, rehearsal?.code]).toEqual([0, 0, 0]);
      expect(check?.summary).toContain(`${COURSES} courses: no problems`);
      expect(rehearsal?.stderr).toContain(`Created ${COURSES} courses`);
      expect(service.sandbox.requests()).toBe(0);
    },
  );

  test.runIf(IS_LONG)(
    "the workflow of run-in-ci.md pushes a merge with a key that only the push step receives and no log shows",
    async () => {
      const jobs = await runFor("push", { CATALOG_API_KEY: KEY }, "check");
      expect([...jobs.keys()]).toEqual(["check", "push"]);
      const steps = [...jobs.values()].flat();
      expect(steps.map(({ code }) => code)).toEqual(steps.map(() => 0));
      expect(await storedIds(service)).toHaveLength(COURSES);
      expect(steps.at(-1)?.stderr).toContain(`Created ${COURSES} courses`);
      expect(steps.at(-1)?.summary).toContain(`${COURSES} courses`);
      expect(JSON.stringify(steps)).not.toContain(KEY);
      expect(JSON.stringify(workflow.jobs).split("secrets.CATALOG_API_KEY")).toHaveLength(2);
    },
  );
});

describe("the script of run-in-ci.md", () => {
  async function run(branch?: string): Promise<ProcessResult> {
    const environment = {
      ...service.environment,
      CI_COMMIT_BRANCH: branch,
      PATH: await pathAfterInstall(),
    };
    return await (
      await start("sh", [join(ROOT, "examples/ci/courses.sh")], { folder: repository, environment })
    ).ended;
  }

  test.runIf(IS_LONG)("the CI script of run-in-ci.md pushes on main", async () => {
    expect(await run("main")).toMatchObject({ code: 0 });
    expect(await storedIds(service)).toHaveLength(COURSES);
  });
});
