/** Changes whose first response is lost, and which are then repeated or looked up. */
import { describe, expect, test } from "vitest";
import { CatalogError, type ErrorKind, isServerFailure } from "../../src/base/errors.ts";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { CatalogClient } from "../../src/service/client.ts";
import { course, rig, testClock } from "../rig.ts";
import { type ServerBehavior, startUnreliableServer } from "../unreliable-server.ts";

const ID = "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10";
const NAME = "Weaving";

const WRITES = {
  POST: (client: CatalogClient) => client.create({ ...course({ name: NAME }), id: ID }),
  PATCH: (client: CatalogClient) => client.update(ID, { name: NAME }),
  DELETE: (client: CatalogClient) => client.delete(ID),
} as const;

type Method = keyof typeof WRITES;

const METHODS = ["POST", "PATCH", "DELETE"] as const;

/** The responses to the repeated change, with the kind of error that they are. */
const ANSWERS: readonly (readonly [answer: ServerBehavior, kind: ErrorKind, missing: ErrorKind])[] =
  [
    [{ status: 400, body: '{"hint":"no"}' }, "refused", "refused"],
    [{ status: 401 }, "auth", "auth"],
    [{ status: 403 }, "refused", "refused"],
    [{ status: 404 }, "refused", "missing"],
    [{ status: 406 }, "refused", "missing"],
    [{ status: 410 }, "refused", "missing"],
    [{ status: 409, body: '{"hint":"no"}' }, "refused", "refused"],
    [{ status: 500, body: '{"hint":"no"}' }, "refused", "refused"],
    [{ status: 302, headers: { location: "https://else.example" } }, "refused", "refused"],
    [{ status: 408 }, "unreachable", "unreachable"],
    [{ status: 503 }, "unreachable", "unreachable"],
  ];

const CELLS = METHODS.flatMap((method) =>
  ANSWERS.map(([answer, forPost, forOthers]) => {
    const status = typeof answer === "object" ? answer.status : 0;
    return { method, status, answer, kind: method === "POST" ? forPost : forOthers };
  }),
);

/** Sends the change. @param reads what look-ups get once the change has been sent so many times */
async function change(
  method: Method,
  behaviors: readonly [first: ServerBehavior, others: ServerBehavior],
  reads: (sent: number) => ServerBehavior = () => "pass",
) {
  const { sandbox } = await rig();
  const clientOf = (baseUrl: string) =>
    new CatalogClient({ baseUrl, apiKey: DEFAULT_KEY, clock: testClock(), retries: 1 });
  const direct = clientOf(sandbox.baseUrl);
  if (method !== "POST") await direct.create({ ...course(), id: ID });
  let sent = 0;
  const server = await startUnreliableServer(sandbox.baseUrl, (request) => {
    if (request.method === "GET") return reads(sent);
    return behaviors[sent++ === 0 ? 0 : 1];
  });
  const result: unknown = await WRITES[method](clientOf(server.baseUrl)).catch((error) => error);
  const stored = await direct.course(ID);
  return { result, isDone: method === "DELETE" ? stored === undefined : stored?.name === NAME };
}

