/** The built program with proxies, which get no more information than necessary. */
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { HOST, startProxy } from "../proxy.ts";
import { selfSigned } from "./certificate.ts";
import { linesOf, newFile, numberedCourses, runCatalog, serve } from "./rig.ts";

const LIST = ["courses", "ls", "-o", "id", "--retries", "0"];

test("the built program sends plain HTTP through HTTP_PROXY", async () => {
  const { sandbox, environment } = await serve(numberedCourses(2));
  const { heads, url } = await startProxy(sandbox.port);
  const variables = { CATALOG_BASE_URL: `http://${HOST}`, HTTP_PROXY: url };
  const options = { environment: { ...environment, ...variables } };
  const { code, stdout, stderr } = await runCatalog([...LIST, "--insecure-http"], options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^2 courses:.*\n$/) });
  expect(linesOf(stdout)).toHaveLength(2);
  expect(heads.length).toBeGreaterThan(0);
  for (const { line } of heads) expect(line).toContain(HOST);
});

test("the built program sends HTTPS through HTTPS_PROXY, which does not receive the key", async () => {
  const certificate = selfSigned(HOST);
  const keys: unknown[] = [];
  const service = createTlsServer({ ...certificate }, ({ headers }, response) => {
    keys.push(headers["x-api-key"]);
    response.writeHead(200, { "content-type": "application/json" }).end("[]");
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    service.close();
    service.closeAllConnections();
  });
  const proxy = await startProxy((service.address() as AddressInfo).port);
  const ended = await runCatalog(LIST, {
    environment: {
      CATALOG_BASE_URL: `https://${HOST}`,
      CATALOG_API_KEY: DEFAULT_KEY,
      HTTPS_PROXY: proxy.url,
      NODE_EXTRA_CA_CERTS: await newFile("extra.pem", certificate.cert),
    },
  });
  expect(ended).toMatchObject({ code: 0, stdout: "" });
  expect(keys).toEqual([DEFAULT_KEY]);
  expect(proxy.heads.map(({ line }) => line)).toEqual([`CONNECT ${HOST}:443`]);
  expect(JSON.stringify(proxy.heads)).not.toContain(DEFAULT_KEY);
});
