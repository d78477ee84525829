/** The GitLab and cron examples of docs/how-to/run-in-ci.md, and the hook for pre-commit, run unchanged. github.test.ts runs the GitHub examples. */
import { readFileSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
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
import { allSnippetsOf, snippetsOf, theSnippet } from "./snippets.ts";

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

  /** Runs the script of one job in the repository. @param flags of diff */
  async function runJob(name: string, variables: Record<string, string> = {}, flags = "") {
    const lines = ((await readPipeline())[name]?.script ?? []).join("\n");
    const script = lines.replace(/(?<=diff courses\/)/, flags);
    const environment = {
      ...service.environment,
      ...variables,
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
      expect((await runJob("check")).code).toBe(0);
      const [plan, apply] = [await runJob("plan"), await runJob("apply")];
      expect([plan.code, plan.stdout]).toEqual([
        0,
        expect.stringContaining(`\n${COURSES} courses to create.\n`),
      ]);
      expect([apply.code, apply.stderr]).toEqual([
        0,
        expect.stringContaining(`Created ${COURSES} courses.`),
      ]);
      expect(await storedIds(service)).toHaveLength(COURSES);
      const report = await readFile(join(repository, "push.xml"), "utf8");
      expect(report.match(/<testcase /g)).toHaveLength(COURSES);
      expect(JSON.parse(await readFile(join(repository, "courses.json"), "utf8"))).toEqual([]);
      const record = join(repository, "record.ndjson");
      expect((await runCatalog(["undo", record, "--yes"], service)).code).toBe(0);
      expect(await storedIds(service)).toEqual([]);
    },
  );

  test.runIf(IS_LONG)(
    "the apply job of GitLab deletes nothing if the plan has more deletions than its own limit",
    async () => {
      await runJob("plan");
      await runJob("apply");
      await rm(join(repository, "record.ndjson"));
      for (const site of ["exercism.org", "stepik.org", "udemy.com", "youtube.com", "csdiy.wiki"]) {
        await rm(join(repository, "courses", site), { recursive: true });
      }
      const base = ["exercism-org", "stepik-org", "udemy-com", "youtube-com", "csdiy-wiki"];
      const flags = ` --prune ${base.map((slug) => `--provider ${slug}`).join(" ")}`;
      const raised = { CATALOG_MAX_DELETES: "6" };
      const plan = await runJob("plan", raised, flags);
      expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining("6 courses to delete")]);
      const refused = await runJob("apply");
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringContaining("the limit is 5"),
      ]);
      expect(await storedIds(service)).toHaveLength(COURSES);
      const applied = await runJob("apply", raised);
      expect([applied.code, applied.stderr]).toEqual([
        0,
        expect.stringContaining("Deleted 6 courses."),
      ]);
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

test.runIf(IS_LONG)(
  "the pre-commit hook of docs/how-to/run-in-ci.md checks all courses if a file that can contain courses changed",
  async () => {
    const hooks = load(await readFile(join(ROOT, ".pre-commit-hooks.yaml"), "utf8")) as [
      { id: string; entry: string; args: string[]; pass_filenames: boolean; files: string },
    ];
    const snippet = theSnippet(await allSnippetsOf(DOCUMENT), "yaml", "repos:");
    const config = load(snippet) as { repos: [{ rev: string; hooks: [{ id: string }] }] };
    expect(config.repos[0].rev).toBe(`v${version}`);
    const [{ id, entry, args, pass_filenames: passes, files }, ...others] = hooks;
    expect([config.repos[0].hooks, others, passes]).toEqual([[{ id }], [], false]);
    const matching = ["a.yaml", "courses/b.tsv", "courses/catalog.defaults.yml", ".catalogignore"];
    const paths = [...matching, "README.md", "courses/a.yaml.bak"];
    expect(paths.filter((path) => new RegExp(files).test(path))).toEqual(matching);

    const repository = await newRepository();
    const [script = "", ...words] = [...entry.split(" "), ...args];
    const run = async () =>
      await (await start(join(ROOT, script), words, { folder: repository })).ended;
    expect((await run()).code).toBe(0);
    await breakCourse(repository);
    const failed = await run();
    expect(failed.code).toBe(3);
    expect(failed.stdout + failed.stderr).toContain("courses/broken.yaml:4:");
  },
);
