/** Properties of responses: each response gives a result, or an error of a documented kind. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { CatalogError, type ErrorKind } from "../../src/base/errors.ts";
import { CatalogClient } from "../../src/service/client.ts";
import { RETRY_BUDGET } from "../../src/service/retry-policy.ts";
import type { Send } from "../../src/service/transport.ts";
import { anyRawResponse } from "./byte-server.ts";
import { skippingClock } from "./clock.ts";
import { requireInvariants, requirePlain } from "./invariants.ts";
import { type AnyProperty, property } from "./property.ts";
import { anyAnswers, listed, provider, respondWith, serviceWith } from "./random-responses.ts";
import { BASE_URL, type Runner, writeFiles } from "./runner.ts";
import { COURSE_IDS, createCourse } from "./service.ts";

const [ID] = COURSE_IDS;

/** Every request that the client makes, by name. */
const CALLS: Readonly<Record<string, (client: CatalogClient) => Promise<unknown>>> = {
  providers: (client) => client.providers(),
  courses: (client) => client.courses({ limit: 3, published: true }),
  course: (client) => client.course(ID),
  update: (client) => client.update(ID, { name: "x" }),
  delete: (client) => client.delete(ID),
  create: (client) => client.create({ ...createCourse(), id: ID }),
  list: async (client) => {
    for await (const page of client.list({ limit: 250 })) assert(page.length <= 100);
  },
  raw: (client) => client.raw({ method: "GET", path: "developer/v1/courses" }),
};

/** The error kinds of a call. Usage errors happen earlier, and internal errors are always wrong. */
const KINDS: readonly ErrorKind[] = ["auth", "unreachable", "missing", "refused"];

/** Waits for a call, and checks that it ends in a documented way. */
async function requireEnd(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    assert(KINDS.includes(error.kind), `${error.kind}: ${error.message}`);
  }
}

/** Command lines that contact the service. */
const COMMAND_LINE_PROPERTIES: readonly (readonly string[])[] = [
  ["providers", "ls"],
  ["courses", "ls"],
  ["courses", "ls", "--all", "--name", "x"],
  ["courses", "get", ID],
  ["courses", "create", "a.yaml"],
  ["courses", "update", ID, "--set", "prices[0].currency=USD"],
  ["courses", "update", ID, "a.yaml"],
  ["courses", "rm", ID, "--yes"],
  ["courses", "publish", ...COURSE_IDS],
  ["courses", "check", "a.yaml", "--online"],
  ["courses", "diff", "a.yaml"],
  ["courses", "push", "a.yaml"],
  ["courses", "push", "a.yaml", "--prune", "--yes"],
  ["courses", "pull", "out"],
  ["status"],
  ["api", "GET", "developer/v1/courses"],
  ["api", "DELETE", `developer/v1/courses?id=${ID}`, "-i"],
];

const shown = fc.constantFrom<readonly string[]>(
  ...[[], [], ["--json"], ["-o", "yaml"], ["-o", "csv"], ["-o", "ndjson"], ["-o", "table"], ["-v"]],
);

/** The time limit of a request with its look-ups, in milliseconds. */
const MAX_TIME = 2 * RETRY_BUDGET;

/** The properties of responses. */
export const RESPONSE_PROPERTIES: readonly AnyProperty[] = [
  property({
    name: "client",
    says: "with any response, a call of the client ends in a documented way, in time",
    arbitrary: fc.tuple(fc.constantFrom(...Object.keys(CALLS)), anyAnswers),
    check: async ([name, turns]) => {
      const clock = skippingClock();
      const start = clock.now();
      const send = respondWith(turns);
      const client = new CatalogClient({
        baseUrl: BASE_URL,
        apiKey: "someone.secret",
        clock,
        transport: async () => ({ send, close: async () => undefined }),
      });
      await requireEnd(CALLS[name]?.(client) ?? Promise.resolve());
      assert(clock.now() - start <= MAX_TIME, `it took ${clock.now() - start} ms`);
      await client.close();
    },
  }),
  property({
    name: "raw-responses",
    says: "with any bytes, a call of the client ends in a documented way",
    arbitrary: fc.tuple(fc.constantFrom("providers", "update", "raw"), anyRawResponse),
    check: async ([name, byteServer], runner) => {
      const baseUrl = (await runner.byteServer()).saying(byteServer);
      const options = { baseUrl, apiKey: "someone.secret", timeout: 300, retries: 0 };
      const client = new CatalogClient({ ...options, environment: {} });
      await requireEnd(CALLS[name]?.(client) ?? Promise.resolve());
      await client.close();
    },
  }),
  property({
    name: "answers",
    says: "with any response, a command exits with a documented code",
    arbitrary: fc.tuple(
      fc.constantFrom(...COMMAND_LINE_PROPERTIES),
      shown,
      anyAnswers,
      fc.boolean(),
    ),
    check: async ([line, format, turns, terminal], runner) => {
      await checkShown(runner, [...line, ...format], respondWith(turns), terminal);
    },
  }),
  property({
    name: "shown",
    says: "with any data, a terminal gets no control characters",
    arbitrary: fc.tuple(
      fc.constantFrom(...COMMAND_LINE_PROPERTIES),
      shown,
      fc.array(listed, { minLength: 1, maxLength: 3 }),
      fc.array(provider, { minLength: 1, maxLength: 2 }),
    ),
    check: async ([line, format, courses, providers], runner) => {
      await checkShown(runner, [...line, ...format], serviceWith(courses, providers), true);
    },
  }),
];

/** Runs a command line with a service, in a folder with one course. */
async function checkShown(
  runner: Runner,
  words: readonly string[],
  send: Send,
  terminal: boolean,
): Promise<void> {
  const folder = await runner.newFolder();
  await writeFiles(folder, { "a.yaml": JSON.stringify(createCourse({ id: ID })) });
  // Without colors, any other control character comes from the service.
  const environment = { NO_COLOR: "1" };
  const result = await runner.run(words, folder, { send, terminal, environment });
  requireInvariants(words, result);
  // Tabs are allowed in YAML and TSV, because they do not move the cursor to another line.
  const hasTabs = words.includes("yaml") || words.includes("tsv");
  const shown = hasTabs ? result.stdout.replaceAll("\t", "") : result.stdout;
  if (terminal) for (const output of [shown, result.stderr]) requirePlain(output);
}
