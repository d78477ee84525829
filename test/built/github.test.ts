/** The workflows of examples/ci/ for GitHub, which docs/how-to/run-in-ci.md explains, run unchanged. */
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isInstalled, writeExecutable } from "../executable.ts";
import { git } from "../git.ts";
import { IS_LONG } from "../long.ts";
import { course } from "../rig.ts";
import { type GitHub, openGitHub, readWorkflow } from "./github.ts";
import { breakCourse, COURSES, KEY, newRepository, PROVIDERS, serveUsers } from "./repository.ts";
import { newFolder, runCatalog, runScript, type ServedSandbox, storedCourses } from "./rig.ts";
import type { Contexts, Step } from "./runner.ts";
import { theSnippet } from "./snippets.ts";

/** Milliseconds for a test of several jobs, which start many processes. */
const A_LONG_TEST = 300_000;

const TYPESCRIPT = "courses/exercism.org/typescript.yaml";
const KOTLIN = "courses/stepik.org/android-kotlin-ru.yaml";
const ID = "7d444840-9dc0-41d1-b245-5ffdce74fad2";

/** Replaces a text of a file. */
async function edit(folder: string, file: string, old: RegExp | string, next: string) {
  const path = join(folder, file);
  await writeFile(path, (await readFile(path, "utf8")).replaceAll(old, next));
}

/** Gives the course of a file another name. */
async function nameCourse({ clone }: GitHub, file: string, name: string) {
  await edit(clone, file, /^name: .*/gm, `name: ${name}`);
}

/** The names of the courses in the service. */
function namesIn(service: ServedSandbox): string[] {
  return storedCourses(service).map(({ name }) => String(name));
}

/** Changes the name of a stored course. */
async function renameStored(service: ServedSandbox, name: string, next: string) {
  const { id = "" } = storedCourses(service).find((course) => course.name === name) ?? {};
  expect((await runCatalog(["courses", "update", id, "--name", next], service)).code).toBe(0);
}

/** A repository whose courses are in the catalog, and marked as applied. */
async function openApplied(clone?: string) {
  const service = await serveUsers();
  const { CATALOG_BASE_URL } = service.environment;
  const github = await openGitHub(clone ?? (await newRepository()), {
    // Only protected environments have the key.
    secrets: { catalog: { CATALOG_API_KEY: KEY }, "catalog-nightly": { CATALOG_API_KEY: KEY } },
    vars: { CATALOG_BASE_URL },
  });
  const pushed = await runCatalog(["courses", "push", join(github.clone, "courses")], service);
  expect(pushed.code).toBe(0);
  git(github.clone, "branch", "applied");
  return { service, github };
}

/** Runs the approved push of an event, whose plan compared the files with this commit. */
async function apply(github: GitHub, event: Event, base = "", given: Contexts = {}) {
  const needs = { plan: { outputs: { base } } };
  return await github.run(readWorkflow("apply"), "apply", event, { needs, ...given });
}

type Event = ReturnType<GitHub["commit"]>;

