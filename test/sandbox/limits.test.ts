/** What the sandbox bears: slow, hasty, broken and numerous clients, and bodies without measure. */
import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { Bodies, type Body } from "../../src/sandbox/request-body.ts";
import type { Sandbox } from "../../src/sandbox/server.ts";
import { course, create, ID, KEY, list, numbered, open, send, sendRaw, testClock } from "./rig.ts";

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

/** A connection that goes with the test. */
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

/** The status lines of an answer or several. */
function statuses(text: string): string[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = ""]) => status);
}

describe("requests that are sent ahead", () => {
  test("are answered in their order, and a change is not overtaken by what follows it", async () => {
    const sandbox = await open();
    const last = get(`?id=${ID}`, "Connection: close\r\n");
    const text = await sendRaw(sandbox, `${get(`?id=${ID}`)}${post(ID)}${post(ID)}${last}`);
    expect(statuses(text)).toEqual(["200", "201", "409", "200"]);
    expect(text).toContain(`[{"id":"${ID}"`);
  });

  test("are answered before what is no HTTP behind them is refused", async () => {
    const sandbox = await open();
    expect(statuses(await sendRaw(sandbox, `${get("")}${post(ID)}no HTTP\r\n\r\n`))).toEqual([
      "200",
      "201",
      "400",
    ]);
    expect(await list(sandbox)).toHaveLength(1);
  });

  test("are cut off when they are a thousand", async () => {
    const sandbox = await open({ latency: 1, clock: testClock([], () => new Promise(() => {})) });
    const text = await inPieces(await connected(sandbox), Array(12).fill(get("").repeat(100)));
    expect(text).toBe("");
  });

  test("behind an offer to speak another protocol are not left waiting", async () => {
    const upgrade = get("", "Connection: Upgrade\r\nUpgrade: h2c\r\n");
    const text = await sendRaw(await open(), upgrade + get(""));
    expect(statuses(text)).toEqual(["200"]);
    expect(text).toContain("Connection: close");
  });
});

describe("bad HTTP", () => {
  test("in many pieces is told so once", async () => {
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

  test("a request without a host, or of half a line, ends nothing", async () => {
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

describe("clients that take their time", () => {
  const patience = { head: 50, request: 100, idle: 50, silence: 100 };

  test.each([
    ["sends nothing", []],
    ["stops in the head", [`GET ${COURSES} HTTP/1.1\r\nHo`]],
    ["stops in the body", [`${CHUNKED}ff\r\n{`]],
    ["stops in the body of a second request", [get(""), `${CHUNKED}ff\r\n{`]],
  ])("one that %s is told 408", async (_, pieces) => {
    const sandbox = await open({ patience: { ...patience, silence: 10_000 } });
    const text = await inPieces(await connected(sandbox), pieces);
    expect(statuses(text).at(-1)).toBe("408");
  });

  test.each([
    ["head", get("", `X: ${"x".repeat(9000)}\r\n`)],
    ["body", `${CHUNKED}ffff\r\n${" ".repeat(20_000)}`],
  ])("one that lets its %s drip byte by byte is told 408", async (_, bytes) => {
    const sandbox = await open({ patience });
    const drops = function* (): Generator<string> {
      // Endlessly, as far as the patience goes.
      for (let at = 0; ; at++) yield bytes[at] ?? "x";
    };
    const socket = await connected(sandbox);
    expect(statuses(await inPieces(socket, drops()))).toEqual(["408"]);
  });

  test("one that asks and asks and does not take its answers is cut off", async () => {
    const sandbox = await open({ patience: { silence: 50 } });
    for (let number = 0; number < 5; number++) {
      await create(sandbox, { id: numbered(number), long_description: "x".repeat(1_000_000) });
    }
    const socket = await connected(sandbox);
    socket.pause();
    const closed = new Promise((resolve) => socket.once("close", resolve));
    // A paused socket sees its end only when it writes, so there must be something left to write.
    socket.write(get("", `X: ${"x".repeat(8000)}\r\n`).repeat(1000));
    await closed;
    expect(sandbox.requests()).toBeLessThan(100);
  });

  test("a thousand that are connected and silent keep nobody from being served", async () => {
    const sandbox = await open();
    const sockets = await Promise.all(Array.from({ length: 1000 }, () => connected(sandbox)));
    expect(sockets).toHaveLength(1000);
    expect(await create(sandbox)).toMatchObject({ status: 201 });
    expect(await list(sandbox)).toHaveLength(1);
  });
});

describe("bodies", () => {
  const MEGABYTE = Buffer.alloc(1_000_000);

  async function* megabytes(count: number): AsyncGenerator<Uint8Array> {
    for (let number = 0; number < count; number++) yield MEGABYTE;
  }

  const sizeOf = async (body: Body): Promise<number | string> =>
    typeof body === "string" ? body : body.length;

  test("of 10 MB are taken, larger ones refused, and endless ones cut off", async () => {
    const bodies = new Bodies();
    expect(await bodies.read(megabytes(10), sizeOf)).toBe(10_000_000);
    expect(await bodies.read(megabytes(11), sizeOf)).toBe("large");
    expect(await bodies.read(megabytes(100), sizeOf)).toBe("large");
    await expect(bodies.read(megabytes(1_000_000), sizeOf)).rejects.toThrow("does not end");
  });

  test("too many large ones at once are refused, small ones never", async () => {
    const bodies = new Bodies();
    const ends: (() => void)[] = [];
    const held = Array.from({ length: 25 }, () =>
      bodies.read(megabytes(10), () => new Promise<void>((resolve) => ends.push(resolve))),
    );
    await expect.poll(() => ends.length).toBe(25);
    expect(await bodies.read(megabytes(10), sizeOf)).toBe("crowded");
    const small = (async function* () {
      yield new Uint8Array(60_000);
    })();
    expect(await bodies.read(small, sizeOf)).toBe(60_000);
    for (const end of ends) end();
    await Promise.all(held);
    expect(await bodies.read(megabytes(10), sizeOf)).toBe(10_000_000);
  });

  test("that break a rule a million times are refused like any other", async () => {
    const body = JSON.stringify(course({ audio: Array(1_000_000).fill(1) }));
    const reply = await send(await open(), "POST", COURSES, { body });
    expect(reply).toMatchObject({
      status: 400,
      text: '{"hint":"audio[0] is a number, not a text","details":null}',
    });
  });
});
