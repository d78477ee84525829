/**
 * A bare HTTP server that repeats recorded responses, to measure the cost of serving alone. As a program with a file
 * of responses, it prints its URL and serves until it is killed.
 */
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PATH } from "./client.mjs";
import { listen, startServer } from "./server.mjs";

const FILE = fileURLToPath(import.meta.url);

/**
 * Starts the server as a separate process.
 *
 * @param folder for a file with the responses
 * @param answers the responses: `method` and `query` of the request, and `status`, `type` and `text`
 * @returns the environment that names the server, and `stop()`
 */
export async function startReplayServer(folder, answers) {
  const file = join(folder, "answers.json");
  await writeFile(file, JSON.stringify(answers));
  return await startServer(FILE, [file]);
}

function serve(answers) {
  const known = new Map(
    answers.map(({ method, query, status, type, text }) => {
      const bytes = Buffer.from(text);
      const headers = { "content-type": type, "content-length": bytes.length };
      return [`${method} ${PATH}${query}`, { status, ...(text === "" ? {} : { headers, bytes }) }];
    }),
  );
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      const { status, headers, bytes } = known.get(`${request.method} ${request.url}`);
      response.writeHead(status, headers).end(bytes);
    });
  });
  listen(server);
}

if (process.argv[1] === FILE) serve(JSON.parse(readFileSync(process.argv[2], "utf8")));
