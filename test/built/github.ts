/** A repository on GitHub with workflows from docs/how-to/run-in-ci.md: commits, pull requests, environments, artifacts. */
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, delimiter, join } from "node:path";
import { load } from "js-yaml";
import { expect } from "vitest";
import { git } from "../git.ts";
import type { GitHubServer } from "./github-server.ts";
import { newFolder, ROOT } from "./rig.ts";
import {
  type Contexts,
  evaluated,
  isTrue,
  type Job as RunningJob,
  runSteps,
  type Step,
  type StepEnded,
  type Use,
} from "./runner.ts";

/** A job of a workflow. */
export interface Job {
  readonly if?: string;
  readonly needs?: string;
  readonly environment?: string;
  readonly permissions?: unknown;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps: readonly Step[];
}

/** A workflow file. */
export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly concurrency?: string;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** The file action.yml. */
export interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

/** What a job needs besides its own text. */
export interface JobStart {
  readonly contexts?: Contexts;
  /** Variables of the environment, and folders in front of the search path. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly paths?: readonly string[];
}

const REPOSITORY = "owner/repository";

/** The secrets of each environment, and there are no others; and the variables of the repository. */
interface Values {
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly vars: Readonly<Record<string, string>>;
}

/** A repository on GitHub, and the folder of a contributor. */
export class GitHub {
  /** A clone, on the branch main. */
  readonly clone: string;
  readonly secrets: Values["secrets"];
  readonly vars: Values["vars"];
  /** The files that code scanning has got. */
  readonly scanned: unknown[] = [];
  readonly #server: GitHubServer;
  readonly #remote: string;
  readonly #artifacts: string;
  #runs = 1000;

