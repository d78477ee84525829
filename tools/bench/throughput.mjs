/** How many requests a second the sandbox answers, beside a bare HTTP server with the same answers. */
import { join } from "node:path";
import { Client, smallCourse } from "./client.mjs";
import { numberedId, writeSeed } from "./courses.mjs";
import { inFolder } from "./folder.mjs";
import { paired } from "./paired.mjs";
import { RawClient } from "./raw-client.mjs";
import { startSandbox } from "./sandbox.mjs";
import { startTwin } from "./twin.mjs";

const COURSES = 1_000;
const CONNECTIONS = 16;
const BODY = JSON.stringify(smallCourse({ provider_id: numberedId(0) }));

/** What is asked, and how often in a round. */
const QUESTIONS = [
  { name: "GET of a page of 100 courses", method: "GET", query: "?limit=100", count: 1_600 },
  { name: "GET by id", method: "GET", query: `?id=${numberedId(COURSES / 2)}`, count: 8_000 },
  { name: "POST", method: "POST", query: "", body: BODY, count: 8_000 },
];

/** The same clients, in this process, ask both, which are in processes of their own. */
export async function run({ rounds } = {}) {
  return await inFolder(async (folder) => {
    await writeSeed(join(folder, "seed"), COURSES, 1);
    const sandbox = await startSandbox(folder, ["--seed", "seed"]);
    try {
      const twin = await startTwin(folder, await answersOf(sandbox.environment));
      try {
        const results = [];
        for (const question of QUESTIONS) {
          results.push(await compared(question, sandbox, twin, rounds));
        }
        return results;
      } finally {
        await twin.stop();
      }
    } finally {
      await sandbox.stop();
    }
  });
}

/** What the sandbox answers to each question, for the other to repeat. */
async function answersOf(environment) {
  const client = new Client(environment);
  try {
    const answers = [];
    for (const { method, query, body } of QUESTIONS) {
      const { status, headers, text } = await client.send(method, query, { body });
      if (status > 201) throw new Error(`${method} ${query}: ${status} ${text}`);
      answers.push({ method, query, status, type: headers["content-type"], text });
    }
    return answers;
  } finally {
    client.close();
  }
}

async function compared({ name, count, ...question }, sandbox, twin, rounds) {
  const crowd = ({ environment }) => {
    const one = () => RawClient.connected(environment, question);
    return Promise.all(Array.from({ length: CONNECTIONS }, one));
  };
  const crowds = [await crowd(twin), await crowd(sandbox)];
  const rate = (clients) => async () => {
    const begun = performance.now();
    await Promise.all(clients.map((client) => client.ask(count / CONNECTIONS)));
    return count / ((performance.now() - begun) / 1000);
  };
  try {
    return await paired({
      title: `${name}, ${CONNECTIONS} connections; more is better`,
      unit: "requests/s",
      rounds,
      baseline: ["bare node:http server, the same answers", rate(crowds[0])],
      candidates: [["catalog sandbox", rate(crowds[1])]],
    });
  } finally {
    for (const client of crowds.flat()) client.close();
  }
}
