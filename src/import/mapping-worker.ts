/**
 * The worker thread of a mapping: reads the mapping, then evaluates it for each row that arrives, and answers with
 * an `Evaluated`. The thread that starts the worker limits its time.
 */
import { parentPort, workerData } from "node:worker_threads";
import jsonata from "jsonata";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { explainError } from "./jsonata-errors.ts";
import { MAPPING_FUNCTIONS } from "./mapping-functions.ts";
import {
  type ColumnsByName,
  columnsOfCalls,
  columnsOfFields,
  findResult,
  type ObjectNode,
} from "./mapping-parts.ts";

/** The input of the thread. */
export interface WorkerInput {
  readonly mapping: string;
  /** The first item is the position of the latest step, which can be read even if the thread no longer answers. */
  readonly place: Int32Array;
}

/** The result of the mapping for a row. The first answer, before any row, describes the mapping. */
export interface Evaluated {
  /** The result as JSON text; absent if there is none. */
  readonly json?: string | undefined;
  readonly failures?: readonly Failure[];
  /** The columns whose values were given to functions, and whether a function understood the value. */
  readonly understood?: ReadonlyMap<string, boolean>;
  /** Before the first row: the columns that each field uses. */
  readonly columns?: ColumnsByName;
}

/** Why a mapping is invalid, or fails for a row. */
export interface Failure {
  /** The field that is missing from the result; undefined if there is no result. */
  readonly field?: string;
  /** The reason as a clause: `expected ":" before the end of the expression`. */
  readonly message: string;
  /** The position in the mapping, in characters, from 1. */
  readonly position: number;
  /** Whether a limit was exceeded, so no other row is tried. */
  readonly isFinal: boolean;
}

/** The most nested calls, and the most items of a list. */
const LIMITS = { stack: 200, sequence: 100_000 };
/** The most characters of a text. */
const LONGEST_TEXT = 8 * 1024 * 1024;

/** The codes of exceeded limits: the length of a text, nested calls, and items of a list. */
const LIMIT_CODES: ReadonlySet<unknown> = new Set(["text", "D1011", "D2015"]);

/** The name of a function that JSONata calls after each step. */
const AFTER_STEP = Symbol.for("jsonata.__evaluate_exit");

interface Compiled {
  readonly expression: jsonata.Expression;
  readonly result: ObjectNode | undefined;
  readonly begin: (row: unknown) => ReadonlyMap<string, boolean>;
}

/** Registers the functions for mappings. @returns a function that begins a row; its result fills during evaluation */
function registerFunctions(expression: jsonata.Expression): Compiled["begin"] {
  const calls = columnsOfCalls(expression.ast());
  let cells: PlainObject = {};
  let understood = new Map<string, boolean>();
  for (const [name, { run, signature }] of Object.entries(MAPPING_FUNCTIONS)) {
    const used = [...new Set(calls.get(name))];
    const observed = (...given: Parameters<typeof run>): unknown => {
      const result = run(...given);
      for (const column of columnsWith(given[0], used, cells)) {
        understood.set(column, result !== undefined || understood.get(column) === true);
      }
      return result;
    };
    expression.registerFunction(name, observed, signature);
  }
  return (row) => {
    cells = isObject(row) ? row : {};
    understood = new Map();
    return understood;
  };
}

/** The columns with this value. If only one column is filled, that column, because the value may be a part of it. */
function columnsWith(argument: unknown, used: readonly string[], row: PlainObject) {
  // JSONata turns a single value into a list if the signature requires a list.
  const value = isList(argument) && argument.length === 1 ? argument[0] : argument;
  const filled = used.filter((column) => (row[column] ?? "") !== "");
  const equal = filled.filter((column) => row[column] === value);
  return equal.length === 0 && filled.length === 1 ? filled : equal;
}

function compile(mapping: string): Compiled {
  const expression = jsonata(mapping, LIMITS);
  const afterStep = (
    step: jsonata.ExprNode,
    _input: unknown,
    _: unknown,
    result: unknown,
  ): void => {
    place[0] = step.position ?? place[0] ?? 1;
    // V8 ends the process if one very large text does not fit into the heap.
    if (typeof result === "string" && result.length > LONGEST_TEXT) {
      throw { code: "text", message: `a text is longer than ${LONGEST_TEXT / 1024 / 1024} MiB` };
    }
  };
  // JSONata's types allow only strings as names.
  const names: { assign(name: string | symbol, value: unknown): void } = expression;
  names.assign(AFTER_STEP, afterStep);
  const begin = registerFunctions(expression);
  return { expression, begin, result: findResult(expression.ast()) };
}

/** The JSON text of a result. @throws if the result contains a function */
function toJson(result: unknown): string | undefined {
  return JSON.stringify(result, (_, value: unknown) => {
    if (isFunction(value)) throw { message: "the result contains a function" };
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
  const { position, code } = Object(error);
  return {
    message: explainError(error),
    position: typeof position === "number" ? position : (place[0] ?? 1),
    isFinal: LIMIT_CODES.has(code),
  };
}

async function evaluate(mapping: Compiled, row: unknown): Promise<Evaluated> {
  const understood = mapping.begin(row);
  place[0] = 1;
  try {
    return { json: toJson(await mapping.expression.evaluate(row)), understood };
  } catch (error) {
    const failure = failureOf(error);
    const found = failure.isFinal ? undefined : await evaluateFields(mapping, row);
    return found === undefined ? { failures: [failure] } : { ...found, understood };
  }
}

/** Evaluates each field separately, for a course without the fields that fail; undefined if no single field fails. */
async function evaluateFields(
  { expression, result }: Compiled,
  row: unknown,
): Promise<Evaluated | undefined> {
  if (result === undefined) return undefined;
  const pairs = result.lhs;
  const failures: Failure[] = [];
  let course: PlainObject = {};
  try {
    for (const pair of pairs) {
      // Changes the tree that JSONata evaluates.
      result.lhs = [pair];
      try {
        course = { ...course, ...JSON.parse(toJson(await expression.evaluate(row)) ?? "{}") };
      } catch (error) {
        const failure = failureOf(error);
        if (failure.isFinal) return { failures: [failure] };
        failures.push({ ...failure, field: String(pair[0].value ?? "a field") });
      }
    }
  } finally {
    result.lhs = pairs;
  }
  const isAll = failures.length === 0 || failures.length === pairs.length;
  return isAll ? undefined : { json: toJson(course), failures };
}

function serve(mapping: string): Evaluated {
  try {
    const compiled = compile(mapping);
    parentPort?.on("message", async (rows: readonly unknown[]) => {
      for (const row of rows) parentPort?.postMessage(await evaluate(compiled, row));
    });
    return { columns: columnsOfFields(compiled.result) };
  } catch (error) {
    return { failures: [failureOf(error)] };
  }
}

const { mapping, place }: WorkerInput = workerData;
parentPort?.postMessage(serve(mapping));
