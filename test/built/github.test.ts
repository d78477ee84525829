import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/base/io.ts";
import { parseSeeds } from "../../src/sandbox/seed.ts";
import { isInstalled, writeExecutable } from "../executable.ts";
import { git } from "../git.ts";
import { IS_LONG } from "../long.ts";
import { course } from "../rig.ts";
import { GitHub, type Workflow } from "./github.ts";
import { serveGitHub } from "./github-server.ts";
import { breakCourse, COURSES, KEY, newRepository, serveProviders } from "./repository.ts";
import {
  example,
  newFolder,
  runCatalog,
  runScript,
  type ServedSandbox,
  serve,
  storedCourses,
} from "./rig.ts";
import type { Step } from "./runner.ts";
import { snippetsOf, theSnippet } from "./snippets.ts";

const DOCUMENT = "docs/how-to/run-in-ci.md";

/** Milliseconds for a test of several jobs, which start many processes. */
const A_LONG_TEST = 300_000;

/** The workflow for GitHub under a heading. */
async function workflowOf(heading: string): Promise<Workflow> {
  const text = theSnippet(await snippetsOf(heading, DOCUMENT), "yaml", "jobs:");
  return load(text) as Workflow;
}

/** Gives a course of the clone another name. */
async function rename(github: GitHub, file: string, name: string): Promise<void> {
  const path = join(github.clone, file);
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace(/^name: .*/m, `name: ${name}`));
}

const TYPESCRIPT = "courses/exercism.org/typescript.yaml";
const KOTLIN = "courses/stepik.org/android-kotlin-ru.yaml";

describe.runIf(IS_LONG)("the GitHub review of docs/how-to/run-in-ci.md", () => {
  test("the review workflow compares a pull request with the other branch in a sandbox without a key, in one comment", async () => {
    const server = await serveGitHub();
    const github = await GitHub.open(await newRepository(), server, { secrets: {}, vars: {} });
    const workflow = await workflowOf("## GitHub: reviews without an API key");
    await rename(github, TYPESCRIPT, "A new name");
    const first = await github.run(workflow, "review", github.propose("Rename"));
    expect(first.steps.map(({ step, code }) => [step, code])).toEqual([
      ["Check", 0],
      ["Make a sandbox with the courses of the other branch", 0],
      ["Show what changes", 0],
      ["Rehearse", 0],
    ]);
    expect(first.steps[2]?.outputs).toMatchObject({ updated: "1", unchanged: "13", failed: "0" });
    expect(first.steps[3]?.stderr).toContain("Updated 1 course. 13 were up to date.");
    expect(github.scanned).toMatchObject([{ version: "2.1.0" }]);
    const [comment, ...others] = server.comments;
    expect(others).toEqual([]);
    expect(comment?.body).toContain("\n## catalog diff: `courses` → `sandbox`\n");
    expect(comment?.body).toContain("1 course to update. 13 are up to date.");

    await breakCourse(github.clone);
    const second = await github.run(workflow, "review", github.propose("Break", true));
    expect(second.steps.map(({ step, code }) => [step, code])).toEqual([["Check", 3]]);
    // GitHub does not accept findings for a fork.
    expect(github.scanned).toHaveLength(1);
  });
});

/** A repository whose courses are in the catalog, and marked as applied. */
async function openApplied(clone?: string) {
  const service = await serveProviders();
  const server = await serveGitHub();
  const { CATALOG_BASE_URL } = service.environment;
  const github = await GitHub.open(clone ?? (await newRepository()), server, {
    // Only protected environments have the key.
    secrets: { catalog: { CATALOG_API_KEY: KEY }, "catalog-nightly": { CATALOG_API_KEY: KEY } },
    vars: { CATALOG_BASE_URL },
  });
  const courses = join(github.clone, "courses");
  const pushed = await runCatalog(["courses", "push", courses], service);
  expect(pushed.code).toBe(0);
  git(github.clone, "push", "--quiet", "origin", "main:applied");
  const names = async () => await namesIn(service);
  return { service, github, names };
}

