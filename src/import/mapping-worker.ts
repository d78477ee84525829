/**
 * The worker thread of a mapping: reads it, then evaluates it for each row it is sent, and answers each with an
 * `Evaluated`. The thread that starts it has the clock.
 */
import { parentPort, workerData } from "node:worker_threads";
import jsonata from "jsonata";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { MAPPING_FUNCTIONS } from "./mapping-functions.ts";
import {
  type ColumnsByName,
  columnsOfCalls,
  columnsOfFields,
  findResult,
  type ObjectNode,
} from "./mapping-parts.ts";

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
  /** The fields that are left out of the result, because their part of the mapping failed. */
  readonly failedFields?: readonly FailedField[];
  /** The columns whose values were given to functions, and whether one of them understood the value. */
  readonly understood?: ReadonlyMap<string, boolean>;
  /** Before the first row: the columns that each field uses. */
  readonly columns?: ColumnsByName;
}

export interface FailedField {
  readonly field: string;
  readonly failure: Failure;
}

/** Why a mapping is invalid, or fails. */
export interface Failure {
  readonly message: string;
  /** In characters, from 1. */
  readonly position: number;
  /** Whether a limit was exceeded, so that no other row needs to be tried. */
  readonly isFinal: boolean;
}

/** Nested calls, and items of one list. */
const LIMITS = { stack: 200, sequence: 100_000 };
/** Characters of any text, and of the JSON of a course. */
const LONGEST_TEXT = 8 * 1024 * 1024;
const LONGEST_COURSE = 1024 * 1024;

/** The codes of exceeded limits: of texts, results, nested calls, and items of a list. */
const LIMIT_CODES: ReadonlySet<unknown> = new Set(["text", "result", "D1011", "D2015"]);

/** The name under which JSONata looks for a function to be called after each step. */
const AFTER_STEP = Symbol.for("jsonata.__evaluate_exit");

/** A mapping that can be evaluated. */
interface Compiled {
  readonly expression: jsonata.Expression;
  readonly result: ObjectNode | undefined;
  readonly values: ValueLog;
}

/** Remembers which values of a row the functions understood. */
class ValueLog {
  readonly #calls: ColumnsByName;
  #row: PlainObject = {};
  #understood = new Map<string, boolean>();

  /** @param calls the columns that the functions use */
  constructor(calls: ColumnsByName) {
    this.#calls = calls;
  }

  /** Begins a row. @returns what becomes known of its columns */
  begin(row: unknown): ReadonlyMap<string, boolean> {
    this.#row = isObject(row) ? row : {};
    this.#understood = new Map();
    return this.#understood;
  }

  /** Notes a call with the value of a column: the one that has it or, of a single one, a part of it. */
  note(name: string, argument: unknown, isUnderstood: boolean): void {
    // A signature makes a list of a single value.
    const value = isList(argument) && argument.length === 1 ? argument[0] : argument;
    const used = [...new Set(this.#calls.get(name))];
    const filled = used.filter((column) => (this.#row[column] ?? "") !== "");
    const equal = filled.filter((column) => this.#row[column] === value);
    for (const column of equal.length === 0 && filled.length === 1 ? filled : equal) {
      this.#understood.set(column, isUnderstood || this.#understood.get(column) === true);
    }
  }
}

function compile(mapping: string): Compiled {
  const expression = jsonata(mapping, LIMITS);
  const values = new ValueLog(columnsOfCalls(expression.ast()));
  for (const [name, { run, signature }] of Object.entries(MAPPING_FUNCTIONS)) {
    const observed = (...given: Parameters<typeof run>): unknown => {
      const result = run(...given);
      values.note(name, given[0], result !== undefined);
      return result;
    };
    expression.registerFunction(name, observed, signature);
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
  return { expression, values, result: findResult(expression.ast()) };
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
    isFinal: LIMIT_CODES.has(code),
  };
}

async function evaluate(mapping: Compiled, row: unknown): Promise<Evaluated> {
  const understood = mapping.values.begin(row);
  place[0] = 1;
  try {
    return { json: toJson(await mapping.expression.evaluate(row)), understood };
  } catch (error) {
    const failure = failureOf(error);
    const found = failure.isFinal ? undefined : await evaluateFields(mapping, row);
    return found === undefined ? { failure } : { ...found, understood };
  }
}

/** The fields of which the mapping does not fail; undefined if it is not one of its fields that fails. */
async function evaluateFields(
  { expression, result }: Compiled,
  row: unknown,
): Promise<Evaluated | undefined> {
  if (result === undefined) return undefined;
  const pairs = result.lhs;
  const failedFields: FailedField[] = [];
  let course: PlainObject = {};
  try {
    for (const pair of pairs) {
      // The tree that JSONata evaluates is the one that it shows.
      result.lhs = [pair];
      try {
        course = { ...course, ...JSON.parse(toJson(await expression.evaluate(row)) ?? "{}") };
      } catch (error) {
        const failure = failureOf(error);
        if (failure.isFinal) return { failure };
        failedFields.push({ field: String(pair[0].value ?? "a field"), failure });
      }
    }
  } finally {
    result.lhs = pairs;
  }
  const isAll = failedFields.length === 0 || failedFields.length === pairs.length;
  return isAll ? undefined : { json: toJson(course), failedFields };
}

function serve(mapping: string): Evaluated {
  try {
    const compiled = compile(mapping);
    parentPort?.on("message", async (rows: readonly unknown[]) => {
      for (const row of rows) parentPort?.postMessage(await evaluate(compiled, row));
    });
    return { columns: columnsOfFields(compiled.result) };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

const { mapping, place }: WorkerInput = workerData;
parentPort?.postMessage(serve(mapping));
