/** Decides how wide each column of a table is. */

/** A column before the room is shared out. */
export interface Wish {
  /** The width of each of its cells. */
  readonly cells: readonly number[];
  /** The width of its header. */
  readonly header: number;
  /** Whether it holds ids, which are whole wherever they can be. */
  readonly isId: boolean;
  /** Whether the header is a path, whose end says enough. */
  readonly isPath?: boolean;
}

/** The blanks between two columns. */
export const GAP = 2;

const LEAST = 3;
/** Text is cut to this width to keep ids whole, and no further. */
const MEAGRE = 6;
/** Below this width of a line ids are cut like any text. */
const NARROW = 60;
/** What a header is worth beside cells that are all as long, and what more while it is whole. */
const HEADER_WORTH = 0.4;
const WHOLE_HEADER_WORTH = 0.3;

/**
 * The widths that fit into a line. One place after the other is taken from the column that loses
 * least by it: the end of a long text is worth less than that of a short one, a few long texts less
 * than many, and a header less than what stands below it. Ids stay whole, unless the line is narrow
 * or the others would become unreadable. Columns that find no room even so have no width: the
 * result is shorter than the wishes, and leaves room for one more column of one sign.
 */
export function fitColumns(wishes: readonly Wish[], room: number): number[] {
  if (wishes.length * (LEAST + GAP) - GAP > room) {
    const most = Math.max(1, Math.floor((room - 1) / (LEAST + GAP)));
    if (most < wishes.length) return fitColumns(wishes.slice(0, most), room - GAP - 1);
  }
  const widths = wishes.map(({ cells, header }) =>
    Math.min(
      room,
      cells.reduce((most, cell) => Math.max(most, cell), Math.max(header, 1)),
    ),
  );
  const excess = widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1)) - room;
  if (excess <= 0) return widths;
  const columns = wishes.map((wish, index) => columnOf(wish, widths[index] ?? LEAST));
  const whole = room < NARROW ? undefined : shortened(columns, excess, ({ meagre }) => meagre);
  return (
    whole ??
    shortened(columns, excess, () => LEAST) ??
    widths.map((width) => Math.min(width, LEAST))
  );
}

interface Column {
  /** The width at which nothing is cut that could be shown. */
  readonly width: number;
  /** The width down to which it gives way so that ids stay whole. */
  readonly meagre: number;
  /** What the last place is worth, by the width. */
  readonly worth: readonly number[];
}

function columnOf({ cells, header, isId, isPath = false }: Wish, width: number): Column {
  /** How many cells are exactly so wide; what is wider than the line counts as that. */
  const ending = new Array<number>(width + 1).fill(0);
  for (const cell of cells) {
    const end = Math.min(cell, width);
    ending[end] = (ending[end] ?? 0) + 1;
  }
  const worth = new Array<number>(width + 1).fill(0);
  let reaching = 0;
  for (let place = width; place > 0; place--) {
    reaching += ending[place] ?? 0;
    const ofCells = reaching / Math.max(1, cells.length);
    const ofHeader = header >= place ? HEADER_WORTH : 0;
    const ofWhole = header === place && !isPath ? WHOLE_HEADER_WORTH : 0;
    worth[place] = (ofCells + ofHeader + ofWhole) / place;
  }
  const content = ending.findLastIndex((amount) => amount > 0);
  const meagre = isId ? width : Math.max(LEAST, Math.min(MEAGRE, content));
  return { width, meagre, worth };
}

/** The widths with so many places taken away; undefined where the columns cannot give as many. */
function shortened(
  columns: readonly Column[],
  excess: number,
  least: (column: Column) => number,
): number[] | undefined {
  const widths = columns.map(({ width }) => width);
  for (let left = excess; left > 0; left--) {
    let cheapest: number | undefined;
    let price = Number.POSITIVE_INFINITY;
    for (const [index, column] of columns.entries()) {
      const width = widths[index] ?? 0;
      const worth = column.worth[width] ?? 0;
      if (width > least(column) && worth < price) [cheapest, price] = [index, worth];
    }
    if (cheapest === undefined) return undefined;
    widths[cheapest] = (widths[cheapest] ?? 0) - 1;
  }
  return widths;
}
