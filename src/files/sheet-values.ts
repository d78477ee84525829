/** The values of cells as text: numbers without the noise of floating point, dates and times as ISO 8601 has them. */
import type { WorkbookParts } from "./workbook-parts.ts";

/** How a number is shown: as itself, with two decimal places, as a point in time, or as hours and minutes. */
type NumberKind = "number" | "amount" | "time" | "duration";

/** What the cells of all sheets refer to. */
export interface CellContext {
  readonly strings: readonly string[];
  /** By the index of a style. */
  readonly kinds: readonly NumberKind[];
  /** Whether days are counted from 1904, as old programs did. */
  readonly is1904: boolean;
}

/** The shared strings of a workbook, without their formatting and phonetic hints. */
export async function readSharedStrings(parts: WorkbookParts, name: string): Promise<string[]> {
  const strings: string[] = [];
  let text = "";
  let isText = false;
  let hints = 0;
  await parts.read(name, {
    open: (tag) => {
      if (tag === "si") text = "";
      else if (tag === "rPh") hints++;
      isText = tag === "t" && hints === 0;
    },
    text: (part) => {
      if (isText) text += part;
    },
    close: (tag) => {
      isText = false;
      if (tag === "rPh") hints--;
      else if (tag === "si") strings.push(unescapeText(text));
    },
  });
  return strings;
}

/** How each style shows numbers. */
export async function readNumberKinds(parts: WorkbookParts, name: string): Promise<NumberKind[]> {
  const custom = new Map<string, string>();
  const kinds: NumberKind[] = [];
  let isOfCells = false;
  await parts.read(name, {
    open: (tag, { numFmtId = "", formatCode = "" }) => {
      if (tag === "numFmt") custom.set(numFmtId, formatCode);
      else if (tag === "cellXfs") isOfCells = true;
      else if (tag === "xf" && isOfCells)
        kinds.push(kindOf(Number(numFmtId), custom.get(numFmtId)));
    },
    close: (tag) => {
      if (tag === "cellXfs") isOfCells = false;
    },
  });
  return kinds;
}

/** The kind of a format: one that is built in, by its number, or one of the workbook, by its code. */
function kindOf(id: number, code: string | undefined): NumberKind {
  if (code === undefined) {
    if (id === 46) return "duration";
    // 48 is a number with an exponent, 49 a text.
    const isTime =
      (id >= 14 && id <= 22) ||
      (id >= 27 && id <= 36) ||
      (id >= 45 && id <= 47) ||
      (id >= 50 && id <= 58);
    if (isTime) return "time";
    return AMOUNTS.has(id) ? "amount" : "number";
  }
  if (/\[[hms]+\]/i.test(code)) return "duration";
  // Without texts and colors, only dates and times have these letters.
  const plain = code.replace(/"[^"]*"|\\.|[_*].|\[[^\]]*\]/g, "");
  if (/[dmyhs]/i.test(plain) && !/general/i.test(plain)) return "time";
  return /^[^;%e]*0\.00(?![0#?,])[^;%e]*(?:;|$)/i.test(plain) ? "amount" : "number";
}

/** The built-in formats with two decimal places. */
const AMOUNTS: ReadonlySet<number> = new Set([2, 4, 7, 8, 39, 40, 43, 44]);

/** The text of a number that a cell of a style contains; undefined if it is none. */
export function numberText(
  written: string,
  style: number,
  { kinds, is1904 }: CellContext,
): string | undefined {
  const value = Number(written);
  if (written.trim() === "" || !Number.isFinite(value)) return undefined;
  const kind = kinds[style] ?? "number";
  if (kind === "amount" && !Number.isInteger(value)) return String(roundToCents(value));
  if (kind === "number" || kind === "amount" || value < 0) return plainNumber(value, written);
  return kind === "duration" ? durationText(value) : timeText(value, is1904);
}

/** A number with as many digits as are exact, and those of a long code as they are written. */
function plainNumber(value: number, written: string): string {
  return /^\d{16,}$/.test(written) ? written : String(value);
}

/** A number as people see it: a formula for a discount has more places. */
function roundToCents(value: number): number {
  // Of 1.005 * 100, the last digits are noise.
  return Math.round(Number((value * 100).toPrecision(15))) / 100;
}

const MINUTES_PER_DAY = 24 * 60;

/** Hours and minutes: `36:30`. */
function durationText(days: number): string {
  const minutes = Math.round(days * MINUTES_PER_DAY);
  return `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}`;
}

const MILLISECONDS_PER_DAY = MINUTES_PER_DAY * 60_000;

/** A date, a time of day, or both: `2027-01-31 09:30`. */
function timeText(days: number, is1904: boolean): string {
  const start = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const minutes = Math.round((days % 1) * MINUTES_PER_DAY);
  const clock = `${twoDigits(Math.floor(minutes / 60) % 24)}:${twoDigits(minutes % 60)}`;
  if (days < 1) return clock;
  const at = new Date(start + Math.floor(days) * MILLISECONDS_PER_DAY);
  if (Number.isNaN(at.getTime())) return String(days);
  const date = at.toISOString().slice(0, 10);
  return minutes === 0 ? date : `${date} ${clock}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** A text with the characters that XML cannot contain, which are written as `_x0007_`. */
export function unescapeText(text: string): string {
  return text.includes("_x")
    ? text.replace(/_x([\da-f]{4})_/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
}
