/** Runs commands that serve a page until they are stopped, and requests what they serve. */
import { type IncomingHttpHeaders, request } from "node:http";
import { expect, onTestFinished } from "vitest";
import { systemClock } from "../../src/base/process.ts";
import { StopRequest } from "../../src/command-support/context.ts";
import { main } from "../../src/main.ts";
import { MemoryOutput, type Rig } from "../rig.ts";

/** A command that is serving. */
export interface Served {
  readonly url: URL;
  readonly out: MemoryOutput;
  /** Presses Ctrl-C. @returns the exit code */
  readonly stop: () => Promise<number>;
}

/** Runs a command until the test ends. Resolves when it has printed a url. */
export async function serveCommand(r: Rig, ...words: readonly string[]): Promise<Served> {
  const out = new MemoryOutput();
  const stop = new StopRequest();
  const system = { ...r.system({ out, err: new MemoryOutput() }), stop, clock: systemClock };
  const ended = main(words, system);
  const end = async (): Promise<number> => {
    stop.send("SIGINT");
    return await ended;
  };
  onTestFinished(async () => void (await end()));
  await expect.poll(() => out.text, { timeout: 15_000 }).toMatch(/http:\S+/);
  return { url: new URL(/http:\S+?(?=\.?\s)/.exec(out.text)?.[0] ?? ""), out, stop: end };
}

/** The response to one request; fetch could send no foreign Host. */
export async function getPage(
  url: URL,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  return await new Promise((done, fail) => {
    const sent = request(url, { headers, method }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text) => {
        body += text;
      });
      const { statusCode: status = 0 } = response;
      response.on("end", () => done({ status, headers: response.headers, body }));
    });
    sent.on("error", fail).end();
  });
}
