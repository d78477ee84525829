/**
 * Writes and parses records of runs and plans, which have one format, JSON Lines: a header, a line for each step
 * before its request, and a line with its status after it. A plan has no status lines (docs/json.md):
 *
 *     {"catalog":"run","version":3,"run":"20261123-…","time":"…","command":"courses push","baseUrl":"…",…}
 *     {"action":"create","id":"0b6e…","name":"Knitting",…,"body":{"id":"0b6e…","name":"Knitting",…}}
 *     {"step":1,"status":"done"}
 */
import { isUtf8 } from "node:buffer";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod/mini";
import { type Destination, requireWritable } from "../base/atomic-write.ts";
import {
  attempt,
  CatalogError,
  systemCode,
  systemReason,
  usageError,
  VERSION,
} from "../base/errors.ts";
import { makeFolders, OpenFile, PRIVATE_FOLDER, readRegular } from "../base/files.ts";
import type { Author, Environment } from "../base/io.ts";
import { cutText, escapeLine, safeJson, truncate, truncateJson } from "../base/text.ts";
import { formatPath, hasId, isObject, isUuid, type PlainObject } from "../base/values.ts";
import { WRITABLE_FIELDS } from "../course/fields.ts";
import { type Located, withoutFile } from "../course/problem.ts";
import type { Course } from "../course/request-body.ts";
import { parseValue } from "../files/json.ts";
import { refuseStep, type StepTo, type Write } from "./step.ts";

/** The version of the format. */
const FORMAT = 3;

/** The advice about a plan that cannot be used. */
export const NEW_PLAN =
  "Make a new plan. For example: catalog courses diff courses/ --out plan.ndjson";

const text = z.string("must be a string");
const texts = z.array(text, "must be a list of strings");

const id = z
  .string()
  .check(
    z.refine((value) => isUuid(value) && value === value.toLowerCase(), "must be a lowercase UUID"),
  );
const optionalText = z.nullable(text);
const description = {
  id,
  name: optionalText,
  url: optionalText,
  // The longest path of most systems.
  file: z.nullable(text.check(z.maxLength(4096, "must have at most 4,096 characters"))),
  line: z.nullable(
    z.int("must be the number of a line").check(z.positive("must be the number of a line")),
  ),
};

/** What a reviewer decided on the page of a plan. The plan has no lines for the refused changes. */
const review = z.object({
  /** The name of the reviewer, as typed. */
  by: text,
  at: text.check(z.refine((time) => !Number.isNaN(Date.parse(time)), "must be a time")),
  refused: z.array(
    z.object({ action: z.enum(["create", "update", "delete"]), ...description, remark: text }),
  ),
});

const header = z.object({
  catalog: z.enum(["run", "plan"]),
  version: z.literal(FORMAT),
  /** The name of the run, unique in the history; of a plan, the time of the plan. */
  run: text,
  /** When the run began, in ISO 8601. */
  time: text,
  /** The version of catalog that wrote the file: `1.2.3`. */
  catalogVersion: z.optional(text),
  /** The words of the command: `courses push`. */
  command: text,
  baseUrl: text,
  /** The ids of the providers of the key's user, in lowercase. */
  account: texts.check(z.minLength(1, "must not be empty")),
  /** The service and the account, in the words that the run showed. */
  target: text,
  /** The user and the machine. */
  user: z.optional(text),
  host: z.optional(text),
  /** For a job of GitHub Actions or GitLab CI: the account that started the job, the commit, and the job's page. */
  actor: z.optional(text),
  commit: z.optional(text),
  runUrl: z.optional(text),
  note: z.optional(text),
  /** The ids of the workbooks from which the values are. */
  workbooks: z.optional(texts),
  /** For an undo: the name of the run that it undoes, and how many changes of that run are left to undo. */
  undoes: z.optional(text),
  changes: z.optional(z.number()),
  /** For a plan: how many courses the providers that lose courses have, and the names of these providers. */
  scope: z.optional(z.object({ courses: z.number(), providers: texts })),
  /** For a plan: how many courses were compared. */
  compared: z.optional(z.number()),
  /** For a reviewed plan, and for the run that applies it. */
  review: z.optional(review),
});

