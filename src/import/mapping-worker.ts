/**
 * The worker thread of a mapping: reads it, then evaluates it for each row it is sent, and answers each with an
 * `Evaluated`. The thread that starts it has the clock.
 */
import { parentPort, workerData } from "node:worker_threads";
import jsonata from "jsonata";
import { MAPPING_FUNCTIONS } from "./mapping-functions.ts";

/** What the thread is started with. */
export interface WorkerInput {
  readonly mapping: string;
  /** The first item becomes the position of the latest step, for a thread that cannot answer any more. */
  readonly place: Int32Array;
}

/** The result of the mapping as JSON text; absent if it has none, and before the first row. Or why it failed. */
export interface Evaluated {
  readonly json?: string | undefined;
  readonly failure?: Failure;
}

/** Why a mapping is invalid, or fails. */
export interface Failure {
  readonly message: string;
  /** In characters, from 1. */
  readonly position: number;
  /** JSONata's code, or one of `LIMIT_CODES`; empty for other errors. */
  readonly code: string;
}

/** Nested calls, and items of one list. */
const LIMITS = { stack: 200, sequence: 100_000 };
/** Characters of any text, and of the JSON of a course. */
const LONGEST_TEXT = 8 * 1024 * 1024;
const LONGEST_COURSE = 1024 * 1024;

/** The name under which JSONata looks for a function to be called after each step. */
const AFTER_STEP = Symbol.for("jsonata.__evaluate_exit");

function compile(mapping: string): jsonata.Expression {
  const expression = jsonata(mapping, LIMITS);
  for (const [name, { run, signature }] of Object.entries(MAPPING_FUNCTIONS)) {
    expression.registerFunction(name, run, signature);
  }
  const afterStep = (
    step: jsonata.ExprNode,
    _input: unknown,
    _: unknown,
    result: unknown,
  ): void => {
    place[0] = step.position ?? place[0] ?? 1;
    // V8 aborts the process if a text leaves a heap no space at once.
    if (typeof result === "string" && result.length > LONGEST_TEXT) {
      throw { code: "text", message: `a text is longer than ${LONGEST_TEXT / 1024 / 1024} MiB` };
    }
  };
  // JSONata calls what has this symbol after each step. Its types allow only names that are strings.
  const names: { assign(name: string | symbol, value: unknown): void } = expression;
  names.assign(AFTER_STEP, afterStep);
  return expression;
}

/** The JSON text of a result, which is small enough for a course. */
function toJson(result: unknown): string | undefined {
  let size = 0;
  return JSON.stringify(result, (key, value: unknown) => {
    size += key.length + (typeof value === "string" ? value.length : 1);
    if (size > LONGEST_COURSE) {
      const most = `${LONGEST_COURSE / 1024 / 1024} MiB`;
      throw { code: "result", message: `it returns more than ${most}, not one course` };
    }
    if (isFunction(value)) throw { message: "the result is or contains a function" };
    return value;
  });
}

function isFunction(value: unknown): boolean {
  const isOfJsonata =
    typeof value === "object" &&
    value !== null &&
    ("_jsonata_lambda" in value || "_jsonata_function" in value);
  return isOfJsonata || typeof value === "function";
}

function failureOf(error: unknown): Failure {
  const { message, position, code } = Object(error);
  return {
    message: String(message ?? error),
    position: typeof position === "number" ? position : (place[0] ?? 1),
    code: String(code ?? ""),
  };
}

async function evaluate(expression: jsonata.Expression, row: unknown): Promise<Evaluated> {
  place[0] = 1;
  try {
    return { json: toJson(await expression.evaluate(row)) };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

function serve(mapping: string): Evaluated {
  try {
    const expression = compile(mapping);
    parentPort?.on("message", async (rows: readonly unknown[]) => {
      for (const row of rows) parentPort?.postMessage(await evaluate(expression, row));
    });
    return {};
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

const { mapping, place }: WorkerInput = workerData;
parentPort?.postMessage(serve(mapping));
