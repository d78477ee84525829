/**
 * Writes a file as a comment of the pull request that a workflow runs for: the first time as a new
 * comment, later by updating it, so that there is never more than one.
 */
import { readFileSync } from "node:fs";

/** The first line of the comment, by which the next run finds it. */
const MARK = "<!-- course-catalog-cli: diff -->";
const PAGE = 100;

const { GITHUB_API_URL, GITHUB_GRAPHQL_URL, GITHUB_REPOSITORY, GITHUB_EVENT_PATH, GITHUB_TOKEN } =
  process.env;
const [, , file] = process.argv;
const number = JSON.parse(readFileSync(GITHUB_EVENT_PATH, "utf8")).pull_request?.number;

if (number === undefined) {
  process.stdout.write("::notice::Not a pull request, so no comment was written.\n");
} else {
  await writeComment(`${MARK}\n\n${readFileSync(file, "utf8")}`).catch((error) => {
    // The token of a pull request from a fork cannot write; the log and the summary have the plan.
    process.stdout.write(`::warning::The comment could not be written: ${error.message}\n`);
  });
}

async function writeComment(body) {
  const issues = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/issues`;
  const comments = `${issues}/${number}/comments`;
  const existing = await findComment(comments);
  if (existing === undefined) await request("POST", comments, { body });
  else await request("PATCH", `${issues}/comments/${existing}`, { body });
}

/** Finds the comment of an earlier run. One that someone else wrote could be changed by its author. */
async function findComment(comments) {
  const author = await ownLogin();
  for (let page = 1; ; page++) {
    const found = await request("GET", `${comments}?per_page=${PAGE}&page=${page}`);
    const own = found.find(({ body, user }) => body?.startsWith(MARK) && user?.login === author);
    if (own !== undefined) return own.id;
    if (found.length < PAGE) return undefined;
  }
}

/** Whose token it is. `GET /user` refuses those of workflows and of apps. */
async function ownLogin() {
  const { data } = await request("POST", GITHUB_GRAPHQL_URL, { query: "{ viewer { login } }" });
  const login = data?.viewer?.login;
  if (typeof login !== "string") throw new Error("GitHub does not say whose token it is");
  return login;
}

async function request(method, url, body) {
  const response = await fetch(url, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${GITHUB_TOKEN}`,
      "content-type": "application/json",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${new URL(url).pathname} was answered with ${response.status}`);
  return await response.json();
}
