/** Runs JSONata in a separate context, which is stopped after a time limit even in the middle of an expression. */
import { createContext, Script } from "node:vm";
import engineText from "jsonata/jsonata.min.js?raw";
import { HELPERS } from "./helpers.ts";

/** The result of an expression as JSON text; absent if it has none. Or why it failed, and where. */
export interface Evaluated {
  readonly json?: string | undefined;
  readonly failure?: Failure;
}

/** Why an expression is invalid, or fails. */
export interface Failure {
  readonly message: string;
  /** In characters, from 1. */
  readonly position: number;
  /** JSONata's code, or `timeout`. */
  readonly code: string;
}

/** Evaluates a compiled expression for rows. @returns the results of at least the first of them */
export type Evaluate = (rows: readonly unknown[]) => readonly Evaluated[];

/** Milliseconds of one row. JSONata itself cannot interrupt a regular expression. */
const ROW_TIMEOUT = 1000;
/** Milliseconds after which no other row is evaluated together: entering the context takes time. */
const TURN = 50;
/** Milliseconds after which the place of a row that takes too long is reported. */
const PLACE_TIMEOUT = 100;
/** Nested calls, and items of one list. */
const LIMITS = { stack: 200, sequence: 100_000 };

/** Defines `compile`, `evaluate` and `followPlaces` in the context. */
const PREPARE = `(() => {
// As global variables of the context, these would be looked up very slowly.
const { Array, Date, Error, JSON, Math, Number, Object, RegExp, String, Symbol } = globalThis;
const window = { btoa, atob };
// The only use of promises in the engine, once it is synchronous.
const Promise = { all: (values) => values };
const module = { exports: {} };
const exports = module.exports;
${adaptEngine(engineText)}
const ENTRY = Symbol.for("jsonata.__evaluate_entry");
let expression;

function failureOf(error) {
  const { message, position, code } = Object(error);
  return {
    message: String(message ?? error),
    position: typeof position === "number" ? position : 1,
    code: String(code ?? ""),
  };
}

function toJson(value) {
  try {
    const json = JSON.stringify(value);
    if (json !== undefined || value === undefined) return json;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw { message: "the result is or contains a function" };
}

// Mappings often call a helper with the same value for several fields. Helpers have one argument.
function rememberLast(run) {
  let last = {};
  return (value) => {
    if (value !== last.value || typeof last.result !== "string") last = { value, result: run(value) };
    return last.result;
  };
}

globalThis.compile = ({ mapping, limits, helpers }, outcome) => {
  try {
    expression = module.exports(mapping, limits);
    for (const [name, { run, signature }] of helpers) {
      expression.registerFunction(name, rememberLast(run), signature);
    }
    // The engine looks for it before each step: found here, it is not sought among all functions.
    expression.assign(ENTRY, undefined);
  } catch (error) {
    outcome.failure = failureOf(error);
  }
};

globalThis.evaluate = ({ rows, turn }, { results }) => {
  const end = Date.now() + turn;
  for (const row of rows) {
    try {
      results.push({ json: toJson(expression.evaluate(row)) });
    } catch (error) {
      results.push({ failure: failureOf(error) });
    }
    if (Date.now() > end) break;
  }
};

globalThis.followPlaces = (_, outcome) => {
  expression.assign(ENTRY, ({ position }) => void (outcome.position = position ?? outcome.position));
};
})()`;

/** Compiles an expression. @returns the function that evaluates it, or why it is invalid */
export function compileExpression(text: string): Evaluate | Failure {
  const scope = { btoa, atob };
  const context = createContext(scope, {
    codeGeneration: { strings: false, wasm: false },
  });
  /** Runs a script for a limited time. */
  const run = (code: string, input: object, timeout = TURN + ROW_TIMEOUT): Outcome => {
    const outcome: Outcome = { results: [] };
    Object.assign(scope, { input, outcome });
    try {
      new Script(code).runInContext(context, { timeout });
    } catch (error) {
      if (!isTimeout(error)) throw error;
      outcome.failure = { message: TOO_SLOW, position: 1, code: "timeout" };
    }
    return outcome;
  };
  run(PREPARE, {});
  const helpers = Object.entries(HELPERS);
  const { failure } = run(COMPILE, { mapping: text, limits: LIMITS, helpers });
  if (failure !== undefined) return failure;
  return (rows) => {
    const { results, failure: timeout } = run(EVALUATE, { rows, turn: TURN });
    if (timeout === undefined) return results;
    const slow = { rows: rows.slice(results.length), turn: 0 };
    const { position = 1 } = run(LOCATE, slow, PLACE_TIMEOUT);
    return [...results, { failure: { ...timeout, position } }];
  };
}

/**
 * The engine as synchronous code. Mappings wait for nothing, so promises would only take time, and
 * stopping a context inside of one aborts Node.js 20 and 22 if something follows asynchronous calls.
 * The engine's own `push`, which counts the items of every list, is left out: it accounts for a sixth
 * of the time of an import. Ranges and lists that are appended to are still limited, and all others by
 * the time limit of a row.
 */
function adaptEngine(code: string): string {
  return code
    .replace(/\basync (?=function\b)|\basync(?=\()|\bawait\b ?/g, "")
    .replace(/\b(\w+)&&\1\.sequence&&(?=\(\w+\.push=)/, "false&&");
}

const COMPILE = "compile(input, outcome)";
const EVALUATE = "evaluate(input, outcome)";
const LOCATE = `followPlaces(input, outcome); ${EVALUATE}`;

const TOO_SLOW = `a row takes longer than ${ROW_TIMEOUT / 1000} second`;

/** The result of a script. */
interface Outcome {
  readonly results: Evaluated[];
  failure?: Failure;
  /** Where the expression was, if its places are followed. */
  position?: number;
}

function isTimeout(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "code" in error &&
    error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}
