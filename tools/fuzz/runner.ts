/** Runs command lines of `catalog` in this process. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { type Output, UNGUARDED } from "../../src/base/io.ts";
import { StopRequest } from "../../src/command-support/context.ts";
import { main } from "../../src/main.ts";
import { courseSeed, DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import type { BufferedResponse, Request, Send } from "../../src/service/transport.ts";
import { ByteServer } from "./byte-server.ts";
import { skippingClock } from "./clock.ts";
import { createService, EXAMPLE_COURSES } from "./service.ts";

/** The result of one run. */
export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly requests: readonly Request[];
}

/** How a run differs from the default: no terminal, and a service with a few courses. */
export interface RunOptions {
  readonly input?: string | Uint8Array;
  readonly terminal?: boolean;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Replaces the service. */
  readonly send?: Send;
}

/** The base URL of the service in all runs. */
export const BASE_URL = "https://catalog.example";

/** A folder, and runs of `catalog` in it. */
export class Runner {
  readonly folder: string;
  #folders = 0;
  #byteServer: Promise<ByteServer> | undefined;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Creates a runner with a new folder. */
  static async create(): Promise<Runner> {
    return new Runner(await mkdtemp(join(tmpdir(), "catalog-fuzz-")));
  }

  /** Stops the server and removes the folder. */
  async close(): Promise<void> {
    await (await this.#byteServer)?.close();
    // An interrupted case may still be writing.
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }

  /** Creates a folder for one case. */
  async newFolder(): Promise<string> {
    const folder = join(this.folder, String(this.#folders++));
    await mkdir(folder);
    return folder;
  }

  /** The server of raw responses, which all cases share. */
  byteServer(): Promise<ByteServer> {
    this.#byteServer ??= ByteServer.open();
    return this.#byteServer;
  }

  /** Runs a command line, given as its arguments, in a folder. */
  async run(
    words: readonly string[],
    folder: string,
    options: RunOptions = {},
  ): Promise<RunResult> {
    const { input = "", terminal = false } = options;
    const [out, err] = [new CapturedOutput(terminal), new CapturedOutput(terminal)];
    const requests: Request[] = [];
    const send = options.send ?? createService(courseSeed(EXAMPLE_COURSES, skippingClock()));
    const code = await main(words, {
      io: { in: { isTerminal: false, stream: Readable.from([Buffer.from(input)]) }, out, err },
      environment: {
        HOME: folder,
        CATALOG_BASE_URL: BASE_URL,
        CATALOG_API_KEY: DEFAULT_KEY,
        ...options.environment,
      },
      folder,
      platform: "linux",
      processes: { ownId: process.pid, isRunning: () => false },
      author: { user: "fuzz", host: "fuzz" },
      clock: skippingClock(),
      stop: new StopRequest(),
      deferShutdown: () => () => undefined,
      openTransport: async () => ({
        send: async (request, sendOptions): Promise<BufferedResponse> => {
          requests.push(request);
          return await send(request, sendOptions);
        },
        close: async () => undefined,
      }),
    });
    return { code, stdout: out.text, stderr: err.text, requests };
  }
}

/** Writes files below a folder. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
    await writeFile(join(folder, name), content, { mode: 0o600 });
  }
}

/** An output that records what is written. */
class CapturedOutput implements Output {
  readonly mask = UNGUARDED.mask;
  readonly neutralize = UNGUARDED.neutralize;
  readonly columns = 80;
  readonly closed = false;
  readonly stream = new PassThrough();
  readonly isTerminal: boolean;
  text = "";

  constructor(isTerminal: boolean) {
    this.isTerminal = isTerminal;
    this.stream.on("data", (chunk) => {
      this.text += chunk;
    });
  }

  async write(text: string): Promise<void> {
    this.text += text;
  }
}
