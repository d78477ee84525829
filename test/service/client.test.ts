/** The client with all kinds of responses (docs/service.md, "Errors"). */
import { describe, expect, test } from "vitest";
import { CatalogError } from "../../src/base/errors.ts";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { CatalogClient, type ClientOptions } from "../../src/service/client.ts";
import { course, type Rig, rig, testClock } from "../rig.ts";
import { type ServerBehavior, startUnreliableServer } from "../unreliable-server.ts";

const ID = "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10";
const OTHER_ID = "22222222-2222-4222-8222-222222222222";

function clientOf(baseUrl: string, options: Partial<ClientOptions> = {}): CatalogClient {
  return new CatalogClient({ baseUrl, apiKey: DEFAULT_KEY, clock: testClock(), ...options });
}

async function failureOf(work: Promise<unknown>): Promise<CatalogError> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof CatalogError) return thrown;
  throw new Error(`expected a CatalogError, got ${String(thrown)}`);
}

/** A client of a server with these behaviors, one per request, and then none. */
async function facing(fates: readonly ServerBehavior[], options: Partial<ClientOptions> = {}) {
  const { sandbox } = await rig();
  const server = await startUnreliableServer(
    sandbox.baseUrl,
    ({ number }) => fates[number - 1] ?? "pass",
  );
  return { client: clientOf(server.baseUrl, options), server, direct: clientOf(sandbox.baseUrl) };
}

/** A client that loses the response to the first POST, of a service that sends one course per page. */
async function facingShortPages(target: string) {
  const direct = clientOf(target);
  const courses = await direct.courses();
  const server = await startUnreliableServer(target, ({ method, url }) => {
    const query = new URL(url, target).searchParams;
    if (method === "POST") return "drop before";
    if (query.has("id")) return "pass";
    const offset = Number(query.get("offset") ?? 0);
    return { status: 200, body: JSON.stringify(courses.slice(offset, offset + 1)) };
  });
  return { client: clientOf(server.baseUrl), server };
}

