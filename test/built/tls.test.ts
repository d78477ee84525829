/** An untrusted certificate ends the run immediately; a trusted certificate works. */
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { someOf } from "../long.ts";
import { type Certificate, selfSigned } from "./certificate.ts";
import { newFile, runCatalog, STACK } from "./rig.ts";

/** A service over TLS without courses. */
async function serveOverTls(certificate: Certificate) {
  const heard = { connections: 0, requests: 0 };
  const server = createServer({ ...certificate }, (_, response) => {
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
  return {
    heard,
    environment: { CATALOG_BASE_URL: `https://localhost:${port}`, CATALOG_API_KEY: DEFAULT_KEY },
  };
}

const CERTIFICATES = [
  [
    "is for another host",
    selfSigned("other.example"),
    true,
    /certificate not trusted: Hostname\/IP does not match/,
  ],
  [
    "is self-signed",
    selfSigned("localhost"),
    false,
    /self-signed certificate[\s\S]*NODE_EXTRA_CA_CERTS/,
  ],
  [
    "has expired",
    selfSigned("localhost", 0.5),
    true,
    /has expired\n[\s\S]*Check the clock .* renew/,
  ],
  [
    "is not valid yet",
    selfSigned("localhost", 2, 2),
    true,
    /not valid yet\n[\s\S]*Check the clock/,
  ],
] as const;

test.each(someOf(CERTIFICATES, 1))(
  "a certificate that %s is reported after one attempt",
  async (_, certificate, isKnown, reason) => {
    const { heard, environment } = await serveOverTls(certificate);
    const known = isKnown
      ? { NODE_EXTRA_CA_CERTS: await newFile("extra.pem", certificate.cert) }
      : {};
    const ended = await runCatalog(["courses", "ls"], {
      environment: { ...environment, ...known },
    });
    expect(ended).toMatchObject({ code: 6, stdout: "" });
    expect(ended.stderr).toMatch(/^error: .*certificate/);
    expect(ended.stderr).toMatch(reason);
    expect(ended.stderr).not.toMatch(STACK);
    expect(heard).toEqual({ connections: 1, requests: 0 });
  },
);

test("NODE_EXTRA_CA_CERTS makes the built program trust a self-signed certificate", async () => {
  const certificate = selfSigned("localhost");
  const { heard, environment } = await serveOverTls(certificate);
  const NODE_EXTRA_CA_CERTS = await newFile("extra.pem", certificate.cert);
  const ended = await runCatalog(["courses", "ls", "--json"], {
    environment: { ...environment, NODE_EXTRA_CA_CERTS },
  });
  expect(ended.code).toBe(0);
  expect(JSON.parse(ended.stdout)).toEqual([]);
  expect(heard).toEqual({ connections: 1, requests: 1 });
});