/** The names of the courses that a user of the service has. */
async function namesIn(service: Pick<ServedSandbox, "environment">): Promise<string[]> {
  return (await storedCourses(service)).map(({ name }) => name);
}

/** Changes the name of a stored course. */
async function renameRemotely(service: ServedSandbox, name: string, next: string): Promise<void> {
  const { id = "" } = (await storedCourses(service)).find((course) => course.name === name) ?? {};
  expect((await runCatalog(["courses", "update", id, "--name", next], service)).code).toBe(0);
}

/** Runs the approved push of an event, whose plan compared the files with this commit. */
async function apply(
  github: GitHub,
  event: ReturnType<GitHub["commit"]>,
  base: string | undefined,
  vars = github.vars,
) {
  const workflow = await workflowOf("## GitHub: plan, approve, apply");
  const contexts = { needs: { plan: { outputs: { base } } }, vars };
  return await github.run(workflow, "apply", event, { contexts });
}

describe.runIf(IS_LONG)("plan, approve and apply on GitHub (docs/how-to/run-in-ci.md)", () => {
  test("the apply job applies the approved plan or, if the catalog has changed, nothing, until a run by hand decides what counts; only this job has the key", async () => {
    const { service, github, names } = await openApplied();
    const workflow = await workflowOf("## GitHub: plan, approve, apply");
    expect(workflow).toMatchObject({ permissions: { contents: "read" }, concurrency: "catalog" });
    expect(workflow.jobs.plan).not.toHaveProperty("environment");
    expect(workflow.jobs.apply).toMatchObject({ needs: "plan", environment: "catalog" });
    const applied = () => git(github.clone, "ls-remote", "origin", "applied").slice(0, 40);
    const base = applied();
    await rename(github, TYPESCRIPT, "TypeScript 6");
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
    expect(await names()).toContain("TypeScript 6");
    const head = git(github.clone, "rev-parse", "HEAD");
    expect([first.code, applied()]).toEqual([0, head]);

    // The same course is changed in the catalog and in the files.
    await renameRemotely(service, "TypeScript 6", "TypeScript by hand");
    await rename(github, TYPESCRIPT, "TypeScript 7");
    await rename(github, KOTLIN, "Kotlin");
    const second = await apply(github, github.commit("TypeScript 7"), head);
    expect([second.code, applied()]).toEqual([7, head]);
    expect(await names()).toContain("TypeScript by hand");
    expect(await names()).not.toContain("Kotlin");
    const byHand = github.dispatch("workflow_dispatch", { "on-drift": "overwrite" });
    expect((await apply(github, byHand, head)).code).toBe(0);
    expect(await names()).toEqual(expect.arrayContaining(["TypeScript 7", "Kotlin"]));
  });

  test("the nightly drift job keeps one issue about changes in the catalog and stays silent if there are none", async () => {
    const { service, github } = await openApplied();
    const workflow = await workflowOf("## GitHub: drift every night");
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
    const night = async () =>
      await github.run(workflow, "drift", github.dispatch("schedule"), { paths: [folder] });
    expect(await night()).toMatchObject({ code: 0, steps: { length: 3 } });
    for (const name of ["Renamed", "Renamed again"]) {
      await renameRemotely(service, name === "Renamed" ? "TypeScript" : "Renamed", name);
      const { code, steps } = await night();
      expect([code, steps.at(-1)?.code]).toEqual([7, 0]);
      expect(await readFile(join(folder, "issue"), "utf8")).toContain(name);
    }
    const calls = await readFile(join(folder, "calls"), "utf8");
    expect(calls.match(/^issue (create|edit 3)/gm)).toEqual(["issue create", "issue edit 3"]);

    // No file has a course of this provider.
    await rm(join(folder, "issue"));
    await renameRemotely(service, "Renamed again", "TypeScript");
    const added = course({
      id: "7d444840-9dc0-41d1-b245-5ffdce74fad2",
      name: "Added elsewhere",
      url: "https://github.com/added",
      provider_id: "6fca3dd2-d61d-58de-9363-1574b382ea68",
    });
    const post = ["api", "POST", "developer/v1/courses", "-d", JSON.stringify(added)];
    expect((await runCatalog(post, service)).code).toBe(0);
    expect((await night()).code).toBe(7);
    expect(await readFile(join(folder, "issue"), "utf8")).toContain(
      "added in the catalog <code>Added elsewhere</code>",
    );
  });
});

