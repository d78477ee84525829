/** The promises of the contract, judged from outside: requests, the state of the service, files, records and streams. */
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import {
  type Course,
  type Described,
  derivedId,
  describeFiles,
  differences,
  FIELDS,
  findMeant,
  isSame,
  normalUrl,
  readCourses,
} from "./model.ts";
import { type Courses, type Ran, type RecordedStep, readSheet } from "./simulation.ts";
import type { World } from "./world.ts";

/** A promise that a run broke, in the words of the contract, and how. */
export interface Violation {
  readonly promise: string;
  readonly how: string;
}

/** The texts of cells by course and column, such as those of a workbook. */
type Cells = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** A cell, and the value of its field in the catalog, when both were last known to agree. */
interface Agreed {
  readonly text: string;
  readonly value: unknown;
}

/** A workbook that a person has exported, and what runs have sent from it since, by cell: `id column`. */
interface Workbook {
  readonly exported: ReadonlyMap<string, Agreed>;
  readonly sent: { readonly run: string; readonly cells: ReadonlyMap<string, Agreed> }[];
}

type Check = (ran: Ran, judge: Judge) => string | undefined;

const CODES: readonly unknown[] = [0, 1, 2, 3, 4, 5, 6, 7, 129, 130, 143, "killed"];
const STOPS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The subcommand: `push`, `undo`. */
export function commandOf(words: readonly string[]): string {
  return words[0] === "courses" ? (words[1] ?? "") : (words[0] ?? "");
}

function has(ran: Pick<Ran, "words">, ...flags: readonly string[]): boolean {
  return flags.some((flag) => ran.words.includes(flag));
}

function flagValue({ words }: Pick<Ran, "words">, flag: string): string | undefined {
  const index = words.indexOf(flag);
  return index === -1 ? undefined : words[index + 1];
}

/** The words that are neither a flag nor its value. */
function argumentsOf({ words }: Pick<Ran, "words">): string[] {
  const skipped = words[0] === "courses" ? 2 : 1;
  const valued =
    /^--(out|record|base|on-drift|plan|note|format|max-deletes|concurrency|retries|set|name|url|short-description|long-description|audio|provider|pace)$/;
  return words.filter(
    (word, index) =>
      index >= skipped && !word.startsWith("-") && !valued.test(words[index - 1] ?? ""),
  );
}

function isWorkbook(ran: Pick<Ran, "words">): boolean {
  return argumentsOf(ran).some((word) => word.endsWith(".xlsx"));
}

/** Whether nothing but the program acted, and every answer came. */
function isCalm({ events, interferences }: Ran): boolean {
  return events.length === 0 && interferences.length === 0;
}

function parseLines(text: string): Record<string, unknown>[] | undefined {
  try {
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  } catch {
    return undefined;
  }
}

interface Row {
  readonly id: string | null;
  readonly action: string;
  readonly status: string;
  readonly error?: unknown;
  /** What others did to the course. */
  readonly inCatalog?: string;
  readonly fields?: readonly { readonly path: readonly unknown[]; readonly changedIn?: string }[];
}

function rowsOf({ words, stdout }: Pick<Ran, "words" | "stdout">): readonly Row[] | undefined {
  if (!words.includes("--json")) return undefined;
  try {
    const rows: unknown = JSON.parse(stdout);
    return Array.isArray(rows) ? rows : undefined;
  } catch {
    return undefined;
  }
}

/** The courses of the files that a run names, or of another folder. Undefined if that is not sure. */
function describedIn(
  ran: Ran,
  { world }: Judge,
  paths = argumentsOf(ran),
): Described[] | undefined {
  const isNamed = (path: string): boolean =>
    paths.some(
      (each) =>
        path === each ||
        path.startsWith(`${each}/`) ||
        path === `${dirname(each)}/catalog.defaults.yaml`,
    );
  // update ignores defaults.
  const isIgnored = (path: string): boolean =>
    path.endsWith(".xlsx") ||
    (commandOf(ran.words) === "update" && path.endsWith("catalog.defaults.yaml"));
  const files = [...ran.filesBefore].filter(([path]) => isNamed(path) && !isIgnored(path));
  return describeFiles(new Map(files), world.providers);
}

const uniqueUrl: Check = (ran, judge) => {
  if (ran.words[0] === "undo" && has(ran, "--force")) return undefined;
  const undone = judge.records.get(String(ran.record?.header.undoes));
  for (const { method, id, before, after, sameUrl } of ran.writes) {
    if (method === "DELETE" || after === undefined) continue;
    if (before !== undefined && normalUrl(before.url) === normalUrl(after.url)) continue;
    const url = normalUrl(after.url);
    const shared = (other: string): boolean => {
      const [one, two] = [undone?.seen.get(id), undone?.seen.get(other)];
      return one !== undefined && normalUrl(one.url) === url && normalUrl(two?.url) === url;
    };
    const other = sameUrl.find(
      (each) =>
        normalUrl(ran.before.get(each)?.url) === url &&
        !shared(each) &&
        !ran.interferences.some((one) => one.id === each),
    );
    if (other !== undefined) return `${id} got the url ${String(after.url)} of ${other}`;
    // Two courses of the same run.
    const twin = sameUrl.find(
      (each) =>
        !ran.before.has(each) &&
        ran.writes.some((write) => write.id === each && write.method === "POST") &&
        !shared(each),
    );
    if (twin !== undefined)
      return `${twin} and ${id} were both created with the url ${String(after.url)}`;
  }
  return undefined;
};

