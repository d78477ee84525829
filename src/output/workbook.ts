/** Writes rows to a sheet of an Excel workbook. Every cell is text, which no program changes or executes. */
import type { CellObject, SheetData } from "write-excel-file/node";
import { CatalogError } from "../base/errors.ts";
import {
  escapeSheetText,
  escapeUnits,
  MEMORY_SHEET,
  nameColumn,
  protectCell,
  quoteNull,
  WORKBOOK_ID,
} from "../base/spreadsheet-cells.ts";
import { formatNumber, truncateJson } from "../base/text.ts";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { findField, shapeAt } from "../course/fields.ts";
import { joinCodes, type Shape } from "../course/shape.ts";
import { formatSize, LIMITS, SHEET } from "../files/limits.ts";
import { columnsNamed, plainCell } from "./cells.ts";
import type { Formatter, RenderOptions } from "./renderer.ts";

/** Writes a workbook for people. Nothing is written before the end. */
export function xlsxFormatter(options: RenderOptions): Formatter {
  const { columns, allColumns = columns, fields, cleared = "", memory, workbook } = options;
  const rows: PlainObject[] = [];
  return {
    rows: (more) => {
      for (const row of more) {
        if (rows.length === LIMITS.courses) {
          throw misfit(row, `a sheet can have at most ${formatNumber(LIMITS.courses)} courses`);
        }
        rows.push(row);
      }
      return "";
    },
    end: () => {
      const all = sheetColumns(allColumns, rows, cleared);
      const isExport = workbook !== undefined && allColumns.includes("prices");
      const kept = memory ?? (isExport ? rows : []);
      const known = new Set([...(isExport ? allColumns : []), ...namesIn(memory)]);
      const names = [...sheetColumns([...known], kept, cleared), WORKBOOK_ID];
      return packSheet(
        { names: fields ?? all, rows },
        { names, rows: identify(kept, workbook) },
        cleared,
      );
    },
  };
}

/** The columns and the rows of a sheet. */
interface Sheet {
  readonly names: readonly string[];
  readonly rows: readonly PlainObject[];
}

/** The rows of a hidden sheet, of which only the first has the id of a new workbook. */
function identify(rows: readonly PlainObject[], id: string | undefined): readonly PlainObject[] {
  if (id === undefined) return rows;
  return rows.map((row, index) => ({ ...row, [WORKBOOK_ID]: index === 0 ? id : undefined }));
}

function namesIn(rows: readonly PlainObject[] = []): string[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...names].filter((name) => name !== WORKBOOK_ID);
}

/**
 * The columns for people: the name first and the id last, without what only the service sets; for each value of a
 * price, a separate column.
 */
function sheetColumns(
  names: readonly string[],
  rows: readonly PlainObject[],
  cleared: string,
): string[] {
  const isCourse = names.includes("prices");
  const isSet = (name: string): boolean => name === "slug" || findField(name)?.readOnly === true;
  const others = names.filter((name) => name !== "id" && name !== "name");
  const middle = others.filter((name) => !isCourse || !isSet(name));
  const split = middle.flatMap((name) =>
    name === "prices" ? priceColumns(rows, cleared) : [name],
  );
  const known = (name: string): string[] => names.filter((each) => each === name);
  return [...known("name"), ...split, ...known("id")];
}

/** The values of the first price that have columns even if no course has a price. */
const PRICE = ["type", "price", "currency"];

/** The columns for the values of prices; one column if there are other values than a cell can contain. */
function priceColumns(rows: readonly PlainObject[], cleared: string): string[] {
  const known = leavesOf(shapeAt(["prices", 0]), "");
  const used = new Set(PRICE.map((key) => `prices[0].${key}`));
  let most = 1;
  for (const row of rows) {
    const isNone = row.prices === undefined || (row.prices === null && cleared === "");
    const prices = isNone ? [] : row.prices;
    if (!isList(prices)) return ["prices"];
    most = Math.max(most, prices.length);
    for (const [index, price] of prices.entries()) {
      const leaves = isObject(price) ? leavesIn(price, "") : undefined;
      if (leaves === undefined || leaves.some((leaf) => !known.includes(leaf))) return ["prices"];
      for (const leaf of leaves) used.add(`prices[${index}].${leaf}`);
    }
  }
  const all = Array.from({ length: most }, (_, at) => known.map((leaf) => `prices[${at}].${leaf}`));
  return all.flat().filter((name) => used.has(name));
}

