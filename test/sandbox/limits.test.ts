import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/server.ts";
import { course, create, ID, KEY, list, open, send, sendRaw } from "./rig.ts";

const COURSES = "/developer/v1/courses";
const HEAD = `Host: x\r\nX-Api-Key: ${KEY}\r\n`;

function get(query: string, more = ""): string {
  return `GET ${COURSES}${query} HTTP/1.1\r\n${HEAD}${more}\r\n`;
}

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

/** Writes one piece after the other. @returns what came back until the end */
function inPieces(socket: Socket, pieces: Iterable<string>): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.setEncoding("latin1").on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve(text));
    const iterator = pieces[Symbol.iterator]();
    const next = (): void => {
      const { value, done } = iterator.next();
      if (!done && !socket.destroyed) socket.write(value, () => setImmediate(next));
    };
    next();
  });
}

/** The statuses of one response or several. */
function statuses(text: string): string[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = ""]) => status);
}

describe("sandbox: requests sent ahead on one connection", () => {
  test("are answered in order, each after the changes of those before it", async () => {
    const sandbox = await open();
    const last = get(`?id=${ID}`, "Connection: close\r\n");
    const text = await sendRaw(sandbox, `${get(`?id=${ID}`)}${post(ID)}${post(ID)}${last}`);
    expect(statuses(text)).toEqual(["200", "201", "409", "200"]);
    expect(text).toContain(`[{"id":"${ID}"`);
  });

  test("are not answered after an offer to switch protocols, and the connection ends", async () => {
    const upgrade = get("", "Connection: Upgrade\r\nUpgrade: h2c\r\n");
    const text = await sendRaw(await open(), upgrade + get(""));
    expect(statuses(text)).toEqual(["200"]);
    expect(text).toContain("Connection: close");
  });
});

describe("sandbox: invalid HTTP", () => {
  test("in many pieces gives one 400", async () => {
    const sandbox = await open();
    const text = await inPieces(await connected(sandbox), Array(50).fill("\u0016\u0003\u0001"));
    expect(statuses(text)).toEqual(["400"]);
  });

  test.each([
    ["a chunk without a length", "2\r\n{}\r\nzz\r\n"],
    ["a chunk that is longer than it says", "2\r\n{}{}{}\r\n"],
  ])("%s gives 400", async (_, chunks) => {
    const sandbox = await open();
    expect(statuses(await sendRaw(sandbox, CHUNKED + chunks))).toEqual(["400"]);
    expect(await list(sandbox)).toEqual([]);
  });

  test("a body in chunks of one byte each is read", async () => {
    const sandbox = await open();
    const text = JSON.stringify(course({ id: ID }));
    const chunks = [...text].map((letter) => `1\r\n${letter}\r\n`).join("");
    const close = get("", "Connection: close\r\n");
    expect(statuses(await sendRaw(sandbox, `${CHUNKED}${chunks}0\r\n\r\n${close}`))).toEqual([
      "201",
      "200",
    ]);
  });

  test.each([
    ["100-continue", ["100", "201"]],
    ["magic", ["417"]],
  ])("Expect: %s is answered with %j", async (expected, answers) => {
    const request = post(ID).replace(HEAD, `${HEAD}Connection: close\r\nExpect: ${expected}\r\n`);
    expect(statuses(await sendRaw(await open(), request))).toEqual(answers);
  });

  test("a request without a host, or one that is cut off, has no effect", async () => {
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

describe("sandbox: large bodies", () => {
  test("a body that breaks a rule a million times is rejected like any other", async () => {
    const body = JSON.stringify(course({ audio: Array(1_000_000).fill(1) }));
    const reply = await send(await open(), "POST", COURSES, { body });
    expect(reply.status).toBe(400);
    expect(reply.text).toMatch(/^\{"hint":"audio\[0\] .*","details":null\}$/);
  });

  test("a body that does not end drops the connection", async () => {
    const piece = `f4240\r\n${"x".repeat(1_000_000)}\r\n`;
    const pieces = [CHUNKED, ...Array<string>(110).fill(piece)];
    expect(await inPieces(await connected(await open()), pieces)).toBe("");
  });
});

test("sandbox: a thousand silent connections do not keep others from being served", async () => {
  const sandbox = await open();
  const sockets = await Promise.all(Array.from({ length: 1000 }, () => connected(sandbox)));
  expect(sockets).toHaveLength(1000);
  expect(await create(sandbox)).toMatchObject({ status: 201 });
  expect(await list(sandbox)).toHaveLength(1);
});
