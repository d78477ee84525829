/** The examples of docs/ci.md run as they are: for GitHub, for GitLab and for cron. */
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { load } from "js-yaml";
import { beforeEach, describe, expect, test } from "vitest";
import { IS_LONG } from "../long.ts";
import { type GitHubServer, serveGitHub } from "./github-server.ts";
import { breakCourse, COURSES, KEY, newRepository, serveProviders } from "./repository.ts";
import { newFolder, pathWithCatalog, ROOT, type ServedSandbox, start, storedIds } from "./rig.ts";
import { evaluated, isTrue, runSteps, type Step, type StepEnded } from "./runner.ts";
import { snippetsOf, theSnippet } from "./snippets.ts";

interface Job {
  readonly if?: string;
  readonly needs?: string;
  readonly environment?: string;
  readonly steps: readonly Step[];
}

const DOCUMENT = "docs/ci.md";
const ACTION = "your-org/course-catalog-cli";
const INSTALL = "npm install --global ./course-catalog-cli-*.tgz";

const MARK = "<!-- course-catalog-cli: diff -->";

let repository: string;
let service: ServedSandbox;

beforeEach(async () => {
  repository = await newRepository();
  service = await serveProviders();
});

/** Changes the name of a stored course without the command. */
async function renameRemotely(id: string): Promise<void> {
  const { CATALOG_BASE_URL } = service.environment;
  await fetch(`${CATALOG_BASE_URL}/developer/v1/courses?id=${id}`, {
    method: "PATCH",
    headers: { "x-api-key": KEY, "content-type": "application/json" },
    body: JSON.stringify({ name: "Changed by another user" }),
  });
}

describe("docs/ci.md: the workflow for GitHub", () => {
  let jobs: Readonly<Record<string, Job>>;
  let action: { inputs: Record<string, { default: string }>; runs: { steps: Step[] } };
  let github: GitHubServer;
  /** The files that a job passes to another one. */
  let artifacts: string;

  beforeEach(async () => {
    const text = theSnippet(
      await snippetsOf("## GitHub: a plan that is reviewed before it is applied", DOCUMENT),
      "yaml",
      "pull_request:",
    );
    ({ jobs } = load(text) as { jobs: Record<string, Job> });
    action = load(await readFile(join(ROOT, "action.yml"), "utf8")) as typeof action;
    // Other users and bots cannot make their comment the one that shows the plan.
    github = await serveGitHub("owner/repository", 120, `${MARK}\n`);
    artifacts = await newFolder();
  });

  /** The variables with which the action finds GitHub and the pull request. */
  function gitHubVariables(payload: string): Record<string, string> {
    return {
      GITHUB_API_URL: github.url,
      GITHUB_GRAPHQL_URL: `${github.url}/graphql`,
      GITHUB_REPOSITORY: "owner/repository",
      GITHUB_EVENT_PATH: payload,
    };
  }

  /** Runs one job of an event; a step of our action is run as action.yml says. */
  async function runJob(name: string, event: string): Promise<StepEnded[]> {
    const job = jobs[name];
    const vars = { CATALOG_BASE_URL: service.environment.CATALOG_BASE_URL };
    const contexts = { github: { event_name: event }, vars, secrets: { CATALOG_API_KEY: KEY } };
    expect(isTrue(job?.if, contexts)).toBe(true);
    const payload = join(await newFolder(), "event.json");
    await writeFile(
      payload,
      JSON.stringify(event === "pull_request" ? { pull_request: { number: 7 } } : {}),
    );
    const environment = { GITHUB_ACTION_PATH: ROOT, ...gitHubVariables(payload) };
    let workspace = await newFolder();
    const ended: StepEnded[] = [];
    for (const step of job?.steps ?? []) {
      const [used = ""] = (step.uses ?? "").split("@");
      if (used === "actions/checkout") await cp(repository, workspace, { recursive: true });
      if (used === "actions/upload-artifact")
        await cp(join(workspace, String(step.with?.path)), join(artifacts, "plan.json"));
      if (used === "actions/download-artifact") await cp(artifacts, workspace, { recursive: true });
      if (used !== ACTION) continue;
      const given = Object.entries(step.with ?? {}).map(([key, value]) => [
        key,
        evaluated(String(value), contexts),
      ]);
      const defaults = Object.entries(action.inputs).map(([key, input]) => [key, input.default]);
      const inputs = {
        ...Object.fromEntries(defaults),
        token: "a-token",
        ...Object.fromEntries(given),
      };
      const folder = await newFolder();
      const steps = [{ uses: "actions/checkout" }, ...action.runs.steps.slice(1)];
      const [one] = await runSteps(steps, {
        ...{ repository: workspace, folder, environment },
        contexts: { inputs },
      });
      if (one !== undefined) ended.push(one);
      workspace = join(folder, "workspace");
      if (one?.code !== 0) break;
    }
    return ended;
  }

  test("writes the plan as one comment of the pull request, and updates it in the next run", async () => {
    const [check, diff] = await runJob("review", "pull_request");
    expect([check?.code, diff?.code]).toEqual([0, 0]);
    expect(diff?.outputs).toMatchObject({
      created: String(COURSES),
      updated: "0",
      failed: "0",
      errors: "0",
    });
    expect(github.comments).toHaveLength(121);
    expect(github.comments.at(-1)?.body).toContain(`${COURSES} courses to create`);
    await rm(join(repository, "courses/exercism.org"), { recursive: true });
    await runJob("review", "pull_request");
    expect(github.comments).toHaveLength(121);
    expect(github.comments.at(-1)?.body).not.toContain(`${COURSES} courses to create`);
    const comments = "/repos/owner/repository/issues/7/comments";
    const reads = [1, 2].map((page) => `GET ${comments}?per_page=100&page=${page}`);
    expect(github.requests).toEqual([
      ...["POST /graphql", ...reads, `POST ${comments}`],
      ...["POST /graphql", ...reads, "PATCH /repos/owner/repository/issues/comments/120"],
    ]);
    expect([...github.tokens]).toEqual(["Bearer a-token"]);
    expect(await storedIds(service)).toEqual([]);
  });

  test("writes no comment, and takes none for its own, if GitHub does not say whose token it is", async () => {
    github = await serveGitHub("owner/repository", 4, `${MARK}\n`, null);
    const folder = await newFolder();
    await writeFile(join(folder, "event.json"), '{"pull_request": {"number": 7}}');
    await writeFile(join(folder, "plan.md"), "The plan");
    const ended = await (
      await start(process.execPath, [join(ROOT, "tools/action/comment.mjs"), "plan.md"], {
        folder,
        environment: { ...gitHubVariables(join(folder, "event.json")), GITHUB_TOKEN: "a-token" },
      })
    ).ended;
    expect(ended.stdout).toMatch(/^::warning::The comment could not be written: POST \/graphql /);
    expect(github.requests).toEqual(["POST /graphql"]);
  });

  test.runIf(IS_LONG)("stops at a mistake before it compares anything", async () => {
    await breakCourse(repository);
    const [check, ...others] = await runJob("review", "pull_request");
    expect([check?.code, others]).toEqual([3, []]);
    expect(check?.outputs).toMatchObject({ errors: "6" });
    expect([github.requests, service.sandbox.requests()]).toEqual([[], 0]);
  });

  test.runIf(IS_LONG)(
    "applies the approved plan, and reports a course that was changed after the next one was made",
    async () => {
      // On GitHub, the job waits until a reviewer of the environment has approved it.
      expect(jobs.apply).toMatchObject({ needs: "plan", environment: "catalog" });
      const [created] = await runJob("plan", "push");
      expect([created?.code, await storedIds(service)]).toEqual([0, []]);
      const [first] = await runJob("apply", "push");
      expect([first?.code, first?.outputs.created]).toEqual([0, String(COURSES)]);
      expect(await storedIds(service)).toHaveLength(COURSES);
      const files = await (
        await start(
          "sh",
          [
            "-c",
            "grep -rl '^pace: self_paced' courses | xargs sed -i 's/^name: .*/name: A new name/'",
          ],
          { folder: repository },
        )
      ).ended;
      expect(files.code).toBe(0);
      await runJob("plan", "push");
      const plan = JSON.parse(await readFile(join(artifacts, "plan.json"), "utf8"));
      await renameRemotely(plan.steps[0].id);
      const [applied] = await runJob("apply", "push");
      expect(applied?.code).toBe(1);
      expect(applied?.outputs.failed).toBe("1");
      expect(`${applied?.stdout}${applied?.stderr}`).toContain("stale");
    },
  );
});