const noFalseUpdate: Check = (ran, { world }) => {
  if (world.freedoms.trims) return undefined;
  const seen = new Set<string>();
  for (const { method, id, body = {}, before = {} } of ran.writes) {
    if (method !== "PATCH" || seen.has(id) || ran.interferences.some((each) => each.id === id))
      continue;
    seen.add(id);
    const same = Object.keys(body).find((field) => isSame(field, body[field], before[field]));
    if (same !== undefined)
      return `PATCH of ${id} sends ${same}, which is as it was: ${JSON.stringify(body[same])}`;
  }
  return undefined;
};

const deletesWhatWasShown: Check = (ran) => {
  for (const { method, id, before } of ran.writes) {
    if (method !== "DELETE") continue;
    const sent = ran.exchanges.findIndex((each) => each.method === "DELETE" && each.id === id) + 1;
    const readings = ran.exchanges.flatMap(({ rows }, index) =>
      rows?.some((row) => String(row.id).toLowerCase() === id) ? [index + 1] : [],
    );
    for (const change of ran.interferences) {
      if (
        change.id !== id ||
        change.index >= sent ||
        change.before === undefined ||
        before === undefined
      )
        continue;
      const changed = differences(change.before, before);
      const readBefore = readings.filter((each) => each <= change.index).length;
      if (changed.length > 0 && readBefore === 1)
        return `${id} was deleted although ${changed.join(", ")} changed after it was shown`;
    }
  }
  return undefined;
};

const completeRecord: Check = (ran) => {
  if (has(ran, "--no-record") || ran.words[0] === "api") return undefined;
  for (const { method, id, body = {}, before = {}, after } of ran.writes) {
    const action = { POST: "create", PATCH: "update", DELETE: "delete" }[method];
    const step = ran.record?.steps.find((each) => each.id === id && each.action === action);
    if (step === undefined) return `${method} of ${id} is in no record`;
    if (
      ran.interferences.some((each) => each.id === id) ||
      (after?.id === undefined && method !== "DELETE")
    )
      continue;
    if (method === "POST") continue;
    // A repetition finds what an earlier attempt has made.
    if (ran.writes.filter((each) => each.id === id).length > 1) continue;
    const fields = method === "DELETE" ? FIELDS : Object.keys(body);
    const wrong = differences(step.before ?? {}, before, fields);
    if (wrong.length > 0)
      return `the record of ${method} ${id} has other values of ${wrong.join(", ")} than the course had`;
  }
  return undefined;
};

const honestResults: Check = (ran, { world }) => {
  const { code, signal } = ran;
  if (code === "killed" || code === "hangs") return undefined;
  if (signal !== undefined && code !== STOPS[signal] && code !== 0)
    return `exit code ${code} after ${signal}`;
  const command = commandOf(ran.words);
  const rows = rowsOf(ran);
  if (
    rows === undefined ||
    !["push", "create", "update", "rm", "publish", "unpublish", "undo"].includes(command)
  )
    return undefined;
  if (has(ran, "--dry-run"))
    return ran.writes.length > 0 ? "a dry run changed the catalog" : undefined;
  const touched = new Set(ran.interferences.map(({ id }) => id));
  const isFaulty = ran.events.some(
    ({ fault, signal: stop, full }) => fault !== undefined || stop !== undefined || full,
  );
  for (const { id, action, status } of rows) {
    if (id === null || touched.has(id)) continue;
    const own = ran.writes.filter((write) => write.id === id);
    const [last] = own.slice(-1);
    const now = ran.after.get(id);
    const says = `${id} is reported as ${action} ${status}`;
    if (status === "done") {
      if (action === "delete" ? now !== undefined : now === undefined)
        return `${says}, but the course ${now ? "exists" : "does not exist"}`;
      if (last === undefined) return `${says}, but nothing took effect`;
      const wrong = differences(last.body ?? {}, now ?? {}, Object.keys(last.body ?? {})).filter(
        (field) => field !== "id" && field !== "slug",
      );
      if (action !== "delete" && wrong.length > 0 && !world.freedoms.trims)
        return `${says}, but ${wrong.join(", ")} differs`;
    } else if (status === "unknown") {
      if (!isFaulty) return `${says} without any fault`;
    } else if (own.length > 0)
      return `${says}, but ${own.map(({ method }) => method).join(", ")} took effect`;
  }
  const isHalf = rows.some(
    (row) => row.action !== "delete" && ["failed", "unknown"].includes(row.status),
  );
  if (isHalf && ran.exchanges.some(({ method }) => method === "DELETE")) {
    return "a deletion is sent although a creation or an update failed";
  }
  const missing = ran.writes.find(({ id }) => !rows.some((row) => row.id === id));
  if (missing !== undefined && !touched.has(missing.id))
    return `${missing.method} of ${missing.id} has no result`;
  const statuses = new Set(rows.map(({ status }) => status));
  const failed = statuses.has("failed") || statuses.has("unknown");
  if (failed && code === 0) return "exit code 0 although something failed";
  const isWorse = typeof code === "number" && [129, 130, 143, 2, 4].includes(code);
  if (statuses.has("unknown") && code !== 6 && !isWorse)
    return `exit code ${code} although an effect is unknown`;
  const counts = parseLines(ran.stderr)
    ?.flatMap((line) =>
      line.notice === undefined ? [] : [line.counts as Record<string, number> | undefined],
    )
    .filter(Boolean)
    .at(-1);
  if (counts === undefined || rows.length === 0) return undefined;
  const count = (action: string) =>
    rows.filter((row) => row.action === action && row.status === "done").length;
  const facts = { created: count("create"), updated: count("update"), deleted: count("delete") };
  const tally = (status: string) => rows.filter((row) => row.status === status).length;
  const all = {
    ...facts,
    failed: tally("failed"),
    skipped: tally("skipped"),
    unknown: tally("unknown"),
    unchanged: tally("unchanged"),
  };
  const off = Object.entries(all).find(([name, number]) => counts[name] !== number);
  return off && `the counts say ${off[0]} ${counts[off[0]]}, the results ${off[1]}`;
};

