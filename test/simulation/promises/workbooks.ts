/** Promises about three-way comparisons: with a base, and with the values that a workbook remembers. */

import type { Courses, Ran } from "../history.ts";
import {
  type Course,
  cellOf,
  type Described,
  derivedId,
  FIELDS,
  findMeant,
  isSame,
  normalUrl,
} from "../model.ts";
import { readSheet } from "../workbook.ts";
import type { Judge } from "./judge.ts";
import {
  argumentsOf,
  type Check,
  commandOf,
  describedIn,
  flagValue,
  has,
  isCalm,
  isFaithful,
  isOf,
  isTouched,
  rowsOf,
} from "./run.ts";

export const keepsCatalogChanges: Check = (ran, judge) => {
  const base = flagValue(ran, "--base");
  if (!isOf(ran, "push") || base === undefined || ran.interferences.length > 0) return undefined;
  const [files, old] = [describedIn(ran, judge), describedIn(ran, judge, [base])];
  if (files === undefined || old === undefined) return undefined;
  const courses = [...ran.before.values()];
  const find = (list: readonly Described[], id: string, url: unknown): Course | undefined => {
    const isMeant = ({ course }: Described): boolean => findMeant(course, courses) === id;
    const isNamed = ({ course }: Described): boolean =>
      String(course.id || derivedId(course)).toLowerCase() === id ||
      normalUrl(course.url) === normalUrl(url);
    return (list.find(isMeant) ?? list.find(isNamed))?.course;
  };
  for (const { method, id, body = {} } of ran.writes) {
    // A repeated PATCH finds the values of the first one.
    const before = ran.before.get(id);
    const now = find(files, id, body.url ?? before?.url);
    const then = find(old, id, body.url ?? before?.url);
    if (method === "DELETE" && then === undefined)
      return `${id} is deleted, although the base does not have it`;
    if (now === undefined || then === undefined) continue;
    const isEdited = (field: string): boolean => !isSame(field, now[field], then[field]);
    if (method === "POST" && !FIELDS.some((field) => field in now && isEdited(field)))
      return `${id} is created again, although its file did not change`;
    for (const field of method === "PATCH" ? Object.keys(body) : []) {
      if (!(field in then)) continue;
      if (field in now && !isEdited(field))
        return `${field} of ${id} is sent, although it changed only in the catalog`;
      const isBoth = isEdited(field) && !isSame(field, then[field], before?.[field]);
      if (isBoth && flagValue(ran, "--on-drift") !== "overwrite")
        return `${field} of ${id} is sent, although it changed in both`;
    }
  }
  return undefined;
};

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

/** The cells of a workbook. Undefined if rows do not name their courses. */
function readBook(text = ""): Cells | undefined {
  const [header = [], ...rows] = readSheet(Buffer.from(text, "latin1"));
  const at = header.indexOf("id");
  if (at === -1) return undefined;
  const courses = rows.map((row): [string, Map<string, string>] => [
    String(row[at] ?? "").toLowerCase(),
    new Map(header.map((column, index) => [column, String(row[index] ?? "")])),
  ]);
  return new Map(courses.filter(([id]) => id !== ""));
}

