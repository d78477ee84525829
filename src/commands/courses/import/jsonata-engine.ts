/** Runs JSONata in a context of its own, which is stopped after a time limit, whatever it is doing. */
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

/** Evaluates a compiled expression for one row. */
export type Evaluate = (row: unknown) => Evaluated;

/** Milliseconds of one row. JSONata itself cannot interrupt a regular expression. */
const ROW_TIMEOUT = 1000;
/** Milliseconds after which the place of a row that takes too long is reported. */
const PLACE_TIMEOUT = 100;
/** Nested calls, and items of one list. */
const LIMITS = { stack: 200, sequence: 100_000 };

const PREPARE = `
const window = { btoa, atob };
const module = { exports: {} };
const exports = module.exports;
${engineText}
const jsonata = module.exports;

function attempt(run) {
  try {
    return run();
  } catch (error) {
    fail(error);
  }
}
function fail(error) {
  const { message, position, code } = Object(error);
  outcome.failure = {
    message: String(message ?? error),
    position: typeof position === "number" ? position : 1,
    code: String(code ?? ""),
  };
}
function isFunction(value) {
  return typeof value === "function" || value?._jsonata_lambda || value?._jsonata_function;
}
function toJson(value) {
  if (isFunction(value)) throw { message: "the result is a function, not a course" };
  return JSON.stringify(value, (_, inner) => (isFunction(inner) ? {} : inner));
}
let expression;
function compile() {
  attempt(() => {
    expression = jsonata(mapping, limits);
    for (const [name, { run, signature }] of helpers) {
      expression.registerFunction(name, run, signature);
    }
  });
}
async function evaluate() {
  try {
    outcome.json = toJson(await expression.evaluate(row));
  } catch (error) {
    fail(error);
  }
}
function followPlaces() {
  const entry = Symbol.for("jsonata.__evaluate_entry");
  expression.assign(entry, ({ position }) => void (outcome.position = position ?? outcome.position));
}
`;

/** Compiles an expression. @returns the function that evaluates it, or why it is invalid */
export function compileExpression(text: string): Evaluate | Failure {
  const helpers = Object.entries(HELPERS);
  const scope = { mapping: text, limits: LIMITS, helpers, btoa, atob, outcome: {} };
  const state: { outcome: Outcome; row?: unknown } = scope;
  const context = createContext(scope, {
    // What an expression waits for is then part of the time limit, too.
    microtaskMode: "afterEvaluate",
    codeGeneration: { strings: false, wasm: false },
  });
  const run = (script: Script, timeout = ROW_TIMEOUT): Outcome => {
    state.outcome = {};
    try {
      script.runInContext(context, { timeout });
    } catch (error) {
      if (!isTimeout(error)) throw error;
      state.outcome.failure = { message: TOO_SLOW, position: 1, code: "timeout" };
    }
    return state.outcome;
  };
  run(new Script(PREPARE));
  const { failure } = run(new Script("compile()"));
  if (failure !== undefined) return failure;
  const evaluate = new Script("evaluate()");
  return (row) => {
    state.row = row;
    const first = run(evaluate);
    if (first.failure?.code !== "timeout") return first;
    run(new Script("followPlaces()"));
    const { position = 1 } = run(evaluate, PLACE_TIMEOUT);
    return { failure: { ...first.failure, position } };
  };
}

const TOO_SLOW = `a row takes longer than ${ROW_TIMEOUT / 1000} second`;

interface Outcome {
  json?: string;
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