/** The paths of the values that an object of a shape may have: `payment_period.unit`. */
function leavesOf(shape: Shape | undefined, name: string): string[] {
  if (shape?.kind !== "object") return [name];
  return shape.keys.flatMap((key) => leavesOf(key.shape, join(name, key.name)));
}

/** The paths of the values that an object has. An empty object or a list is a value. */
function leavesIn(value: unknown, name: string): string[] {
  if (value === null) return [];
  if (!isObject(value)) return [name];
  return Object.entries(value).flatMap(([key, part]) => leavesIn(part, join(name, key)));
}

function join(name: string, key: string): string {
  return name === "" ? key : `${name}.${key}`;
}

/** The fewest bytes of the markup of a cell, and of the parts of a workbook other than its cells. */
const [MARKUP, OTHER_PARTS] = [75, 128 * 1024];

/** Characters of the narrowest and of the widest column. */
const [MIN_WIDTH, MAX_WIDTH] = [8, 50];

/** The height, in points, of a row with a text that is longer than its column: three lines. */
const TALL = 45;

/**
 * The bytes of a workbook, which are the same for the same rows.
 *
 * @param sheet its columns are fields of a course, or paths such as `prices[0].price`
 * @param memory the hidden sheet, with which a later command finds what was edited
 * @param cleared the text of a cell whose value is null
 * @throws CatalogError of kind `output` if a workbook cannot contain a course
 */
async function packSheet(
  { names, rows: courses }: Sheet,
  memory: Sheet,
  cleared: string,
): Promise<Uint8Array> {
  let size = OTHER_PARTS;
  const textsIn = (of: readonly string[]) => {
    const columns = columnsNamed(of);
    return (course: PlainObject): string[] => {
      const texts = columns.map(({ name, read, shape }) => {
        const value = joinCodes(read(course), shape);
        const plain = value === null ? cleared : plainCell(value);
        const text = typeof value === "string" ? quoteNull(protectCell(value, false)) : plain;
        if (text.length > SHEET.characters) {
          const length = `${name} has ${formatNumber(text.length)} characters`;
          throw misfit(
            course,
            `${length}, but a cell can have at most ${formatNumber(SHEET.characters)}`,
          );
        }
        // The two sheets share their texts, in which XML may need more characters.
        const escaped = escapeSheetText(text);
        if (of === names) size += Buffer.byteLength(escaped.replace(/[&<>]/g, "&amp;"));
        size += MARKUP;
        return escaped;
      });
      if (size > LIMITS.unpacked) {
        throw misfit(course, `the workbook would be larger than ${formatSize(LIMITS.unpacked)}`);
      }
      return texts;
    };
  };
  const rows = courses.map(textsIn(names));
  const widths = names.map((name, index) =>
    rows.reduce((width, row) => fitWidth(row[index] ?? "", width), fitWidth(name, MIN_WIDTH)),
  );
  const header = names.map((name) => {
    return { ...textCell(escapeSheetText(name)), fontWeight: "bold" as const };
  });
  const { default: writeWorkbook } = await import("write-excel-file/node");
  const { strFromU8, strToU8, unzipSync, zipSync } = await import("fflate");
  const data: SheetData = [header, ...rows.map(rowCells)];
  // The buttons in the header with which people filter rows.
  const filter = `<autoFilter ref="A1:${nameColumn(names.length - 1)}${rows.length + 1}"/>`;
  const markup = filter + listMarkup(names, rows.length);
  const sheet = {
    data,
    sheet: "Courses",
    columns: widths.map((width) => ({ width })),
    stickyRowsCount: 1,
  };
  const kept = [memory.names.map(escapeSheetText), ...memory.rows.map(textsIn(memory.names))];
  const cells: SheetData = kept.map((row) => row.map(textCell));
  const hidden = { data: cells, sheet: MEMORY_SHEET };
  const sheets = memory.rows.length > 0 ? [sheet, hidden] : [sheet];
  const packed = await writeWorkbook(sheets, {
    features: [
      {
        files: {
          transform: {
            "xl/worksheets/sheet{id}.xml": {
              insert: (_, { sheetIndex }) => (sheetIndex === 0 ? markup : ""),
            },
            "xl/workbook.xml": {
              transformElementAttributes: (tag, attributes, index) =>
                tag === "sheet" && index === 1
                  ? { ...attributes, state: "veryHidden" }
                  : attributes,
            },
          },
        },
      },
    ],
  }).toBuffer();
  // The package stores the current time, with which a workbook of the same courses would differ.
  const parts = unzipSync(packed);
  const styles = withDefaultStyle(strFromU8(parts[STYLES] ?? new Uint8Array()));
  return zipSync({ ...parts, [STYLES]: strToU8(styles) }, { mtime: new Date(1980, 0, 1) });
}

