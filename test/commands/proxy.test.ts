/** Proxies from the environment. */
import { describe, expect, test } from "vitest";
import { courseSeed } from "../../src/sandbox/seed.ts";
import { proxyFor } from "../../src/service/proxy.ts";
import { HOST, startProxy } from "../proxy.ts";
import { rig, testClock } from "../rig.ts";
import { lines, numberedCourse, startCommand } from "./helpers.ts";

type Variables = Readonly<Record<string, string>>;

describe("plain HTTP", () => {
  async function list(variables: (proxy: string) => Variables, baseUrl: (port: number) => string) {
    const seed = courseSeed([numberedCourse(1), numberedCourse(2)], testClock());
    // With latency, even none, requests use the network.
    const r = await rig({ seed, latency: 0 });
    const { port } = r.sandbox;
    const proxy = await startProxy(port);
    const running = startCommand(
      r,
      ["courses", "ls", "-o", "id", "--retries", "0", "--insecure-http"],
      {
        CATALOG_BASE_URL: baseUrl(port),
        ...variables(proxy.url),
      },
    );
    const code = await running.code;
    const [stdout, stderr] = [running.out.text, running.err.text];
    return { code, stdout, stderr, heads: proxy.heads, requests: r.sandbox.requests() };
  }

  const far = () => `http://${HOST}`;
  const near = (port: number) => `http://127.0.0.1:${port}`;

  test.each(["HTTP_PROXY", "http_proxy"])("ls sends its requests through %s", async (name) => {
    const { code, stdout, stderr, heads } = await list((url) => ({ [name]: url }), far);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(lines(stdout)).toHaveLength(2);
    expect(heads.length).toBeGreaterThan(0);
    for (const { line } of heads) expect(line).toContain(HOST);
  });

  test.each<[string, Variables]>([
    ["its host", { NO_PROXY: "127.0.0.1" }],
    ["its host among others", { NO_PROXY: `${HOST},127.0.0.1` }],
    ["an asterisk", { NO_PROXY: "*" }],
    ["its address in a range", { NO_PROXY: "10.0.0.0/8, 127.0.0.0/8" }],
    ["its host, as the variable no_proxy", { no_proxy: "127.0.0.1" }],
  ])("ls sends its requests directly if NO_PROXY contains %s", async (_, exception) => {
    const { code, stdout, heads } = await list((url) => ({ HTTP_PROXY: url, ...exception }), near);
    expect(code).toBe(0);
    expect(lines(stdout)).toHaveLength(2);
    expect(heads).toEqual([]);
  });

  test.each<[string, Variables]>([
    ["without NO_PROXY", {}],
    ["with another host in NO_PROXY", { NO_PROXY: "a.example" }],
    ["with other ranges in NO_PROXY", { NO_PROXY: "10.0.0.0/8,127.0.0.1/33,127.0.0.0/" }],
    ["with an empty NO_PROXY", { NO_PROXY: "" }],
  ])("ls reaches this machine through a proxy on this machine %s", async (_, exception) => {
    const { code, heads } = await list((url) => ({ HTTP_PROXY: url, ...exception }), near);
    expect(code).toBe(0);
    expect(heads.length).toBeGreaterThan(0);
  });

  test.each(["http://proxy.invalid:3128", "ftp://proxy.invalid"])(
    "ls reaches this machine directly if the proxy is on another machine: %s",
    async (HTTP_PROXY) => {
      const { code, stdout } = await list(() => ({ HTTP_PROXY, NO_PROXY: "a.example" }), near);
      expect([code, lines(stdout).length]).toEqual([0, 2]);
    },
  );

  test("ls does not send plain HTTP through HTTPS_PROXY", async () => {
    const { code, heads } = await list((url) => ({ HTTPS_PROXY: url }), near);
    expect(code).toBe(0);
    expect(heads).toEqual([]);
  });

  test("ls sends plain requests to a proxy that allows tunnels only to port 443", async () => {
    const { heads } = await list((url) => ({ HTTP_PROXY: url }), far);
    expect(heads.map(({ line }) => line)).toEqual([expect.stringMatching(/^GET http:/)]);
  });

  test.each([
    "ftp://proxy.example",
    "socks5://proxy.example:1080",
    "http://user:50%@proxy.example",
  ])("ls exits with 2 for a proxy variable that it cannot use: %s", async (HTTP_PROXY) => {
    const { code, stderr, requests } = await list(() => ({ HTTP_PROXY }), far);
    expect([code, requests]).toEqual([2, 0]);
    expect(stderr).toMatch(/^error: HTTP_PROXY must be the URL of an HTTP proxy/);
  });

  test("ls exits with 6 if the proxy is unreachable", async () => {
    const { code, stdout, stderr, requests } = await list(
      () => ({ HTTP_PROXY: "http://127.0.0.1:1" }),
      far,
    );
    expect({ code, stdout }).toEqual({ code: 6, stdout: "" });
    expect(stderr).toMatch(
      /^error: could not read the courses at http:.*: connection refused, via the proxy from HTTP_PROXY/,
    );
    expect(stderr).toContain(
      "\n  Is the proxy running, and can it reach the service? To connect without the proxy, unset HTTP_PROXY.\n",
    );
    expect(stderr).not.toContain("base URL");
    expect(requests).toBe(0);
  });
});

describe("IPv6", () => {
  const HTTPS_PROXY = "http://proxy.example:3128";

  test.each([
    ["::1"],
    ["localhost,127.0.0.1,2001:db8::1"],
    ["[2001:db8::1]"],
    ["2001:DB8:0::1"],
    ["2001:db8::/32"],
  ])("a service with an IPv6 address is reached directly if NO_PROXY is %s", (NO_PROXY) => {
    const address = NO_PROXY === "::1" ? NO_PROXY : "2001:db8::1";
    expect(proxyFor(`https://[${address}]:8443`, { HTTPS_PROXY, NO_PROXY })).toBeUndefined();
    expect(proxyFor("https://[2001:db9::1]", { HTTPS_PROXY, NO_PROXY })).toBeDefined();
  });
});
