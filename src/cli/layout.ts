/** Lays out terms with what they mean. */
import { paragraph } from "../base/paragraph.ts";

const GAP = 2;
/** Further in than any term. */
const BELOW = 8;
/** The least that is left for the second column; where there is less, it stands below the first. */
const LEAST = 30;

/** Rows of a term and what it means, indented by two. */
export function columnsText(rows: readonly (readonly [string, string])[], columns: number): string {
  const fitting = rows.map(([term]) => term.length).filter((length) => length <= columns / 3);
  const start = GAP + Math.max(0, ...fitting) + GAP;
  const narrow = columns - start < LEAST;
  return rows
    .map(([term, meaning]) => {
      const beside = !narrow && GAP + term.length + GAP <= start;
      const lines = paragraph(meaning, columns, " ".repeat(narrow ? BELOW : start));
      const label = `${" ".repeat(GAP)}${term}`;
      return beside ? label.padEnd(start) + lines.slice(start) : `${label}\n${lines}`;
    })
    .join("\n");
}