export type RecordHeader = Readonly<z.output<typeof header>>;

const WRITABLE: ReadonlySet<string> = new Set(WRITABLE_FIELDS.map(({ name }) => name));
const isSendable = (value: unknown): value is PlainObject =>
  isObject(value) && Object.keys(value).every((name) => WRITABLE.has(name));

const course = z.custom<Course>(hasId, "must be a course with an id");
const fields = z.custom<PlainObject>(isObject, "must be an object");
const body = z.custom<PlainObject>(isSendable, "must be an object with fields that can be sent");
/** The ids of the other courses that had the url of the course. */
const shared = z.optional(z.array(id));

const step = z
  .discriminatedUnion("action", [
    z.object({
      action: z.literal("create"),
      ...description,
      body: z.custom<Course>(
        (value) => hasId(value) && isSendable(value),
        "must be a course to send",
      ),
    }),
    z.object({ action: z.literal("update"), ...description, before: fields, body, shared }),
    z.object({ action: z.literal("delete"), ...description, before: course, shared }),
  ])
  .check(z.refine(isOfOneCourse, "is about another course than its id"));

/** Whether the content of a step is about the course that its id names, because the step is shown by its id. */
function isOfOneCourse(line: {
  readonly id: string;
  readonly body?: PlainObject;
  before?: PlainObject;
}): boolean {
  return [line.body?.id, line.before?.id].every(
    (other) => other === undefined || String(other).toLowerCase() === line.id,
  );
}

type StepLine = Readonly<z.output<typeof step>>;

/**
 * - `done`: the change was made
 * - `unchanged`: the course was as the step wants it already
 * - `failed`: the service rejected the change
 * - `skipped`: the change was not sent, because the run was stopped
 * - `unknown`: the change may have taken effect
 */
const result = z.object({
  step: z.number(),
  status: z.enum(["done", "unchanged", "failed", "skipped", "unknown"]),
});

/** A step of a record with its status; `unknown` if the record has none, because the run was killed. */
export interface RecordedStep {
  readonly step: Write;
  readonly status: z.output<typeof result>["status"];
}

/**
 * Whether an undo concerns a step: if the step took effect, or may have. A deletion that found no course may be the
 * deletion of another run, which the user restores knowingly, with `--force`.
 */
export function mayReverse({ step, status }: RecordedStep, force: boolean): boolean {
  if (status === "failed") return step.action === "delete" && force;
  return status === "done" || status === "unknown";
}

/** A record or a plan that was read. */
export interface RunRecord {
  readonly header: RecordHeader;
  /** In the order in which the steps began. */
  readonly steps: readonly RecordedStep[];
}

/** The facts for a header about the start of a run: user and machine and, in CI, account, commit and page of the job. */
export function describeOrigin(
  { user, host }: Author,
  environment: Environment,
): Pick<RecordHeader, "user" | "host" | "actor" | "commit" | "runUrl"> {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = environment;
  const { GITHUB_RUN_ID: job, CI_JOB_URL } = environment;
  const page = server && repository && job && `${server}/${repository}/actions/runs/${job}`;
  return {
    user,
    host,
    actor: environment.GITHUB_ACTOR || environment.GITLAB_USER_LOGIN || undefined,
    commit: environment.GITHUB_SHA || environment.CI_COMMIT_SHA || undefined,
    runUrl: page || CI_JOB_URL || undefined,
  };
}

/** Writes one record, line by line, so that even a killed run leaves a usable record. */
export class RecordWriter {
  /** The argument with which `catalog undo` undoes this run: the name of the run, or of the file. */
  readonly name: string;
  readonly #path: string;
  readonly #file: OpenFile;
  readonly #copy: RecordWriter | undefined;
  #steps = 0;
  #failure: CatalogError | undefined;

