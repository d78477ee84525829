/** Proxies from the environment. */
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { parseSeeds } from "../../src/sandbox/seed.ts";
import { listen } from "../listen.ts";
import { HOST, startProxy } from "../proxy.ts";
import { rig, testClock } from "../rig.ts";
import { lines, numberedCourse, startCommand } from "./helpers.ts";

type Variables = Readonly<Record<string, string>>;

async function list(variables: (proxy: string) => Variables, baseUrl: (port: number) => string) {
  const seed = parseSeeds([[numberedCourse(1), numberedCourse(2)]], testClock());
  // With latency, even none, requests use the network.
  const r = await rig({ seed, latency: 0 });
  const { port } = r.sandbox;
  const proxy = await startProxy(port);
  const words = ["courses", "ls", "-o", "id", "--retries", "0", "--insecure-http"];
  const environment = { CATALOG_BASE_URL: baseUrl(port), ...variables(proxy.url) };
  const running = startCommand(r, words, environment);
  const code = await running.code;
  const [stdout, stderr] = [running.out.text, running.err.text];
  return { code, stdout, stderr, heads: proxy.heads, requests: r.sandbox.requests() };
}

const far = () => `http://${HOST}`;
const near = (port: number) => `http://127.0.0.1:${port}`;

test.each(["HTTP_PROXY", "http_proxy"])("ls sends its requests through %s", async (name) => {
  const { code, stdout, heads } = await list((url) => ({ [name]: url }), far);
  expect(code).toBe(0);
  expect(lines(stdout)).toHaveLength(2);
  // Requests over plain HTTP are forwarded, because most proxies allow tunnels only to port 443.
  expect(heads.map(({ line }) => line)).toEqual([
    expect.stringMatching(/^GET http:\/\/catalog\.invalid\//),
  ]);
});

test.each<Variables>([{}, { NO_PROXY: "" }, { NO_PROXY: "a.example" }])(
  "a service on this machine is never reached through a proxy: %o",
  async (others) => {
    const { code, stdout, heads } = await list((url) => ({ HTTP_PROXY: url, ...others }), near);
    expect([code, lines(stdout).length, heads]).toEqual([0, 2, []]);
  },
);

const words = ["providers", "ls", "--retries", "0", "--insecure-http"];

async function fail(protocol: "http" | "https", proxy: string) {
  const variable = `${protocol.toUpperCase()}_PROXY`;
  const environment = { CATALOG_BASE_URL: `${protocol}://${HOST}`, [variable]: proxy };
  const running = startCommand(await rig(), words, environment);
  return [await running.code, running.err.text];
}

const errorOf = (protocol: string, why: string): string => {
  const variable = `${protocol.toUpperCase()}_PROXY`;
  const where = `${protocol}://${HOST} through the proxy of ${variable}`;
  return `error: could not list the providers at ${where}: ${why}\n  Check the URL in ${variable}, and that the proxy is running.\n`;
};

test.each([
  ["refuses the connection", "http", "connection refused"],
  ["refuses the connection", "https", "connection refused"],
  ["requires a password", "http", "Proxy Authentication Required (407)"],
  ["requires a password", "https", "Proxy response (407) !== 200 when HTTP Tunneling"],
] as const)(
  "the error about a proxy that %s names its variable: %s",
  async (what, protocol, why) => {
    const server = createServer((_, response) => response.writeHead(407).end());
    server.on("connect", (_, socket) => socket.end("HTTP/1.1 407 No\r\n\r\n"));
    const { port } = await listen(server);
    if (what === "refuses the connection") await new Promise((resolve) => server.close(resolve));
    expect(await fail(protocol, `127.0.0.1:${port}`)).toEqual([6, errorOf(protocol, why)]);
  },
);