describe.runIf(IS_LONG)("the workflows of docs/how-to/run-in-ci.md", () => {
  test("the review workflow compares a pull request with the other branch in a sandbox without an API key, in one comment", async () => {
    const github = await openGitHub(await newRepository());
    const workflow = readWorkflow("review");
    await nameCourse(github, TYPESCRIPT, "A new name");
    expect(await github.run(workflow, "review", github.propose())).toMatchObject({ code: 0 });
    expect(github.scanned).toMatchObject([{ version: "2.1.0" }]);
    expect(github.comments).toHaveLength(1);
    const [{ body = "" } = {}] = github.comments;
    expect(body).toContain("\n## catalog diff: `courses` → `sandbox`\n");
    expect(body).toContain("1 course to update. 13 are up to date.");

    await breakCourse(github.clone);
    const second = await github.run(workflow, "review", github.propose(true));
    expect(second.steps.map(({ step, code }) => [step, code])).toEqual([["Check", 3]]);
    // GitHub does not accept findings for a fork.
    expect(github.scanned).toHaveLength(1);
  });

  test("the apply job applies the approved plan or, if the catalog has changed, nothing, until a run by hand decides what counts; only this job has the API key", async () => {
    const { service, github } = await openApplied();
    const workflow = readWorkflow("apply");
    expect(workflow).toMatchObject({ permissions: { contents: "read" }, concurrency: "catalog" });
    expect(workflow.jobs.plan).not.toHaveProperty("environment");
    expect(workflow.jobs.apply).toMatchObject({ needs: "plan", environment: "catalog" });
    const base = git(github.clone, "rev-parse", "HEAD");
    await nameCourse(github, TYPESCRIPT, "TypeScript 6");
    await rm(join(github.clone, "courses/youtube.com/csharp-ko.yaml"));
    const event = github.commit("TypeScript 6");
    const requests = service.sandbox.requests();
    const planned = await github.run(workflow, "plan", event);
    expect([planned.code, service.sandbox.requests()]).toEqual([0, requests]);
    expect(planned.outputs).toEqual({ base });
    expect(planned.steps.at(-1)?.summary).toContain(
      "1 course to update and 1 to delete. 12 are up to date.",
    );
    const first = await apply(github, event, base);
    expect(first.steps[1]?.outputs).toMatchObject({ updated: "1", deleted: "1", failed: "0" });
    expect(JSON.stringify(first)).not.toContain(KEY);
    expect(namesIn(service)).toContain("TypeScript 6");
    const { sha } = event.github;
    const applied = () => git(github.clone, "rev-parse", "applied");
    expect([first.code, applied()]).toEqual([0, sha]);

    // The same course is changed in the catalog and in the files.
    await renameStored(service, "TypeScript 6", "TypeScript by hand");
    await nameCourse(github, TYPESCRIPT, "TypeScript 7");
    await nameCourse(github, KOTLIN, "Kotlin");
    const second = await apply(github, github.commit("TypeScript 7"), sha);
    expect([second.code, applied()]).toEqual([7, sha]);
    expect(namesIn(service)).toContain("TypeScript by hand");
    expect(namesIn(service)).not.toContain("Kotlin");
    const byHand = github.dispatch("workflow_dispatch", { "on-drift": "overwrite" });
    expect((await apply(github, byHand, sha)).code).toBe(0);
    expect(namesIn(service)).toEqual(expect.arrayContaining(["TypeScript 7", "Kotlin"]));
  });

  test("the nightly drift job keeps one issue about changes in the catalog and stays silent if there are none", async () => {
    const { service, github } = await openApplied();
    const folder = await newFolder();
    // An issue that is open is found by its label.
    writeExecutable(
      join(folder, "gh"),
      `#!/bin/sh
set -eu
[ "$GH_TOKEN" = a-token ]
printf '%s\\n' "$*" >> "${folder}/calls"
case "$1 $2" in
"issue list") if [ -e "${folder}/issue" ]; then echo 3; fi ;;
*) for file; do :; done; cp "$file" "${folder}/issue" ;;
esac
`,
    );
    const night = async () => {
      const event = github.dispatch("schedule");
      return await github.run(readWorkflow("drift"), "drift", event, {}, [folder]);
    };
    expect(await night()).toMatchObject({ code: 0, steps: { length: 3 } });
    for (const [before, name] of [
      ["TypeScript", "Renamed"],
      ["Renamed", "Renamed again"],
    ] as const) {
      await renameStored(service, before, name);
      const { code, steps } = await night();
      expect([code, steps.at(-1)?.code]).toEqual([7, 0]);
      expect(await readFile(join(folder, "issue"), "utf8")).toContain(name);
    }
    const calls = await readFile(join(folder, "calls"), "utf8");
    expect(calls.match(/^issue (create|edit 3)/gm)).toEqual(["issue create", "issue edit 3"]);

    // No file has a course of this provider.
    const added = course({
      id: ID,
      name: "Added elsewhere",
      url: "https://github.com/added",
      provider_id: "6fca3dd2-d61d-58de-9363-1574b382ea68",
    });
    const post = ["api", "POST", "developer/v1/courses", "-d", JSON.stringify(added)];
    expect((await runCatalog(post, service)).code).toBe(0);
    await night();
    expect(await readFile(join(folder, "issue"), "utf8")).toContain(
      "added in the catalog <code>Added elsewhere</code>",
    );
  });

  test("the apply job of reviewed.yaml refuses a plan without a review, and pushes what the reviewer approved", async () => {
    const { service, github } = await openApplied();
    const workflow = readWorkflow("reviewed");
    expect(workflow.jobs.apply).toMatchObject({ environment: "catalog" });
    await nameCourse(github, TYPESCRIPT, "TypeScript 6");
    await nameCourse(github, KOTLIN, "Kotlin");
    github.commit("Two names");
    const planned = await github.run(workflow, "plan", github.dispatch("workflow_dispatch"));
    expect(planned.code).toBe(0);
    const artifact = (name: string) => readFile(join(github.artifacts, "plan", name), "utf8");
    const plan = await artifact("plan.ndjson");
    expect(await artifact("review.html")).toContain("data-plan=");
    const reviewed = join(github.clone, "reviewed.ndjson");
    await writeFile(reviewed, plan);
    const refused = await github.run(workflow, "apply", github.commit("Not reviewed"));
    expect(refused.steps.map(({ step, code }) => [step, code])).toEqual([
      ["Refuse a plan without a review", 1],
    ]);
    const [header = "", ...lines] = plan.split("\n");
    const kept = lines.filter((line) => !line.includes("Kotlin"));
    const review = '"review":{"by":"Ada","at":"2026-01-31T12:30:00.000Z","refused":[]}';
    await writeFile(reviewed, [`${header.slice(0, -1)},${review}}`, ...kept].join("\n"));
    const applied = await github.run(workflow, "apply", github.commit("Reviewed"));
    expect(applied.code).toBe(0);
    expect(namesIn(service)).toContain("TypeScript 6");
    expect(namesIn(service)).not.toContain("Kotlin");
  });

  test("a commit reaches production with the API key of production after staging has stored exactly its files", async () => {
    const staging = await serveUsers([{ key: "staging.0f1e2d3c4b5a6978", providers: PROVIDERS }]);
    const production = await serveUsers();
    const secrets = { "catalog-staging": staging.environment, catalog: production.environment };
    const github = await openGitHub(await newRepository(), { secrets });
    const workflow = readWorkflow("promote");
    expect(workflow.jobs.production?.needs).toBe("staging");
    const run = async (name: string, service: ServedSandbox) => {
      const given = { vars: service.environment };
      const { code, steps } = await github.run(workflow, name, github.dispatch("push"), given);
      return [code, steps.map(({ outputs }) => outputs.created), namesIn(service).length];
    };
    expect(await run("staging", staging)).toEqual([0, [`${COURSES}`, "0"], COURSES]);
    expect(production.sandbox.requests()).toBe(0);
    expect(await run("production", production)).toEqual([0, [`${COURSES}`], COURSES]);
  });
});

