/** A local replacement for the part of GitHub's API that writes comments; it records the requests. */
import { createServer } from "node:http";
import { listen } from "../listen.ts";

/** A comment of the pull request. */
interface Comment {
  readonly id: number;
  readonly user: { readonly login: string; readonly type: "User" | "Bot" };
  body: string;
}

const READER = { login: "reader", type: "User" } as const;
const OTHER_BOT = { login: "other[bot]", type: "Bot" } as const;
const BOT = { login: "github-actions[bot]", type: "Bot" } as const;

/** A running server. */
export type GitHubServer = Awaited<ReturnType<typeof serveGitHub>>;

/**
 * Starts a server with comments of other users and bots on pull request 7; it stops
 * after the test. As for the token of a workflow, only GraphQL says whose it is, and not even that if `viewer` is null.
 */
export async function serveGitHub(
  others: readonly string[] = [],
  viewer: string | null = BOT.login,
) {
  const comments: Comment[] = others.map((body, id) => {
    return { id, user: id % 2 === 0 ? READER : OTHER_BOT, body };
  });
  /** The requests as `METHOD path`, in order, and the tokens that were sent. */
  const requests: string[] = [];
  const tokens = new Set<string | undefined>();
  const server = createServer(async (request, response) => {
    const { method = "", url = "" } = request;
    requests.push(`${method} ${url}`);
    tokens.add(request.headers.authorization);
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
    const list = "/repos/owner/repository/issues/7/comments";
    const id = Number(/\/issues\/comments\/(\d+)$/.exec(pathname)?.[1]);
    const known = comments.find((comment) => comment.id === id);
    response.setHeader("content-type", "application/json");
    if (method === "GET" && pathname === list) {
      const [size, page] = [Number(searchParams.get("per_page")), Number(searchParams.get("page"))];
      response.end(JSON.stringify(comments.slice((page - 1) * size, page * size)));
    } else if (pathname === "/graphql" && viewer !== null) {
      response.end(JSON.stringify({ data: { viewer: { login: viewer } } }));
    } else if (method === "POST" && pathname === list) {
      const comment = { id: comments.length, user: BOT, body: String(JSON.parse(text).body) };
      comments.push(comment);
      response.writeHead(201).end(JSON.stringify(comment));
    } else if (method === "PATCH" && known !== undefined) {
      known.body = String(JSON.parse(text).body);
      response.end(JSON.stringify(known));
    } else {
      response.writeHead(404).end("{}");
    }
  });
  return { url: (await listen(server)).baseUrl, requests, comments, tokens };
}
