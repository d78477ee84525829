/** The snippets of docs/how-to/run-in-ci.md run unchanged: the workflow, and the script for other CI services. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { load } from "js-yaml";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { memoize } from "../../src/base/values.ts";
import { writeExecutable } from "../executable.ts";
import { IS_LONG } from "../long.ts";
import { npmSettings, packInto } from "./packed.ts";
import { breakCourse, COURSES, KEY, newRepository, serveProviders } from "./repository.ts";
import {
  newFolder,
  type ProcessResult,
  pathWithCatalog,
  runScript,
  type ServedSandbox,
  start,
  storedIds,
} from "./rig.ts";
import { isTrue, runSteps, type Step, type StepEnded } from "./runner.ts";
import { allSnippetsOf, type Snippet, theSnippet } from "./snippets.ts";

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

let snippets: Snippet[];
/** The home folder of npm, where the command is packed and installed for all tests. */
let home: string;
let repository: string;
let service: ServedSandbox;

beforeAll(async () => {
  snippets = await allSnippetsOf("docs/how-to/run-in-ci.md");
  home = await mkdtemp(join(tmpdir(), "catalog-workflows-"));
});

afterAll(() => rm(home, { recursive: true, force: true }));

beforeEach(async () => {
  repository = await newRepository();
  service = await serveProviders();
});

/** The line of a snippet that installs the command. */
const INSTALL = "npm install --global ./course-catalog-cli-*.tgz";

/** Installs the command once for all jobs and scripts, without a network. */
const installed = memoize(async () => {
  const version = await packInto(home);
  const environment = npmSettings(home);
  const { code } = await (await start("sh", ["-c", INSTALL], { folder: home, environment })).ended;
  return { version, code };
});

/**
 * A search path with the command, and an `npm` that accepts only the line that installs it. Only the long tests
 * install it, because `npm` takes longer than the jobs.
 */
async function pathAfterInstall(): Promise<string> {
  const npm = `#!/bin/sh\n[ "npm $*" = "${INSTALL}" ]\n`;
  const folder = await newFolder();
  writeExecutable(join(folder, "npm"), npm);
  if (!IS_LONG) return [folder, await pathWithCatalog()].join(delimiter);
  await installed();
  const { npm_config_prefix: prefix = "" } = npmSettings(home);
  return [folder, join(prefix, "bin"), process.env.PATH].join(delimiter);
}

test.runIf(IS_LONG)(
  "the install line of the snippets in run-in-ci.md installs the command",
  async () => {
    const { version, code } = await installed();
    expect(code).toBe(0);
    const environment = { PATH: await pathAfterInstall() };
    const script = `${INSTALL} && catalog --version`;
    const ended = await (await start("sh", ["-c", script], { environment })).ended;
    expect(ended).toMatchObject({ code: 0, stdout: `${version}\n` });
  },
);

describe("the workflow of run-in-ci.md", () => {
  let workflow: Workflow;

  beforeAll(() => {
    workflow = load(theSnippet(snippets, "yaml", "pull_request:")) as Workflow;
  });

  /**
   * Runs the jobs of an event in order, except those that need a failed one.
   *
   * @param passed a job that another test runs, so that it is taken as passed
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

  test("the workflow of run-in-ci.md checks a pull request and rehearses its push in a sandbox, without a key or a request", async () => {
    const jobs = await runFor("pull_request");
    expect([...jobs.keys()]).toEqual(["check"]);
    const [install, check, rehearsal] = jobs.get("check") ?? [];
    expect([install?.code, check?.code, rehearsal?.code]).toEqual([0, 0, 0]);
    expect(check?.summary).toContain(`${COURSES} courses: no problems`);
    expect(rehearsal?.stderr).toContain(`Created ${COURSES} courses`);
    expect(service.sandbox.requests()).toBe(0);
  });

  test("the workflow of run-in-ci.md annotates the line of an error, adds it to the summary, and stops", async () => {
    await breakCourse(repository);
    const jobs = await runFor("push", { CATALOG_API_KEY: KEY });
    expect([...jobs.keys()]).toEqual(["check"]);
    const [, check, ...others] = jobs.get("check") ?? [];
    expect(check?.code).toBe(3);
    expect(check?.stdout).toMatch(
      /^::error file=courses\/broken\.yaml,line=4,col=1,.*::provider_id/m,
    );
    expect(check?.summary).toContain("`courses/broken.yaml:4:1`");
    expect(others).toEqual([]);
    expect(service.sandbox.requests()).toBe(0);
  });

  test("the workflow of run-in-ci.md pushes a merge with a key that only the push step receives and no log shows", async () => {
    const jobs = await runFor("push", { CATALOG_API_KEY: KEY }, "check");
    expect([...jobs.keys()]).toEqual(["check", "push"]);
    const steps = [...jobs.values()].flat();
    expect(steps.map(({ code }) => code)).toEqual(steps.map(() => 0));
    expect(await storedIds(service)).toHaveLength(COURSES);
    expect(steps.at(-1)?.stderr).toContain(`Created ${COURSES} courses`);
    expect(steps.at(-1)?.summary).toContain(`${COURSES} courses`);
    expect(JSON.stringify(steps)).not.toContain(KEY);
    expect(JSON.stringify(workflow.jobs).split("secrets.CATALOG_API_KEY")).toHaveLength(2);
  });
});

describe("the script of run-in-ci.md", () => {
  async function run(branch?: string): Promise<ProcessResult> {
    const script = join(await newFolder(), "courses.sh");
    await writeFile(script, theSnippet(snippets, "sh", "CI_COMMIT_BRANCH"));
    const environment = {
      ...service.environment,
      CI_COMMIT_BRANCH: branch,
      PATH: await pathAfterInstall(),
    };
    return await (await start("sh", [script], { folder: repository, environment })).ended;
  }

  test.runIf(IS_LONG)("the CI script of run-in-ci.md sends nothing on a branch", async () => {
    expect(await run("a-change")).toMatchObject({ code: 0 });
    expect(service.sandbox.requests()).toBe(0);
  });

  test("the CI script of run-in-ci.md pushes on main", async () => {
    expect(await run("main")).toMatchObject({ code: 0 });
    expect(await storedIds(service)).toHaveLength(COURSES);
  });

  test.runIf(IS_LONG)("the CI script reports an error with exit 3 and sends nothing", async () => {
    await breakCourse(repository);
    expect(await run("a-change")).toMatchObject({ code: 3 });
    expect(await readFile(join(repository, "courses.xml"), "utf8")).toContain(
      "provider_id is missing",
    );
    expect(service.sandbox.requests()).toBe(0);
  });
});

test.runIf(IS_LONG)(
  "the providers.json of run-in-ci.md is written and seeds a rehearsal",
  async () => {
    const folder = await newFolder();
    const write = theSnippet(snippets, "sh", "providers ls");
    expect(await runScript(write, [], { ...service, folder })).toMatchObject({ code: 0 });
    expect(await readdir(folder)).toContain("providers.json");
    const rehearse = 'catalog sandbox --seed providers.json -- catalog courses push "$1"';
    const ended = await runScript(rehearse, [join(repository, "courses")], { folder });
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain(`Created ${COURSES} courses.`);
  },
);
