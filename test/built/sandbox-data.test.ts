import { expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { IS_LONG } from "../long.ts";
import { course } from "../rig.ts";
import { newFolder, type Running, startCatalog } from "./rig.ts";

const SERVES = /^ *export CATALOG_BASE_URL=(\S+)$/m;
const WORDS = ["sandbox", "--port", "0", "--data", "x.data"];

interface Served {
  readonly running: Running;
  /** Sends one request. @returns its status, 0 when there was no answer */
  send(method: string, id: string, changes?: object): Promise<number>;
  ids(): Promise<string[]>;
}

async function served(running: Running): Promise<Served> {
  const [, baseUrl = ""] = await running.waitForStdout(SERVES);
  const url = `${baseUrl}/developer/v1/courses`;
  const headers = { "x-api-key": DEFAULT_KEY, "content-type": "application/json" };
  return {
    running,
    send: async (method, id, changes) => {
      const query = method === "POST" ? "" : `?id=${id}`;
      const body = changes === undefined ? null : JSON.stringify(changes);
      const answer = await fetch(`${url}${query}`, { method, headers, body }).catch(
        () => undefined,
      );
      return answer?.status ?? 0;
    },
    ids: async () => {
      const answer = await fetch(`${url}?limit=100`, { headers });
      return ((await answer.json()) as { id: string }[]).map(({ id }) => id);
    },
  };
}

function id(number: number): string {
  return `30000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

test.runIf(IS_LONG)(
  "sandbox --data loses no acknowledged change if it is killed again and again during changes",
  async () => {
    const folder = await newFolder();
    /** Whether each course may exist: one answer, or both while a change has no response. */
    const states = Array.from({ length: 24 }, () => [false]);
    for (let round = 0; round < 6; round++) {
      const { running, send, ids } = await served(await startCatalog(WORDS, { folder }));
      const found = await ids();
      for (const [index, possible] of states.entries()) {
        expect(possible).toContain(found.includes(id(index)));
        states[index] = [found.includes(id(index))];
      }
      expect(found.length).toBe(states.filter(([exists]) => exists).length);
      let acknowledged = 0;
      const change = async (first: number): Promise<void> => {
        for (let index = first; ; index = (index + 4) % states.length) {
          const exists = states[index]?.[0] === true;
          states[index] = [exists, !exists];
          const body = exists ? undefined : course({ id: id(index) });
          if ((await send(exists ? "DELETE" : "POST", id(index), body)) === 0) return;
          states[index] = [!exists];
          if (++acknowledged === 20 + 7 * round) running.child.kill("SIGKILL");
        }
      };
      await Promise.all([0, 1, 2, 3].map(change));
    }
  },
  60_000,
);
