/** Signals in the middle of a response, in a pause, and while input or output waits. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { someOf } from "../long.ts";
import { HAS_TERMINAL, STACK, startCatalog, startOnTerminal } from "./rig.ts";

const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const;

/** A service with this response. */
async function service(answer: RequestListener) {
  let arrived = (): void => undefined;
  const request = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const server = createServer((incoming, response) => {
    answer(incoming, response);
    arrived();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    request,
    environment: { CATALOG_BASE_URL: `http://127.0.0.1:${port}`, CATALOG_API_KEY: DEFAULT_KEY },
  };
}

const hanging: RequestListener = () => undefined;
const stalling: RequestListener = (_, response) => void response.writeHead(200).write("[");

describe.each(someOf(SIGNALS, 1))("%s", (signal, code) => {
  test("a signal ends the program immediately in the middle of a response", async () => {
    const { request, environment } = await service(stalling);
    const running = await startCatalog(["courses", "ls"], { environment });
    await request;
    running.child.kill(signal);
    expect(await running.ended).toEqual({ code, signal: null, stdout: "", stderr: "" });
  });

  test("a signal ends the program immediately in the pause before a retry", async () => {
    const { environment } = await service((_, response) =>
      response.writeHead(503, { "retry-after": "60" }).end(),
    );
    const running = await startCatalog(["courses", "ls", "--verbose"], { environment });
    await running.waitForStderr(/503/);
    running.child.kill(signal);
    const ended = await running.ended;
    expect(ended).toMatchObject({ code, signal: null, stdout: "" });
    expect(ended.stderr).not.toMatch(STACK);
  });

  test("a signal ends the program immediately while its output is not being read", async () => {
    const { environment } = await service((_, response) => {
      const course = { id: "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10", name: "x".repeat(2_000_000) };
      response.writeHead(200).end(JSON.stringify([course]));
    });
    const running = await startCatalog(["courses", "ls", "-o", "ndjson"], { environment });
    const { child } = running;
    const ends = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    // With this listener the output is not read, and the pipe fills up.
    await new Promise<void>((resolve) => child.stdout?.on("readable", resolve));
    child.kill(signal);
    await ends;
    child.stdout?.removeAllListeners("readable").resume();
    const ended = await running.ended;
    expect(ended).toMatchObject({ code, signal: null, stderr: "" });
    expect(ended.stdout.length).toBeLessThan(2_000_000);
  });

  test("a signal ends the program immediately while it reads standard input", async () => {
    const running = await startCatalog(["courses", "create", "-"], { input: null });
    // There is no sign that it has started to read, so it is given the start of a long input.
    await new Promise((resolve) => running.child.stdin?.write(" ".repeat(1_000_000), resolve));
    running.child.kill(signal);
    expect(await running.ended).toMatchObject({ code, signal: null, stdout: "" });
  });
});

describe.skipIf(!HAS_TERMINAL)("signals on a terminal", () => {
  test("Ctrl-C on a terminal removes the progress line", async () => {
    const { request, environment } = await service(hanging);
    const running = await startOnTerminal(["courses", "ls"], 80, { environment });
    await request;
    await running.waitForStdout(/Reading courses/);
    running.child.stdin?.write("\u0003");
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    const rest = stdout.slice(stdout.lastIndexOf("Reading courses"));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what erases begins with one
    expect(rest).toMatch(/\u001b\[[012]?[JK]|\n/);
  });
});
