import { describe, expect, test } from "vitest";
import { defaultSeed } from "../../src/sandbox/seed.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { memoryStore } from "../../src/sandbox/store.ts";
import { IS_LONG } from "../long.ts";
import { create, ID, list, open, send, sendRaw, testClock } from "./rig.ts";

const COURSES = "/developer/v1/courses";

describe("paths and methods that the service does not have", () => {
  test.each(["/", "/developer/v1/courses/", `/developer/v1/courses/${ID}`, "/__proto__"])(
    "GET %s is answered with 404 and a hint",
    async (target) => {
      const reply = await send(await open(), "GET", target, { headers: { "X-Api-Key": null } });
      expect(reply).toMatchObject({ status: 404, type: "application/json; charset=utf-8" });
      expect(reply.text).toBe('{"hint":"Not Found","details":null}');
    },
  );

  test.each([
    ["PUT", COURSES],
    ["OPTIONS", COURSES],
    ["POST", "/developer/v1/providers"],
    ["DELETE", "/developer/v1/providers"],
  ])("%s %s is answered like an unknown path", async (method, target) => {
    const reply = await send(await open(), method, target);
    expect(reply).toMatchObject({ status: 404, type: "application/json; charset=utf-8" });
  });
});

describe("malformed requests", () => {
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

  test.runIf(IS_LONG)(
    "a body of more than 10 MB is answered with 413 and a hint, and a body of 10 MB is read",
    async () => {
      const sandbox = await open();
      const large = (bytes: number) => `{"name":"${"x".repeat(bytes - 11)}"}`;
      const refused = await send(sandbox, "POST", COURSES, { body: large(10_000_001) });
      expect(refused.status).toBe(413);
      expect(refused.text).toBe(
        '{"hint":"Body Too Large","details":"The body should have at most 10 MB"}',
      );
      const read = await send(sandbox, "POST", COURSES, { body: large(10_000_000) });
      expect(read).toMatchObject({ status: 400, text: '{"hint":"url is blank","details":null}' });
    },
  );
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

  test("the sandbox creates one course from 64 requests for one id", async () => {
    const sandbox = await open();
    const replies = await Promise.all(
      Array.from({ length: 64 }, () => create(sandbox, { id: ID })),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 63 }, () => 409)]);
    expect(await list(sandbox)).toHaveLength(1);
  });

  test("close of the sandbox drops open connections, and can be called twice", async () => {
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

  test("the base URL of an IPv6 host has brackets", async () => {
    const sandbox = await open({ host: "::1" });
    expect(sandbox).toMatchObject({ host: "::1", baseUrl: `http://[::1]:${sandbox.port}` });
    expect(await list(sandbox)).toEqual([]);
  });

  test.each(["0.0.0.0", "0x0", "::ffff:0:0"])(
    "a wildcard host is reached over loopback in every notation: %s",
    async (host) => {
      const sandbox = await open({ host });
      const baseUrl = `http://127.0.0.1:${sandbox.port}`;
      expect(sandbox).toMatchObject({ baseUrl, isLocal: false });
      expect(await list(sandbox)).toEqual([]);
    },
  );

  test.each(["127.1", "localhost"])("only this machine can reach the host %s", async (host) => {
    const sandbox = await open({ host });
    expect(sandbox.isLocal).toBe(true);
    expect(await list(sandbox)).toEqual([]);
  });
});