describe("docs/ci.md: the pipeline for GitLab", () => {
  /** Runs the script of one job in the repository. */
  async function runJob(name: string) {
    const jobs = load(
      theSnippet(await snippetsOf("## GitLab", DOCUMENT), "yaml", "stages:"),
    ) as Record<string, { script: string[] }>;
    const script = (jobs[name]?.script ?? []).filter((line) => line !== INSTALL).join("\n");
    const environment = {
      ...service.environment,
      PATH: await pathWithCatalog(),
      CI: "true",
    };
    return await (await start("sh", ["-ec", script], { folder: repository, environment })).ended;
  }

  test("checks, writes a plan, and applies it", async () => {
    const codes = [];
    for (const job of ["check", "plan", "apply"]) codes.push((await runJob(job)).code);
    expect([codes, (await storedIds(service)).length]).toEqual([[0, 0, 0], COURSES]);
    const report = await readFile(join(repository, "push.xml"), "utf8");
    expect(report.match(/<testcase /g)).toHaveLength(COURSES);
    expect(JSON.parse(await readFile(join(repository, "courses.json"), "utf8"))).toEqual([]);
  });

  test.runIf(IS_LONG)("reports a mistake at its line", async () => {
    await breakCourse(repository);
    expect((await runJob("check")).code).toBe(3);
    const issues: unknown = JSON.parse(await readFile(join(repository, "courses.json"), "utf8"));
    expect(issues).toMatchObject({
      0: { location: { path: "courses/broken.yaml", lines: { begin: 4 } } },
    });
  });
});

test.runIf(IS_LONG)(
  "docs/ci.md: the script for cron pushes, and prints nothing unless something fails",
  async () => {
    const script = theSnippet(await snippetsOf("## Cron", DOCUMENT), "sh", "flock");
    const file = join(await newFolder(), "push.sh");
    await writeFile(file, script);
    const environment = {
      ...service.environment,
      PATH: await pathWithCatalog(),
      COURSES: repository,
    };
    const run = async () => await (await start("sh", [file], { environment })).ended;
    expect(await run()).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(await storedIds(service)).toHaveLength(COURSES);
    const report = JSON.parse(await readFile(join(repository, "last-push.json"), "utf8"));
    expect(report.results).toHaveLength(COURSES);
    await breakCourse(repository);
    const failed = await run();
    expect(failed.code).toBe(3);
    expect(failed.stderr).toContain("courses/broken.yaml:4:1");
  },
);