describe.runIf(IS_LONG)("what a plan shows and what its apply job does", () => {
  const done = { code: 0, created: "0", updated: "0", deleted: "0", failed: "0" };

  test.each([
    {
      title: "a provider loses its last file",
      change: async (clone: string) => await rm(join(clone, TYPESCRIPT)),
      expected: { ...done, deleted: "1" },
    },
    {
      title: "a provider has another slug",
      change: async (clone: string) => {
        await edit(clone, "providers.json", '"exercism-org"', '"exercism"');
        await edit(clone, TYPESCRIPT, "provider: exercism-org", "provider: exercism");
      },
      expected: done,
    },
    {
      title: "a provider moves to another domain",
      change: async (clone: string) => {
        await edit(clone, "providers.json", "exercism.org", "exercism.example");
        await edit(clone, TYPESCRIPT, "https://exercism.org/", "https://exercism.example/");
      },
      expected: { ...done, updated: "1" },
    },
  ])(
    "plan, review and apply have the same counts if $title",
    async ({ change, expected }) => {
      const clone = await newRepository();
      await edit(clone, TYPESCRIPT, /^provider_id: .*/gm, `id: ${ID}\nprovider: exercism-org`);
      const { service, github } = await openApplied(clone);
      await change(clone);
      // The service after the change of its providers, which does not change its courses.
      const courses = storedCourses(service);
      const providers = JSON.parse(await readFile(join(clone, "providers.json"), "utf8"));
      const before = { key: KEY, providers: PROVIDERS, courses };
      const { environment } = await serveUsers([before], { users: [{ key: KEY, providers }] });
      const given = { vars: environment };
      const event = github.propose();
      const reviewed = await github.run(readWorkflow("review"), "review", event, given);
      const merged = github.commit("Change");
      const planned = await github.run(readWorkflow("apply"), "plan", merged, given);
      const applied = await apply(github, merged, planned.outputs.base, given);
      const counts = ({ steps }: typeof planned, name: string) => {
        const { code, outputs } = steps.find(({ step }) => step === name) ?? {};
        const { created, updated, deleted, failed } = outputs ?? {};
        return { code, created, updated, deleted, failed };
      };
      expect({
        shown: counts(reviewed, "Show what changes"),
        plan: counts(planned, "Show what will be changed"),
        rehearsed: counts(reviewed, "Rehearse"),
        apply: counts(applied, "Push"),
      }).toEqual({ shown: expected, plan: expected, rehearsed: expected, apply: expected });
    },
    A_LONG_TEST,
  );

  test("the plan and the apply job have the same paths, base, flags and limits, and a run by hand may choose what counts", () => {
    const { on, jobs } = readWorkflow("apply");
    const { review } = readWorkflow("review").jobs;
    const teams = readWorkflow("teams").jobs;
    const inputsOf = (job: { readonly steps: readonly Step[] } | undefined, command: string) => {
      const step = job?.steps.find((each) => each.with?.command === command);
      const { paths, base, "on-drift": drift, args, "max-deletes": limit } = step?.with ?? {};
      return { paths, base, drift, args: String(args).replace(/\n--yes\n$/, ""), limit };
    };
    const pushed = inputsOf(jobs.apply, "push");
    expect(pushed).toMatchObject({ base: "../base/courses", args: "--prune" });
    expect(pushed.limit).toContain("vars.CATALOG_MAX_DELETES");
    expect(inputsOf(jobs.plan, "diff")).toEqual(pushed);
    // A pull request has no run by hand.
    const drift = undefined;
    for (const command of ["diff", "push"])
      expect(inputsOf(review, command)).toEqual({ ...pushed, drift });
    expect(inputsOf(teams.review, "diff")).toEqual(inputsOf(teams.push, "push"));
    expect(on).toMatchObject({
      workflow_dispatch: { inputs: { "on-drift": { options: ["stop", "keep", "overwrite"] } } },
    });
  });
});

