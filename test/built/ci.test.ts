/** The GitLab and cron examples of docs/how-to/run-in-ci.md run unchanged. github.test.ts runs the GitHub examples. */
import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { load } from "js-yaml";
import { beforeEach, describe, expect, test } from "vitest";
import { IS_LONG } from "../long.ts";
import { breakCourse, COURSES, newRepository, serveProviders } from "./repository.ts";
import {
  newFolder,
  pathWithCatalog,
  ROOT,
  runCatalog,
  type ServedSandbox,
  start,
  storedIds,
} from "./rig.ts";
import { snippetsOf, theSnippet } from "./snippets.ts";

const DOCUMENT = "docs/how-to/run-in-ci.md";

/** The version that the examples install: this one. */
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  version: string;
};
const PACKED = `course-catalog-cli-${version}.tgz`;

describe("the GitLab pipeline of docs/how-to/run-in-ci.md", () => {
  let repository: string;
  let service: ServedSandbox;

  beforeEach(async () => {
    repository = await newRepository();
    service = await serveProviders();
  });

  /** The pipeline; all jobs install the same version first. */
  async function readPipeline() {
    const text = theSnippet(await snippetsOf("## GitLab", DOCUMENT), "yaml", "stages:");
    return load(text) as Record<string, { script: string[] }> & {
      default: { image: string; before_script: string[] };
    };
  }

  /** Runs the script of one job in the repository. */
  async function runJob(name: string) {
    const script = ((await readPipeline())[name]?.script ?? []).join("\n");
    const environment = {
      ...service.environment,
      PATH: await pathWithCatalog(),
      CI: "true",
    };
    return await (await start("sh", ["-ec", script], { folder: repository, environment })).ended;
  }

  test.runIf(IS_LONG)(
    "the GitLab pipeline of docs/how-to/run-in-ci.md checks, writes a plan and applies the plan",
    async () => {
      const { image, before_script: before } = (await readPipeline()).default;
      expect(image).toMatch(/^node:\d+\.\d+\.\d+$/);
      expect(before).toEqual([`npm install --global ./${PACKED}`]);
      const codes = [];
      for (const job of ["check", "plan", "apply"]) codes.push((await runJob(job)).code);
      expect([codes, (await storedIds(service)).length]).toEqual([[0, 0, 0], COURSES]);
      const report = await readFile(join(repository, "push.xml"), "utf8");
      expect(report.match(/<testcase /g)).toHaveLength(COURSES);
      expect(JSON.parse(await readFile(join(repository, "courses.json"), "utf8"))).toEqual([]);
      const record = join(repository, "record.ndjson");
      expect((await runCatalog(["undo", record, "--yes"], service)).code).toBe(0);
      expect(await storedIds(service)).toEqual([]);
    },
  );
});

test.runIf(IS_LONG)(
  "the cron script of docs/how-to/run-in-ci.md pushes, and prints nothing unless something fails",
  async () => {
    const repository = await newRepository();
    const service = await serveProviders();
    const script = theSnippet(await snippetsOf("## Cron", DOCUMENT), "sh", "flock");
    const folder = `/srv/catalog-${version}`;
    expect(script).toContain(`\n# Once: npm install --global --prefix ${folder} ./${PACKED}\n`);
    expect(script).toContain(`\nPATH=${folder}/bin:$PATH\n`);
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
    expect(report).toHaveLength(COURSES);
    await breakCourse(repository);
    const failed = await run();
    expect(failed.code).toBe(3);
    expect(failed.stderr).toContain('"file":"courses/broken.yaml","line":4');
  },
);
