import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/server.ts";
import { course, create, ID, KEY, list, open, send, sendRaw } from "./rig.ts";

const COURSES = "/developer/v1/courses";
const HEAD = `Host: localhost\r\nX-Api-Key: ${KEY}\r\n`;

function post(id: string): string {
  const body = JSON.stringify(course({ id }));
  return `POST ${COURSES} HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

const CHUNKED = `POST ${COURSES} HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

/** A connection that ends with the test. */
async function connected({ port, host }: Sandbox): Promise<Socket> {
  const socket = connect(port, host);
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  return socket;
}

/** The statuses of one response or several. */
function statuses(text: string): string[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = ""]) => status);
}

describe("invalid HTTP", () => {
  test.each([
    ["a chunk without a length", "2\r\n{}\r\nzz\r\n"],
    ["a chunk that is longer than it says", "2\r\n{}{}{}\r\n"],
  ])("%s is answered with 400", async (_, chunks) => {
    const sandbox = await open();
    expect(statuses(await sendRaw(sandbox, CHUNKED + chunks))).toEqual(["400"]);
    expect(await list(sandbox)).toEqual([]);
  });

  test("a body in chunks of one byte each is read", async () => {
    const sandbox = await open();
    const text = JSON.stringify(course({ id: ID }));
    const chunks = [...text].map((letter) => `1\r\n${letter}\r\n`).join("");
    const head = CHUNKED.replace(HEAD, `${HEAD}Connection: close\r\n`);
    expect(statuses(await sendRaw(sandbox, `${head}${chunks}0\r\n\r\n`))).toEqual(["201"]);
  });

  test.each([
    ["100-continue", ["100", "201"]],
    ["magic", ["417"]],
  ])("Expect: %s is answered with %j", async (expected, answers) => {
    const request = post(ID).replace(HEAD, `${HEAD}Connection: close\r\nExpect: ${expected}\r\n`);
    expect(statuses(await sendRaw(await open(), request))).toEqual(answers);
  });

  test("a request without a host and a request that is cut off have no effect", async () => {
    const sandbox = await open();
    expect(statuses(await sendRaw(sandbox, `GET ${COURSES} HTTP/1.1\r\n\r\n`))).toEqual(["400"]);
    for (const bytes of ["GET", `GET ${COURSES} HTTP/1.1\r\nHo`, CHUNKED, `${CHUNKED}ff\r\n{`]) {
      const socket = await connected(sandbox);
      await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
      socket.resetAndDestroy();
    }
    expect(await list(sandbox)).toEqual([]);
  });
});

describe("large bodies", () => {
  test("a body that breaks a rule a million times is rejected like any other body", async () => {
    const body = JSON.stringify(course({ audio: Array(1_000_000).fill(1) }));
    const reply = await send(await open(), "POST", COURSES, { body });
    expect(reply.status).toBe(400);
    expect(reply.text).toMatch(/^\{"hint":"audio\[0\] .*","details":null\}$/);
  });
});

test("hundreds of silent connections do not keep others from being served", async () => {
  const sandbox = await open();
  const sockets = await Promise.all(Array.from({ length: 300 }, () => connected(sandbox)));
  expect(sockets).toHaveLength(300);
  expect(await create(sandbox)).toMatchObject({ status: 201 });
  expect(await list(sandbox)).toHaveLength(1);
});