describe("changes whose response was lost", () => {
  test.each(CELLS)(
    "a $method took effect and its response was lost, then $status: the client reports it as done",
    async ({ method, answer }) => {
      const { result, isDone } = await change(method, ["drop after", answer]);
      expect(result).not.toBeInstanceOf(Error);
      expect(isDone).toBe(true);
    },
  );

  test.each(CELLS)(
    "a $method was lost, then $status: the client reports the error of that response, and nothing is done",
    async ({ method, answer, kind, status }) => {
      const { result, isDone } = await change(method, ["drop before", answer]);
      expect(result).toMatchObject({ kind, facts: { status } });
      expect(result).not.toMatchObject({ facts: { effect: "unknown" } });
      expect(isDone).toBe(false);
    },
  );

  test.each(CELLS)(
    "a $method took effect, its response was lost, then $status, and no look-up works: the effect is unknown",
    async ({ method, answer }) => {
      const { result, isDone } = await change(method, ["drop after", answer], () => answer);
      expect(result).toMatchObject({ kind: "unreachable", facts: { effect: "unknown" } });
      expect(isDone).toBe(true);
    },
  );

  test.each(ANSWERS)(
    "a POST that is looked up in vain, then %j and a failed look-up have an unknown effect",
    async (answer) => {
      const reads = (sent: number): ServerBehavior => (sent === 1 ? "pass" : answer);
      const { result } = await change("POST", ["drop before", answer], reads);
      expect(result).toMatchObject({ kind: "unreachable", facts: { effect: "unknown" } });
    },
  );

  test.each(CELLS)(
    "a $method that gets only $status is certainly not done",
    async ({ method, answer }) => {
      const { result } = await change(method, [answer, answer]);
      expect(result).toBeInstanceOf(CatalogError);
      expect(result).not.toMatchObject({ facts: { effect: "unknown" } });
    },
  );

  test.each(METHODS)("a %s gets 202 and is not done yet: the effect is unknown", async (method) => {
    const { result } = await change(method, [{ status: 202 }, "pass"]);
    expect(result).toMatchObject({
      kind: "unreachable",
      facts: { effect: "unknown", status: 202 },
    });
  });

  test.each(METHODS)("a %s whose connection is refused is certainly not done", async (method) => {
    const client = new CatalogClient({
      ...{ baseUrl: "http://127.0.0.1:9", apiKey: DEFAULT_KEY, clock: testClock() },
    });
    const error: unknown = await WRITES[method](client).catch((thrown) => thrown);
    expect(error).toMatchObject({ kind: "unreachable", facts: { code: "ECONNREFUSED" } });
    expect(error).not.toMatchObject({ facts: { effect: "unknown" } });
  });

  test.each(METHODS)("a %s interrupted in flight has an unknown effect", async (method) => {
    const { sandbox } = await rig();
    const controller = new AbortController();
    const server = await startUnreliableServer(sandbox.baseUrl, () => {
      controller.abort();
      return "hang";
    });
    const client = new CatalogClient({
      ...{ baseUrl: server.baseUrl, apiKey: DEFAULT_KEY, clock: testClock() },
      signal: controller.signal,
    });
    const error: unknown = await WRITES[method](client).catch((thrown) => thrown);
    expect(error).toMatchObject({ kind: "interrupted", facts: { effect: "unknown" } });
    // Another one is not sent at all.
    const next: unknown = await WRITES[method](client).catch((thrown) => thrown);
    expect(next).toMatchObject({ kind: "interrupted" });
    expect(next).not.toMatchObject({ facts: { effect: "unknown" } });
  });

  test("a POST that is answered with an HTML page is looked up, and the course exists", async () => {
    const { sandbox } = await rig();
    const options = { apiKey: DEFAULT_KEY, clock: testClock() };
    await WRITES.POST(new CatalogClient({ ...options, baseUrl: sandbox.baseUrl }));
    const server = await startUnreliableServer(sandbox.baseUrl, ({ method }) =>
      method === "POST" ? { status: 200, body: "<!doctype html><p>Welcome</p>" } : "pass",
    );
    const client = new CatalogClient({ ...options, baseUrl: server.baseUrl });
    expect(await WRITES.POST(client)).toEqual({ outcome: "created", id: ID });
  });

  test("a PATCH of only a slug, which the service generates, cannot be looked up: the effect is unknown", async () => {
    const { sandbox } = await rig();
    const server = await startUnreliableServer(sandbox.baseUrl, ({ method }) =>
      method === "GET" ? "pass" : "drop before",
    );
    const options = { apiKey: DEFAULT_KEY, clock: testClock() };
    const direct = new CatalogClient({ ...options, baseUrl: sandbox.baseUrl });
    await direct.create({ ...course(), id: ID });
    const client = new CatalogClient({ ...options, baseUrl: server.baseUrl });
    await expect(client.update(ID, { slug: "x" })).rejects.toMatchObject({
      facts: { effect: "unknown" },
    });
  });
});

test.each<[string, ErrorKind, number | undefined, boolean]>([
  ["503", "unreachable", 503, true],
  ["500", "unreachable", 500, true],
  ["500 with a hint", "refused", 500, false],
  ["429", "unreachable", 429, false],
  ["no response", "unreachable", undefined, false],
])(
  "isServerFailure of %s with the kind %s and the status %s is %s",
  (_, kind, status, expected) => {
    expect(isServerFailure(new CatalogError(kind, "x", { status }))).toBe(expected);
  },
);
