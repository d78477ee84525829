/** The composite action of this repository: it checks or pushes, and never runs its inputs. */
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { load } from "js-yaml";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { writeExecutable } from "../executable.ts";
import { IS_LONG } from "../long.ts";
import { type Action, readAction } from "./github.ts";
import { breakCourse, COURSES, KEY, newRepository, serveProviders } from "./repository.ts";
import { newFolder, ROOT, type ServedSandbox, storedIds } from "./rig.ts";
import { type JobOptions, runSteps, type Step, type StepEnded } from "./runner.ts";
import { allSnippetsOf, theSnippet } from "./snippets.ts";

let action: Action;
let repository: string;
let service: ServedSandbox;

beforeAll(async () => {
  action = await readAction();
});

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
    contexts: { inputs, github: { token: "a-token" } },
    environment: { GITHUB_ACTION_PATH: ROOT, ...options.environment },
  });
}

/** Uses the action as a step of a job. */
async function use(given: Readonly<Record<string, string>>): Promise<StepEnded[]> {
  return await run(action.runs.steps.slice(1), given);
}

/** The inputs that select the service. */
function connected(): Record<string, string> {
  return { "base-url": service.environment.CATALOG_BASE_URL, "api-key": KEY };
}

/** A folder with a program `npm` that does this. */
async function folderWithNpm(script: string): Promise<string> {
  const folder = await newFolder();
  writeExecutable(join(folder, "npm"), `#!/bin/sh\nset -eu\n${script}\n`);
  return folder;
}

test.runIf(IS_LONG)(
  "the action builds itself in its folder after a fresh checkout, and no file of the workspace has an effect",
  async () => {
    const own = await newFolder();
    for (const name of ["bin", "tools/action", "package.json"]) {
      await cp(join(ROOT, name), join(own, name), { recursive: true });
    }
    const calls = join(await newFolder(), "calls");
    // What the real npm would install and build is here already.
    const npm = await folderWithNpm(
      `echo "$PWD: npm $*" >> "${calls}"\n[ "$1" = ci ] || cp -R "${ROOT}/dist" dist`,
    );
    const mark = join(await newFolder(), "made");
    const hostile = `#!/bin/sh\ntouch "${mark}"\n`;
    for (const name of ["catalog", "node_modules/.bin/catalog", "bin/catalog.js", "npm"]) {
      await mkdir(dirname(join(repository, name)), { recursive: true });
      writeExecutable(join(repository, name), hostile);
    }
    await writeFile(join(repository, ".npmrc"), `node-options=--require ${mark}.cjs\n`);
    await writeFile(join(repository, "package.json"), '{"name": "course-catalog-cli"}\n');
    const environment = { GITHUB_ACTION_PATH: own };
    const steps = [...action.runs.steps, ...action.runs.steps.slice(0, 1)];
    const ended = await run(steps, {}, { paths: [npm], environment });
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect((await readFile(calls, "utf8")).split("\n")).toEqual([
      `${own}: npm ci --ignore-scripts --include=dev --no-audit --no-fund --loglevel=error`,
      `${own}: npm run --silent build`,
      "",
    ]);
    expect(existsSync(mark)).toBe(false);
  },
);

test("the action with an empty base URL does not send the key to a URL from the checkout", async () => {
  const { CATALOG_BASE_URL } = service.environment;
  await writeFile(join(repository, ".catalogrc"), `baseUrl: ${CATALOG_BASE_URL}\n`);
  const given = { command: "push", "base-url": "", "api-key": KEY };
  const [push] = await use(given);
  expect(push).toMatchObject({ code: 2, stderr: expect.stringContaining("CATALOG_BASE_URL") });
  expect(service.sandbox.requests()).toBe(0);
});

test.runIf(IS_LONG)(
  "the action exits with 3 for an error in a file, annotates the line and outputs the counts, and refuses a base for check",
  async () => {
    await breakCourse(repository);
    const name = "courses/a $(touch made).yaml";
    await rename(join(repository, "courses/broken.yaml"), join(repository, name));
    const [check] = await use({ paths: `${name}\ncourses/exercism.org\n` });
    expect(check?.code).toBe(3);
    expect(check?.stdout).toMatch(/^::error file=courses\/a \$\(touch made\)\.yaml,line=4,/m);
    expect(check?.summary).toContain("6 errors in 1 of 2 files");
    expect(check?.outputs).toMatchObject({ errors: "6", created: "0" });
    const [refused] = await use({ base: "courses" });
    expect(refused).toMatchObject({ code: 2, stdout: expect.stringContaining('"base"') });
  },
);

test.runIf(IS_LONG)(
  "the action pushes with the inputs of docs/how-to/run-in-ci.md and never shows the key",
  async () => {
    const snippets = await allSnippetsOf("docs/how-to/run-in-ci.md");
    const [step] = load(theSnippet(snippets, "yaml", "uses: your-org/")) as [
      { with: Record<string, string> },
    ];
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)));
    const [push] = await use({ ...step.with, ...connected() });
    expect(push?.code).toBe(0);
    expect(push?.stderr).toContain(`Created ${COURSES} courses`);
    expect(await storedIds(service)).toHaveLength(COURSES);
    expect(JSON.stringify(push)).not.toContain(KEY);
    // The build step does not receive it.
    expect(JSON.stringify(action.runs.steps[0])).not.toContain("api-key");
  },
);

test("each input of the action is a variable and never inserted into a script", () => {
  for (const { run: script } of action.runs.steps) expect(script).not.toContain("${{");
  const values = Object.values(action.runs.steps[1]?.env ?? {});
  const names = values.flatMap((value) => /^\$\{\{ inputs\.(.*) \}\}$/.exec(value)?.[1] ?? []);
  expect(names.sort()).toEqual(Object.keys(action.inputs).sort());
});

test("an input of the action is neither run nor parsed as a flag", async () => {
  const folder = await newFolder();
  const make = `touch ${join(folder, "made")}`;
  const paths = ["--insecure-http", `$(${make})`, `\`${make}\``, `"; ${make}; "`];
  const [check] = await use({ paths: paths.join("\n") });
  expect(check?.code).toBe(3);
  for (const path of paths) expect(check?.stdout).toContain(`cannot read ${path}`);
  expect(await readdir(folder)).toEqual([]);
});