const PASSING: readonly unknown[] = [
  ..."refused reset lost cut 429 500 502 503".split(" "),
  ...["429 wait", "500 done", "502 done", "503 done", "503 wait", "504 done"],
];

const repeats: Check = (ran) => {
  const [event, ...others] = ran.events;
  const isOne = others.length === 0 && PASSING.includes(event?.fault) && (event?.times ?? 1) <= 2;
  if (
    !isOne ||
    !["push", "create", "update", "rm", "publish", "unpublish", "undo", "pull"].includes(
      commandOf(ran.words),
    )
  )
    return undefined;
  const bad = rowsOf(ran)?.find(
    ({ status, error }) =>
      status === "unknown" || (error as Course | undefined)?.kind === "unreachable",
  );
  if (ran.code !== 6 && bad === undefined) return undefined;
  return `${event?.fault} at ${event?.at} is not repeated until it passes`;
};

const scope: Check = (ran, judge) => {
  if (commandOf(ran.words) !== "push" || has(ran, "--plan") || isWorkbook(ran)) return undefined;
  const described = describedIn(ran, judge);
  if (described === undefined) return undefined;
  const courses = [...ran.before.values()];
  const meant = described.map(({ course }) => findMeant(course, courses));
  const removed = ran.writes.filter(({ method }) => method === "DELETE");
  if (removed.length > 0 && !has(ran, "--prune")) return "push deletes without --prune";
  const most = Number(
    flagValue(ran, "--max-deletes") ?? Math.max(5, Math.ceil(courses.length / 10)),
  );
  if (removed.length > most)
    return `push deletes ${removed.length} courses, and the limit is ${most}`;
  if (ran.interferences.length > 0 || has(ran, "--base") || judge.world.freedoms.isRestless)
    return undefined;
  const named = judge.world.providers.find(({ slug }) => slug === flagValue(ran, "--provider"));
  const based = new Set([...described.map(({ course }) => course.provider_id), named?.id]);
  for (const { method, id, before } of ran.writes) {
    if (method === "DELETE") {
      if (meant.includes(id)) return `${id} is deleted, although a file means it`;
      if (!based.has(before?.provider_id)) return `${id} of another provider is deleted`;
    }
    const isNew = described.some(
      ({ course }, index) =>
        meant[index] === "new" &&
        (String(course.id ?? "").toLowerCase() || derivedId(course)) === id,
    );
    if (method === "POST" && !isNew) return `${id} is created, although no file means a new course`;
    if (method === "PATCH" && !meant.includes(id))
      return `${id} is changed, although no file means it`;
  }
  if (ran.writes.length > 0 && meant.includes("unclear")) {
    return `something is sent although it is unclear which course ${described[meant.indexOf("unclear")]?.file} means`;
  }
  const urls = new Map<string, Course>();
  for (const { course } of described) {
    const first = urls.get(normalUrl(course.url));
    const isWarning = first?.id && course.id;
    if (first !== undefined && !isWarning && ran.writes.length > 0)
      return `two courses of the files have one url, ${String(course.url)}`;
    urls.set(normalUrl(course.url), course);
  }
  return undefined;
};

const matchesFiles: Check = (ran, judge) => {
  const isPlain =
    ["push", "update"].includes(commandOf(ran.words)) &&
    ran.code === 0 &&
    !has(ran, "--plan", "--base", "--dry-run", "--set");
  const { trims, isRestless } = judge.world.freedoms;
  const isSure = !trims && !isRestless && ran.interferences.length === 0;
  if (!isPlain || !isSure || isWorkbook(ran)) return undefined;
  for (const { course, file } of describedIn(ran, judge) ?? []) {
    const id = findMeant(course, [...ran.after.values()]);
    const stored = ran.after.get(id);
    if (stored === undefined) return `the course of ${file} is not in the catalog`;
    const complete: readonly string[] = has(ran, "--complete")
      ? FIELDS.filter((field) => field !== "published")
      : [];
    const fields = FIELDS.filter((field) => field in course || complete.includes(field));
    const wrong = differences(course, stored, fields);
    if (wrong.length > 0) return `${file} and the catalog differ in ${wrong.join(", ")}`;
  }
  return undefined;
};

