/** Reads the values of cells as text: numbers as the sheet shows them, and dates and times as in ISO 8601. */
import type { WorkbookParts } from "./workbook-parts.ts";

/** How a style shows a number: unchanged, with two decimal places, as a time, or as hours and minutes. */
type NumberKind = "number" | "amount" | "time" | "duration";

export interface CellContext {
  readonly strings: readonly string[];
  /** For each style, how it shows numbers. */
  readonly kinds: readonly NumberKind[];
  /** Whether days count from 1904, as in files of old programs. */
  readonly is1904: boolean;
}

/** The strings that cells refer to by index, without formatting: `<si><t>Knitting</t></si>` is `Knitting`. */
export async function readSharedStrings(parts: WorkbookParts, name: string): Promise<string[]> {
  const strings: string[] = [];
  let string = "";
  await parts.read(name, {
    open: (tag) => {
      if (tag === "si") string = "";
    },
    close: (tag, text) => {
      if (tag === "t") string += text;
      else if (tag === "si") strings.push(unescapeText(string));
    },
  });
  return strings;
}

/** For each style, how it shows numbers. */
export async function readNumberKinds(parts: WorkbookParts, name: string): Promise<NumberKind[]> {
  const custom = new Map<string, NumberKind>();
  const kinds: NumberKind[] = [];
  let isOfCells = false;
  await parts.read(name, {
    open: (tag, { numFmtId = "", formatCode = "" }) => {
      if (tag === "numFmt") custom.set(numFmtId, kindOfCode(formatCode));
      else if (tag === "cellXfs") isOfCells = true;
      else if (tag === "xf" && isOfCells) {
        kinds.push(custom.get(numFmtId) ?? kindBuiltIn(numFmtId));
      }
    },
    close: (tag) => {
      if (tag === "cellXfs") isOfCells = false;
    },
  });
  return kinds;
}

/** The kind of a built-in format, which every program knows by its number. */
function kindBuiltIn(id: string): NumberKind {
  if (id === "46") return "duration";
  // Not 48, a number with an exponent, nor 49, text.
  if (/^(?:1[4-9]|2[0-27-9]|3[0-6]|4[57]|5[0-8])$/.test(id)) return "time";
  // These have two decimal places.
  return /^(?:2|4|7|8|39|40|43|44)$/.test(id) ? "amount" : "number";
}

/** The kind of a format that the workbook defines: `[h]:mm` is a duration. */
function kindOfCode(code: string): NumberKind {
  if (/\[[hms]+\]/i.test(code)) return "duration";
  // Without texts and colors, only dates and times have these letters.
  const plain = code.replace(/"[^"]*"|\\.|[_*].|\[[^[\]]*\]/g, "");
  if (/[dmyhs]/i.test(plain) && !/general/i.test(plain)) return "time";
  return /^[^;%e]*0\.00(?![0#?,])[^;%e]*(?:;|$)/i.test(plain) ? "amount" : "number";
}

/**
 * The text of a number in a cell: 46053 is `2026-01-31` in a style for dates, and 29.925 is `29.93` with two decimal
 * places. Undefined for text that is not a number.
 */
export function numberText(
  written: string,
  style: number,
  { kinds, is1904 }: CellContext,
): string | undefined {
  const value = Number(written);
  if (written.trim() === "" || !Number.isFinite(value)) return undefined;
  const kind = kinds[style] ?? "number";
  if (kind === "amount" && !Number.isInteger(value)) return String(roundToCents(value));
  if (kind !== "number" && kind !== "amount" && value >= 0) {
    return kind === "duration" ? durationText(value) : timeText(value, is1904);
  }
  // A long code would lose digits as a number.
  return /^\d{16,}$/.test(written) ? written : String(value);
}

/** Rounds a number as the sheet shows it: the result of a formula may have more places. */
function roundToCents(value: number): number {
  // Without `toPrecision`, 1.005 * 100 is 100.49999999999999.
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

/** Decodes characters that XML cannot contain: `_x0007_` is the character U+0007. */
export function unescapeText(text: string): string {
  return text.replace(/_x([\da-f]{4})_/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

export function isTrue(text: string | undefined): boolean {
  return text === "1" || text === "true";
}