  /**
   * Creates the file, which must not exist, and its folders.
   *
   * @param copy gets every line after the header as well
   * @throws CatalogError of kind `record`
   */
  constructor(to: Destination, head: RecordHeader, copy?: RecordWriter) {
    const { name, path } = to;
    this.#path = path;
    this.#copy = copy;
    this.name = name;
    try {
      requireWritable(to);
      makeFolders(dirname(path), PRIVATE_FOLDER);
      this.#file = new OpenFile(path, "ax");
    } catch (cause) {
      throw recordFailure(path, cause);
    }
    try {
      this.#append(head);
    } catch (thrown) {
      // Without a header, the file would be a damaged record.
      this.close();
      attempt(() => rmSync(path));
      throw thrown;
    }
  }

  /** Records a step that is about to be sent. @returns its number @throws CatalogError if the step must not be sent */
  before(write: Write): number {
    this.#append(toLine(write));
    return ++this.#steps;
  }

  /** Records the result of a step. @throws CatalogError of kind `record` */
  after(number: number, status: RecordedStep["status"]): void {
    this.#append({ step: number, status });
  }

  close(): void {
    this.#file.close();
    this.#copy?.close();
  }

  #append(line: PlainObject): void {
    // After a line that may be torn, another line could not be read.
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#copy !== undefined && !("catalog" in line)) this.#copy.#append(line);
    try {
      this.#file.append(`${safeJson(line)}\n`);
    } catch (cause) {
      this.#failure = recordFailure(this.#path, cause);
      throw this.#failure;
    }
  }
}

/** The error of a record that cannot be written. */
function recordFailure(path: string, cause: unknown): CatalogError {
  const message = `cannot write the record ${path}: ${systemReason(cause)}`;
  return new CatalogError("record", cause instanceof CatalogError ? cause.message : message, {
    advice: "Pass --record with another file, or --no-record to continue without undo.",
    cause,
  });
}

/** The text of a plan: its header and its steps. */
export function formatPlan(head: RecordHeader, writes: readonly Write[]): string {
  return [head, ...writes.map(toLine)].map((line) => `${safeJson(line)}\n`).join("");
}

export function makeHeader(
  catalog: RecordHeader["catalog"],
  run: string,
  now: number,
  facts: Omit<RecordHeader, "catalog" | "version" | "run" | "time" | "catalogVersion">,
): RecordHeader {
  const time = new Date(now).toISOString();
  return { catalog, version: FORMAT, run, time, catalogVersion: VERSION, ...facts };
}

function toLine(write: Write): PlainObject {
  const { action, id, name, url, from, shared } = write;
  const { before, body }: { before?: PlainObject; body?: PlainObject } = write;
  const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
  const place = { file: from?.file ?? null, line: from?.line ?? null };
  return { action, id, name: textOf(name), url: textOf(url), ...place, before, body, shared };
}

/**
 * Parses a record or a plan (example at the top of this file). A last line without its end is ignored: a killed run
 * leaves it, and its step was not sent. A plan is never cut.
 *
 * @param name the name of the file, for messages
 * @throws CatalogError of kind `usage` for a damaged file, or another file
 */
function parseRecord(content: Buffer, name: string): RunRecord {
  const complete = content.subarray(0, content.lastIndexOf("\n") + 1);
  const [first = "", ...lines] = complete.toString().split("\n").slice(0, -1);
  const head = parseHeader(first, name);
  if (!isUtf8(complete)) throw damaged(name, 1, "it is not UTF-8 text");
  if (head.catalog === "plan" && complete.length < content.length) {
    throw damaged(name, lines.length + 2, "its last line is cut off");
  }
  const steps: { step: Write; status: RecordedStep["status"] }[] = [];
  const ids = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const fail = (problem: string): CatalogError => damaged(name, index + 2, problem);
    const value = parseValue(line);
    if (!isObject(value)) throw fail("this line is not a JSON object, or is nested too deeply");
    if ("action" in value) {
      const line = parse(step, value, fail);
      if (head.catalog === "plan" && ids.has(line.id)) throw fail(`it changes ${line.id} twice`);
      ids.add(line.id);
      steps.push({ step: toStep(line), status: "unknown" });
      continue;
    }
    const { step: number, status } = parse(result, value, fail);
    const found = steps[number - 1];
    if (found === undefined) throw fail(`it names step ${number}, which is missing`);
    found.status = status;
  }
  for (const { id } of head.review?.refused ?? []) {
    if (ids.has(id)) {
      throw damaged(name, 1, `its review refuses ${id}, which it changes or refuses again`);
    }
    ids.add(id);
  }
  return { header: head, steps };
}