function fieldOf(column: string): string {
  return column.replace(/[[.].*/, "");
}

/** The cells of a workbook, with the values of their fields. */
function agreedCells(cells: Cells, courses: Courses): [string, Agreed][] {
  return [...cells].flatMap(([id, row]) => {
    const course = courses.get(id);
    return [...(course === undefined ? [] : row)].map(([column, text]): [string, Agreed] => [
      `${id} ${column}`,
      { text, value: course?.[fieldOf(column)] },
    ]);
  });
}

/** What the people's workbooks were exported with, and what was sent from them. */
export class Workbooks {
  readonly #books = new Map<string, Workbook>();

  of(ran: Pick<Ran, "who" | "words">): Workbook | undefined {
    const path = argumentsOf(ran).find((word) => word.endsWith(".xlsx"));
    return path === undefined ? undefined : this.#books.get(`${ran.who} ${path}`);
  }

  /** Remembers what a run exported, sent and undid. */
  remember(ran: Ran): void {
    const { who, code, writes, record } = ran;
    const out = flagValue(ran, "--out");
    if (isOf(ran, "ls") && out?.endsWith(".xlsx")) {
      const cells = code === 0 && isCalm(ran) ? readBook(ran.filesAfter.get(out)) : undefined;
      const path = `${who} ${out}`;
      if (cells === undefined) this.#books.delete(path);
      else this.#books.set(path, { exported: new Map(agreedCells(cells, ran.after)), sent: [] });
    }
    const book = this.of(ran);
    const cells = book && readBook(ran.filesBefore.get(argumentsOf(ran)[0] ?? ""));
    if (cells !== undefined && writes.length > 0) {
      const fields = new Set(
        writes.flatMap(({ id, body = {} }) => Object.keys(body).map((field) => `${id} ${field}`)),
      );
      const stored = new Map(writes.map(({ id, after }) => [id, after ?? {}]));
      const sent = agreedCells(cells, stored).filter(([cell]) => fields.has(fieldOf(cell)));
      book?.sent.push({ run: String(record?.header.run), cells: new Map(sent) });
    }
    const undone = String(record?.header.undoes);
    for (const [path, { sent }] of this.#books) {
      const index = sent.findIndex(({ run }) => run === undone);
      if (index === -1) continue;
      // What was undone in part, or is done again by an undo of the undo, is not followed.
      if (code === 0 && isCalm(ran) && index === sent.length - 1) sent.pop();
      else this.#books.delete(path);
    }
  }
}

/** An edited cell of a workbook, with what it was when it was exported or last sent. */
interface Edit {
  readonly id: string;
  readonly column: string;
  readonly text: string;
  readonly then: Agreed | undefined;
}

function editsOf(ran: Ran, { workbooks, world }: Judge): readonly Edit[] | undefined {
  const isCompared = isOf(ran, "push", "update") && !world.freedoms.isRestless;
  const book = isCompared ? workbooks.of(ran) : undefined;
  const cells = book && readBook(ran.filesBefore.get(argumentsOf(ran)[0] ?? ""));
  if (book === undefined || cells === undefined) return undefined;
  return [...cells].flatMap(([id, row]) =>
    [...row].flatMap(([column, text]) => {
      const cell = `${id} ${column}`;
      const sent = book.sent.findLast(({ cells: each }) => each.has(cell));
      const then = (sent?.cells ?? book.exported).get(cell);
      return text === (then?.text ?? "") ? [] : [{ id, column, text, then }];
    }),
  );
}

/** Whether a field of a course changed in the catalog since the workbook was exported or last sent. */
function changedSince({ column, then }: Edit, course: Course | undefined): boolean {
  const field = fieldOf(column);
  return then !== undefined && !(course && isSame(field, course[field], then.value));
}

export const onlyEditedCells: Check = (ran, judge) => {
  const edits = editsOf(ran, judge);
  const exported = judge.workbooks.of(ran)?.exported;
  if (edits === undefined || exported === undefined) return undefined;
  for (const { method, id, body = {}, before = {} } of ran.writes) {
    const own = edits.filter((edit) => edit.id === id);
    const isKnown = exported.has(`${id} name`);
    if (method === "DELETE" && !has(ran, "--prune")) return `a workbook deletes ${id}`;
    if (method === "POST" && isKnown && own.length === 0)
      return `${id} is created from a row that was not edited`;
    for (const field of method === "PATCH" ? Object.keys(body) : []) {
      const cells = own.filter(({ column }) => fieldOf(column) === field);
      if (isKnown && cells.length === 0)
        return `${field} of ${id} is sent, although its cell was not edited`;
      const isReverted =
        cells.some((cell) => changedSince(cell, before)) &&
        !isSame(field, before[field], body[field]);
      if (!isReverted || isTouched(ran, [id])) continue;
      if (flagValue(ran, "--on-drift") !== "overwrite")
        return `${field} of ${id} is sent, although it changed in the catalog too`;
      const isNamed =
        rowsOf(ran)?.some((row) => row.id === id && row.inCatalog !== undefined) ??
        (ran.stdout + ran.stderr).includes(field);
      if (!isNamed) return `${field} of ${id} is reverted, and not named`;
    }
  }
  return undefined;
};

export const pushesWorkbookAgain: Check = (ran, judge) => {
  const edits = editsOf(ran, judge);
  const isSure = isCalm(ran) && !has(ran, "--dry-run") && isFaithful(judge.world);
  if (edits === undefined || !isSure) return undefined;
  const isDrift = (edit: Edit): boolean => changedSince(edit, ran.before.get(edit.id));
  if (ran.code === 7 && !edits.some(isDrift))
    return "nobody but this workbook changed the catalog, but it is refused as drift";
  if (ran.code !== 0) return undefined;
  for (const edit of edits) {
    const { id, column, text } = edit;
    const stored = ran.after.get(id);
    const value = cellOf(stored ?? {}, column);
    const isCompared = typeof value !== "object" || text === "";
    const isStored = !isCompared || isSame(column.replace(/.*\./, ""), value, text || null);
    if (stored !== undefined && isStored) continue;
    const isLeft = stored === undefined || flagValue(ran, "--on-drift") === "keep";
    if (!isLeft || !isDrift(edit) || !(ran.stdout + ran.stderr).includes(id))
      return `the cell ${column} of ${id} is ${text}, but the catalog has ${JSON.stringify(value)}, and ${commandOf(ran.words)} says that it succeeded`;
  }
  return undefined;
};