test.runIf(IS_LONG)(
  "the apply job of reviewed.yaml refuses a plan without a review, and pushes what the reviewer approved",
  async () => {
    const { github, names } = await openApplied();
    const workflow = await workflowOf("## A reviewer without an account");
    expect(workflow.jobs.apply).toMatchObject({ environment: "catalog" });
    await rename(github, TYPESCRIPT, "TypeScript 6");
    await rename(github, KOTLIN, "Kotlin");
    github.commit("Two names");
    const planned = await github.run(workflow, "plan", github.dispatch("workflow_dispatch"));
    expect(planned.code).toBe(0);
    const plan = await github.readArtifact("plan", "plan.ndjson");
    expect(await github.readArtifact("plan", "review.html")).toContain("data-plan=");
    const reviewed = join(github.clone, "reviewed.ndjson");
    await writeFile(reviewed, plan);
    const refused = await github.run(workflow, "apply", github.commit("Not reviewed"));
    expect(refused.steps.map(({ step, code }) => [step, code])).toEqual([
      ["Refuse a plan without a review", 1],
    ]);
    const [header = "", ...lines] = plan.split("\n");
    const at = "2026-01-31T12:30:00.000Z";
    const line = lines.find((each) => each.includes("Kotlin")) ?? "";
    const { action, id, name, url, file, line: number } = JSON.parse(line);
    const facts = { action, id, name, url, file, line: number, remark: "no" };
    const review = JSON.stringify({ by: "Ada", at, refused: [facts] });
    const kept = lines.filter((each) => each !== line);
    const text = [`${header.slice(0, -1)},"review":${review}}`, ...kept].join("\n");
    await writeFile(reviewed, text);
    const applied = await github.run(workflow, "apply", github.commit("Reviewed"));
    expect(applied.code).toBe(0);
    expect(await names()).toContain("TypeScript 6");
    expect(await names()).not.toContain("Kotlin");
  },
  A_LONG_TEST,
);

