/**
 * Writes a file as a comment of the pull request that a workflow runs for: the first time as a new
 * comment, later by updating it, so that there is never more than one.
 */
import { readFileSync } from "node:fs";

/** The first line of the comment, by which the next run finds it. */
const MARK = "<!-- course-catalog-cli: diff -->";
const PAGE = 100;

const { GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_EVENT_PATH, GITHUB_TOKEN } = process.env;
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
  const comments = `/repos/${GITHUB_REPOSITORY}/issues/${number}/comments`;
  const existing = await findComment(comments);
  if (existing === undefined) await request("POST", comments, { body });
  else await request("PATCH", `/repos/${GITHUB_REPOSITORY}/issues/comments/${existing}`, { body });
}

/** Finds the comment of an earlier run. One that someone else wrote could be changed by its author. */
async function findComment(comments) {
  const isOwn = await authorTest();
  for (let page = 1; ; page++) {
    const found = await request("GET", `${comments}?per_page=${PAGE}&page=${page}`);
    const own = found.find(({ body, user }) => body?.startsWith(MARK) && isOwn(user));
    if (own !== undefined) return own.id;
    if (found.length < PAGE) return undefined;
  }
}

/** Tests whether the owner of the token wrote a comment. The token of a workflow is that of a bot without a name. */
async function authorTest() {
  try {
    const { login } = await request("GET", "/user");
    return (user) => user?.login === login;
  } catch {
    return (user) => user?.type === "Bot";
  }
}

async function request(method, path, body) {
  const response = await fetch(`${GITHUB_API_URL}${path}`, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${GITHUB_TOKEN}`,
      "content-type": "application/json",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`);
  return await response.json();
}
