/** A service that cannot be reached, and keys and base URLs that are wrong: each message names the cause and the fix. */
import { expect, test } from "vitest";
import { rig } from "../rig.ts";
import { unreliableService } from "./helpers.ts";

const NOWHERE = { environment: { CATALOG_BASE_URL: "http://127.0.0.1:9" } };

test("ls exits with 6 after all retries if the connection is refused, and prints the base URL and advice", async () => {
  const ran = await (await rig()).run("courses ls", NOWHERE);
  expect([ran.code, ran.stdout, ran.requests.length]).toEqual([6, "", 7]);
  expect(ran.stderr).toContain("http://127.0.0.1:9");
  expect(ran.stderr).toContain("\n  Check the base URL, and that the service is running.\n");
});

test("ls --retries 0 exits with 6 after --timeout and one attempt if the service hangs", async () => {
  const r = await rig();
  const { environment, server } = await unreliableService(r, () => "hang");
  const words = ["courses", "ls", "--timeout", "0.2", "--retries", "0"];
  const ran = await r.run(words, { environment });
  expect([ran.code, ran.stdout, server.requests.length]).toEqual([6, "", 1]);
  expect(ran.stderr).toContain("0.2 s");
});

test("ls exits with 4 after one request with a wrong key, and prints the message of the service", async () => {
  const environment = { CATALOG_API_KEY: "wrong.key" };
  const ran = await (await rig()).run("courses ls", { environment });
  expect([ran.code, ran.stdout, ran.requests.length]).toEqual([4, "", 1]);
  expect(ran.stderr).toContain(
    "  service: Invalid API Key. Check if your API Key is correct or generate a new one\n",
  );
});

const WRONG = "wrong.0123456789abcdef";

test.each([`Bearer ${WRONG}`, `"${WRONG}"`, `'${WRONG}'`])(
  "ls and login refuse the key %s and advise how to fix it",
  async (key) => {
    const r = await rig();
    const variable = await r.run("courses ls", { environment: { CATALOG_API_KEY: key } });
    const typed = await r.run("login --with-key", { input: key });
    for (const ran of [variable, typed]) {
      expect([ran.code, ran.requests]).toEqual([2, []]);
      expect(ran.stderr).toContain('without quotes, spaces or "Bearer"');
    }
  },
);

test.each(["/developer/v1", "/developer/v1/", "/developer/v1/courses"])(
  "a base URL may end with %s, as the URLs in the documentation of the service do",
  async (path) => {
    const r = await rig();
    const { baseUrl } = r.sandbox;
    const ran = await r.run(`courses ls --base-url ${baseUrl}${path}`);
    expect([ran.code, ran.stderr]).toEqual([0, "No courses.\n"]);
  },
);