const keepsCatalogChanges: Check = (ran, judge) => {
  const base = flagValue(ran, "--base");
  if (commandOf(ran.words) !== "push" || base === undefined || ran.interferences.length > 0)
    return undefined;
  const [files, old] = [describedIn(ran, judge), describedIn(ran, judge, [base])];
  if (files === undefined || old === undefined) return undefined;
  const courses = [...ran.before.values()];
  const find = (list: readonly Described[], id: string, url: unknown): Course | undefined =>
    list.find(({ course }) => findMeant(course, courses) === id)?.course ??
    list.find(
      ({ course }) =>
        (String(course.id ?? "").toLowerCase() || derivedId(course)) === id ||
        normalUrl(course.url) === normalUrl(url),
    )?.course;
  for (const { method, id, body = {} } of ran.writes) {
    // A repeated PATCH finds the values of the first one.
    const before = ran.before.get(id);
    const [now, then] = [
      find(files, id, body.url ?? before?.url),
      find(old, id, body.url ?? before?.url),
    ];
    if (method === "DELETE" && then === undefined)
      return `${id} is deleted, although the base does not have it`;
    if (now === undefined || then === undefined) continue;
    const defaulted =
      method === "POST" ? FIELDS.filter((field) => field in now) : Object.keys(body);
    const edited = defaulted.filter((field) => !isSame(field, now[field], then[field]));
    if (method === "POST" && edited.length === 0)
      return `${id} is created again, although its file did not change`;
    if (method !== "PATCH") continue;
    const kept = Object.keys(body).find(
      (field) => field in now && field in then && !edited.includes(field),
    );
    if (kept !== undefined)
      return `${kept} of ${id} is sent, although it changed only in the catalog`;
    const both = edited.find(
      (field) => field in then && !isSame(field, then[field], before?.[field]),
    );
    if (both !== undefined && flagValue(ran, "--on-drift") !== "overwrite")
      return `${both} of ${id} is sent, although it changed in both`;
  }
  return undefined;
};

/** The cells of a workbook. Undefined if rows do not name their courses. */
function readBook(text: string | undefined): Cells | undefined {
  const [header = [], ...rows] = readSheet(Buffer.from(text ?? "", "latin1"));
  const at = header.indexOf("id");
  if (at === -1) return undefined;
  const courses = rows.map((row): [string, Map<string, string>] => [
    String(row[at] ?? "").toLowerCase(),
    new Map(header.map((column, index) => [column, String(row[index] ?? "")])),
  ]);
  return new Map(courses.filter(([id]) => id !== ""));
}

