/** The server of the sandbox: malformed and foreign requests, hosts, delays, faults, and its end. */
import { expect, test } from "vitest";
import { defaultSeed } from "../../src/sandbox/seed.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { memoryStore } from "../../src/sandbox/store.ts";
import { IS_LONG } from "../long.ts";
import { create, KEY, list, open, send, sendRaw, testClock } from "./rig.ts";

const COURSES = "/developer/v1/courses";

test.each([
  ["text that is not HTTP", "hello\r\n\r\n"],
  ["an unknown method", `FETCH ${COURSES} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
  [
    "two lengths",
    `POST ${COURSES} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`,
  ],
])("a request with %s is answered with 400, and the server keeps running", async (_, bytes) => {
  const sandbox = await open();
  expect(await sendRaw(sandbox, bytes)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(await list(sandbox)).toEqual([]);
});

test.runIf(IS_LONG)(
  "a body of more than 10 MB is answered with 413 and a hint, and a body of 10 MB is read",
  async () => {
    const sandbox = await open();
    const large = (bytes: number) => `{"name":"${"x".repeat(bytes - 11)}"}`;
    const refused = await send(sandbox, "POST", COURSES, { body: large(10_000_001) });
    const text = '{"hint":"Body Too Large","details":"The body should have at most 10 MB"}';
    expect(refused).toMatchObject({ status: 413, text });
    const read = await send(sandbox, "POST", COURSES, { body: large(10_000_000) });
    expect(read).toMatchObject({ status: 400, text: '{"hint":"url is blank","details":null}' });
  },
);

const HOST = "Host: 127.0.0.1:PORT";

test.each<[what: string, status: number, headers: readonly string[], host?: string]>([
  ["another host", 403, ["Host: rebound.example"]],
  ["a host with a user", 403, ["Host: user@127.0.0.1:PORT"]],
  ["a host with a path", 403, ["Host: 127.0.0.1:PORT/x"]],
  ["an origin of another scheme", 403, [HOST, "Origin: https://127.0.0.1:PORT"]],
  ["an origin on another port", 403, [HOST, "Origin: http://127.0.0.1:1"]],
  ["an origin with a path", 403, [HOST, "Origin: http://127.0.0.1:PORT/x"]],
  ["the origin null of a page without an origin", 403, [HOST, "Origin: null"]],
  ["its own host", 200, [HOST]],
  ["another name of this machine", 200, ["Host: localhost:4010"]],
  ["its own origin", 200, [HOST, "Origin: http://127.0.0.1:PORT"]],
  ["a public name, on every address,", 403, ["Host: rebound.example:PORT"], "0.0.0.0"],
  ["an IP address, on every address,", 200, ["Host: 192.168.7.8:PORT"], "0.0.0.0"],
  ["a name without a dot, on every address,", 200, ["Host: laptop:PORT"], "0.0.0.0"],
  ["a local name, on every address,", 200, ["Host: laptop.local:PORT"], "0.0.0.0"],
])("a request to the sandbox with %s is answered with %i", async (_, status, headers, host) => {
  const sandbox = await open({ host });
  const lines = headers.map((line) => `${line.replace("PORT", String(sandbox.port))}\r\n`);
  const end = `X-Api-Key: ${KEY}\r\nConnection: close\r\n\r\n`;
  const reply = await sendRaw(sandbox, `GET ${COURSES} HTTP/1.1\r\n${lines.join("")}${end}`);
  expect(Number(reply.split(" ")[1])).toBe(status);
});

test("a 503 response of --fail has a JSON body without a hint, and the request is not processed", async () => {
  const sandbox = await open({ fail: 0.5, clock: testClock([0.1, 0.9]) });
  const reply = await create(sandbox);
  expect(reply).toMatchObject({ status: 503, type: "application/json; charset=utf-8" });
  expect(JSON.parse(reply.text)).toMatchObject({ hint: null });
  expect(await list(sandbox)).toEqual([]);
});

test("a connection that --fail drops after processing has the effect of the request", async () => {
  // The second random number is for the slug.
  const sandbox = await open({ fail: 0.5, clock: testClock([0.4, 0.9, 0.9]) });
  await expect(create(sandbox)).rejects.toThrow();
  expect(await list(sandbox)).toHaveLength(1);
});

test("--latency delays every response, including errors, by that many milliseconds", async () => {
  const clock = testClock();
  const sandbox = await open({ latency: 250, clock });
  await list(sandbox);
  await send(sandbox, "GET", "/nowhere");
  await send(sandbox, "PUT", COURSES, { headers: { "X-Api-Key": null } });
  expect(clock.waits).toEqual([250, 250, 250]);
});

test("a failure of the sandbox itself is answered with 500 without a hint, and the sandbox keeps serving", async () => {
  const broken = memoryStore(defaultSeed());
  let failing = true;
  const reported: unknown[] = [];
  const sandbox = await open({
    onError: (cause) => reported.push(String(cause)),
    store: {
      ...broken,
      put: (course) => {
        if (failing) throw new Error("disk full");
        broken.put(course);
      },
      userOf: (key) => {
        if (key === "throw.now") throw new Error("broken");
        return broken.userOf(key);
      },
    },
  });
  const text = '{"hint":null,"details":null,"code":"XX000","message":"internal error"}';
  for (const headers of [{}, { "X-Api-Key": "throw.now" }]) {
    expect(await create(sandbox, {}, headers)).toMatchObject({ status: 500, text });
  }
  failing = false;
  expect(await create(sandbox)).toMatchObject({ status: 201 });
  expect(reported).toEqual(["Error: disk full", "Error: broken"]);
});

test("close of the sandbox drops open connections, and can be called twice", async () => {
  const sandbox = await startSandbox({ store: memoryStore(defaultSeed()), clock: testClock() });
  const pending = [`GET ${COURSES} HTTP/1.1\r\nHost: localhost\r\n\r\n`, "POST / HTTP/1.1\r\nHo"];
  const dropped = pending.map((bytes) => sendRaw(sandbox, bytes).catch(() => ""));
  await list(sandbox);
  await sandbox.close();
  await sandbox.close();
  await Promise.all(dropped);
  await expect(list(sandbox)).rejects.toThrow();
});

test.each([
  ["::1", "[::1]", true],
  ["0.0.0.0", "127.0.0.1", false],
  ["0x0", "127.0.0.1", false],
  ["::ffff:0:0", "127.0.0.1", false],
  ["127.1", "127.1", true],
  ["localhost", "localhost", true],
])("the sandbox on the host %s is reached at %s; only by this machine: %s", async (...row) => {
  const [host, reached, isLocal] = row;
  const sandbox = await open({ host });
  const baseUrl = `http://${reached}:${sandbox.port}`;
  expect(sandbox).toMatchObject({ baseUrl, isLocal });
  expect(await list(sandbox)).toEqual([]);
});
