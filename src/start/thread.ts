/** Starts a thread beside the program's own: what it needs is loaded as the program loads it. */
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { help } from "../helper.ts";
import { readCode } from "./code-file.ts";
import type { CodePlace } from "./code-place.ts";
import { Parts } from "./parts.ts";

/** What a thread is started with. */
export interface ThreadData {
  /** That of the program's parts. */
  readonly folder: string;
  /** Where V8's code of the command is kept. */
  readonly kept: { readonly place: CodePlace; readonly file: string } | undefined;
  /** What it is to do. */
  readonly task: unknown;
}

const { folder, kept, task } = workerData as ThreadData;
const code = kept === undefined ? undefined : readCode(kept.file, kept.place);
const parts = new Parts(folder, createRequire(`${folder}/`), code?.parts ?? new Map());
const { help: run } = parts.load("helper.cjs") as { help: typeof help };
run(task, (message) => parentPort?.postMessage(message));