function topOf(column: string): string {
  return column.replace(/[[.].*/, "");
}

/** What a cell of a column says about a course of the catalog. */
function partOf(course: Course, column: string): unknown {
  const [, field = column, key] = /^(\w+)\[0\]\.(\w+)$/.exec(column) ?? [];
  return key === undefined ? course[field] : (course[field] as Course[] | null)?.[0]?.[key];
}

interface Edit {
  readonly id: string;
  readonly column: string;
  readonly text: string;
  readonly then: Agreed | undefined;
}

/** The edited cells of the workbook of a run, with what they were when it was exported or last sent. */
function editsOf(ran: Ran, judge: Judge): readonly Edit[] | undefined {
  const book = judge.workbookOf(ran);
  const cells = book && readBook(ran.filesBefore.get(argumentsOf(ran)[0] ?? ""));
  if (book === undefined || cells === undefined) return undefined;
  const agreed = (cell: string): Agreed | undefined =>
    book.sent.findLast(({ cells: sent }) => sent.has(cell))?.cells.get(cell) ??
    book.exported.get(cell);
  return [...cells].flatMap(([id, row]) =>
    [...row].flatMap(([column, text]) => {
      const then = agreed(`${id} ${column}`);
      return text === (then?.text ?? "") ? [] : [{ id, column, text, then }];
    }),
  );
}

/** Whether a field of a course changed in the catalog since the workbook was exported or last sent. */
function changedSince({ id, column, then }: Edit, courses: Courses): boolean {
  const field = topOf(column);
  const now = courses.get(id);
  return then !== undefined && (now === undefined || !isSame(field, now[field], then.value));
}

const onlyEditedCells: Check = (ran, judge) => {
  const edits = editsOf(ran, judge);
  const book = judge.workbookOf(ran);
  if (
    edits === undefined ||
    book === undefined ||
    !["push", "update"].includes(commandOf(ran.words))
  )
    return undefined;
  if (judge.world.freedoms.isRestless) return undefined;
  for (const { method, id, body = {}, before } of ran.writes) {
    if (method === "DELETE" && !has(ran, "--prune")) return `a workbook deletes ${id}`;
    const own = edits.filter((edit) => edit.id === id);
    const isKnown = book.exported.has(`${id} name`);
    if (method === "POST" && isKnown && own.length === 0)
      return `${id} is created from a row that was not edited`;
    if (method !== "PATCH") continue;
    for (const field of Object.keys(body)) {
      const cells = own.filter(({ column }) => topOf(column) === field);
      if (isKnown && cells.length === 0)
        return `${field} of ${id} is sent, although its cell was not edited`;
      const isReverted =
        cells.some((cell) => changedSince(cell, new Map([[id, before ?? {}]]))) &&
        !isSame(field, before?.[field], body[field]);
      if (!isReverted || ran.interferences.some((one) => one.id === id)) continue;
      if (flagValue(ran, "--on-drift") !== "overwrite")
        return `${field} of ${id} is sent, although it changed in the catalog too`;
      const rows = rowsOf(ran);
      const isNamed = rows
        ? rows.some((row) => row.id === id && row.inCatalog !== undefined)
        : (ran.stdout + ran.stderr).includes(field);
      if (!isNamed) return `${field} of ${id} is reverted, and not named`;
    }
  }
  return undefined;
};

const pushesWorkbookAgain: Check = (ran, judge) => {
  const edits = editsOf(ran, judge);
  const { trims, isRestless } = judge.world.freedoms;
  const isSure = isCalm(ran) && !has(ran, "--dry-run") && !trims && !isRestless;
  if (edits === undefined || !isSure || !["push", "update"].includes(commandOf(ran.words)))
    return undefined;
  if (ran.code === 7 && !edits.some((edit) => changedSince(edit, ran.before)))
    return "nobody but this workbook changed the catalog, but it is refused as drift";
  if (ran.code !== 0) return undefined;
  const said = ran.stdout + ran.stderr;
  for (const edit of edits) {
    const { id, column, text } = edit;
    const stored = ran.after.get(id);
    const isCompared = typeof partOf(stored ?? {}, column) !== "object" || text === "";
    const key = column.replace(/.*\./, "");
    if (stored !== undefined && (!isCompared || isSame(key, partOf(stored, column), text || null)))
      continue;
    const isLeft = stored === undefined || flagValue(ran, "--on-drift") === "keep";
    if (!isLeft || !changedSince(edit, ran.before) || !said.includes(id))
      return `the cell ${column} of ${id} is ${text}, but the catalog has ${JSON.stringify(partOf(stored ?? {}, column))}, and ${commandOf(ran.words)} says that it succeeded`;
  }
  return undefined;
};

const keepsLaterChanges: Check = (ran, judge) => {
  if (ran.words[0] !== "undo" || has(ran, "--force") || ran.interferences.length > 0)
    return undefined;
  const undone = judge.records.get(String(ran.record?.header.undoes));
  for (const { method, id, body = {}, before = {} } of ran.writes) {
    const step = undone?.steps.find((each) => each.id === id);
    if (
      undone === undefined ||
      step === undefined ||
      ran.writes.filter((each) => each.id === id).length > 1
    )
      continue;
    const fields =
      method === "PATCH"
        ? Object.keys(body)
        : method === "DELETE"
          ? Object.keys(step.body ?? {}).filter((field) => field !== "id" && field !== "slug")
          : [];
    const changed = differences(step.body ?? {}, before, fields);
    if (changed.length > 0 && !judge.world.freedoms.trims)
      return `undo takes back ${changed.join(", ")} of ${id}, which changed after the run`;
  }
  return undefined;
};

const keepsFiles: Check = (ran) => {
  const command = commandOf(ran.words);
  const outputs = [flagValue(ran, "--out"), flagValue(ran, "--record")];
  const marks = (text: string): string[] => text.match(/# (?:above|below) \d+|keep \d+/g) ?? [];
  const edits =
    (command === "pull" && has(ran, "--force", "--base")) ||
    has(ran, "--write-ids", "--fix") ||
    command === "import";
  for (const [path, text] of ran.filesBefore) {
    const now = ran.filesAfter.get(path);
    if (now === text || outputs.includes(path)) continue;
    if (/\.xlsx$|courses\.(csv|ndjson)$/.test(path) && command === "pull" && now !== undefined)
      continue;
    if (has(ran, "--dry-run")) return `${path} changed in a dry run`;
    if (now === undefined) {
      if (command === "pull" && has(ran, "--prune")) continue;
      return `${path} was removed`;
    }
    if (!edits) return `${path} changed`;
    // A row may have another note than the course of a file that it describes.
    const isReplaced = (mark: string): boolean => command === "import" && mark.startsWith("keep");
    const lost = marks(text).find((mark) => !now.includes(mark) && !isReplaced(mark));
    if (lost !== undefined) return `${path} lost "${lost}"`;
    const [old, fresh] = [readCourses(path, text), readCourses(path, now)];
    if (old !== undefined && fresh?.length !== old.length)
      return `${path} had ${old.length} courses and has ${fresh?.length}`;
    if (!has(ran, "--write-ids") || old === undefined) continue;
    const changed = old.find(
      (course, index) => !isDeepStrictEqual({ ...course, id: 0 }, { ...fresh?.[index], id: 0 }),
    );
    if (changed !== undefined) return `${path} has other values than before`;
  }
  const written = [...ran.filesAfter.keys()].find(
    (path) =>
      !ran.filesBefore.has(path) &&
      !["pull", "import", "init"].includes(command) &&
      !outputs.includes(path),
  );
  return written && `${written} was written`;
};

const matchesCatalog: Check = (ran, judge) => {
  const [folder = ""] = argumentsOf(ran);
  const isSure = isCalm(ran) && ran.code === 0 && !judge.world.freedoms.isRestless;
  if (commandOf(ran.words) !== "pull" || !isSure || has(ran, "--base", "--dry-run"))
    return undefined;
  const files = [...ran.filesAfter].filter(([path]) => path.startsWith(`${folder}/`));
  // Columns of lists are not read here.
  const isTable = files.some(([path]) => path.endsWith(".csv"));
  const described = isTable ? undefined : describeFiles(new Map(files), judge.world.providers);
  if (described === undefined) return undefined;
  const courses = [...ran.after.values()];
  const found = described.map(({ course }) => findMeant(course, courses));
  for (const [index, { file, course }] of described.entries()) {
    const wrong = differences(course, ran.after.get(found[index] ?? "") ?? course);
    if (wrong.length > 0) return `${file} and the catalog differ in ${wrong.join(", ")}`;
  }
  const missing = [...ran.after.keys()].find((id) => !found.includes(id));
  return missing && !found.includes("unclear") ? `no file has ${missing}` : undefined;
};

const imports: Check = (ran, { world }) => {
  if (commandOf(ran.words) !== "import" || ran.code !== 0 || !has(ran, "--map")) return undefined;
  const rows = (ran.filesBefore.get("export.csv") ?? "").split("\n").slice(1).filter(Boolean);
  const files = [...ran.filesAfter].filter(([path]) => path.startsWith("courses/"));
  const described = describeFiles(new Map(files), world.providers);
  const lost = rows.find((row) => {
    const [name, url] = row.split(";");
    return !described?.some(
      ({ course }) => course.name === name && normalUrl(course.url) === normalUrl(url),
    );
  });
  return described && lost && `no file has the row ${lost}`;
};

const pullThenPush: Check = (ran, judge) => {
  const folder = argumentsOf(ran)[0];
  if (
    commandOf(ran.words) !== "push" ||
    folder === undefined ||
    judge.pulled !== `${ran.who} ${folder}` ||
    !isCalm(ran) ||
    judge.world.freedoms.isRestless
  )
    return undefined;
  if (ran.code !== 0)
    return `push of what was pulled ends with ${ran.code}:\n${ran.stderr.slice(0, 500)}`;
  const [sent] = ran.writes;
  return (
    sent &&
    `push of what was pulled sends ${sent.method} of ${sent.id}: ${JSON.stringify(sent.body)}`
  );
};

const refusesUnreliable: Check = (ran) => {
  const isRepeated = ({ rows = [] }: { rows?: readonly Course[] }): boolean =>
    new Set(rows.map(({ id }) => id)).size < rows.length;
  if (!ran.exchanges.some(isRepeated)) return undefined;
  const byId = commandOf(ran.words) === "rm" && argumentsOf(ran).every((word) => UUID.test(word));
  const sent = ran.writes.find(({ method }) => method !== "PATCH");
  return sent === undefined || byId
    ? undefined
    : `${sent.method} of ${sent.id} after a list that shows a course twice`;
};

const rightCourse: Check = (ran, { world }) => {
  // After an unreliable list, updates go on.
  if (
    world.freedoms.isRestless ||
    !["rm", "publish", "unpublish"].includes(commandOf(ran.words)) ||
    ran.interferences.length > 0
  )
    return undefined;
  const courses = [...ran.before.values()];
  for (const word of argumentsOf(ran).filter((each) => each.includes("://"))) {
    const same = courses.filter(({ url }) => normalUrl(url) === normalUrl(word));
    const derived = same.filter(
      (course) => derivedId({ provider_id: course.provider_id, url: word }) === course.id,
    );
    const [own] = same.length === 1 ? same : derived;
    const wrong = ran.writes.find(
      ({ id }) => same.some((each) => each.id === id) && own?.id !== id,
    );
    if (wrong !== undefined)
      return `${word} means ${own?.id ?? "several courses"}, but ${wrong.method} of ${wrong.id} was sent`;
  }
  return undefined;
};

const behaves: Check = (ran) => {
  const { code, stdout, stderr, words } = ran;
  if (!CODES.includes(code)) return code === "hangs" ? "the command hangs" : `exit code ${code}`;
  if (/this is a bug in catalog|^\s+at \S+ \((?:file:|node:|\/)/m.test(stderr))
    return stderr.slice(0, 500);
  if ((stdout + stderr).includes(DEFAULT_KEY)) return "the key is printed";
  const bad = ran.exchanges.find(
    ({ method, id = "" }) => (method === "PATCH" || method === "DELETE") && !UUID.test(id),
  );
  if (bad !== undefined) return `${bad.method} ${bad.target} names no course`;
  const ends = code === 0 || code === 1;
  if (words.includes("--json") && code !== "killed" && ran.signal === undefined) {
    // A question on a terminal is no JSON.
    if (!stderr.includes("\u001b") && parseLines(stderr) === undefined)
      return `standard error has lines that are no JSON: ${stderr.slice(0, 300)}`;
    try {
      if (stdout !== "" || ends) JSON.parse(stdout || "[]");
    } catch {
      return `standard output does not parse: ${stdout.slice(0, 300)}`;
    }
  }
  if (
    !words.includes("--json") &&
    ["push", "rm", "publish", "unpublish", "update", "undo"].includes(commandOf(words)) &&
    stdout !== ""
  )
    return "data is printed that nobody asked for";
  const sent = ran.exchanges.some(({ method }) => method !== "GET");
  const refused = code === 2 || code === 3;
  return refused && sent && isCalm(ran) && ran.writes.length > 0
    ? `exit code ${code} after changes`
    : undefined;
};

/** The sentences of the contract, with what is checked after every run. */
export const PROMISES = {
  "No command gives a course a url that another course has": uniqueUrl,
  "Unchanged courses cost no request": noFalseUpdate,
  "Deletions are read once more: a course that is not what was shown is stale": deletesWhatWasShown,
  "A record has the complete values before each change": completeRecord,
  "Statuses, counts and the exit code agree with what happened": honestResults,
  "Requests are repeated after failures that may pass": repeats,
  "push changes and deletes only the courses that are meant": scope,
  "push makes the catalog match the files": matchesFiles,
  "What changed only in the catalog is left there and named": keepsCatalogChanges,
  "Of a workbook, only cells that were edited are sent": onlyEditedCells,
  "The same workbook can be pushed again and again": pushesWorkbookAgain,
  "undo: a course changed since is a conflict": keepsLaterChanges,
  "Files change only where the command was asked to change them": keepsFiles,
  "pull writes the courses of the catalog as files": matchesCatalog,
  "import edits the files of its rows, and writes new ones": imports,
  "pull then push changes nothing": pullThenPush,
  "An unreliable list refuses what would create or delete": refusesUnreliable,
  "Of several courses with the url of an argument, the one with the derived id is meant, else it is an error":
    rightCourse,
  "No stack trace, no hang, no key in any output, stdout parses, exit codes are those of the table":
    behaves,
} as const satisfies Record<string, Check>;

/** What the probes around a run check. */
export const SHOWN = "What is shown is what is sent";
export const AGAIN = "A second push of the same files sends nothing";
export const UNDONE = "undo restores the catalog, if nobody else changed anything";

/** Remembers what the promises need of earlier steps, and judges runs. */
export class Judge {
  readonly world: World;
  /** Recorded runs by name: their steps, and the catalog before. */
  readonly records = new Map<
    string,
    { readonly steps: readonly RecordedStep[]; readonly before: Courses; readonly seen: Courses }
  >();
  /** The person and the folder that was pulled last, while nothing has changed since. */
  pulled: string | undefined;
  readonly #workbooks = new Map<string, Workbook>();

  constructor(world: World) {
    this.world = world;
  }

  workbookOf(ran: Pick<Ran, "who" | "words">): Workbook | undefined {
    const path = argumentsOf(ran).find((word) => word.endsWith(".xlsx"));
    return path === undefined ? undefined : this.#workbooks.get(`${ran.who} ${path}`);
  }

  /** Remembers that something happened between two runs. */
  see(): void {
    this.pulled = undefined;
  }

  /** The first promise that a run broke. */
  judge(ran: Ran): Violation | undefined {
    if (ran.record !== undefined)
      this.records.set(String(ran.record.header.run), {
        steps: ran.record.steps,
        before: ran.before,
        // A course that a colleague added while the run read the catalog was there before its changes.
        seen: new Map([
          ...ran.before,
          ...ran.interferences.flatMap(({ id, before, after }): [string, Course][] =>
            before === undefined && after !== undefined ? [[id, after]] : [],
          ),
        ]),
      });
    let violation: Violation | undefined;
    for (const [promise, check] of Object.entries<Check>(PROMISES)) {
      const how = check(ran, this);
      if (how !== undefined) violation ??= { promise, how };
    }
    this.#remember(ran);
    return violation;
  }

  #remember(ran: Ran): void {
    const { who, words, code, writes } = ran;
    const [folder] = argumentsOf(ran);
    const out = flagValue(ran, "--out");
    if (commandOf(words) === "ls" && out?.endsWith(".xlsx")) {
      const cells = code === 0 && isCalm(ran) ? readBook(ran.filesAfter.get(out)) : undefined;
      const path = `${who} ${out}`;
      if (cells === undefined) this.#workbooks.delete(path);
      else this.#workbooks.set(path, { exported: agreedCells(cells, ran.after), sent: [] });
    }
    const cells = readBook(ran.filesBefore.get(folder ?? ""));
    const book = this.workbookOf(ran);
    if (book !== undefined && cells !== undefined && writes.length > 0) {
      const fields = new Set(
        writes.flatMap(({ id, body = {} }) => Object.keys(body).map((field) => `${id} ${field}`)),
      );
      const sent = [
        ...agreedCells(cells, new Map(writes.map(({ id, after }) => [id, after ?? {}]))),
      ];
      const isSent = ([cell]: [string, Agreed]): boolean => fields.has(topOf(cell));
      book.sent.push({ run: String(ran.record?.header.run), cells: new Map(sent.filter(isSent)) });
    }
    const undone = String(ran.record?.header.undoes);
    for (const [path, each] of this.#workbooks) {
      const index = each.sent.findIndex(({ run }) => run === undone);
      if (index === -1) continue;
      // What was undone in part, or is done again by an undo of the undo, is not followed.
      if (code === 0 && isCalm(ran) && index === each.sent.length - 1) each.sent.splice(index, 1);
      else this.#workbooks.delete(path);
    }
    const isFresh =
      ran.after.size > 0 &&
      ![...ran.filesBefore.keys()].some((path) => path.startsWith(`${folder}/`));
    const isPulled =
      commandOf(words) === "pull" &&
      code === 0 &&
      isFresh &&
      isCalm(ran) &&
      !has(ran, "--no-ids", "--dry-run");
    this.pulled = isPulled ? `${who} ${folder}` : undefined;
  }
}

/** The cells of a workbook, with the values of their fields. */
function agreedCells(cells: Cells, courses: Courses): Map<string, Agreed> {
  const all = [...cells].flatMap(([id, row]) => {
    const course = courses.get(id);
    const texts = course === undefined ? [] : [...row];
    return texts.map(([column, text]): [string, Agreed] => [
      `${id} ${column}`,
      { text, value: course?.[topOf(column)] },
    ]);
  });
  return new Map(all);
}

/** Compares what a dry run or a plan showed with what the run sent. */
export function compareShown(shown: Ran, ran: Ran): string | undefined {
  const plan = flagValue(shown, "--out");
  const rows = rowsOf(shown);
  const sent = ran.exchanges.filter(({ method }) => method !== "GET");
  if (shown.writes.length > 0) return "the dry run changed the catalog";
  // What a colleague changed in between was not shown.
  if (ran.interferences.length > 0) return undefined;
  // A run that leaves out what is refused ends with 1, as its dry run does.
  if (shown.code !== 0 && !(shown.code === 1 && ran.code === 1)) {
    if (sent.length > 0)
      return `the dry run ends with ${shown.code}, but the run sends ${sent[0]?.method} ${sent[0]?.id}`;
    return isCalm(ran) && ran.code !== shown.code && ran.code !== 2
      ? `the dry run ends with ${shown.code}, the run with ${ran.code}`
      : undefined;
  }
  const lines =
    plan === undefined ? undefined : parseLines(shown.filesAfter.get(plan) ?? "")?.slice(1);
  const steps = (lines ?? rows?.filter(({ status }) => status === "planned")) as
    | Record<string, unknown>[]
    | undefined;
  if (steps === undefined) return undefined;
  const METHODS: Readonly<Record<string, string>> = {
    create: "POST",
    update: "PATCH",
    delete: "DELETE",
  };
  const find = (method: string, id: string | undefined) =>
    steps.find(
      (step) => METHODS[String(step.action)] === method && (step.id === id || step.id === null),
    );
  for (const { method, id, body } of sent) {
    const step = find(method, id);
    if (step === undefined) return `${method} of ${id} was not shown`;
    if (lines !== undefined && method !== "DELETE" && !isDeepStrictEqual(step.body, body)) {
      return `the plan shows ${JSON.stringify(step.body)}, but ${method} sends ${JSON.stringify(body)}`;
    }
  }
  for (const row of lines === undefined ? [] : (rows ?? [])) {
    const step = find(METHODS[row.action] ?? "", row.id ?? undefined);
    if (row.action !== "update" || row.status !== "planned" || step === undefined) continue;
    const fields =
      row.fields
        ?.filter(({ changedIn }) => changedIn !== "catalog")
        .map(({ path }) => String(path[0])) ?? [];
    const other = Object.keys(step.body as Course).find((field) => !fields.includes(field));
    if (other !== undefined)
      return `${other} of ${row.id} is in the plan, but not in the differences that are shown`;
  }
  if (!isCalm(ran) || ran.code !== 0 || has(ran, "--dry-run")) return undefined;
  // `diff --plan` shows the plan as it is. A change that was made since is unchanged.
  const isPlan = has(ran, "--plan");
  const results = rowsOf(ran);
  if (isPlan && results === undefined) return undefined;
  const made = new Set(
    results?.flatMap(({ id, status }) => (isPlan && status === "unchanged" ? [id] : [])),
  );
  const left = steps.find(
    (step) =>
      !made.has(String(step.id)) &&
      !sent.some(
        ({ method, id }) =>
          METHODS[String(step.action)] === method && (step.id === id || step.id === null),
      ),
  );
  return left && `${String(left.action)} of ${String(left.id)} was shown, but not sent`;
}

/** Compares the catalog before a run with the catalog after its undo. */
export function compareUndone(ran: Ran, undo: Ran): string | undefined {
  if (undo.code !== 0) return `undo ends with ${undo.code}:\n${undo.stderr.slice(0, 1500)}`;
  for (const [id, course] of ran.before) {
    const now = undo.after.get(id);
    if (now === undefined) return `${id} is lost after undo`;
    const wrong = differences(course, now);
    if (wrong.length > 0) return `${id} has another ${wrong.join(", ")} after undo`;
  }
  const extra = [...undo.after.keys()].find((id) => !ran.before.has(id));
  return extra && `${extra} is still there after undo`;
}
