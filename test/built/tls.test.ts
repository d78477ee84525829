/** An untrusted certificate ends the run immediately; a trusted certificate works. */
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { SELF_SIGNED } from "./certificate.ts";
import { newFile, runCatalog } from "./rig.ts";

/** Lists the courses of a service over TLS without courses. */
async function list(host: string, isTrusted: boolean) {
  const heard = { connections: 0, requests: 0 };
  const server = createServer(SELF_SIGNED, (_, response) => {
    heard.requests += 1;
    response.writeHead(200, { "content-type": "application/json" }).end("[]");
  });
  server.on("connection", () => {
    heard.connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const environment = {
    CATALOG_BASE_URL: `https://${host}:${port}`,
    CATALOG_API_KEY: DEFAULT_KEY,
    NODE_EXTRA_CA_CERTS: isTrusted ? await newFile("extra.pem", SELF_SIGNED.cert) : undefined,
  };
  return { ...(await runCatalog(["courses", "ls", "--json"], { environment })), heard };
}

test.each([
  ["is self-signed", "localhost", false, "NODE_EXTRA_CA_CERTS"],
  ["is for another host", "127.0.0.1", true, "does not match certificate's altnames"],
])("a certificate that %s is reported after one attempt", async (_, host, isTrusted, reason) => {
  const { heard, ...ended } = await list(host, isTrusted);
  expect(ended).toMatchObject({ code: 6, stdout: "", stderr: expect.stringContaining(reason) });
  expect(heard).toEqual({ connections: 1, requests: 0 });
});

test("NODE_EXTRA_CA_CERTS makes the built program trust a self-signed certificate", async () => {
  const { heard, ...ended } = await list("localhost", true);
  expect(ended).toMatchObject({ code: 0, stdout: "[]\n" });
  expect(heard).toEqual({ connections: 1, requests: 1 });
});