describe.runIf(IS_LONG)("many teams on GitHub (docs/how-to/run-in-ci.md)", () => {
  const TEAMS = { team01: "exercism.org", team02: "stepik.org", team03: "udemy.com" };
  const include = Object.keys(TEAMS).map((team) => ({ team, key: `${team.toUpperCase()}_KEY` }));
  const keyOf = (team: string) => `${team}.0f1e2d3c4b5a6978`;
  const matrix = { team: "team03", key: "TEAM03_KEY" };

  /** A repository with a folder of each team, and the service in which each team has its own key. */
  async function openTeams() {
    const clone = await newRepository();
    for (const [team, domain] of Object.entries(TEAMS))
      await rename(join(clone, "courses", domain), join(clone, "courses", team));
    const users = Object.entries(TEAMS).map(([team, domain]) => {
      return { key: keyOf(team), providers: PROVIDERS.filter((one) => one.domain === domain) };
    });
    const service = await serveUsers(users);
    const { CATALOG_BASE_URL } = service.environment;
    const catalog = Object.fromEntries(include.map(({ team, key }) => [key, keyOf(team)]));
    const vars = { CATALOG_BASE_URL };
    const github = await openGitHub(clone, { secrets: { catalog }, vars });
    return { github, service };
  }

  test("the review of a team shows the changes of its folder that its push makes, also after its provider got another slug", async () => {
    const { github } = await openTeams();
    const { clone } = github;
    const file = "courses/team03/python-pt-br.yaml";
    const run = async (job: string, event: Event) => {
      const { code, steps } = await github.run(readWorkflow("teams"), job, event, { matrix });
      const { created, updated } = steps.at(-1)?.outputs ?? {};
      return { code, created, updated };
    };
    await edit(clone, file, /^provider_id: .*/gm, "provider: udemy-com");
    const first = github.commit("Name the provider");
    expect(await run("push", first)).toEqual({ code: 0, created: "1", updated: "0" });
    await nameCourse(github, file, "Python 4");
    const review = await run("review", github.propose());
    expect(review).toEqual({ code: 0, created: "0", updated: "1" });
    expect(await run("push", github.commit("Python 4"))).toEqual(review);

    await edit(clone, "providers.json", '"udemy-com"', '"udemy"');
    await edit(clone, file, "provider: udemy-com", "provider: udemy");
    const renamed = await run("review", github.propose());
    expect(renamed).toEqual({ code: 0, created: "0", updated: "0" });
    expect(github.comments).toHaveLength(1);
  });

  test("a team pushes with its own API key; the artifact alone suffices to roll back the run, and also the rollback", async () => {
    const { github, service } = await openTeams();
    const { push } = readWorkflow("teams").jobs;
    const workflow = readWorkflow("rollback");
    expect(workflow).toMatchObject({ permissions: { actions: "read" }, concurrency: "catalog" });
    expect(push).toMatchObject({ environment: "catalog", strategy: { matrix: { include } } });
    const pushed = github.dispatch("push");
    const ended = await github.run(readWorkflow("teams"), "push", pushed, { matrix });
    expect(ended.code).toBe(0);
    expect(JSON.stringify(ended)).not.toContain(keyOf("team03"));
    const stored = namesIn(service);
    expect(stored).toHaveLength(1);
    const rollBack = async (run: string, artifact: string) => {
      const event = github.dispatch("workflow_dispatch", { run, artifact, secret: matrix.key });
      expect((await github.run(workflow, "rollback", event)).code).toBe(0);
      return event.github.run_id;
    };
    const run = pushed.github.run_id;
    const undone = await rollBack(run, `record-team03-${run}-1`);
    expect(namesIn(service)).toEqual([]);
    await rollBack(undone, `record-${undone}-1`);
    expect(namesIn(service)).toEqual(stored);
  });

  test.runIf(isInstalled("jq"))(
    "the providers of all teams are joined on a machine with a profile for each team",
    async () => {
      const { github, service } = await openTeams();
      const { baseUrl } = service.sandbox;
      const folder = github.clone;
      const profiles = Object.keys(TEAMS).map((team) => [team, { baseUrl, apiKey: keyOf(team) }]);
      const config = JSON.stringify({ profiles: Object.fromEntries(profiles) });
      await mkdir(join(folder, ".config/catalog"), { recursive: true });
      await writeFile(join(folder, ".config/catalog/config.json"), config);
      const keys = Object.keys(TEAMS).map(keyOf);
      const joined = await runScript(theSnippet("sh", "jq"), [], { folder, keys });
      expect(joined).toMatchObject({ code: 0, stderr: "" });
      const providers = JSON.parse(await readFile(join(folder, "providers.json"), "utf8"));
      expect(providers.map(({ domain }: { domain: string }) => domain)).toEqual(
        Object.values(TEAMS),
      );
    },
  );
});
