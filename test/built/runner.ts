/** Runs the steps of a job like GitHub's runner; supports only what the tests use. */
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { newFolder, type ProcessResult, start } from "./rig.ts";

/** A step of a workflow or an action; other properties are not supported. */
export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The values of `${{ context.name }}`. */
export type Contexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The environment of a job. */
export interface JobOptions {
  /** The folder that `actions/checkout` provides. */
  readonly repository: string;
  readonly contexts: Contexts;
  readonly environment: Readonly<Record<string, string>>;
  /** Folders that an earlier step put on the search path. */
  readonly paths?: readonly string[];
  /** The folder for files of the job and its steps; a new one by default. */
  readonly folder?: string;
}

/** The result of a step, with its output for the page of the run and for other steps. */
export interface StepEnded extends ProcessResult {
  readonly step: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** The folders that it added to the search path of later steps. */
  readonly paths: readonly string[];
}

const SHELLS: Readonly<Record<string, readonly string[]>> = {
  default: ["bash", "-e"],
  bash: ["bash", "--noprofile", "--norc", "-eo", "pipefail"],
};

/** Runs steps one after the other, up to the first that fails. @returns those that ran a script */
export async function runSteps(steps: readonly Step[], options: JobOptions): Promise<StepEnded[]> {
  const folder = options.folder ?? (await newFolder());
  const path = [...(options.paths ?? []), process.env.PATH].join(delimiter);
  const job = { ...options, folder, path };
  await mkdir(join(job.folder, "workspace"));
  await mkdir(join(job.folder, "temp"));
  const ended: StepEnded[] = [];
  for (const [index, step] of steps.entries()) {
    if (step.run === undefined) {
      await use(step, job);
      continue;
    }
    const one = await runScript(step, index, job);
    ended.push(one);
    job.path = [...one.paths, job.path].join(delimiter);
    if (one.code !== 0) break;
  }
  return ended;
}

type Job = JobOptions & { readonly folder: string; path: string };

async function use({ uses = "" }: Step, { repository, folder }: Job): Promise<void> {
  const [action] = uses.split("@");
  if (action === "actions/checkout") {
    await cp(repository, join(folder, "workspace"), { recursive: true });
  } else if (action !== "actions/setup-node") {
    throw new Error(`there is no ${uses} here`);
  }
}

async function runScript(step: Step, index: number, job: Job): Promise<StepEnded> {
  const folder = join(job.folder, `step-${index}`);
  await mkdir(folder);
  const files = {
    GITHUB_STEP_SUMMARY: join(folder, "summary"),
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_PATH: join(folder, "path"),
  };
  for (const file of Object.values(files)) await writeFile(file, "");
  const script = join(folder, "script");
  await writeFile(script, evaluated(step.run ?? "", job.contexts));

  const [program = "", ...words] = SHELLS[step.shell ?? "default"] ?? [];
  const own = Object.entries(step.env ?? {}).map(([name, value]) => [
    name,
    evaluated(value, job.contexts),
  ]);
  const running = await start(program, [...words, script], {
    folder: join(job.folder, "workspace"),
    environment: {
      PATH: job.path,
      CI: "true",
      GITHUB_ACTIONS: "true",
      RUNNER_TEMP: join(job.folder, "temp"),
      ...files,
      ...job.environment,
      ...Object.fromEntries(own),
    },
  });
  return {
    ...(await running.ended),
    step: step.name ?? step.run ?? "",
    summary: await readFile(files.GITHUB_STEP_SUMMARY, "utf8"),
    outputs: Object.fromEntries(
      (await lines(files.GITHUB_OUTPUT)).map((line) => line.split("=", 2)),
    ),
    paths: await lines(files.GITHUB_PATH),
  };
}

async function lines(file: string): Promise<string[]> {
  return (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
}

/** Replaces `${{ … }}` in a string; unset values are empty, as in the runner. */
export function evaluated(text: string, contexts: Contexts): string {
  return text.replaceAll(/\$\{\{ (\w+)\.([\w-]+) \}\}/g, (_, context, name) => {
    const values = contexts[context];
    if (values === undefined) throw new Error(`there is no ${context} here`);
    return values[name] ?? "";
  });
}

/** Whether the `if` of a job is true: empty, or `context.name == 'value'`. */
export function isTrue(condition: string | undefined, contexts: Contexts): boolean {
  if (condition === undefined) return true;
  const parts = /^(\w+)\.(\w+) == '([^']*)'$/.exec(condition);
  if (parts === null) throw new Error(`"${condition}" is more than is understood here`);
  const [, context = "", name = "", value] = parts;
  return contexts[context]?.[name] === value;
}
