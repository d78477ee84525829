/**
 * Writes a plan as a comment on the pull request of the workflow run. Later runs update the comment, so that each job has
 * only one for its paths and target. Arguments: the file with the plan in Markdown, and the exit code of diff. If
 * diff failed, the comment says so, and keeps the latest plan of an earlier run below.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";

const { env } = process;
const [, , file, code] = process.argv;

const paths = (env.PATHS ?? "").split("\n").filter((path) => path !== "");
const target = env.SANDBOX ? "sandbox" : findTarget();
const id = JSON.stringify([env.GITHUB_JOB, paths, target]);

/** The first line of the comment, by which the next run finds the comment. A hash, because a path could end it. */
const MARK = `<!-- course-catalog-cli: ${createHash("sha256").update(id).digest("hex")} -->`;
/** The line before the plan. No earlier line of the comment can be the same. */
const PLAN = "<!-- course-catalog-cli: plan -->";
const PAGE = 100;

/** What the plan does not show, so that reviewers do not take a removed file for a removed course. */
const REMOVALS = /^--prune$/m.test(env.ARGS ?? "")
  ? ""
  : " Files that were removed delete no course, because `--prune` is not set.";

const { pull_request: pull } = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, "utf8"));

if (pull === undefined) {
  process.stdout.write("::notice::No comment was written, because this is not a pull request.\n");
} else {
  await writeComment().catch((error) => {
    // GitHub hides with 404 what a token may not see.
    const reason = [401, 403, 404].includes(error.cause)
      ? " A comment needs the permission pull-requests: write, which pull requests from forks do not get."
      : "";
    process.stdout.write(
      `::warning::The comment could not be written: ${error.message}.${reason} The plan is in the summary of the job.\n`,
    );
  });
}

/** The base URL and the profile, if the inputs or variables name them. */
function findTarget() {
  const flag = (name) => new RegExp(`^--${name}[=\n](.+)$`, "m").exec(env.ARGS ?? "")?.[1];
  const profile = flag("profile") ?? env.CATALOG_PROFILE;
  return [flag("base-url") ?? env.CATALOG_BASE_URL, profile && `profile ${profile}`]
    .filter(Boolean)
    .join(", ");
}

async function writeComment() {
  const issues = `${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}/issues`;
  const comments = `${issues}/${pull.number}/comments`;
  const existing = await findComment(comments);
  const body = describe(existing?.body);
  if (existing === undefined) await request("POST", comments, { body });
  else await request("PATCH", `${issues}/comments/${existing.id}`, { body });
}

/** The comment for this run. @param previous the comment of the previous run */
function describe(previous) {
  const places = [paths.map(span).join(", "), target && span(target)].filter(Boolean);
  const heading = `${MARK}\n\n## ${["catalog diff", places.join(" → ")].filter(Boolean).join(": ")}\n\n`;
  const log = `[log](${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID})`;
  const commit = `commit ${pull.head?.sha?.slice(0, 7)}`;
  const report = existsSync(file) ? readFileSync(file, "utf8").replace(/^## .*\n+/, "") : "";
  // With --exit-code, 7 means that there are differences.
  if (code === "0" || code === "7")
    return `${heading}${PLAN}\nPlan of ${commit} (${log}).${REMOVALS}\n\n${report}`;
  const failed = `${heading}**diff failed** for ${commit} (${log}).`;
  const start = previous?.search(new RegExp(`^${PLAN}\\r?$`, "m")) ?? -1;
  if (start === -1) return `${failed}\n\n${report}`;
  return `${failed} Below is the plan of an earlier commit.\n\n${previous.slice(start)}`;
}

/** Text on one line as code, in which Markdown has no effect. */
function span(text) {
  return `\`${cut(text).replaceAll("`", "'")}\``;
}

function cut(text) {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 300 ? `${line.slice(0, 300).toWellFormed()}…` : line;
}

/** Finds the comment of an earlier run, written by the same account: another author could change a comment. */
async function findComment(comments) {
  const author = await ownLogin();
  for (let page = 1; ; page++) {
    const found = await request("GET", `${comments}?per_page=${PAGE}&page=${page}`);
    const own = found.find(({ body, user }) => body?.startsWith(MARK) && user?.login === author);
    if (own !== undefined) return own;
    if (found.length < PAGE) return undefined;
  }
}

/** The account of the token. Not from `GET /user`, which refuses tokens of workflows and apps. */
async function ownLogin() {
  const { data } = await request("POST", env.GITHUB_GRAPHQL_URL, {
    query: "{ viewer { login } }",
  });
  const login = data?.viewer?.login;
  if (typeof login !== "string") throw new Error("GitHub does not name the account of the token");
  return login;
}

async function request(method, url, body) {
  const response = await fetch(url, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${env.GITHUB_TOKEN}`,
      "content-type": "application/json",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { ok, status } = response;
  if (!ok)
    throw new Error(`${method} ${new URL(url).pathname} was answered with ${status}`, {
      cause: status,
    });
  return await response.json();
}
