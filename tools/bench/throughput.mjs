/** Measures how many requests a second the sandbox answers, compared with a bare HTTP server with the same responses. */
import { join } from "node:path";
import { Client, smallCourse } from "./client.mjs";
import { compare } from "./compare.mjs";
import { numberedId, writeSeed } from "./courses.mjs";
import { RawClient } from "./raw-client.mjs";
import { startReplayServer } from "./replay-server.mjs";
import { startSandbox } from "./sandbox.mjs";
import { withTemporaryFolder } from "./temporary-folder.mjs";

const COURSES = 1_000;
const CONNECTIONS = 16;
const BODY = JSON.stringify(smallCourse({ provider_id: numberedId(0) }));

/** The requests, with their number per round. */
const REQUESTS = [
  { name: "GET of a page of 100 courses", method: "GET", query: "?limit=100", count: 1_600 },
  { name: "GET by id", method: "GET", query: `?id=${numberedId(COURSES / 2)}`, count: 8_000 },
  { name: "POST", method: "POST", query: "", body: BODY, count: 8_000 },
];

/** Measures both servers, which are separate processes, with the same clients in this process. */
export async function run({ rounds } = {}) {
  return await withTemporaryFolder(async (folder) => {
    await writeSeed(join(folder, "seed"), COURSES, 1);
    const sandbox = await startSandbox(folder, ["--seed", "seed"]);
    try {
      const replay = await startReplayServer(folder, await answersOf(sandbox.environment));
      try {
        const results = [];
        for (const request of REQUESTS) {
          results.push(await compared(request, sandbox, replay, rounds));
        }
        return results;
      } finally {
        await replay.stop();
      }
    } finally {
      await sandbox.stop();
    }
  });
}

/** The responses of the sandbox to each request, for the replay server. */
async function answersOf(environment) {
  const client = new Client(environment);
  try {
    const answers = [];
    for (const { method, query, body } of REQUESTS) {
      const { status, headers, text } = await client.send(method, query, { body });
      if (status > 201) throw new Error(`${method} ${query}: ${status} ${text}`);
      answers.push({ method, query, status, type: headers["content-type"], text });
    }
    return answers;
  } finally {
    client.close();
  }
}

async function compared({ name, count, ...request }, sandbox, replay, rounds) {
  const connect = ({ environment }) => {
    const one = () => RawClient.connected(environment, request);
    return Promise.all(Array.from({ length: CONNECTIONS }, one));
  };
  const groups = [await connect(replay), await connect(sandbox)];
  const rate = (clients) => async () => {
    const begun = performance.now();
    await Promise.all(clients.map((client) => client.send(count / CONNECTIONS)));
    return count / ((performance.now() - begun) / 1000);
  };
  try {
    return await compare({
      title: `${name}, ${CONNECTIONS} connections; more is better`,
      unit: "requests/s",
      rounds,
      baseline: ["bare node:http server, the same answers", rate(groups[0])],
      candidates: [["catalog sandbox", rate(groups[1])]],
    });
  } finally {
    for (const client of groups.flat()) client.close();
  }
}
