/** Proxies from the environment. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { courseSeed } from "../../src/sandbox/seed.ts";
import { HOST, startProxy } from "../proxy.ts";
import { rig, testClock } from "../rig.ts";
import { lines, numberedCourse, startCommand } from "./helpers.ts";

type Variables = Readonly<Record<string, string>>;

async function list(variables: (proxy: string) => Variables, baseUrl: (port: number) => string) {
  const seed = courseSeed([numberedCourse(1), numberedCourse(2)], testClock());
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

test.each(["*", `a.example, ${HOST}`, ".invalid"])(
  "ls sends its requests directly, and names no proxy, if NO_PROXY is %s",
  async (NO_PROXY) => {
    const { code, stderr, heads } = await list((url) => ({ HTTP_PROXY: url, NO_PROXY }), far);
    expect(code).toBe(6);
    expect(stderr).toContain("host not found");
    expect(stderr).not.toContain("HTTP_PROXY");
    expect(heads).toEqual([]);
  },
);

test.each<Variables>([{}, { NO_PROXY: "" }, { NO_PROXY: "a.example" }])(
  "a service on this machine is never reached through a proxy: %o",
  async (others) => {
    const { code, stdout, heads } = await list((url) => ({ HTTP_PROXY: url, ...others }), near);
    expect([code, lines(stdout).length, heads]).toEqual([0, 2, []]);
  },
);

test("ls does not send plain HTTP through HTTPS_PROXY", async () => {
  const { code, heads } = await list((url) => ({ HTTPS_PROXY: url }), far);
  expect([code, heads]).toEqual([6, []]);
});

test.each(["ftp://proxy.example", "http://user:50%@proxy.example", "http://"])(
  "ls exits with 2 for a proxy variable that it cannot use: %s",
  async (HTTP_PROXY) => {
    const { code, stderr, requests } = await list(() => ({ HTTP_PROXY }), far);
    expect([code, requests]).toEqual([2, 0]);
    expect(stderr).toMatch(/^error: HTTPS_PROXY or HTTP_PROXY is not the URL of an HTTP proxy/);
  },
);

test("ls exits with 6 if the proxy is unreachable", async () => {
  const unreachable = { HTTP_PROXY: "http://127.0.0.1:1" };
  const { code, stdout, stderr, requests } = await list(() => unreachable, far);
  expect({ code, stdout, requests }).toEqual({ code: 6, stdout: "", requests: 0 });
  expect(stderr).toBe(
    `error: could not read the courses at http://${HOST}: connection refused\n` +
      "  Is the base URL right, and is the service running?\n",
  );
});

test("ls exits with 6 and says so if the proxy wants a user name and password", async () => {
  const proxy = createServer((_, response) => void response.writeHead(407).end());
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const { code, stderr } = await list(() => ({ HTTP_PROXY: `127.0.0.1:${port}` }), far);
  expect(code).toBe(6);
  expect(stderr).toContain("Proxy Authentication Required (407)");
});