const KINDS = { run: "the record of a run", plan: "a plan" } as const;

/** Reads a record or a plan. @param name the name in messages @throws CatalogError if it is missing, damaged or the other */
export function readRecord(
  path: string,
  name: string,
  catalog: RecordHeader["catalog"],
): RunRecord {
  const advice = catalog === "plan" ? NEW_PLAN : 'Run "catalog history" to list the runs.';
  try {
    const bytes = readRegular(path);
    if (typeof bytes === "string") throw usageError(`${name} is not a regular file`);
    const record = parseRecord(bytes, name);
    if (record.header.catalog === catalog) return record;
    throw usageError(`${name} is ${KINDS[record.header.catalog]}, not ${KINDS[catalog]}`);
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause.with({ advice });
    const isMissing = systemCode(cause) === "ENOENT";
    if (isMissing && catalog === "run") throw usageError(`no such run or file: ${name}`, advice);
    // The plan is a file that the command needs, as course files are.
    const kind = isMissing ? "file" : "usage";
    throw new CatalogError(kind, `cannot read ${name}: ${systemReason(cause)}`, { advice });
  }
}

/** Parses the first line of a record or plan. @throws CatalogError of kind `usage` if it is not one */
function parseHeader(line: string, name: string): RecordHeader {
  const value = parseValue(line);
  if (!isObject(value) || (value.catalog !== "run" && value.catalog !== "plan")) {
    throw recordError(name, 1, "this is neither a record of a run nor a plan");
  }
  if (value.version !== FORMAT) {
    const other = truncateJson(value.version ?? null);
    const { catalogVersion: writer } = value;
    const by =
      typeof writer === "string" ? `, written by catalog ${escapeLine(truncate(writer))}` : "";
    const message = `this file has version ${other}${by}, but this catalog (${VERSION}) supports version ${FORMAT}`;
    throw recordError(name, 1, message);
  }
  return parse(header, value, (problem) => damaged(name, 1, problem));
}

function parse<Value>(
  schema: z.ZodMiniType<Value>,
  value: unknown,
  fail: (problem: string) => CatalogError,
): Value {
  const read = z.safeParse(schema, value);
  if (read.success) return read.data;
  const { path = [], message = "" } = read.error.issues[0] ?? {};
  const keys = path.map((key) => (typeof key === "number" ? key : String(key)));
  throw fail(`${formatPath(keys) || "this line"} ${message}`);
}

function toStep({ file, line, ...step }: StepLine): Write {
  // What is shown is what is sent, also of a file that was edited.
  const content: PlainObject = step.action === "delete" ? step.before : step.body;
  const { name = step.name, url = step.url } = content;
  return { ...step, name, url, from: placedAt({ file, line }) };
}

/** The changes that a reviewer refused, as steps that are skipped. */
export function refusedSteps({ review }: Pick<RecordHeader, "review">): StepTo<"refused">[] {
  return (review?.refused ?? []).map(({ action, remark, ...facts }) => {
    const said = remark === "" ? "" : `: ${JSON.stringify(cutText(remark, 1000))}`;
    const reason = `not approved${said} (${truncate(review?.by ?? "")})`;
    const step = refuseStep({ ...facts, from: placedAt(facts) }, action, undefined, "skipped");
    return { ...step, reason: escapeLine(reason) };
  });
}

/** Where a file described the course when the step was recorded. */
function placedAt({ file, line }: Pick<StepLine, "file" | "line">): Located | undefined {
  if (file === null) return undefined;
  const first = line ?? 1;
  const place = { file, line: first, column: 1, endLine: first, endColumn: 1 };
  return { ...withoutFile({}), file, line: line ?? undefined, place: async () => place };
}

function damaged(name: string, line: number, problem: string): CatalogError {
  return recordError(name, line, `this file is damaged: ${problem}`);
}

function recordError(name: string, line: number, message: string): CatalogError {
  const advice = 'Run "catalog history" to list the runs on this machine.';
  return usageError(message, advice).with({ file: name, line, column: 1 });
}