describe.runIf(IS_LONG)("what a plan shows and what its apply job does", () => {
  /** A repository in which a course has an id, and names its provider by the slug. */
  async function openNamed() {
    const clone = await newRepository();
    await edit(join(clone, TYPESCRIPT), /^provider_id: .*/gm, `id: ${ID}\nprovider: exercism-org`);
    return await openApplied(clone);
  }
  const ID = "7d444840-9dc0-41d1-b245-5ffdce74fad2";

  async function edit(path: string, old: RegExp | string, next: string): Promise<void> {
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replaceAll(old, next));
  }

  /** The counts that a step outputs. */
  function countsOf({ steps }: Awaited<ReturnType<GitHub["run"]>>, name: string) {
    const { code, outputs } = steps.find(({ step }) => step === name) ?? {};
    const { created, updated, deleted, failed } = outputs ?? {};
    return { code, created, updated, deleted, failed };
  }

  /** Runs the plan of an event and, as if it had been approved, its push. */
  async function planAndApply(
    github: GitHub,
    event: ReturnType<GitHub["commit"]>,
    vars = github.vars,
  ) {
    const workflow = await workflowOf("## GitHub: plan, approve, apply");
    const planned = await github.run(workflow, "plan", event, { contexts: { vars } });
    const applied = await apply(github, event, planned.outputs.base, vars);
    return {
      plan: countsOf(planned, "Show what will be changed"),
      apply: countsOf(applied, "Push"),
    };
  }

  /** The service after a change of its providers, which do not change its courses. */
  async function serveRenamed(service: ServedSandbox, github: GitHub): Promise<string> {
    const read = async (): Promise<unknown> =>
      JSON.parse(await readFile(join(github.clone, "providers.json"), "utf8"));
    const courses = await storedCourses(service);
    const before: unknown = JSON.parse(await readFile(example("providers.json"), "utf8"));
    const old = { users: [{ key: KEY, providers: before, courses }] };
    const renamed = { users: [{ key: KEY, providers: await read() }] };
    const { sandbox } = await serve([], { seed: parseSeeds([old, renamed], systemClock) });
    return sandbox.baseUrl;
  }

  const removeSix = async (clone: string) => {
    for (const site of ["exercism.org", "stepik.org", "udemy.com", "youtube.com", "csdiy.wiki"]) {
      await rm(join(clone, "courses", site), { recursive: true });
    }
  };
  const done = { code: 0, created: "0", updated: "0", deleted: "0", failed: "0" };

  test.each([
    {
      title: "a provider loses its last file",
      change: async (clone: string) => await rm(join(clone, TYPESCRIPT)),
      expected: { ...done, deleted: "1" },
    },
    {
      title: "more files than the limit are removed",
      change: removeSix,
      expected: { ...done, code: 2, deleted: "6" },
      sent: { ...done, code: 2 },
    },
    {
      title: "a provider has another slug",
      change: async (clone: string) => {
        await edit(join(clone, "providers.json"), '"exercism-org"', '"exercism"');
        await edit(join(clone, TYPESCRIPT), "provider: exercism-org", "provider: exercism");
      },
      expected: done,
    },
    {
      title: "a provider moves to another domain",
      change: async (clone: string) => {
        await edit(join(clone, "providers.json"), "exercism.org", "exercism.example");
        await edit(join(clone, TYPESCRIPT), "https://exercism.org/", "https://exercism.example/");
      },
      expected: { ...done, updated: "1" },
    },
  ])(
    "plan, review and apply have the same counts if $title",
    async ({ change, expected, sent = expected }) => {
      const { service, github } = await openNamed();
      await change(github.clone);
      const url = await serveRenamed(service, github);
      const variables = { ...github.vars, CATALOG_BASE_URL: url };
      const review = await github.run(
        await workflowOf("## GitHub: reviews without an API key"),
        "review",
        github.propose("Change"),
        { contexts: { vars: variables } },
      );
      const { plan, apply } = await planAndApply(github, github.commit("Change"), variables);
      const shown = countsOf(review, "Show what changes");
      expect({ shown, plan, apply }).toEqual({ shown: expected, plan: expected, apply: sent });
      if (sent === expected) expect(countsOf(review, "Rehearse")).toEqual(sent);
    },
    A_LONG_TEST,
  );

  test("the plan and the apply job have the same paths, base, flags and limits, and a run by hand may choose what counts", async () => {
    const { on, jobs } = await workflowOf("## GitHub: plan, approve, apply");
    const review = await workflowOf("## GitHub: reviews without an API key");
    const inputsOf = (steps: readonly Step[] | undefined, command: string) => {
      const given = steps?.flatMap((step) => (step.with?.command === command ? [step.with] : []));
      const { paths, base, "on-drift": drift, args, "max-deletes": limit } = given?.[0] ?? {};
      return { paths, base, drift, args: String(args).replace(/\n--yes\n$/, ""), limit };
    };
    const pushed = inputsOf(jobs.apply?.steps, "push");
    expect(inputsOf(jobs.plan?.steps, "diff")).toEqual(pushed);
    expect(pushed).toMatchObject({ base: "../base/courses", args: "--prune" });
    expect(pushed.limit).toContain("vars.CATALOG_MAX_DELETES");
    // A pull request has no run by hand.
    for (const command of ["diff", "push"]) {
      const reviewed = inputsOf(review.jobs.review?.steps, command);
      expect({ ...reviewed, drift: pushed.drift }).toEqual(pushed);
    }
    const teams = (await workflowOf("## GitHub: many teams")).jobs;
    expect(inputsOf(teams.review?.steps, "diff")).toEqual(inputsOf(teams.push?.steps, "push"));
    expect(on).toMatchObject({
      workflow_dispatch: { inputs: { "on-drift": { options: ["stop", "keep", "overwrite"] } } },
    });
  });
});

