/** Requests that a page in a browser sends to a sandbox on the same machine. */
import { expect, test } from "vitest";
import { KEY, open, sendRaw } from "./rig.ts";

/** The status of the response to a request with these headers; PORT is the sandbox's. */
async function status(headers: readonly string[], host?: string): Promise<number> {
  const sandbox = await open({ host });
  const lines = headers.map((line) => `${line.replace("PORT", String(sandbox.port))}\r\n`).join("");
  const head = `GET /developer/v1/courses HTTP/1.1\r\n${lines}X-Api-Key: ${KEY}\r\nConnection: close\r\n\r\n`;
  const [, code] = (await sendRaw(sandbox, head)).split(" ");
  return Number(code);
}

const HOST = "Host: 127.0.0.1:PORT";

test.each([
  ["another host", ["Host: rebound.example"]],
  ["a host with a user", ["Host: user@127.0.0.1:PORT"]],
  ["a host with a path", ["Host: 127.0.0.1:PORT/x"]],
  ["an origin of another website", [HOST, "Origin: https://evil.example"]],
  ["an origin of another scheme", [HOST, "Origin: https://127.0.0.1:PORT"]],
  ["an origin on another port", [HOST, "Origin: http://127.0.0.1:1"]],
  ["an origin with a user", [HOST, "Origin: http://user@127.0.0.1:PORT"]],
  ["an origin with a path", [HOST, "Origin: http://127.0.0.1:PORT/x"]],
  ["the origin null of a page without an origin", [HOST, "Origin: null"]],
])("a request to the sandbox with %s is rejected", async (_, headers) => {
  expect(await status(headers)).toBe(403);
});

test.each([
  ["its own host", [HOST]],
  ["another name of this machine", ["Host: localhost:4010"]],
  ["its own origin", [HOST, "Origin: http://127.0.0.1:PORT"]],
])("a request to the sandbox with %s is accepted", async (_, headers) => {
  expect(await status(headers)).toBe(200);
});

test.each([
  ["rebound.example", 403],
  ["192.168.7.8", 200],
  ["laptop", 200],
  ["laptop.local", 200],
])(
  "a request to %s at a sandbox that listens on every address is answered with %i",
  async (name, expected) => {
    expect(await status([`Host: ${name}:PORT`], "0.0.0.0")).toBe(expected);
  },
);