describe("creations", () => {
  test("a creation whose connection was refused has certainly failed, because no request was sent", async () => {
    const client = clientOf("http://127.0.0.1:9", { retries: 0 });
    const error = await failureOf(client.create({ ...course(), id: ID }));
    expect(error.message).toContain("connection refused");
    expect(error.facts.advice).not.toContain("may have been created");
  });

  test("a creation succeeds with one course if the connection is dropped after the POST was processed", async () => {
    const { client, server, direct } = await facing(["drop after"]);
    expect(await client.create({ ...course(), id: ID })).toEqual({
      outcome: "created",
      id: ID,
    });
    expect(server.requests).toEqual([
      "POST /developer/v1/courses",
      `GET /developer/v1/courses?id=${ID}`,
    ]);
    expect(await direct.courses()).toHaveLength(1);
  });

  test("a creation looks up the id and repeats the POST if the connection is dropped before the POST was processed", async () => {
    const { client, server, direct } = await facing(["drop before"]);
    expect(await client.create({ ...course(), id: ID })).toEqual({
      outcome: "created",
      id: ID,
    });
    expect(server.requests.map((line) => line.split("&")[0])).toEqual([
      "POST /developer/v1/courses",
      `GET /developer/v1/courses?id=${ID}`,
      "GET /developer/v1/courses?limit=100",
      "POST /developer/v1/courses",
    ]);
    expect(await direct.courses()).toHaveLength(1);
  });

  test("a creation looks up the id even without retries", async () => {
    const { client, direct } = await facing(["drop after"], { retries: 0 });
    expect(await client.create({ ...course(), id: ID })).toEqual({
      outcome: "created",
      id: ID,
    });
    expect(await direct.courses()).toHaveLength(1);
  });

  test.each([500, 502, 504])(
    "a creation looks up the id and the url after a %i before it repeats the POST",
    async (status) => {
      const { client, server } = await facing([{ status }]);
      await client.create({ ...course(), id: ID });
      expect(server.requests.map((line) => line.split(" ")[0])).toEqual([
        ...["POST", "GET", "GET", "POST"],
      ]);
    },
  );

  test("a creation looks up only the id after a 503, which a busy service sends", async () => {
    const { client, server } = await facing([{ status: 503 }]);
    await client.create({ ...course(), id: ID });
    expect(server.requests.map((line) => line.split(" ")[0])).toEqual(["POST", "GET", "POST"]);
  });

  test("a creation returns the id that the service chose instead", async () => {
    const body = JSON.stringify([{ ...course(), id: OTHER_ID }]);
    const { client } = await facing([{ status: 201, body }]);
    const creation = await client.create({ ...course(), id: ID });
    expect(creation).toEqual({ outcome: "created", id: OTHER_ID });
  });

  test("a creation repeats the POST after a 429 without a look-up", async () => {
    const { client, server } = await facing([{ status: 429, headers: { "retry-after": "1" } }]);
    await client.create({ ...course(), id: ID });
    expect(server.requests.map((line) => line.split(" ")[0])).toEqual(["POST", "POST"]);
  });

  test.each([200, 201, 203, 204])(
    "a creation treats %i without a hint as success, with or without a body",
    async (status) => {
      const { client } = await facing([{ status, body: status === 204 ? "" : "<p>thanks</p>" }]);
      expect(await client.create({ ...course(), id: ID })).toEqual({
        outcome: "created",
        id: ID,
      });
    },
  );

  test.each(["200 with a hint", "202"])(
    "a creation looks up the course after %s, and fails if the course does not exist",
    async (response) => {
      const status = Number(response.slice(0, 3));
      const body = '{"hint":"quota exceeded","details":"of 100 courses"}';
      const { client, server } = await facing([{ status, body }]);
      const error = await failureOf(client.create({ ...course(), id: ID }));
      expect(error).toMatchObject({
        kind: status === 202 ? "unreachable" : "refused",
        facts: { status, hint: "quota exceeded", details: "of 100 courses" },
      });
      expect(error.message).toContain(`HTTP ${status}, but the course does not exist`);
      expect(server.requests[1]).toBe(`GET /developer/v1/courses?id=${ID}`);
    },
  );

  test("a creation finds a course with another id on a later page, after short pages", async () => {
    const { sandbox } = await rig();
    const direct = clientOf(sandbox.baseUrl);
    for (let number = 0; number < 3; number++) {
      const url = `https://academy.example/${number}`;
      const id = `${ID.slice(0, -1)}${number + 1}`;
      await direct.create({ ...course({ url }), id });
    }
    const { client, server } = await facingShortPages(sandbox.baseUrl);
    const last = course({ url: "https://academy.example/2" });
    expect(await client.create({ ...last, id: OTHER_ID })).toEqual({
      outcome: "created",
      id: `${ID.slice(0, -1)}3`,
    });
    expect(server.requests.filter((line) => line.startsWith("POST"))).toHaveLength(1);
  });

  test("a creation treats a 201 with a truncated body as success", async () => {
    const headers = { "content-length": "100" };
    const { client, server } = await facing([{ status: 201, body: "{...", headers, cutAfter: 2 }]);
    expect(await client.create({ ...course(), id: ID })).toEqual({
      outcome: "created",
      id: ID,
    });
    expect(server.requests).toHaveLength(1);
  });

  test("a creation returns the existing course of an id and changes nothing", async () => {
    const { client, direct } = await facing([]);
    await client.create({ ...course(), id: ID });
    const again = await client.create({ ...course({ name: "Another" }), id: ID });
    expect(again).toMatchObject({
      outcome: "exists",
      course: { id: ID, name: "Knitting for Beginners" },
    });
    expect(await direct.courses()).toHaveLength(1);
  });

  test("a creation after a lost response does not report an existing course as created", async () => {
    const { client, direct } = await facing(["pass", "drop before"]);
    await client.create({ ...course(), id: ID });
    const again = await client.create({ ...course({ name: "Another" }), id: ID });
    expect(again).toMatchObject({ outcome: "exists", refusal: { kind: "refused" } });
    expect(await direct.courses()).toMatchObject([{ name: "Knitting for Beginners" }]);
  });

  test("a creation does not repeat a rejected POST", async () => {
    const { client, server } = await facing([]);
    const error = await failureOf(client.create({ ...course({ url: "" }), id: ID }));
    expect(error).toMatchObject({ kind: "refused", facts: { status: 400, hint: "url is blank" } });
    expect(server.requests).toEqual([
      "POST /developer/v1/courses",
      `GET /developer/v1/courses?id=${ID}`,
    ]);
  });

  test("a creation fails as unreachable, with the id, if all responses are lost", async () => {
    const { sandbox } = await rig();
    const server = await startUnreliableServer(sandbox.baseUrl, () => "drop before");
    const error = await failureOf(clientOf(server.baseUrl).create({ ...course(), id: ID }));
    expect(error.kind).toBe("unreachable");
    expect(error.message).toContain(ID);
  });
});

