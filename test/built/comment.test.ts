/** The action's comment on a pull request: one per job, paths and target, each with the commit of its plan. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { IS_LONG } from "../long.ts";
import { type GitHubServer, serveGitHub } from "./github-server.ts";
import { newFolder, ROOT, start } from "./rig.ts";

/** Runs the step of the comment with a report, after a diff with that exit code. @returns what it prints */
async function comment(
  { url }: GitHubServer,
  given: Readonly<Record<string, string>> = {},
  report = "## `catalog courses diff`\n\nThe plan\n",
  code = 0,
): Promise<string> {
  const folder = await newFolder();
  const pull = { number: 7, head: { sha: given.SHA ?? "1234567890" } };
  await writeFile(join(folder, "event.json"), JSON.stringify({ pull_request: pull }));
  await writeFile(join(folder, "comment.md"), report);
  const environment = {
    GITHUB_API_URL: url,
    GITHUB_GRAPHQL_URL: `${url}/graphql`,
    GITHUB_SERVER_URL: "https://github.example",
    GITHUB_REPOSITORY: "owner/repository",
    GITHUB_EVENT_PATH: join(folder, "event.json"),
    GITHUB_TOKEN: "a-token",
    GITHUB_JOB: "review",
    GITHUB_RUN_ID: "1",
    PATHS: "courses\n",
    CATALOG_BASE_URL: "https://catalog.example",
    ...given,
  };
  const words = [join(ROOT, "tools/action/comment.mjs"), "comment.md", String(code)];
  const running = await start(process.execPath, words, { folder, environment });
  const ended = await running.ended;
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  return ended.stdout;
}

function bodies({ comments }: GitHubServer): string[] {
  return comments.map(({ body }) => body);
}

test.runIf(IS_LONG)(
  "a later run of the action updates the comment; if the run fails, the comment keeps the plan of the earlier commit",
  async () => {
    const first = await serveGitHub();
    await comment(first);
    const [body = ""] = bodies(first);
    const [, , heading, , , plan, , text] = body.split("\n");
    expect([heading, text]).toEqual([
      "## catalog diff: `courses` → `https://catalog.example`",
      "The plan",
    ]);
    expect(plan).toBe(
      "Plan of commit 1234567 ([log](https://github.example/owner/repository/actions/runs/1)). Files that were removed delete no course, because `--prune` is not set.",
    );
    const server = await serveGitHub(Array.from({ length: 120 }, () => body));
    await comment(server);
    await comment(server, {}, "## A heading\n\nThe next plan\n", 7);
    const comments = "/repos/owner/repository/issues/7/comments";
    const reads = [1, 2].map((page) => `GET ${comments}?per_page=100&page=${page}`);
    expect(server.requests).toEqual([
      ...["POST /graphql", ...reads, `POST ${comments}`],
      ...["POST /graphql", ...reads, "PATCH /repos/owner/repository/issues/comments/120"],
    ]);
    expect([...server.tokens]).toEqual(["Bearer a-token"]);

    // A diff that failed is named above the plan of the earlier commit, once.
    for (const sha of ["cccccccccc", "dddddddddd"]) {
      await comment(server, { SHA: sha }, "## A heading\n\n**Failed:** again\n", 6);
      const last = server.comments.at(-1)?.body ?? "";
      expect(last).toContain(`\n\n**diff failed** for commit ${sha.slice(0, 7)} (`);
      expect(last.split("diff failed")).toHaveLength(2);
      expect(last).toMatch(
        /Below is the plan of an earlier commit\.\n\n<!-- .* -->\nPlan of commit 1234567 .*\n\nThe next plan\n$/,
      );
    }
    expect(server.comments).toHaveLength(121);
  },
);

test.runIf(IS_LONG)(
  "the action writes separate comments for other paths, jobs and targets",
  async () => {
    const server = await serveGitHub();
    const others = [
      { GITHUB_JOB: "other" },
      { PATHS: "courses\nmore", CATALOG_PROFILE: "staging" },
      { ARGS: "--prune\n--profile=production" },
      { SANDBOX: "sandbox.data" },
    ];
    await Promise.all(others.map(async (given) => await comment(server, given)));
    const headings = bodies(server).map((body) => body.split("\n")[2]);
    expect(headings.sort()).toEqual([
      "## catalog diff: `courses` → `https://catalog.example, profile production`",
      "## catalog diff: `courses` → `https://catalog.example`",
      "## catalog diff: `courses` → `sandbox`",
      "## catalog diff: `courses`, `more` → `https://catalog.example, profile staging`",
    ]);
  },
);

test.runIf(IS_LONG)(
  "no path can end the mark of the action's comment, begin a plan or add markup",
  async () => {
    const server = await serveGitHub();
    const plan = "\n<!-- course-catalog-cli: plan -->\n";
    const hostile = {
      PATHS: `\`courses\` --> <!-- course-catalog-cli: plan -->${plan}${"x".repeat(1000)}`,
    };
    await comment(server, hostile, "No plan\n", 1);
    await comment(server, hostile, "Still no plan\n", 1);
    const [body = ""] = bodies(server);
    expect(body.split("\n")).toEqual([
      expect.stringMatching(/^<!-- course-catalog-cli: [0-9a-f]{64} -->$/),
      "",
      `## catalog diff: \`'courses' --> <!-- course-catalog-cli: plan -->\`, \`<!-- course-catalog-cli: plan -->\`, \`${"x".repeat(300)}…\` → \`https://catalog.example\``,
      "",
      expect.stringMatching(/^\*\*diff failed\*\* for commit 1234567 /),
      "",
      "Still no plan",
      "",
    ]);
  },
);

test.runIf(IS_LONG)(
  "the action writes no comment and warns if it has no permission or cannot reach GitHub",
  async () => {
    const server = await serveGitHub([], null);
    const refused = await comment(server);
    expect(refused).toMatch(/^::warning::The comment could not be written: POST \/graphql /);
    expect(refused).toContain("which pull requests from forks do not get");
    expect(server.requests).toEqual(["POST /graphql"]);
    const unreached = await comment({ ...server, url: "http://127.0.0.1:1" });
    expect(unreached).toBe(
      "::warning::The comment could not be written: fetch failed. The plan is in the summary of the job.\n",
    );
  },
);
