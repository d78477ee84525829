/** Runs mappings, which are JSONata expressions that turn one source row into one course, in a separate thread. */
import { Worker } from "node:worker_threads";
import { CatalogError } from "../base/errors.ts";
import { pluralize, truncate } from "../base/text.ts";
import { addTo, isList, isObject, type PlainObject } from "../base/values.ts";
import { COURSE_SHAPE } from "../course/fields.ts";
import { fitScalar, type Shape } from "../course/shape.ts";
import { LineIndex } from "../files/position.ts";
import type { ColumnsByName } from "./mapping-parts.ts";
import type { Evaluated, Failure, WorkerInput } from "./mapping-worker.ts";
import workerText from "./mapping-worker.ts?bundle";

/** A mapping with its name for messages. */
export interface MappingText {
  readonly name: string;
  readonly text: string;
}

/** The result for a row. A row with neither a course nor a failure is skipped. */
export interface Mapped {
  readonly course?: PlainObject;
  readonly failures?: readonly MappingFailure[];
  /** The columns whose values were given to functions, and whether a function understood the value. */
  readonly understood?: ReadonlyMap<string, boolean>;
}

/** Why a row, or a field of its course, could not be mapped. */
export interface MappingFailure {
  /** The field that is missing from the course; undefined if there is no course. */
  readonly field?: string | undefined;
  /** A clause with the place in the mapping. */
  readonly message: string;
  /** Whether no other row is tried. */
  readonly isFinal?: boolean;
}

/** The most seconds for one row, and for the start, which takes long on a busy machine. */
const ROW_TIMEOUT = 1;
const START_TIMEOUT = 20;
const MEMORY = 256;

/** A mapping in its thread, which runs until `end`. */
export class Mapping {
  readonly #name: string;
  readonly #lines: LineIndex;
  readonly #place = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #worker: Worker;
  #columns: ColumnsByName = new Map();