describe("retries", () => {
  test.each<[string, (client: CatalogClient) => Promise<unknown>]>([
    ["GET", (client) => client.courses()],
    ["PATCH", (client) => client.update(ID, { published: false })],
    ["DELETE", (client) => client.delete(ID)],
  ])(
    "the client repeats a %s after a lost connection, 429, 503 and a 500 without a hint",
    async (_, work) => {
      const fates: ServerBehavior[] = [
        "drop before",
        { status: 429 },
        { status: 503 },
        { status: 500, body: '{"hint":null,"details":null}' },
      ];
      const { sandbox } = await rig();
      await clientOf(sandbox.baseUrl).create({ ...course(), id: ID });
      const server = await startUnreliableServer(
        sandbox.baseUrl,
        ({ number }) => fates[number - 1] ?? "pass",
      );
      await work(clientOf(server.baseUrl));
      expect(server.requests).toHaveLength(5);
    },
  );

  test("the client does not retry a 500 with a hint", async () => {
    const { client, server } = await facing([]);
    const error = await failureOf(client.courses({ limit: 101 }));
    expect(error).toMatchObject({
      kind: "refused",
      facts: { status: 500, hint: "Limit Too High", details: "Limit should equal at most 100" },
    });
    expect(server.requests).toHaveLength(1);
  });

  test("the client looks up a DELETE with a lost response and then a 406, and reports it as deleted", async () => {
    const { sandbox } = await rig();
    await clientOf(sandbox.baseUrl).create({ ...course(), id: ID });
    const server = await startUnreliableServer(sandbox.baseUrl, ({ number }) =>
      number === 1 ? "drop after" : "pass",
    );
    await clientOf(server.baseUrl).delete(ID);
    expect(server.requests.map((line) => line.split(" ")[0])).toEqual(["DELETE", "DELETE", "GET"]);
    expect(await clientOf(sandbox.baseUrl).courses()).toEqual([]);
  });

  test("a hanging request ends after the timeout", async () => {
    const { client, server } = await facing(["hang", "hang"], { timeout: 300, retries: 1 });
    const error = await failureOf(client.providers());
    expect(error).toMatchObject({ kind: "unreachable", facts: { code: "TIMEOUT" } });
    expect(server.requests).toHaveLength(2);
  });

  test("an abort ends a hanging request immediately", async () => {
    const controller = new AbortController();
    const { sandbox } = await rig();
    const server = await startUnreliableServer(sandbox.baseUrl, () => {
      controller.abort();
      return "hang";
    });
    const error = await failureOf(
      clientOf(server.baseUrl, { signal: controller.signal }).providers(),
    );
    expect(error.kind).toBe("interrupted");
  });
});

