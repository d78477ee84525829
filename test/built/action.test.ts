/** The composite action of this repository: it checks or pushes, and never runs its inputs. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "js-yaml";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { memoize } from "../../src/base/values.ts";
import { writeExecutable } from "../executable.ts";
import { IS_LONG } from "../long.ts";
import { type Registry, serveRegistry } from "./registry.ts";
import { breakCourse, COURSES, KEY, newRepository, serveProviders } from "./repository.ts";
import { newFolder, PROGRAM, ROOT, type ServedSandbox, storedIds } from "./rig.ts";
import { type JobOptions, runSteps, type Step, type StepEnded } from "./runner.ts";
import { snippetsOf, theSnippet } from "./snippets.ts";

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

let action: Action;
/** Only for the long tests, because packing and installing take longer than the steps. */
let registry: Registry;
/** The folder where the command is installed for all tests. */
let folder: string;
let repository: string;
let service: ServedSandbox;

beforeAll(async () => {
  action = load(await readFile(join(ROOT, "action.yml"), "utf8")) as Action;
  if (IS_LONG) registry = await serveRegistry();
  folder = await mkdtemp(join(tmpdir(), "catalog-action-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  repository = await newRepository();
  service = await serveProviders();
});

/** Runs steps of the action with these inputs, and later steps of the job. */
async function run(
  steps: readonly Step[],
  given: Readonly<Record<string, string>>,
  options: Partial<JobOptions> = {},
): Promise<StepEnded[]> {
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default]);
  const inputs = { ...Object.fromEntries(defaults), ...given };
  return await runSteps([{ uses: "actions/checkout" }, ...steps], {
    ...options,
    repository,
    contexts: { inputs },
    environment: { GITHUB_ACTION_PATH: ROOT, ...options.environment },
  });
}

/** Runs the first step, which installs the command for later steps. */
const installed = memoize(async () => {
  const options = IS_LONG
    ? { environment: registry.settings(folder) }
    : { paths: [await folderWithNpm()] };
  const [install] = await run(action.runs.steps.slice(0, 1), {}, { folder, ...options });
  return install;
});

/** A folder with an `npm` that only links the command to where it would install it. */
async function folderWithNpm(): Promise<string> {
  const npm = join(folder, "npm");
  await mkdir(npm);
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const script = `#!/bin/sh
[ "$1 $2 $8" = "install --prefix course-catalog-cli@${version}" ] || exit 1
mkdir -p "$3/node_modules/.bin" && ln -s "${PROGRAM}" "$3/node_modules/.bin/catalog"
`;
  writeExecutable(join(npm, "npm"), script);
  return npm;
}

/** Uses the action as a step of a job; `later` are the steps after it. */
async function use(
  given: Readonly<Record<string, string>>,
  { environment = {}, later = [] as readonly Step[] } = {},
): Promise<StepEnded[]> {
  const install = await installed();
  const paths = install?.paths ?? [];
  return await run([...action.runs.steps.slice(1), ...later], given, { environment, paths });
}

/** The inputs that select the service. */
function connected(): Record<string, string> {
  return { "base-url": service.environment.CATALOG_BASE_URL, "api-key": KEY };
}

test("action: without inputs it checks courses/, writes a summary and installs the command", async () => {
  expect(await installed()).toMatchObject({ code: 0, paths: [expect.stringContaining(folder)] });
  const [check, later] = await use({}, { later: [{ run: "catalog --version" }] });
  expect(later).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/) });
  expect(check?.code).toBe(0);
  expect(check?.summary).toContain(`${COURSES} courses: no problems`);
  expect(service.sandbox.requests()).toBe(0);
});

test("action: it exits with 3 for a mistake, annotates it and outputs the findings as a file", async () => {
  await breakCourse(repository);
  const name = "courses/a $(touch made).yaml";
  await rename(join(repository, "courses/broken.yaml"), join(repository, name));
  const [check] = await use({ paths: `${name}\ncourses/exercism.org\n` });
  expect(check?.code).toBe(3);
  expect(check?.stdout).toMatch(/^::error file=courses\/a \$\(touch made\)\.yaml,line=4,/m);
  expect(check?.summary).toContain("6 errors in 1 of 2 files");
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an action writes it so
  expect(action.outputs.report?.value).toBe("${{ steps.run.outputs.report }}");
  const report: unknown = JSON.parse(await readFile(check?.outputs.report ?? "", "utf8"));
  expect(report).toMatchObject({ files: 2, courses: 2, errors: 6 });
});

test("action: it pushes with the README's inputs and never shows the key", async () => {
  const [step] = load(theSnippet(await snippetsOf("## In CI"), "yaml", "your-org/")) as [
    { with: Record<string, string> },
  ];
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)));
  const [push] = await use({ ...step.with, ...connected() });
  expect(push?.code).toBe(0);
  expect(push?.stderr).toContain(`Verified ${COURSES} courses`);
  expect(await storedIds(service)).toHaveLength(COURSES);
  expect(JSON.stringify(push)).not.toContain(KEY);
  // The install step does not receive it.
  expect(JSON.stringify(action.runs.steps[0])).not.toContain("api-key");
});

test.runIf(IS_LONG)(
  "action: it reads the service from the environment if no input names it",
  async () => {
    const given = { command: "push", paths: "courses/exercism.org", args: "--dry-run\n--quiet" };
    const [check] = await use(given, { environment: service.environment });
    expect(check?.code).toBe(0);
    expect(service.sandbox.requests()).toBeGreaterThan(0);
    expect(await storedIds(service)).toEqual([]);
  },
);

describe("action: an input", () => {
  test("is never inserted into a script", () => {
    for (const { run: script } of action.runs.steps) expect(script).not.toContain("${{");
  });

  test("is neither run nor parsed as a flag", async () => {
    const folder = await newFolder();
    const make = `touch ${join(folder, "made")}`;
    const paths = ["--insecure-http", `$(${make})`, `\`${make}\``, `"; ${make}; "`];
    const [check] = await use({ paths: paths.join("\n") });
    expect(check?.code).toBe(3);
    for (const path of paths) expect(check?.stderr).toContain(`cannot read ${path}`);
    const [other] = await use({ args: `--concurrency=$(${make})` });
    expect(other?.code).toBe(2);
    expect(other?.stderr).toContain(`$(${make})`);
    expect(await readdir(folder)).toEqual([]);
  });

  test("is refused if it is a command other than check and push", async () => {
    const [check] = await use({ command: "rm", ...connected() });
    expect(check).toMatchObject({ code: 2 });
    expect(check?.stdout).toContain("::error::");
    expect(service.sandbox.requests()).toBe(0);
  });
});
