/** A repository on GitHub with workflows from docs/how-to/run-in-ci.md: commits, pull requests, environments, artifacts. */
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, delimiter, join } from "node:path";
import { load } from "js-yaml";
import { expect } from "vitest";
import { git } from "../git.ts";
import { serveGitHub } from "./github-server.ts";
import { example, newFolder } from "./rig.ts";
import { type Contexts, evaluatedAll, isTrue, type Job, runSteps, type Step } from "./runner.ts";

/** A workflow file. */
export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly concurrency?: string;
  readonly jobs: Readonly<Record<string, WorkflowJob>>;
}

interface WorkflowJob {
  readonly if?: string;
  readonly needs?: string;
  readonly environment?: string;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps: readonly Step[];
}

/** A workflow of examples/ci/. */
export function readWorkflow(name: string): Workflow {
  return load(readFileSync(example(`ci/${name}.yaml`), "utf8")) as Workflow;
}

/** The secrets of each environment, and there are no others; and the variables of the repository. */
interface Values {
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly vars?: Readonly<Record<string, string>>;
}

const REPOSITORY = "owner/repository";

/** A repository on GitHub. */
export type GitHub = Awaited<ReturnType<typeof openGitHub>>;

/**
 * Opens a repository, which is also the folder of a contributor, on the branch main.
 *
 * @param clone a folder, which becomes the first commit
 */
export async function openGitHub(clone: string, { secrets = {}, vars = {} }: Values = {}) {
  const { url, comments } = await serveGitHub();
  const artifacts = await newFolder();
  /** The files that code scanning has got. */
  const scanned: unknown[] = [];
  let runs = 1000;

  const eventOf = (name: string, event: object, sha: string, inputs = {}) => {
    const run = { run_id: String(++runs), run_attempt: "1", token: "a-token" };
    return { github: { event_name: name, event, sha, repository: REPOSITORY, ...run }, inputs };
  };
  const head = () => git(clone, "rev-parse", "HEAD");

  /** Commits all files to main. @returns the contexts of the event */
  const commit = (message: string) => {
    git(clone, "add", "--all");
    git(clone, "commit", "--quiet", "--allow-empty", `--message=${message}`);
    return eventOf("push", {}, head());
  };

  /** Commits all files to a pull request of main; the folder stays on main. */
  const propose = (isFork = false) => {
    git(clone, "add", "--all");
    const words = ["commit-tree", git(clone, "write-tree"), "-p", "HEAD"];
    const sha = git(clone, ...words, "-m", "Propose");
    const repo = { full_name: isFork ? "somebody/fork" : REPOSITORY };
    const event = { pull_request: { number: 7, head: { sha, repo } } };
    return eventOf("pull_request", event, git(clone, ...words, "-p", sha, "-m", "Merge"));
  };

  /** An event that is neither a push nor a pull request. */
  const dispatch = (name: string, inputs: Readonly<Record<string, string>> = {}) =>
    eventOf(name, {}, head(), inputs);

  const actionsIn = (workspace: string, sha: string): NonNullable<Job["actions"]> => ({
    "actions/setup-node": async () => undefined,
    "actions/checkout": async ({ "fetch-depth": depth = "1", ref = sha }) => {
      git(workspace, "init", "--quiet");
      git(workspace, "remote", "add", "origin", `file://${clone}`);
      const branches = ["+refs/heads/*:refs/remotes/origin/*", sha];
      const wanted = depth === "0" ? branches : [`--depth=${depth}`, ref];
      git(workspace, "fetch", "--quiet", "origin", ...wanted);
      git(workspace, "checkout", "--quiet", depth === "0" ? sha : "FETCH_HEAD");
    },
    "actions/upload-artifact": async ({ name = "", path = "" }) => {
      for (const file of path
        .trim()
        .split("\n")
        .filter((each) => existsSync(join(workspace, each))))
        await cp(join(workspace, file), join(artifacts, name, basename(file)));
    },
    "actions/download-artifact": async ({ name = "" }) =>
      await cp(join(artifacts, name), workspace, { recursive: true }),
    "github/codeql-action/upload-sarif": async ({ sarif_file: file = "" }) => {
      scanned.push(JSON.parse(await readFile(join(workspace, file), "utf8")));
    },
  });

  /** Runs a job of an event, in a new workspace and home. @returns its steps with scripts, and its outputs */
  const run = async (
    { jobs }: Workflow,
    name: string,
    event: ReturnType<typeof eventOf>,
    given: Contexts = {},
    paths: readonly string[] = [],
  ) => {
    const job = jobs[name];
    if (job === undefined) throw new Error(`there is no job ${name}`);
    const own = { secrets: secrets[job.environment ?? ""] ?? {}, vars };
    const contexts = { ...event, ...own, ...given };
    expect(isTrue(job.if, contexts), `${name}: if`).toBe(true);
    const { sha, run_id, event: payload } = event.github;
    const [folder, home] = [await newFolder(), await newFolder()];
    const workspace = join(folder, "workspace");
    await mkdir(workspace);
    await writeFile(join(folder, "event.json"), JSON.stringify(payload));
    const steps = await runSteps(job.steps, {
      workspace,
      contexts,
      path: [...paths, process.env.PATH].join(delimiter),
      environment: {
        HOME: home,
        XDG_STATE_HOME: join(home, "state"),
        GITHUB_API_URL: url,
        GITHUB_GRAPHQL_URL: `${url}/graphql`,
        GITHUB_SERVER_URL: "https://github.example",
        GITHUB_REPOSITORY: REPOSITORY,
        GITHUB_EVENT_PATH: join(folder, "event.json"),
        GITHUB_JOB: name,
        GITHUB_SHA: sha,
        GITHUB_RUN_ID: run_id,
      },
      actions: actionsIn(workspace, sha),
    });
    const known = Object.fromEntries(steps.map((step) => [step.id, step]));
    return {
      steps,
      code: steps.find(({ code }) => code !== 0)?.code ?? 0,
      outputs: evaluatedAll(job.outputs ?? {}, { ...contexts, steps: known }),
    };
  };

  git(clone, "init", "--quiet", "--initial-branch=main");
  git(clone, "config", "uploadpack.allowAnySHA1InWant", "true");
  commit("The first commit");
  return { clone, secrets, vars, artifacts, scanned, comments, commit, propose, dispatch, run };
}
