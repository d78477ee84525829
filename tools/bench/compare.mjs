/**
 * Compares measurements in interleaved rounds: each round takes every measurement once. So other load on the
 * machine affects all measurements, and ratios are calculated within a round.
 */

/** The number of measured rounds, if the benchmark sets no other number. */
const ROUNDS = 15;

const WARM_UP = 3;

/**
 * @param baseline a name and a function that takes one measurement
 * @param candidates further names and functions
 * @param warmUp rounds before the measured rounds; at most as many as measured rounds
 * @param unit the unit of the measurements; by default milliseconds
 * @param note printed below the title
 * @returns the title, the unit and the note, and for each measurement the median, minimum and maximum, and the
 *   median of its ratios to the baseline
 */
export async function compare({
  title,
  rounds = ROUNDS,
  baseline,
  candidates,
  warmUp = WARM_UP,
  unit = "ms",
  note,
}) {
  const entries = [baseline, ...candidates];
  const measured = entries.map(() => []);
  const before = Math.min(warmUp, rounds);
  for (let round = -before; round < rounds; round++) {
    // Each round begins with another measurement, so that the order changes.
    for (let turn = 0; turn < entries.length; turn++) {
      const index = (turn + round + before) % entries.length;
      const figure = await entries[index][1]();
      if (round >= 0) measured[index].push(figure);
    }
  }
  const rows = entries.map(([name], index) => ({
    name,
    median: median(measured[index]),
    min: Math.min(...measured[index]),
    max: Math.max(...measured[index]),
    ratio: median(measured[index].map((figure, round) => figure / measured[0][round])),
  }));
  return { title, unit, rounds, note, rows };
}

/** The result of a benchmark whose program is missing. */
export function skipped(title, missing) {
  return { title, unit: "ms", note: missingNote(missing), rows: [] };
}

/** A note that says why something was not measured. */
export function missingNote(program) {
  return `Not measured: this machine has no ${program}.`;
}

function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
