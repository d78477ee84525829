/** An untrusted certificate ends the run immediately; a trusted certificate works, also through a proxy. */
import { createServer } from "node:https";
import { expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { listen } from "../listen.ts";
import { IS_LONG, someOf } from "../long.ts";
import { HOST, startProxy } from "../proxy.ts";
import { SELF_SIGNED } from "./certificate.ts";
import { newFile, runCatalog } from "./rig.ts";

/** A service over TLS without courses, which notes its connections and the keys that it receives. */
async function serveOverTls() {
  const heard = { connections: 0, keys: [] as unknown[] };
  const server = createServer(SELF_SIGNED, ({ headers }, response) => {
    heard.keys.push(headers["x-api-key"]);
    response.writeHead(200, { "content-type": "application/json" }).end("[]");
  });
  server.on("connection", () => {
    heard.connections += 1;
  });
  return { heard, port: (await listen(server)).port };
}

async function list(baseUrl: string, environment: Readonly<Record<string, string>> = {}) {
  const variables = { CATALOG_BASE_URL: baseUrl, CATALOG_API_KEY: DEFAULT_KEY, ...environment };
  return await runCatalog(["courses", "ls", "--json"], { environment: variables });
}

async function trusting(): Promise<Record<string, string>> {
  return { NODE_EXTRA_CA_CERTS: await newFile("extra.pem", SELF_SIGNED.cert) };
}

const UNTRUSTED = [
  ["is self-signed", "localhost", false, "NODE_EXTRA_CA_CERTS"],
  ["is for another host", "127.0.0.1", true, "does not match certificate's altnames"],
] as const;

test.each(someOf(UNTRUSTED, 1))(
  "a certificate that %s is reported after one attempt",
  async (_, host, isTrusted, reason) => {
    const { heard, port } = await serveOverTls();
    const ended = await list(`https://${host}:${port}`, isTrusted ? await trusting() : {});
    expect(ended).toMatchObject({ code: 6, stdout: "", stderr: expect.stringContaining(reason) });
    expect(heard).toEqual({ connections: 1, keys: [] });
  },
);

test.runIf(IS_LONG)(
  "NODE_EXTRA_CA_CERTS makes the built program trust a self-signed certificate",
  async () => {
    const { heard, port } = await serveOverTls();
    const ended = await list(`https://localhost:${port}`, await trusting());
    expect(ended).toMatchObject({ code: 0, stdout: "[]\n" });
    expect(heard).toEqual({ connections: 1, keys: [DEFAULT_KEY] });
  },
);

test("the built program sends HTTPS through HTTPS_PROXY, which does not receive the API key", async () => {
  const { heard, port } = await serveOverTls();
  const { heads, url } = await startProxy(port);
  const ended = await list(`https://${HOST}`, { ...(await trusting()), HTTPS_PROXY: url });
  expect(ended).toMatchObject({ code: 0, stdout: "[]\n" });
  expect(heard.keys).toEqual([DEFAULT_KEY]);
  expect(heads.map(({ line }) => line)).toEqual([`CONNECT ${HOST}:443`]);
  expect(JSON.stringify(heads)).not.toContain(DEFAULT_KEY);
});