  /** @param clone a folder, which becomes the first commit of main */
  static async open(clone: string, server: GitHubServer, values: Values): Promise<GitHub> {
    const github = new GitHub([clone, await newFolder(), await newFolder()], server, values);
    git(github.#remote, "init", "--quiet", "--bare", "--initial-branch=main");
    git(clone, "init", "--quiet", "--initial-branch=main");
    git(clone, "remote", "add", "origin", `file://${github.#remote}`);
    github.commit("The first commit");
    return github;
  }

  private constructor(
    [clone, remote, artifacts]: readonly [string, string, string],
    server: GitHubServer,
    { secrets, vars }: Values,
  ) {
    this.clone = clone;
    this.#remote = remote;
    this.#artifacts = artifacts;
    this.#server = server;
    this.secrets = secrets;
    this.vars = vars;
  }

  /** The text of a file in an artifact. */
  readArtifact(name: string, file: string): Promise<string> {
    return readFile(join(this.#artifacts, name, file), "utf8");
  }

  /** Commits all files of the clone to main. @returns the contexts of the event */
  commit(message: string): Contexts {
    git(this.clone, "add", "--all");
    git(this.clone, "commit", "--quiet", "--allow-empty", `--message=${message}`);
    git(this.clone, "push", "--quiet", "origin", "HEAD:refs/heads/main");
    return this.#event("push", {}, "HEAD");
  }

  /** Commits all files of the clone to a pull request of main; the clone stays on main. */
  propose(message: string, isFork = false): Contexts {
    git(this.clone, "add", "--all");
    const tree = git(this.clone, "write-tree");
    const head = git(this.clone, "commit-tree", tree, "-p", "HEAD", "-m", message);
    const words = ["commit-tree", tree, "-p", "HEAD", "-p", head, "-m", "Merge"];
    const merge = git(this.clone, ...words);
    git(this.clone, "push", "--quiet", "--force", "origin", `${merge}:refs/pull/7/merge`);
    const name = isFork ? "somebody/fork" : REPOSITORY;
    const pull = { number: 7, head: { sha: head, repo: { full_name: name } } };
    return this.#event("pull_request", { pull_request: pull }, merge);
  }

  /** An event that is neither a push nor a pull request. */
  dispatch(name: string, inputs: Readonly<Record<string, string>> = {}): Contexts {
    return { ...this.#event(name, {}, "HEAD"), inputs };
  }

  #event(name: string, event: object, commit: string): Contexts {
    const sha = git(this.clone, "rev-parse", commit);
    const run = { run_id: String(++this.#runs), run_attempt: "1", token: "a-token" };
    const github = { event_name: name, event, sha, repository: REPOSITORY, ...run };
    return { github, inputs: {} };
  }

  /** Runs a job of an event, in a new workspace and home. @returns its steps with scripts, and its outputs */
  async run(workflow: Workflow, name: string, event: Contexts, given: JobStart = {}) {
    const job = workflow.jobs[name];
    if (job === undefined) throw new Error(`there is no job ${name}`);
    const secrets = this.secrets[job.environment ?? ""] ?? {};
    const contexts = { ...event, secrets, vars: this.vars, ...given.contexts };
    expect(isTrue(job.if, contexts), `${name}: if`).toBe(true);
    const { sha, run_id: run, event: payload } = event.github as Record<string, string>;
    const folder = await newFolder();
    await mkdir(join(folder, "home"));
    await writeFile(join(folder, "event.json"), JSON.stringify(payload));
    const steps = await runSteps(job.steps, {
      folder,
      contexts,
      paths: given.paths ?? [],
      environment: {
        HOME: join(folder, "home"),
        XDG_STATE_HOME: join(folder, "home/state"),
        GITHUB_ACTION_PATH: ROOT,
        GITHUB_API_URL: this.#server.url,
        GITHUB_GRAPHQL_URL: `${this.#server.url}/graphql`,
        GITHUB_SERVER_URL: "https://github.example",
        GITHUB_REPOSITORY: REPOSITORY,
        GITHUB_EVENT_PATH: join(folder, "event.json"),
        GITHUB_JOB: name,
        GITHUB_SHA: sha ?? "",
        GITHUB_RUN_ID: run ?? "",
        ...given.environment,
      },
      actions: this.#actions,
    });
    const known = Object.fromEntries(steps.map((step) => [step.id, step]));
    const outputs = Object.entries(job.outputs ?? {}).map(([key, value]) => [
      key,
      evaluated(value, { ...contexts, steps: known }),
    ]);
    return {
      steps,
      code: steps.find(({ code }) => code !== 0)?.code ?? 0,
      outputs: Object.fromEntries(outputs),
    };
  }

  readonly #actions: Readonly<Record<string, Use>> = {
    "actions/checkout": async (inputs, { folder, contexts }) => {
      const { sha } = contexts.github as { sha: string };
      const workspace = join(folder, "workspace");
      const depth = inputs["fetch-depth"] ?? "1";
      git(workspace, "init", "--quiet");
      git(workspace, "remote", "add", "origin", `file://${this.#remote}`);
      const branches = ["+refs/heads/*:refs/remotes/origin/*", sha];
      const wanted = depth === "0" ? branches : [`--depth=${depth}`, inputs.ref ?? sha];
      git(workspace, "fetch", "--quiet", "origin", ...wanted);
      git(workspace, "checkout", "--quiet", depth === "0" ? sha : "FETCH_HEAD");
      return undefined;
    },
    "actions/upload-artifact": async ({ name = "", path = "" }, { folder }) => {
      const options = { force: false, errorOnExist: true };
      for (const each of path.trim().split("\n")) {
        const file = join(folder, "workspace", each);
        if (existsSync(file)) await cp(file, join(this.#artifacts, name, basename(each)), options);
      }
      return undefined;
    },
    "actions/download-artifact": async ({ name = "" }, { folder }) => {
      await cp(join(this.#artifacts, name), join(folder, "workspace"), { recursive: true });
      return undefined;
    },
    "github/codeql-action/upload-sarif": async ({ sarif_file: file = "" }, { folder }) => {
      this.scanned.push(JSON.parse(await readFile(join(folder, "workspace", file), "utf8")));
      return undefined;
    },
    "your-org/course-catalog-cli": useAction,
  };
}

/** Reads action.yml. */
export async function readAction(): Promise<Action> {
  return load(await readFile(join(ROOT, "action.yml"), "utf8")) as Action;
}

/** Runs the steps of action.yml in the workspace of a job. */
async function useAction(
  given: Readonly<Record<string, string>>,
  job: RunningJob,
): Promise<StepEnded | undefined> {
  const action = await readAction();
  const defaults = Object.entries(action.inputs).map(([key, input]) => [
    key,
    evaluated(String(input.default), job.contexts),
  ]);
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
  const inputs = { ...Object.fromEntries(defaults), ...given };
  const { github = {} } = job.contexts;
  const options = { ...job, contexts: { inputs, github }, paths: job.path.split(delimiter) };
  const ended = await runSteps(action.runs.steps, options);
  const last = ended.at(-1);
  const paths = ended.flatMap((step) => step.paths);
  return last === undefined ? undefined : { ...last, paths };
}
