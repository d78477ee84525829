/** Starts a thread beside the program's own: what it needs is loaded as the program loads it. */
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { help } from "../helper.ts";
import { readCode } from "./code-file.ts";
import { Parts } from "./parts.ts";

/** What a thread is started with. */
export interface ThreadData {
  /** That of the program's parts. */
  readonly folder: string;
  /** Where V8's code of the command is kept. */
  readonly file: string | undefined;
  /** The number of the user who runs the program. */
  readonly user: number | undefined;
  /** What it is to do. */
  readonly task: unknown;
}

const { folder, file, user, task } = workerData as ThreadData;
const code = file === undefined ? undefined : readCode(file, user);
const parts = new Parts(folder, createRequire(`${folder}/`), code?.parts ?? new Map());
const { help: run } = parts.load("helper.cjs") as { help: typeof help };
run(task, (message) => parentPort?.postMessage(message));
