/** Proxies: used for the service where the environment says so, and told nothing they need not know. */

import { createServer, request } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { selfSigned } from "./certificate.ts";
import { linesOf, newFile, numbered, runCatalog, serve, type Variables } from "./rig.ts";

/** What only the proxy can find; the name is reserved for never being one. */
const HOST = "catalog.invalid";

/** A proxy that leads everything to one port, whatever the name. */
async function startProxy(target: number) {
  /** The heads of what was asked of the proxy itself. */
  const heads: { line: string; headers: string }[] = [];
  const server = createServer((incoming, response) => {
    const { method, url = "", headers } = incoming;
    heads.push({ line: `${method} ${url}`, headers: JSON.stringify(headers) });
    const { pathname, search } = new URL(url);
    const options = { port: target, host: "127.0.0.1", method, path: pathname + search, headers };
    const passed = request(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(passed);
  });
  server.on("connect", ({ method, url, headers }, socket, head) => {
    heads.push({ line: `${method} ${url}`, headers: JSON.stringify(headers) });
    const onward = connect(target, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
    onTestFinished(() => {
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { heads, url: `http://127.0.0.1:${port}` };
}

const LIST = ["courses", "ls", "-o", "id", "--retries", "0"];

describe("plain HTTP", () => {
  async function list(variables: (proxy: string) => Variables, baseUrl: (port: number) => string) {
    const { sandbox, environment } = await serve(numbered(2));
    const proxy = await startProxy(sandbox.port);
    const ended = await runCatalog([...LIST, "--insecure-http"], {
      environment: {
        ...environment,
        CATALOG_BASE_URL: baseUrl(sandbox.port),
        ...variables(proxy.url),
      },
    });
    return { ...ended, heads: proxy.heads, requests: sandbox.requests() };
  }

  const far = () => `http://${HOST}`;
  const near = (port: number) => `http://127.0.0.1:${port}`;

  test.each(["HTTP_PROXY", "http_proxy"])("goes through %s", async (name) => {
    const { code, stdout, stderr, heads } = await list((url) => ({ [name]: url }), far);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(linesOf(stdout)).toHaveLength(2);
    expect(heads.length).toBeGreaterThan(0);
    for (const { line } of heads) expect(line).toContain(HOST);
  });

  test.each<[string, Variables]>([
    ["its host", { NO_PROXY: "127.0.0.1" }],
    ["one of several", { NO_PROXY: `${HOST},127.0.0.1` }],
    ["everything", { NO_PROXY: "*" }],
    ["its host, in small letters", { no_proxy: "127.0.0.1" }],
  ])("goes past it when NO_PROXY names %s", async (_, exception) => {
    const { code, stdout, heads } = await list((url) => ({ HTTP_PROXY: url, ...exception }), near);
    expect(code).toBe(0);
    expect(linesOf(stdout)).toHaveLength(2);
    expect(heads).toEqual([]);
  });

  test("does not go through HTTPS_PROXY", async () => {
    const { code, heads } = await list((url) => ({ HTTPS_PROXY: url }), near);
    expect(code).toBe(0);
    expect(heads).toEqual([]);
  });

  test("cannot be reached when the proxy cannot", async () => {
    const { code, stdout, stderr, requests } = await list(
      () => ({ HTTP_PROXY: "http://127.0.0.1:1" }),
      far,
    );
    expect({ code, stdout }).toEqual({ code: 6, stdout: "" });
    expect(stderr).toMatch(/^error: /);
    expect(requests).toBe(0);
  });
});

test("HTTPS goes through HTTPS_PROXY, which does not learn the key", async () => {
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

test("a redirect is not followed, with the key or without", async () => {
  const other = await serve(numbered(2));
  const server = createServer(({ url }, response) => {
    response.writeHead(302, { location: `${other.sandbox.baseUrl}${url}` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const ended = await runCatalog(LIST, {
    environment: { ...other.environment, CATALOG_BASE_URL: `http://127.0.0.1:${port}` },
  });
  expect(ended.code).not.toBe(0);
  expect(ended.stdout).toBe("");
  expect(other.sandbox.requests()).toBe(0);
});