describe("responses", () => {
  test.each<[string, ServerBehavior, Partial<CatalogError>]>([
    [
      "an HTML page with 200",
      { status: 200, body: "<!doctype html><p>Log in</p>" },
      { kind: "unreachable" },
    ],
    ["an empty body with 200", { status: 200 }, { kind: "unreachable" }],
    ["broken JSON with 200", { status: 200, body: '[{"id":' }, { kind: "unreachable" }],
    ["an object where a list belongs", { status: 200, body: '{"id":1}' }, { kind: "unreachable" }],
    ["a list of numbers", { status: 200, body: "[1,2]" }, { kind: "unreachable" }],
    ["an HTML page with 403", { status: 403, body: "<html>no</html>" }, { kind: "refused" }],
    [
      "401",
      { status: 401, body: '{"hint":"Invalid API Key","details":"Check"}' },
      { kind: "auth" },
    ],
    ["404 to a listing (wrong base URL)", { status: 404 }, { kind: "refused" }],
    [
      "a redirect",
      { status: 302, headers: { location: "https://elsewhere.example/x" } },
      { kind: "refused" },
    ],
  ])("the client reports %s as an error of its kind", async (_, fate, wanted) => {
    const { client, server } = await facing([fate]);
    expect(await failureOf(client.providers())).toMatchObject(wanted);
    expect(server.requests).toHaveLength(1);
  });

  test("a 404 for a PATCH means that the course does not exist", async () => {
    const { client } = await facing([{ status: 404 }]);
    expect(await failureOf(client.update(ID, { published: true }))).toMatchObject({
      kind: "missing",
      facts: { status: 404 },
    });
  });

  test("the client retries a truncated response", async () => {
    const cut = { status: 200, body: "[]", headers: { "content-length": "50" }, cutAfter: 1 };
    const { client, server } = await facing([cut]);
    expect(await client.courses()).toEqual([]);
    expect(server.requests).toHaveLength(2);
  });

  test("a response over the size limit is an error without a retry", async () => {
    const { createServer } = await import("node:http");
    let requests = 0;
    const server = createServer((_, response) => {
      requests++;
      const chunk = Buffer.alloc(1024 * 1024, " ");
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
        response.once("drain", more);
      };
      more();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const error = await failureOf(clientOf(`http://127.0.0.1:${port}`).courses());
    server.closeAllConnections();
    server.close();
    expect(error).toMatchObject({
      kind: "unreachable",
      message: expect.stringContaining("larger"),
    });
    expect(requests).toBe(1);
  });

  test("the client reports the code and message of a database error unchanged", async () => {
    const body =
      '{"hint":null,"details":null,"code":"22P02","message":"invalid input syntax for type uuid: \\"x\\""}';
    const { client } = await facing([{ status: 400, body }]);
    expect(await failureOf(client.courses())).toMatchObject({
      kind: "refused",
      message: expect.stringContaining('invalid input syntax for type uuid: "x"'),
      facts: { status: 400, code: "22P02", details: undefined },
    });
  });

  test("the client does not follow a redirect, and does not send the key elsewhere", async () => {
    const elsewhere = await startUnreliableServer("http://127.0.0.1:9", () => ({
      status: 200,
      body: "[]",
    }));
    const { client } = await facing([{ status: 307, headers: { location: elsewhere.baseUrl } }]);
    const error = await failureOf(client.providers());
    expect(error.message).toContain(elsewhere.baseUrl);
    expect(elsewhere.requests).toEqual([]);
  });
});

describe("requests", () => {
  test("the client sends the key in X-Api-Key, and JSON bodies with their Content-Type", async () => {
    const { client, server } = await facing([]);
    await client.create({ ...course(), id: ID });
    expect(server.headers[0]).toMatchObject({
      "x-api-key": DEFAULT_KEY,
      "content-type": "application/json",
    });
  });

  test("a DELETE accepts the single object of the configured vendor", async () => {
    const { client, server } = await facing([], { vendor: "acme" });
    await client.create({ ...course(), id: ID });
    await client.delete(ID);
    expect(server.headers[1]?.accept).toBe("application/vnd.acme.object+json");
  });

  test("the client requests paths below the path of the base URL", async () => {
    const server = await startUnreliableServer("http://127.0.0.1:9", () => ({
      status: 200,
      body: "[]",
    }));
    await clientOf(`${server.baseUrl}/catalog/`).providers();
    await clientOf(`${server.baseUrl}/catalog`).providers();
    expect(server.requests).toEqual([
      "GET /catalog/developer/v1/providers",
      "GET /catalog/developer/v1/providers",
    ]);
  });

  test.each(["", "12", "x' or 1=1", `${ID} `])(
    "the client sends no DELETE, PATCH or look-up for the id %j",
    async (id) => {
      const { client, server } = await facing([]);
      expect((await failureOf(client.delete(id))).kind).toBe("usage");
      expect((await failureOf(client.update(id, {}))).kind).toBe("usage");
      expect((await failureOf(client.course(id))).kind).toBe("usage");
      expect(server.requests).toEqual([]);
    },
  );

  test("the client rejects a key that a header cannot contain before any request", () => {
    expect(() => clientOf("http://127.0.0.1", { apiKey: "a\nb" })).toThrow(CatalogError);
  });

  test("the client accepts compressed pages, but requests a single course without compression", async () => {
    const { client, server } = await facing([]);
    await client.courses({ limit: 100 });
    await client.course(ID);
    expect(server.headers.map((sent) => sent["accept-encoding"])).toEqual(["gzip, br", undefined]);
  });

  test("the client accepts no cached response, because responses depend on the key", async () => {
    const { client, server } = await facing([]);
    await client.providers();
    await client.courses();
    expect(server.headers.map((sent) => sent["cache-control"])).toEqual(["no-cache", "no-cache"]);
  });

  test("an HTML page with 401 names a proxy as the likely cause, not the API key", async () => {
    const { client } = await facing([{ status: 401, body: "<html>Authorization Required</html>" }]);
    const { kind, message, facts } = await failureOf(client.providers());
    expect([kind, message]).toEqual([
      "auth",
      "could not list the providers: the service rejected the request (HTTP 401) and sent an HTML page",
    ]);
    expect(facts.code).toBe("NOT_THE_SERVICE");
    expect(facts.advice).toContain("A proxy in front of the service probably requires a login");
  });

  test.each([
    ["{}", "the service failed (HTTP 500) and gave no reason"],
    ["", "the service failed (HTTP 500) and gave no reason"],
    ['{"hint":', "the service failed (HTTP 500) and gave no reason"],
    [
      '{"hint":null,"details":null,"message":"internal error"}',
      "the service failed (HTTP 500): internal error",
    ],
    ["<html>", "the service failed (HTTP 500) and sent an HTML page"],
  ])("a 500 with the body %j says what the service gave as the reason", async (body, reason) => {
    const { client } = await facing([{ status: 500, body }], { retries: 0 });
    const { message, facts } = await failureOf(client.providers());
    expect(message).toBe(`could not list the providers: ${reason}`);
    expect(facts.advice).toBe("Wait a minute and try again.");
  });

  test.each([
    ["[", "something that is not valid JSON"],
    ["Hello", "something that is not valid JSON"],
    ["", "an empty body instead of JSON"],
    ["<!doctype html>", "an HTML page instead of JSON"],
    ["{}", "JSON that is not a list of objects with ids"],
  ])("a list with the body %j is not a list of courses", async (body, what) => {
    const { client, server } = await facing([{ status: 200, body }]);
    const { kind, message } = await failureOf(client.providers());
    expect([kind, message]).toEqual(["unreachable", `${server.baseUrl} responded with ${what}`]);
  });

  test("the client reports problem details of a proxy or a framework (RFC 9457)", async () => {
    const body = JSON.stringify({ title: "Quota exceeded", detail: "Ask for more." });
    const headers = { "content-type": "application/problem+json" };
    const { client } = await facing([{ status: 403, body, headers }]);
    const { message, facts } = await failureOf(client.providers());
    expect(message).toContain("(HTTP 403): Quota exceeded");
    expect(facts.details).toBe("Ask for more.");
  });

  test("the client decodes an unrequested gzip response", async () => {
    const { gzipSync } = await import("node:zlib");
    const { createServer } = await import("node:http");
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("[]"));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    expect(await clientOf(`http://127.0.0.1:${port}`).courses()).toEqual([]);
    server.closeAllConnections();
    server.close();
  });
});

