/** The page of a running sandbox. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isLocalBrowserRequest } from "../../src/base/local-request-guard.ts";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { rig } from "../rig.ts";
import { numberedCourse } from "./helpers.ts";
import { getPage, serveCommand } from "./served.ts";

const BROWSER = { accept: "text/html,application/xhtml+xml;q=0.9" };
const KEY = { "x-api-key": DEFAULT_KEY };

async function serveSandbox(...flags: readonly string[]) {
  const r = await rig();
  const seed = [
    numberedCourse(1, { approval_status: "approved" }),
    numberedCourse(2, { name: "Hidden", published: false }),
  ];
  await r.write("seed.json", JSON.stringify(seed));
  const words = ["sandbox", "--port", "0", "--seed", "seed.json", ...flags];
  return { r, ...(await serveCommand(r, ...words)) };
}

const at = (url: URL, path: string): URL => new URL(path, url);

test("the sandbox shows its courses with states, its providers and the latest requests to a browser", async () => {
  const { url } = await serveSandbox();
  await getPage(at(url, "/developer/v1/courses?name=<b>Course"), KEY);
  await getPage(at(url, "/developer/v1/courses?limit=101"), KEY);
  const { status, body, headers } = await getPage(at(url, "/"), BROWSER);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": expect.stringMatching(
      /^default-src 'none'.*frame-ancestors 'none'$/,
    ),
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
  });
  for (const text of ["Course 1", "Hidden", "Approval: approved", "Not published"]) {
    expect(body).toContain(text);
  }
  expect(body).toMatch(/<caption>Providers<\/caption>[\s\S]*Example Academy/);
  expect(body).toContain("name=%3Cb%3ECourse</bdi></td><td>200</td>");
  expect(body).toMatch(/limit=101<\/bdi><\/td><td>500<\/td>.*Limit Too High/);
});

test("the sandbox responds to other clients as the service does for an unknown path", async () => {
  const { url } = await serveSandbox();
  for (const accept of ["application/json", "*/*"]) {
    const { status, headers } = await getPage(at(url, "/"), { accept });
    expect([status, headers["content-type"]]).toEqual([404, "application/json; charset=utf-8"]);
  }
  expect((await getPage(at(url, "/index.html"), BROWSER)).status).toBe(404);
  expect((await getPage(at(url, "/"), BROWSER, "POST")).status).toBe(404);
  expect(await getPage(at(url, "/"), BROWSER, "HEAD")).toMatchObject({ status: 200, body: "" });
});

test.each([
  ["another host", { host: "attacker.example" }],
  ["a private name", { host: "laptop.local" }],
  ["an address of the network", { host: "192.168.7.8" }],
  ["the origin of another site", { origin: "https://attacker.example" }],
  ["a page of another site", { "sec-fetch-site": "cross-site" }],
  ["a frame of the same site", { "sec-fetch-site": "same-site" }],
])("the sandbox refuses its page for %s, even on every address", async (_, headers) => {
  for (const flags of [[], ["--host", "0.0.0.0"]]) {
    const { url } = await serveSandbox(...flags);
    const local = new URL(`http://127.0.0.1:${url.port}/`);
    const { status, body } = await getPage(local, { ...BROWSER, ...headers });
    expect(status).toBe(403);
    expect(body).not.toContain("Course 1");
    expect((await getPage(local, BROWSER)).status).toBe(200);
  }
});

describe("clients on this machine", () => {
  const headers = { host: "localhost:4010" };
  test.each([
    ["127.0.0.1", true],
    ["::1", true],
    ["::ffff:127.0.0.1", true],
    ["192.168.1.20", false],
    ["172.17.0.1", false],
    ["fe80::1", false],
    [undefined, false],
  ])("isLocalBrowserRequest accepts a client at %s: %s", (remoteAddress, expected) => {
    expect(isLocalBrowserRequest({ headers, socket: { remoteAddress } })).toBe(expected);
  });

  test("isLocalBrowserRequest accepts no client that names no host", () => {
    expect(isLocalBrowserRequest({ headers: {}, socket: { remoteAddress: "127.0.0.1" } })).toBe(
      false,
    );
  });
});

test("the page of the sandbox contains no key that a request contained", async () => {
  const { url } = await serveSandbox();
  await getPage(at(url, `/developer/v1/courses?key=${DEFAULT_KEY}`), KEY);
  await getPage(at(url, `/developer/v1/courses?provider_id=${DEFAULT_KEY}`), KEY);
  const course = numberedCourse(3, { name: `Key ${DEFAULT_KEY}` });
  const json = { ...KEY, "content-type": "application/json" };
  await fetch(at(url, "/developer/v1/courses"), {
    method: "POST",
    headers: json,
    body: JSON.stringify(course),
  });
  const { body } = await getPage(at(url, "/"), BROWSER);
  expect(body).toContain("Key ********");
  expect(body).not.toContain("0123456789abcdef");
});

test("the page of the sandbox changes neither the courses nor the data file", async () => {
  const { url, r } = await serveSandbox("--data", "sandbox.data");
  const list = async (): Promise<string> =>
    (await getPage(at(url, "/developer/v1/courses"), KEY)).body;
  const data = async (): Promise<string> => await readFile(join(r.folder, "sandbox.data"), "utf8");
  const before = [await list(), await data()];
  for (const path of ["/", "/?approve=1", "/?delete=all"]) await getPage(at(url, path), BROWSER);
  expect([await list(), await data()]).toEqual(before);
});

test("the sandbox shows its page without --latency and --fail, and without counting it as a request", async () => {
  const { url } = await serveSandbox("--approve-after", "0", "--latency", "1000000", "--fail", "1");
  const { status, body } = await getPage(at(url, "/"), BROWSER);
  expect(status).toBe(200);
  expect(body).toContain("The sandbox has received no requests yet.");
});
