/** Runs the steps of a job like GitHub's runner; supports only what the tests use. */

import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { newFolder, type ProcessResult, start } from "./rig.ts";

/** A step of a workflow or an action; other properties are not supported. */
export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The values of `${{ context.name }}`. */
export type Contexts = Readonly<Record<string, unknown>>;

/** The environment of a job. */
export interface JobOptions {
  /** The folder that `actions/checkout` provides, unless `actions` has another one. */
  readonly repository?: string;
  readonly contexts: Contexts;
  readonly environment: Readonly<Record<string, string>>;
  /** Folders that an earlier step put on the search path. */
  readonly paths?: readonly string[];
  /** The folder for files of the job and its steps; a new one by default. */
  readonly folder?: string;
  /** What the actions do, by their names without a version. */
  readonly actions?: Readonly<Record<string, Use>>;
}

/** A job while it runs; its workspace is the folder of that name in `folder`. */
export type Job = JobOptions & { readonly folder: string; path: string };

/** Runs an action with its inputs. @returns its result, if it runs scripts */
export type Use = (
  inputs: Readonly<Record<string, string>>,
  job: Job,
) => Promise<StepEnded | undefined>;

/** The result of a step, with its output for the page of the run and for other steps. */
export interface StepEnded extends ProcessResult {
  readonly id?: string | undefined;
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

const ACTIONS: Readonly<Record<string, Use>> = {
  "actions/checkout": async (_, { repository = "", folder }) => {
    await cp(repository, join(folder, "workspace"), { recursive: true });
    return undefined;
  },
  "actions/setup-node": async () => undefined,
};

/**
 * Runs steps one after the other; after one that fails, only those whose `if` says so.
 *
 * @returns the results of those that ran a script
 */
export async function runSteps(steps: readonly Step[], options: JobOptions): Promise<StepEnded[]> {
  const folder = options.folder ?? (await newFolder());
  const path = [...(options.paths ?? []), process.env.PATH].join(delimiter);
  const job = { ...options, folder, path };
  for (const name of ["workspace", "temp"]) await mkdir(join(folder, name), { recursive: true });
  const ended: StepEnded[] = [];
  const known: Record<string, Pick<StepEnded, "outputs">> = {};
  for (const step of steps) {
    const isFailed = ended.some(({ code }) => code !== 0);
    const contexts = { ...job.contexts, steps: known };
    if (!isTrue(step.if, contexts, { isFailed, workspace: join(folder, "workspace") })) continue;
    const one =
      step.run === undefined
        ? await use(step, { ...job, contexts })
        : await runScript(step, { ...job, contexts });
    if (one === undefined) continue;
    ended.push({ ...one, id: step.id, step: step.name ?? step.uses ?? one.step });
    if (step.id !== undefined) known[step.id] = one;
    job.path = [...one.paths, job.path].join(delimiter);
  }
  return ended;
}

async function use({ uses = "", with: inputs = {} }: Step, job: Job) {
  const [name = ""] = uses.split("@");
  const action = job.actions?.[name] ?? ACTIONS[name];
  if (action === undefined) throw new Error(`there is no ${uses} here`);
  const given = Object.entries(inputs).map(([key, value]) => [
    key,
    evaluated(String(value), job.contexts),
  ]);
  return await action(Object.fromEntries(given), job);
}

async function runScript(step: Step, job: Job): Promise<StepEnded> {
  const folder = await mkdtemp(join(job.folder, "step-"));
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
    outputs: readOutputs(await readFile(files.GITHUB_OUTPUT, "utf8")),
    paths: await lines(files.GITHUB_PATH),
  };
}

/** The outputs of a step: `name=value`, or several lines between `name<<END` and `END`. */
function readOutputs(text: string): Readonly<Record<string, string>> {
  const found = text.matchAll(/^([^=\n]+?)(?:=(.*)|<<(.+)\n((?:.|\n)*?)\n\3)$/gm);
  return Object.fromEntries(
    [...found].map(([, name = "", value, , values = ""]) => [name, value ?? values]),
  );
}

async function lines(file: string): Promise<string[]> {
  return (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
}

/** Replaces `${{ … }}` in a string; unset values are empty, as in the runner. */
export function evaluated(text: string, contexts: Contexts): string {
  return text.replaceAll(/\$\{\{ (.+?) \}\}/g, (_, expression: string) =>
    String(evaluate(expression, contexts) ?? ""),
  );
}

/** What the functions of an expression answer. */
interface State {
  readonly isFailed: boolean;
  readonly workspace: string;
}

const START: State = { isFailed: false, workspace: "" };

/** Whether the `if` of a job or a step is true; without a function, also nothing may have failed. */
export function isTrue(condition: string | undefined, contexts: Contexts, state = START) {
  if (condition === undefined) return !state.isFailed;
  if (!/\b(always|failure|success)\(\)/.test(condition) && state.isFailed) return false;
  return Boolean(evaluate(condition, contexts, state));
}

/** The value of an expression: as in JavaScript, except that a name can have a dash, and that what is missing is null. */
function evaluate(expression: string, contexts: Contexts, { isFailed, workspace } = START) {
  const functions = {
    always: () => true,
    failure: () => isFailed,
    success: () => !isFailed,
    hashFiles: (name: string) => (existsSync(join(workspace, name)) ? "a hash" : ""),
  };
  const names = { ...functions, ...contexts };
  const script = expression
    .replaceAll(/'[^']*'|\.([\w-]+)/g, (all, name) => (name ? `?.["${name}"]` : all))
    .replaceAll(/([\w\]])\[(?!")/g, "$1?.[");
  return new Function(...Object.keys(names), `return ${script}`)(
    ...Object.values(names),
  ) as unknown;
}
