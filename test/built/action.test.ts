/** The composite action of this repository: it checks or pushes, and never runs its inputs. */
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { load } from "js-yaml";
import { beforeEach, expect, test } from "vitest";
import { writeExecutable } from "../executable.ts";
import { IS_LONG } from "../long.ts";
import { breakCourse, COURSES, KEY, newRepository, serveUsers } from "./repository.ts";
import { newFolder, ROOT, type ServedSandbox, storedIds } from "./rig.ts";
import { ACTION, type Job, OWN_ACTION, runSteps, type Step } from "./runner.ts";
import { theSnippet } from "./snippets.ts";

let workspace: string;
let service: ServedSandbox;

beforeEach(async () => {
  workspace = await newRepository();
  service = await serveUsers();
});

/** Uses the action as steps of a job, each time with these inputs. */
async function use(inputs: readonly Readonly<Record<string, string>>[], job: Partial<Job> = {}) {
  const steps = inputs.map((given) => ({ uses: OWN_ACTION, with: given }));
  return await runSteps(steps, { workspace, contexts: { github: { token: "a-token" } }, ...job });
}

test.runIf(IS_LONG)(
  "the action builds itself in its folder after a fresh checkout, and no file of the workspace has an effect",
  async () => {
    const own = await newFolder();
    for (const name of ["bin", "tools/action", "package.json"]) {
      await cp(join(ROOT, name), join(own, name), { recursive: true });
    }
    const [folder, outside] = [await newFolder(), await newFolder()];
    const [calls, mark] = [join(outside, "calls"), join(outside, "made")];
    // What the real npm would install and build is here already.
    writeExecutable(
      join(folder, "npm"),
      `#!/bin/sh\nset -eu\necho "$PWD: npm $*" >> "${calls}"\n[ "$1" = ci ] || cp -R "${ROOT}/dist" dist\n`,
    );
    const hostile = `#!/bin/sh\ntouch "${mark}"\n`;
    for (const name of ["catalog", "node_modules/.bin/catalog", "bin/catalog.js", "npm"]) {
      await mkdir(dirname(join(workspace, name)), { recursive: true });
      writeExecutable(join(workspace, name), hostile);
    }
    await writeFile(join(workspace, ".npmrc"), `node-options=--require ${mark}.cjs\n`);
    await writeFile(join(workspace, "package.json"), '{"name": "course-catalog-cli"}\n');
    const path = [folder, process.env.PATH].join(delimiter);
    const environment = { GITHUB_ACTION_PATH: own };
    const ended = await use([{}, { command: "none" }], { path, environment });
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect((await readFile(calls, "utf8")).split("\n")).toEqual([
      `${own}: npm ci --ignore-scripts --include=dev --no-audit --no-fund --loglevel=error`,
      `${own}: npm run --silent build`,
      "",
    ]);
    expect(existsSync(mark)).toBe(false);
  },
);

test("the action with an empty base URL does not send the API key to a URL from the checkout", async () => {
  const { CATALOG_BASE_URL } = service.environment;
  await writeFile(join(workspace, ".catalogrc"), `baseUrl: ${CATALOG_BASE_URL}\n`);
  const [push] = await use([{ command: "push", "base-url": "", "api-key": KEY }]);
  expect(push).toMatchObject({ code: 2, stderr: expect.stringContaining("CATALOG_BASE_URL") });
  expect(service.sandbox.requests()).toBe(0);
});

test.runIf(IS_LONG)(
  "the action exits with 3 for an error in a file, annotates the line and outputs the counts, and refuses a base for check",
  async () => {
    await breakCourse(workspace);
    const name = "courses/a $(touch made).yaml";
    await rename(join(workspace, "courses/broken.yaml"), join(workspace, name));
    const [check] = await use([{ paths: `${name}\ncourses/exercism.org\n` }]);
    expect(check?.code).toBe(3);
    expect(check?.stdout).toMatch(/^::error file=courses\/a \$\(touch made\)\.yaml,line=4,/m);
    expect(check?.summary).toContain("6 errors in 1 of 2 files");
    expect(check?.outputs).toMatchObject({ errors: "6", created: "0" });
    const [refused] = await use([{ base: "courses" }]);
    expect(refused).toMatchObject({ code: 2, stdout: expect.stringContaining('"base"') });
  },
);

test.runIf(IS_LONG)(
  "the action pushes with the inputs of docs/how-to/run-in-ci.md and never shows the key",
  async () => {
    const steps = load(theSnippet("yaml", `uses: ${OWN_ACTION}`)) as Step[];
    const secrets = { CATALOG_API_KEY: KEY };
    const [push] = await runSteps(steps, {
      workspace,
      contexts: { vars: service.environment, secrets },
    });
    expect(push?.code).toBe(0);
    expect(push?.stderr).toContain(`Created ${COURSES} courses`);
    expect(storedIds(service)).toHaveLength(COURSES);
    expect(JSON.stringify(push)).not.toContain(KEY);
    // The build step does not receive it.
    expect(JSON.stringify(ACTION.runs.steps[0])).not.toContain("api-key");
  },
);

test("each input of the action is a variable of its script", () => {
  const values = Object.values(ACTION.runs.steps[1]?.env ?? {});
  const names = values.flatMap((value) => /^\$\{\{ inputs\.(.*) \}\}$/.exec(value)?.[1] ?? []);
  expect(names.sort()).toEqual(Object.keys(ACTION.inputs).sort());
});

test("an input of the action is neither run nor parsed as a flag", async () => {
  const folder = await newFolder();
  const make = `touch ${join(folder, "made")}`;
  const paths = ["--insecure-http", `$(${make})`, `\`${make}\``, `"; ${make}; "`];
  const [check] = await use([{ paths: paths.join("\n") }]);
  expect(check?.code).toBe(3);
  for (const path of paths) expect(check?.stdout).toContain(`cannot read ${path}`);
  expect(await readdir(folder)).toEqual([]);
});
