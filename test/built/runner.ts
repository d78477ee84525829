/** Runs the steps of a job like GitHub's runner; supports only what the tests use. */

import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { load } from "js-yaml";
import { expect } from "vitest";
import { newFolder, type ProcessResult, ROOT, start } from "./rig.ts";

type Texts = Readonly<Record<string, string>>;

/** A step of a workflow or an action; other properties are not supported. */
export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Texts;
}

/** The values of `${{ context.name }}`. */
export type Contexts = Readonly<Record<string, unknown>>;

/** A job while it runs. */
export interface Job {
  readonly workspace: string;
  readonly contexts: Contexts;
  readonly environment?: Texts;
  /** The search path. */
  readonly path?: string | undefined;
  /** What the actions of others do with their inputs, by their names without a version. */
  readonly actions?: Readonly<Record<string, (inputs: Texts) => Promise<void>>>;
}

/** The result of a step, with its output for the page of the run and for other steps. */
interface StepEnded extends ProcessResult {
  readonly id?: string | undefined;
  readonly step: string;
  readonly summary: string;
  readonly outputs: Texts;
  /** The folders that it added to the search path of later steps. */
  readonly paths: readonly string[];
}

/** The name of this repository as an action. */
export const OWN_ACTION = "your-org/course-catalog-cli";

/** The file action.yml. */
export const ACTION = load(await readFile(join(ROOT, "action.yml"), "utf8")) as {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
};

/**
 * Runs steps one after the other; after one that fails, only those whose `if` says so.
 *
 * @returns the results of those that ran a script
 */
export async function runSteps(steps: readonly Step[], job: Job): Promise<StepEnded[]> {
  const ended: StepEnded[] = [];
  let path = job.path ?? process.env.PATH ?? "";
  for (const step of steps) {
    const isFailed = ended.some(({ code }) => code !== 0);
    const known = Object.fromEntries(ended.map((each) => [each.id, each]));
    const contexts = { ...job.contexts, steps: known };
    if (!isTrue(step.if, contexts, { isFailed, workspace: job.workspace })) continue;
    const run = step.run === undefined ? use : runScript;
    const one = await run(step, { ...job, contexts, path });
    if (one === undefined) continue;
    ended.push({ ...one, id: step.id, step: step.name ?? step.uses ?? one.step });
    path = [...one.paths, path].join(delimiter);
  }
  return ended;
}

async function use({ uses = "", with: inputs = {} }: Step, job: Job) {
  const [name = ""] = uses.split("@");
  const given = evaluatedAll(inputs, job.contexts);
  if (name === OWN_ACTION) return await useOwn(given, job);
  const action = job.actions?.[name];
  if (action === undefined) throw new Error(`there is no ${uses} here`);
  await action(given);
  return undefined;
}

/** Runs the steps of action.yml in the workspace of a job. */
async function useOwn(given: Texts, job: Job): Promise<StepEnded | undefined> {
  const { inputs, runs } = ACTION;
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
  const defaults = Object.entries(inputs).map(([key, input]) => [key, input.default]);
  const all = { ...evaluatedAll(Object.fromEntries(defaults), job.contexts), ...given };
  const { github = {} } = job.contexts;
  const ended = await runSteps(runs.steps, { ...job, contexts: { inputs: all, github } });
  const last = ended.at(-1);
  return last && { ...last, paths: ended.flatMap(({ paths }) => paths) };
}

async function runScript(step: Step, job: Job): Promise<StepEnded> {
  const folder = await newFolder();
  const files = {
    GITHUB_STEP_SUMMARY: join(folder, "summary"),
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_PATH: join(folder, "path"),
  };
  for (const file of Object.values(files)) await writeFile(file, "");
  const script = join(folder, "script");
  await writeFile(script, evaluated(step.run ?? "", job.contexts));
  await mkdir(join(folder, "temp"));
  const options = step.shell === "bash" ? ["--noprofile", "--norc", "-eo", "pipefail"] : ["-e"];
  const running = await start("bash", [...options, script], {
    folder: job.workspace,
    environment: {
      PATH: job.path,
      CI: "true",
      GITHUB_ACTIONS: "true",
      RUNNER_TEMP: join(folder, "temp"),
      GITHUB_ACTION_PATH: ROOT,
      ...files,
      ...job.environment,
      ...evaluatedAll(step.env ?? {}, job.contexts),
    },
  });
  return {
    ...(await running.ended),
    step: step.name ?? step.run ?? "",
    summary: await readFile(files.GITHUB_STEP_SUMMARY, "utf8"),
    outputs: readOutputs(await readFile(files.GITHUB_OUTPUT, "utf8")),
    paths: (await readFile(files.GITHUB_PATH, "utf8")).split("\n").filter(Boolean),
  };
}

/** The outputs of a step: `name=value`, or several lines between `name<<END` and `END`. */
function readOutputs(text: string): Texts {
  const found = text.matchAll(/^([^=\n]+?)(?:=(.*)|<<(.+)\n((?:.|\n)*?)\n\3)$/gm);
  return Object.fromEntries(
    [...found].map(([, name = "", value, , values = ""]) => [name, value ?? values]),
  );
}

/** Replaces `${{ … }}` in a string; unset values are empty, as in the runner. */
export function evaluated(text: string, contexts: Contexts): string {
  return text.replaceAll(/\$\{\{ (.+?) \}\}/g, (_, expression: string) =>
    String(evaluate(expression, contexts) ?? ""),
  );
}

/** Replaces `${{ … }}` in each value. */
export function evaluatedAll(values: Readonly<Record<string, unknown>>, contexts: Contexts): Texts {
  const all = Object.entries(values).map(([key, value]) => [
    key,
    evaluated(String(value), contexts),
  ]);
  return Object.fromEntries(all);
}

const START = { isFailed: false, workspace: "" };

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