describe.runIf(IS_LONG)("many teams on GitHub (docs/how-to/run-in-ci.md)", () => {
  const TEAMS = { team01: "exercism.org", team02: "stepik.org", team03: "udemy.com" };

  /** A repository with a folder of each team, and the service in which each team has its own key. */
  async function openTeams() {
    const all = JSON.parse(await readFile(example("providers.json"), "utf8")) as {
      domain: string;
    }[];
    const clone = await newFolder();
    await writeFile(join(clone, "providers.json"), JSON.stringify(all));
    const secrets: Record<string, string> = {};
    const users = [];
    for (const [team, domain] of Object.entries(TEAMS)) {
      await mkdir(join(clone, "courses"), { recursive: true });
      await cp(example(`courses/${domain}`), join(clone, "courses", team), { recursive: true });
      const key = `${team}.0f1e2d3c4b5a6978`;
      secrets[`${team.toUpperCase()}_KEY`] = key;
      users.push({ key, providers: all.filter((one) => one.domain === domain), courses: [] });
    }
    const { sandbox } = await serve([], { seed: parseSeeds([{ users }], systemClock) });
    const server = await serveGitHub();
    const vars = { CATALOG_BASE_URL: sandbox.baseUrl };
    const github = await GitHub.open(clone, server, { secrets: { catalog: secrets }, vars });
    const names = async (team: string) => {
      const CATALOG_API_KEY = `${team}.0f1e2d3c4b5a6978`;
      return await namesIn({ environment: { ...vars, CATALOG_API_KEY } });
    };
    return { github, server, names };
  }

  test("the review of a team shows the changes of its folder that its push makes, also after its provider got another slug", async () => {
    const { github, server } = await openTeams();
    const workflow = await workflowOf("## GitHub: many teams");
    const matrix = { team: "team03", key: "TEAM03_KEY" };
    const run = async (job: string, event: ReturnType<GitHub["commit"]>) => {
      const { code, steps } = await github.run(workflow, job, event, { contexts: { matrix } });
      const { created, updated } = steps.at(-1)?.outputs ?? {};
      return { code, created, updated };
    };
    const file = "courses/team03/python-pt-br.yaml";
    const path = join(github.clone, file);
    const setProvider = async (line: string) =>
      await writeFile(path, (await readFile(path, "utf8")).replace(/^provider(_id)?: .*/m, line));
    await setProvider("provider: udemy-com");
    const first = github.commit("Name the provider");
    expect(await run("push", first)).toEqual({ code: 0, created: "1", updated: "0" });
    await rename(github, file, "Python 4");
    const review = await run("review", github.propose("Python 4"));
    expect(review).toEqual({ code: 0, created: "0", updated: "1" });
    expect(await run("push", github.commit("Python 4"))).toEqual(review);

    const providers = join(github.clone, "providers.json");
    const text = await readFile(providers, "utf8");
    await writeFile(providers, text.replace('"udemy-com"', '"udemy"'));
    await setProvider("provider: udemy");
    const renamed = await run("review", github.propose("Another slug"));
    expect(renamed).toEqual({ code: 0, created: "0", updated: "0" });
    expect(server.comments).toHaveLength(1);
  });

  test("a team pushes with its own key; the artifact alone suffices to roll back the run, and also the rollback", async () => {
    const { github, names } = await openTeams();
    const push = await workflowOf("## GitHub: many teams");
    const workflow = await workflowOf("## GitHub: roll back a run");
    expect(workflow).toMatchObject({ permissions: { actions: "read" }, concurrency: "catalog" });
    const { matrix: teams } = push.jobs.push?.strategy ?? {};
    expect(teams?.include).toEqual(
      Object.keys(TEAMS).map((team) => ({ team, key: `${team.toUpperCase()}_KEY` })),
    );
    expect(push.jobs.push?.environment).toBe("catalog");
    const pushed = github.dispatch("push");
    const matrix = { team: "team03", key: "TEAM03_KEY" };
    const ended = await github.run(push, "push", pushed, { contexts: { matrix } });
    expect(ended.code).toBe(0);
    expect(JSON.stringify(ended)).not.toContain("0f1e2d3c4b5a6978");
    const stored = await names("team03");
    expect(stored).toHaveLength(1);
    const runOf = (event: typeof pushed) => (event.github as { run_id: string }).run_id;
    const rollBack = async (run: string, artifact: string) => {
      const event = github.dispatch("workflow_dispatch", { run, artifact, secret: matrix.key });
      const { code } = await github.run(workflow, "rollback", event);
      expect(code).toBe(0);
      return runOf(event);
    };
    const undone = await rollBack(runOf(pushed), `record-team03-${runOf(pushed)}-1`);
    expect(await names("team03")).toEqual([]);
    await rollBack(undone, `record-${undone}-1`);
    expect(await names("team03")).toEqual(stored);

    if (!isInstalled("jq")) return;
    // On a machine with a profile for each team.
    const snippets = await snippetsOf("## GitHub: many teams", DOCUMENT);
    const keys = github.secrets.catalog ?? {};
    const profiles = Object.keys(TEAMS).map((team) => {
      const apiKey = keys[`${team.toUpperCase()}_KEY`];
      return [team, { baseUrl: github.vars.CATALOG_BASE_URL, apiKey }];
    });
    const environment = { HOME: await newFolder() };
    const config = join(environment.HOME, ".config/catalog");
    await mkdir(config, { recursive: true });
    await writeFile(
      join(config, "config.json"),
      JSON.stringify({ profiles: Object.fromEntries(profiles) }),
    );
    const options = { folder: github.clone, environment, keys: Object.values(keys) };
    const joined = await runScript(theSnippet(snippets, "sh", "jq"), [], options);
    expect(joined).toMatchObject({ code: 0, stderr: "" });
    const providers = JSON.parse(await readFile(join(github.clone, "providers.json"), "utf8"));
    expect(providers.map(({ domain }: { domain: string }) => domain)).toEqual(Object.values(TEAMS));
  });
});

