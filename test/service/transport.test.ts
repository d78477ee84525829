/** Connections to a service, over a real one. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { openTransport } from "../../src/service/http.ts";

/** The bytes of the objects in memory after a complete collection. */
function usedBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

test("a finished request is not kept in memory until its timeout has passed", async () => {
  const server = createServer((_, response) => void response.end("[]"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { send, close } = await openTransport({ baseUrl, connections: 8, environment: {} });
  onTestFinished(async () => {
    await close();
    server.close();
  });
  const { signal } = new AbortController();
  const request = { method: "GET", url: `${baseUrl}/a`, headers: {} } as const;
  const sendMany = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      await Promise.all(
        Array.from({ length: 8 }, () => send(request, { timeout: 30_000, signal })),
      );
    }
  };
  await sendMany(25);
  const before = usedBytes();
  await sendMany(100);
  // Signals with a timeout kept 3 kB of each until the timeout had passed.
  expect(usedBytes() - before).toBeLessThan(600_000);
});