describe("listings", () => {
  async function filled(count: number): Promise<Rig> {
    const courses = Array.from({ length: count }, (_, index) =>
      course({
        id: `00000000-0000-4000-9000-${String(index).padStart(12, "0")}`,
        url: `https://academy.example/${index}`,
      }),
    );
    const { courseSeed } = await import("../../src/sandbox/seed.ts");
    return await rig({ seed: courseSeed(courses, testClock()) });
  }

  async function walk(client: CatalogClient, options: Parameters<CatalogClient["list"]>[0]) {
    const ids: string[] = [];
    const pages = client.list(options);
    for (;;) {
      const page = await pages.next();
      if (page.done) return { ids, more: page.value.more };
      ids.push(...page.value.map(({ id }) => id));
    }
  }

  test.each([
    [0, undefined, 0, false],
    [99, undefined, 99, false],
    [100, undefined, 100, false],
    [350, undefined, 350, false],
    [350, 250, 250, true],
    [350, 350, 350, true],
    [350, 400, 350, false],
    [5, 5, 5, true],
  ])("a listing of %i courses with limit %s returns %i", async (held, limit, wanted, more) => {
    const { sandbox } = await filled(held);
    const walked = await walk(clientOf(sandbox.baseUrl), limit === undefined ? {} : { limit });
    expect(walked.more).toBe(more);
    expect(new Set(walked.ids).size).toBe(wanted);
    expect(walked.ids).toHaveLength(wanted);
  });

  test("a listing starts at the offset", async () => {
    const { sandbox } = await filled(250);
    const { ids } = await walk(clientOf(sandbox.baseUrl), { offset: 240 });
    expect(ids).toHaveLength(10);
  });

  test("a listing returns a course that is on two pages once", async () => {
    const { sandbox } = await filled(150);
    const page = await clientOf(sandbox.baseUrl).courses({ limit: 100 });
    const twice = JSON.stringify([...page.slice(0, 20), { ...course(), id: OTHER_ID }]);
    const server = await startUnreliableServer(sandbox.baseUrl, ({ number }) =>
      number === 1 ? "pass" : { status: 200, body: twice },
    );
    const { ids } = await walk(clientOf(server.baseUrl), {});
    expect(ids).toHaveLength(101);
    expect(new Set(ids).size).toBe(101);
  });

  test("a listing sends another request after one short page, but with a limit only one", async () => {
    const { sandbox } = await filled(7);
    await walk(clientOf(sandbox.baseUrl), {});
    expect(sandbox.requests()).toBe(2);
    await walk(clientOf(sandbox.baseUrl), { limit: 10 });
    expect(sandbox.requests()).toBe(3);
  });
});

test.each([
  [{ apiKey: DEFAULT_KEY }, "no base URL is set"],
  [{ apiKey: DEFAULT_KEY, baseUrl: " " }, "no base URL is set"],
  [{ baseUrl: "https://api.catalog.example" }, "no API key is set"],
])(
  "a client without a base URL or a key reports which of the two is missing: %j",
  (options, message) => {
    // As JavaScript calls it.
    expect(() => new CatalogClient(options as ClientOptions)).toThrow(
      expect.objectContaining({ kind: "usage", message, facts: expect.anything() }),
    );
  },
);