  private constructor({ name, text }: MappingText) {
    this.#name = name;
    this.#lines = new LineIndex(text);
    const workerData: WorkerInput = { mapping: text, place: this.#place };
    this.#worker = new Worker(workerText, {
      eval: true,
      workerData,
      // The thread gets no variables, options or streams of this process, because it needs none.
      ...{ env: {}, argv: [], execArgv: [], stdin: false, stdout: true, stderr: true },
      resourceLimits: { maxOldGenerationSizeMb: MEMORY, maxYoungGenerationSizeMb: 64 },
    });
    // After its end, a thread may still report that its memory was full.
    this.#worker.on("error", () => undefined);
  }

  /** Starts the thread. @throws CatalogError of kind `file` with the line and column of an error */
  static async start(mapping: MappingText): Promise<Mapping> {
    const started = new Mapping(mapping);
    const [{ failures: [failure] = [], columns } = {}] = await started.#receive(1, START_TIMEOUT);
    if (failure === undefined) {
      started.#columns = columns ?? new Map();
      return started;
    }
    started.end();
    const { line, column } = started.#placeOf(failure);
    throw new CatalogError("file", failure.message, {
      ...{ file: mapping.name, line, column, rule: "mapping" },
      advice: "A mapping is a JSONata expression: see docs/how-to/import-from-another-system.md.",
    });
  }

  /** Maps rows. @returns the results of all rows, or up to the first row that exceeds a limit */
  async map(rows: readonly unknown[]): Promise<readonly Mapped[]> {
    this.#worker.postMessage(rows);
    const results = await this.#receive(rows.length, ROW_TIMEOUT);
    return results.map((result) => this.#mapped(result));
  }

  columnsOf(field: string): readonly string[] {
    return this.#columns.get(field) ?? [];
  }

  /** Whether a field uses the column. */
  uses(column: string): boolean {
    return [...this.#columns.values()].some((used) => used.includes(column));
  }

  /** For each column that the mapping uses and that is not among `columns`, the fields that use it. */
  fieldsWithout(columns: ReadonlyMap<string, unknown>): ReadonlyMap<string, readonly string[]> {
    const fields = new Map<string, string[]>();
    for (const [field, used] of this.#columns) {
      for (const column of used) if (!columns.has(column)) addTo(fields, column, field);
    }
    return fields;
  }

  /** Ends the thread, even while it evaluates a row. */
  end(): void {
    void this.#worker.terminate();
  }

  /** Waits for answers. @param seconds the most for each; a slower answer, or too much memory, ends the thread */
  #receive(count: number, seconds: number): Promise<readonly Evaluated[]> {
    const answers: Evaluated[] = [];
    let stop = (): void => undefined;
    const received = new Promise<readonly Evaluated[]>((resolve, reject) => {
      const fail = (message: string): void => {
        this.end();
        const position = this.#place[0] ?? 1;
        resolve([...answers, { failures: [{ message, position, isFinal: true }] }]);
      };
      const timer = setTimeout(() => {
        // If this thread was busy, answers may be waiting; they arrive before the immediate runs.
        const { length } = answers;
        setImmediate(() => {
          if (answers.length > length) return;
          fail(`a row takes longer than ${pluralize(seconds, "second")}`);
        });
      }, seconds * 1000);
      const onMessage = (answer: Evaluated): void => {
        answers.push(answer);
        if (answers.length === count) resolve(answers);
        else timer.refresh();
      };
      const onError = (error: Error): void => {
        const isMemory = "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
        if (isMemory) fail(`a row needs more than ${MEMORY} MB of memory`);
        else reject(error);
      };
      this.#worker.on("message", onMessage).on("error", onError);
      stop = () => {
        clearTimeout(timer);
        this.#worker.off("message", onMessage).off("error", onError);
      };
    });
    return received.finally(stop);
  }

  #mapped({ json, failures = [], ...others }: Evaluated): Mapped {
    const result = courseOf(json, this.#name);
    return {
      ...result,
      ...others,
      failures: [...failures.map((each) => this.#failure(each)), ...(result.failures ?? [])],
    };
  }

  #failure(failure: Failure): MappingFailure {
    const { line, column } = this.#placeOf(failure);
    const place = `${this.#name}:${line}:${column}`;
    return { ...failure, message: `the mapping fails at ${place}: ${failure.message}` };
  }

  #placeOf({ position }: Failure): { readonly line: number; readonly column: number } {
    return this.#lines.range({ start: Math.max(0, position - 1), end: position });
  }
}

function courseOf(json: string | undefined, name: string): Mapped {
  const result: unknown = json === undefined ? null : JSON.parse(json);
  if (result === null) return {};
  const [only, ...others] = isList(result) ? result : [result];
  const isOne = others.length === 0;
  if (isOne && isObject(only)) return { course: fitObject(only, COURSE_SHAPE.byName) };
  const found = isOne
    ? `${truncate(JSON.stringify(only) ?? "an empty list")}, not a course`
    : `${others.length + 1} values, not one course`;
  return { failures: [{ message: `the mapping ${name} returns ${found}` }] };
}

type Keys = Extract<Shape, { kind: "object" }>["byName"];

/** The object without empty strings and lists. A single value for a field with a list becomes a list. */
function fitObject(object: PlainObject, keys: Keys): PlainObject {
  const entries: [string, unknown][] = [];
  for (const [name, value] of Object.entries(object)) {
    const fitted = fitValue(value, keys.get(name)?.shape);
    if (!isEmpty(fitted)) entries.push([name, fitted]);
  }
  return Object.fromEntries(entries);
}

function isEmpty(value: unknown): boolean {
  if (isList(value)) return value.length === 0;
  return value === undefined || (typeof value === "string" && value.trim() === "");
}

function fitValue(value: unknown, shape: Shape | undefined): unknown {
  if (value === undefined || value === null || shape === undefined) return value;
  if (shape.kind === "list") {
    const items = isList(value) ? value : [value];
    return items.map((item) => fitValue(item, shape.of)).filter((item) => !isEmpty(item));
  }
  const isFitting = shape.kind === "object" && isObject(value);
  return isFitting ? fitObject(value, shape.byName) : fitScalar(shape, value);
}
