/** Decides how wide each column of a table is. */

/** A column before the room is shared out. */
export interface Wish {
  /** The width of its widest cell. */
  readonly content: number;
  /** The width of its header. */
  readonly header: number;
  /** Whether it holds ids, which are cut last. */
  readonly isId: boolean;
}

/** The blanks between two columns. */
export const GAP = 2;

const READABLE = 20;
const LEAST = 3;
const NARROW = 60;

/**
 * The widths that fit into a line. The widest columns give way first, down to a readable width;
 * then headers wider than their column; then any text; ids last, unless the line is narrow.
 * Columns that find no room even so have no width: the result is shorter than the wishes, and leaves
 * room for one more column of one sign.
 */
export function fitColumns(wishes: readonly Wish[], room: number): number[] {
  if (wishes.length * (LEAST + GAP) - GAP > room) {
    const most = Math.max(1, Math.floor((room - 1) / (LEAST + GAP)));
    if (most < wishes.length) return fitColumns(wishes.slice(0, most), room - GAP - 1);
  }
  const widths = wishes.map(({ content, header }) => Math.min(room, Math.max(content, header, 1)));
  const gives = wishes.map(({ isId }) => !isId || room < NARROW);
  const everything = wishes.map(() => true);
  const stages = [
    { gives, floors: wishes.map(() => READABLE) },
    { gives, floors: wishes.map(({ content }) => Math.max(content, LEAST)) },
    { gives, floors: wishes.map(() => LEAST) },
    { gives: everything, floors: wishes.map(() => LEAST) },
  ];
  let excess = widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1)) - room;
  for (const stage of stages) {
    for (; excess > 0; excess--) {
      const widest = widestOf(widths, stage);
      if (widest === undefined) break;
      widths[widest] = (widths[widest] ?? 0) - 1;
    }
  }
  return widths;
}

function widestOf(
  widths: readonly number[],
  { gives, floors }: { gives: readonly boolean[]; floors: readonly number[] },
): number | undefined {
  let found: number | undefined;
  for (const [index, width] of widths.entries()) {
    if (gives[index] !== true || width <= (floors[index] ?? LEAST)) continue;
    if (found === undefined || width > (widths[found] ?? 0)) found = index;
  }
  return found;
}
