import { connect, createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { defaultSeed } from "../../src/sandbox/seed.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { memoryStore } from "../../src/sandbox/store.ts";
import { change, create, ID, KEY, list, numbered, open, send, sendRaw, testClock } from "./rig.ts";

const COURSES = "/developer/v1/courses";

describe("paths and methods that the service does not have", () => {
  test.each([
    "/",
    "/developer/v1",
    "/developer/v2/courses",
    "/developer/v1/courses/",
    "/developer/v1/Courses",
    `/developer/v1/courses/${ID}`,
    "/developer/v1/%63ourses",
    "/__proto__",
  ])("GET %s is answered with 404 and a hint", async (target) => {
    const reply = await send(await open(), "GET", target, { headers: { "X-Api-Key": null } });
    expect(reply).toMatchObject({ status: 404, type: "application/json; charset=utf-8" });
    expect(reply.text).toBe('{"hint":"Not Found","details":null}');
  });

  test.each([
    ["PUT", COURSES],
    ["OPTIONS", COURSES],
    ["POST", "/developer/v1/providers"],
    ["DELETE", "/developer/v1/providers"],
  ])("%s %s is answered like an unknown path", async (method, target) => {
    const reply = await send(await open(), method, target);
    expect(reply).toMatchObject({ status: 404, type: "application/json; charset=utf-8" });
  });

  test("no cache may store a response", async () => {
    const sandbox = await open();
    for (const reply of [
      await send(sandbox, "GET", COURSES),
      await send(sandbox, "HEAD", COURSES),
    ]) {
      expect(reply.headers.get("cache-control")).toBe("no-store");
    }
  });
});

describe("malformed requests", () => {
  test.each([
    ["?name=%", 200],
    ["?name=%E0%A4%A", 200],
    ["?name=%FF&limit=5", 200],
    ["?id=%", 400],
    ["?&&=&=x&limit", 500],
    ["?", 200],
  ])("the query %s is answered with %i", async (query, status) => {
    const sandbox = await open();
    const head = `GET ${COURSES}${query} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${KEY}\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(sandbox, head)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(await list(sandbox)).toEqual([]);
  });

  test("the request target can be a full URL", async () => {
    const head = `GET http://x${COURSES}?limit=0 HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${KEY}\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(await open(), head)).toContain("Limit Too Low");
  });

  test.each([
    ["text that is not HTTP", "hello\r\n\r\n"],
    ["an unknown method", `FETCH ${COURSES} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
    [
      "two lengths",
      `POST ${COURSES} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`,
    ],
  ])("a request with %s is answered with 400, and the server keeps running", async (_, bytes) => {
    const sandbox = await open();
    const answer = await sendRaw(sandbox, bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(await list(sandbox)).toEqual([]);
  });

  test("headers of more than 16 KB are answered with 431", async () => {
    const bytes = `GET ${COURSES} HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(17_000)}\r\n\r\n`;
    expect(await sendRaw(await open(), bytes)).toMatch(/^HTTP\/1\.1 431/);
  });

  test("a body of more than 10 MB is answered with 413 and a hint, and a body of 10 MB is read", async () => {
    const sandbox = await open();
    const large = (bytes: number) => `{"name":"${"x".repeat(bytes - 11)}"}`;
    const refused = await send(sandbox, "POST", COURSES, { body: large(10_000_001) });
    expect(refused.status).toBe(413);
    expect(refused.text).toBe(
      '{"hint":"Body Too Large","details":"The body should have at most 10 MB"}',
    );
    const read = await send(sandbox, "POST", COURSES, { body: large(10_000_000) });
    expect(read).toMatchObject({ status: 400, text: '{"hint":"url is blank","details":null}' });
  });

  test("a client that disconnects during a request has no effect", async () => {
    const sandbox = await open();
    const head = `POST ${COURSES} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${KEY}\r\nContent-Length: 9\r\n\r\n{`;
    await new Promise<void>((resolve) => {
      const socket = connect(sandbox.port, sandbox.host, () => {
        socket.write(head, () => socket.destroy());
      });
      socket.on("close", () => resolve());
    });
    expect(await list(sandbox)).toEqual([]);
  });
});

describe("the server", () => {
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
    expect(await create(sandbox)).toMatchObject({ status: 500, text });
    expect(await create(sandbox, {}, { "X-Api-Key": "throw.now" })).toMatchObject({
      status: 500,
      text,
    });
    failing = false;
    expect(await create(sandbox)).toMatchObject({ status: 201 });
    expect(reported).toEqual(["Error: disk full", "Error: broken"]);
  });

  test("the sandbox answers and counts 64 requests at the same time", async () => {
    const sandbox = await open();
    const numbers = Array.from({ length: 64 }, (_, index) => index);
    const replies = await Promise.all(
      numbers.map((number) => create(sandbox, { id: numbered(number), name: `Course ${number}` })),
    );
    expect(replies.map(({ status }) => status)).toEqual(numbers.map(() => 201));
    expect(sandbox.requests()).toBe(64);
    expect(await list(sandbox, "?limit=100")).toHaveLength(64);
    const changes = numbers.map((number) =>
      change(sandbox, numbered(number), { published: false }),
    );
    expect((await Promise.all(changes)).every(({ status }) => status === 204)).toBe(true);
    expect(await list(sandbox, "?limit=100&published=true")).toEqual([]);
  });

  test("the sandbox creates one course from 64 requests for one id", async () => {
    const sandbox = await open();
    const replies = await Promise.all(
      Array.from({ length: 64 }, () => create(sandbox, { id: ID })),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 63 }, () => 409)]);
    expect(await list(sandbox)).toHaveLength(1);
  });

  test("the sandbox serves several requests on one connection", async () => {
    const head = `GET ${COURSES}?limit=0 HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${KEY}\r\n`;
    const answer = await sendRaw(await open(), `${head}\r\n${head}Connection: close\r\n\r\n`);
    expect(answer.match(/HTTP\/1\.1 500/g)).toHaveLength(2);
    expect(answer).toContain("Connection: keep-alive");
  });

  test("a connection stays usable after a request with a body was rejected", async () => {
    const post = `POST ${COURSES} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}`;
    const get = `GET ${COURSES} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${KEY}\r\nConnection: close\r\n\r\n`;
    const answer = await sendRaw(await open(), post + get);
    expect(answer.match(/HTTP\/1\.1 (401|200)/g)).toEqual(["HTTP/1.1 401", "HTTP/1.1 200"]);
  });

  test("close drops open connections, and can be called twice", async () => {
    const sandbox = await startSandbox({ store: memoryStore(defaultSeed()), clock: testClock() });
    const idle = sendRaw(sandbox, `GET ${COURSES} HTTP/1.1\r\nHost: localhost\r\n\r\n`).catch(
      () => "",
    );
    const halfway = sendRaw(
      sandbox,
      `POST ${COURSES} HTTP/1.1\r\nHost: localhost\r\nContent-Le`,
    ).catch(() => "");
    await list(sandbox);
    await sandbox.close();
    await sandbox.close();
    await Promise.all([idle, halfway]);
    await expect(list(sandbox)).rejects.toThrow();
  });

  test("close does not wait for a client that received a 400 and stays connected", async () => {
    const sandbox = await open();
    const { port, host } = sandbox;
    const socket = connect({ port, host, allowHalfOpen: true }, () =>
      socket.write("hello\r\n\r\n"),
    );
    socket.on("error", () => {});
    onTestFinished(() => void socket.destroy());
    await new Promise((resolve) => socket.once("data", resolve));
    await sandbox.close();
  });

  test("the base URL of an IPv6 host has brackets", async () => {
    const sandbox = await open({ host: "::1" });
    expect(sandbox).toMatchObject({ host: "::1", baseUrl: `http://[::1]:${sandbox.port}` });
    expect(await list(sandbox)).toEqual([]);
  });

  test.each(["0.0.0.0", "0x0", "0x00.0", "::ffff:0.0.0.0", "::ffff:0:0"])(
    "a wildcard host is reached over loopback in every notation: %s",
    async (host) => {
      const sandbox = await open({ host });
      const baseUrl = `http://127.0.0.1:${sandbox.port}`;
      expect(sandbox).toMatchObject({ baseUrl, isLocal: false });
      expect(await list(sandbox)).toEqual([]);
    },
  );

  test.each(["127.0.0.2", "127.1", "localhost", "::ffff:127.0.0.1"])(
    "only this machine can reach the host %s",
    async (host) => {
      const sandbox = await open({ host });
      expect(sandbox.isLocal).toBe(true);
      expect(await list(sandbox)).toEqual([]);
    },
  );

  test("a port in use is a usage error with advice", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await expect(open({ port })).rejects.toMatchObject({
      kind: "usage",
      message: `port ${port} is in use on 127.0.0.1`,
      facts: {
        advice: "Choose another port with --port, or let the system pick one with --port 0.",
      },
    });
  });

  test.each([
    [{ port: 70_000 }, "cannot listen on port 70000 of 127.0.0.1"],
    [{ host: "192.0.2.1" }, "cannot listen on port 0 of 192.0.2.1"],
  ])("the sandbox option %j is a usage error", async (options, message) => {
    await expect(open(options)).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringContaining(message),
    });
  });
});
