/** Measures a sandbox with a data file: how long loading takes, and what saving costs. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Client, smallCourse } from "./client.mjs";
import { compare } from "./compare.mjs";
import { numberedId, writeSeed } from "./courses.mjs";
import { startSandbox } from "./sandbox.mjs";
import { withTemporaryFolder } from "./temporary-folder.mjs";

const FEW = 100;
const MANY = 100_000;
const PROVIDERS = 10;
const STARTS = 5;
const READS = 300;
const WRITES = 2000;
const CONNECTIONS = 16;

/** Measures the time from the start of the process until it serves, and the time of requests. */
export async function run({ rounds } = {}) {
  return await withTemporaryFolder(async (folder) => {
    for (const [name, count] of Object.entries({ few: FEW, many: MANY })) {
      await writeSeed(join(folder, name), count, PROVIDERS);
      const sandbox = await startSandbox(folder, ["--data", `${name}.data`, "--seed", name]);
      await sandbox.stop();
    }
    return [
      await loading(folder, rounds ?? STARTS),
      ...(await reading(folder, rounds)),
      await writing(folder, rounds),
    ];
  });
}

async function loading(folder, rounds) {
  const { size } = await stat(join(folder, "many.data"));
  const start = (name) => async () => {
    const begun = performance.now();
    const sandbox = await startSandbox(folder, ["--data", `${name}.data`]);
    const time = performance.now() - begun;
    await sandbox.stop();
    return time;
  };
  return await compare({
    title: `start of a sandbox, until it serves; ${MANY} courses are ${Math.round(size / 1e6)} MB`,
    rounds,
    warmUp: 1,
    baseline: [`${FEW} courses`, start("few")],
    candidates: [[`${MANY} courses`, start("many")]],
  });
}

/** Measures reading single courses, whose time must not depend on the number of courses. */
async function reading(folder, rounds) {
  const sandboxes = [];
  for (const name of ["few", "many"]) {
    sandboxes.push(await startSandbox(folder, ["--data", `${name}.data`]));
  }
  const clients = sandboxes.map(({ environment }) => new Client(environment));
  try {
    const results = [];
    for (const [title, query] of [
      ["GET by id", (index) => `?id=${numberedId(index % FEW)}`],
      ["GET by provider", (index) => `?provider_id=${numberedId(index % PROVIDERS)}`],
    ]) {
      const read = (client) => async () => {
        const begun = performance.now();
        for (let index = 0; index < READS; index++) {
          const { status, text } = await client.send("GET", query(index));
          if (status !== 200 || text === "[]")
            throw new Error(`${query(index)}: ${status} ${text}`);
        }
        return performance.now() - begun;
      };
      results.push(
        await compare({
          title: `${title}, ${READS} times`,
          rounds,
          baseline: [`among ${FEW} courses`, read(clients[0])],
          candidates: [[`among ${MANY} courses`, read(clients[1])]],
        }),
      );
    }
    return results;
  } finally {
    for (const client of clients) client.close();
    for (const sandbox of sandboxes) await sandbox.stop();
  }
}

/** Measures what it costs that each change is in the file before it is acknowledged. */
async function writing(folder, rounds) {
  const sandboxes = [
    await startSandbox(folder, []),
    await startSandbox(folder, ["--data", "new.data"]),
  ];
  const write = ({ environment }) => {
    const clients = Array.from({ length: CONNECTIONS }, () => new Client(environment));
    return async () => {
      const begun = performance.now();
      await Promise.all(clients.map((client) => createMany(client, WRITES / CONNECTIONS)));
      return performance.now() - begun;
    };
  };
  try {
    return await compare({
      title: `POST of ${WRITES} courses over ${CONNECTIONS} connections`,
      rounds,
      baseline: ["in memory alone", write(sandboxes[0])],
      candidates: [["kept in a file", write(sandboxes[1])]],
    });
  } finally {
    for (const sandbox of sandboxes) await sandbox.stop();
  }
}

async function createMany(client, count) {
  for (let number = 0; number < count; number++) {
    const { status, text } = await client.send("POST", "", { body: smallCourse({}) });
    if (status !== 201) throw new Error(`POST: ${status} ${text}`);
  }
}