const STYLES = "xl/styles.xml";

/** The styles with the style that cells have by default, without which some programs warn. */
function withDefaultStyle(styles: string): string {
  if (styles.includes("<cellStyleXfs")) return styles;
  const formats =
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>';
  const names =
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>';
  return styles
    .replace("<cellXfs", `${formats}<cellXfs`)
    .replace("</cellXfs>", `</cellXfs>${names}`);
}

/** The cells of a row; a row with a long text is taller. */
function rowCells(texts: readonly string[]): CellObject[] {
  const isTall = texts.some((text) => text.length > MAX_WIDTH || text.includes("\n"));
  const layout = {
    wrap: true,
    alignVertical: "top",
    ...(isTall ? { height: TALL } : {}),
  } as const;
  return texts.map((text) => ({ ...textCell(text), ...layout }));
}

/** The rows below the last course that have lists of allowed values: a program may load each of them. */
const NEW_ROWS = 2000;

/** For columns with a closed list of values, the lists from which people choose; other texts can still be typed. */
function listMarkup(names: readonly string[], rows: number): string {
  const lists = columnsNamed(names).flatMap(({ shape }, index) => {
    const values = valuesOf(shape);
    if (values.length === 0) return [];
    const cells = `${nameColumn(index)}2:${nameColumn(index)}${rows + 1 + NEW_ROWS}`;
    return `<dataValidation type="list" allowBlank="1" sqref="${cells}"><formula1>"${values.join(",")}"</formula1></dataValidation>`;
  });
  if (lists.length === 0) return "";
  return `<dataValidations count="${lists.length}">${lists.join("")}</dataValidations>`;
}

function valuesOf(shape: Shape | undefined): readonly string[] {
  const one = shape?.kind === "list" ? shape.of : shape;
  if (one?.kind === "boolean") return ["true", "false"];
  return one?.kind === "enum" ? one.values : [];
}

/** A cell with the format text, which also applies to values that users type later. */
function textCell(text: string): CellObject {
  // The package uses texts as keys of an object, which inherits some keys.
  const value = text in {} ? escapeUnits(text.charAt(0)) + text.slice(1) : text;
  return { value, type: String, format: "@" };
}

function fitWidth(text: string, least: number): number {
  return Math.max(least, Math.min(MAX_WIDTH, text.length + 2));
}

function misfit({ id, name }: PlainObject, reason: string): CatalogError {
  const shown = truncateJson(name ?? id ?? null);
  return new CatalogError("output", `a workbook cannot contain ${shown}: ${reason}`, {
    advice: "Use another format, such as YAML, which has no such limit.",
  });
}