describe.runIf(IS_LONG)("staging to production on GitHub (docs/how-to/run-in-ci.md)", () => {
  const STAGING = "staging.0f1e2d3c4b5a6978";

  test("a commit reaches production with the key of production after staging has stored exactly its files", async () => {
    const providers: unknown = JSON.parse(await readFile(example("providers.json"), "utf8"));
    const seed = parseSeeds([{ users: [{ key: STAGING, providers }] }], systemClock);
    const staging = await serve([], { seed });
    const production = await serveProviders();
    const server = await serveGitHub();
    const secrets = {
      "catalog-staging": { CATALOG_API_KEY: STAGING },
      catalog: { CATALOG_API_KEY: KEY },
    };
    const github = await GitHub.open(await newRepository(), server, { secrets, vars: {} });
    const workflow = await workflowOf("## GitHub: staging to production");
    expect(workflow.jobs.production?.needs).toBe("staging");
    const run = async (name: string, { environment }: ServedSandbox, key: string) => {
      const { CATALOG_BASE_URL } = environment;
      const contexts = { vars: { CATALOG_BASE_URL } };
      const { code, steps } = await github.run(workflow, name, github.dispatch("push"), {
        contexts,
      });
      const { created } = steps[0]?.outputs ?? {};
      const own = { environment: { ...environment, CATALOG_API_KEY: key } };
      const stored = (await storedCourses(own)).length;
      return { code, steps: steps.length, created, stored };
    };
    const all = { created: String(COURSES), stored: COURSES };
    expect(await run("staging", staging, STAGING)).toEqual({ code: 0, steps: 2, ...all });
    expect(production.sandbox.requests()).toBe(0);
    expect(await run("production", production, KEY)).toEqual({ code: 0, steps: 1, ...all });
  });
});
