/** The composite action of this repository: it checks or pushes, and runs nothing that it is given. */
import { readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { load } from "js-yaml";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Registry, serveRegistry } from "./registry.ts";
import { breakCourse, COURSES, KEY, newRepository, serveProviders } from "./repository.ts";
import { idsOf, newFolder, ROOT, type Served } from "./rig.ts";
import { runSteps, type Step, type StepEnded } from "./runner.ts";
import { snippetsOf, theSnippet } from "./snippets.ts";

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

let action: Action;
let registry: Registry;
let repository: string;
let service: Served;

beforeAll(async () => {
  action = load(await readFile(join(ROOT, "action.yml"), "utf8")) as Action;
  registry = await serveRegistry();
});

beforeEach(async () => {
  repository = await newRepository();
  service = await serveProviders();
});

/** Uses the action as a step of a job; `later` are the steps behind it. */
async function use(
  given: Readonly<Record<string, string>>,
  { environment = {}, later = [] as readonly Step[] } = {},
): Promise<StepEnded[]> {
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default]);
  const inputs = { ...Object.fromEntries(defaults), ...given };
  const settings = registry.settings(await newFolder());
  return await runSteps([{ uses: "actions/checkout" }, ...action.runs.steps, ...later], {
    repository,
    contexts: { inputs },
    environment: { ...settings, GITHUB_ACTION_PATH: ROOT, ...environment },
  });
}

/** What leads to the service, as inputs. */
function connected(): Record<string, string> {
  return { "base-url": service.environment.CATALOG_BASE_URL, "api-key": KEY };
}

test("checks courses/ without any input, sums it up, and leaves the command for later", async () => {
  const [install, run, later] = await use({}, { later: [{ run: "catalog --version" }] });
  expect([install?.code, run?.code]).toEqual([0, 0]);
  expect(run?.summary).toContain(`${COURSES} courses: no problems`);
  expect(later).toMatchObject({ code: 0, stdout: `${registry.manifest.version}\n` });
  expect(service.sandbox.requests()).toBe(0);
});

test("ends with 3 at a mistake, annotates it, and hands on the findings as a file", async () => {
  await breakCourse(repository);
  const name = "courses/a $(touch made).yaml";
  await rename(join(repository, "courses/broken.yaml"), join(repository, name));
  const [, run] = await use({ paths: `${name}\ncourses/exercism.org\n` });
  expect(run?.code).toBe(3);
  expect(run?.stdout).toMatch(/^::error file=courses\/a \$\(touch made\)\.yaml,line=4,/m);
  expect(run?.summary).toContain("6 errors in 1 of 2 files");
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an action writes it so
  expect(action.outputs.report?.value).toBe("${{ steps.run.outputs.report }}");
  const report: unknown = JSON.parse(await readFile(run?.outputs.report ?? "", "utf8"));
  expect(report).toMatchObject({ files: 2, courses: 2, errors: 6 });
});

test("pushes with the README's inputs, and shows the key nowhere", async () => {
  const [step] = load(theSnippet(await snippetsOf("## In CI"), "yaml", "your-org/")) as [
    { with: Record<string, string> },
  ];
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)));
  const steps = await use({ ...step.with, ...connected() });
  expect(steps.map(({ code }) => code)).toEqual([0, 0]);
  expect(steps[1]?.stderr).toContain(`Verified ${COURSES} courses`);
  expect(await idsOf(service)).toHaveLength(COURSES);
  expect(JSON.stringify(steps)).not.toContain(KEY);
});

test("takes the service from the environment when no input names it", async () => {
  const given = { command: "push", paths: "courses/exercism.org", args: "--dry-run\n--quiet" };
  const [, run] = await use(given, { environment: service.environment });
  expect(run?.code).toBe(0);
  expect(service.sandbox.requests()).toBeGreaterThan(0);
  expect(await idsOf(service)).toEqual([]);
});

describe("what it is given", () => {
  test("is never written into a script", () => {
    for (const { run } of action.runs.steps) expect(run).not.toContain("${{");
  });

  test("is neither run nor taken for a flag", async () => {
    const folder = await newFolder();
    const make = `touch ${join(folder, "made")}`;
    const paths = ["--insecure-http", `$(${make})`, `\`${make}\``, `"; ${make}; "`];
    const [, run] = await use({ paths: paths.join("\n") });
    expect(run?.code).toBe(3);
    for (const path of paths) expect(run?.stderr).toContain(`could not read ${path}`);
    const [, other] = await use({ args: `--concurrency=$(${make})` });
    expect(other?.code).toBe(2);
    expect(other?.stderr).toContain(`$(${make})`);
    expect(await readdir(folder)).toEqual([]);
  });

  test("is refused when it is another command", async () => {
    const [, run] = await use({ command: "rm", ...connected() });
    expect(run).toMatchObject({ code: 2 });
    expect(run?.stdout).toContain("::error::");
    expect(service.sandbox.requests()).toBe(0);
  });
});
