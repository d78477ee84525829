/**
 * Compares measurements in interleaved rounds: every round takes each of them once, so that other load
 * on the machine affects all of them, and ratios are calculated within a round.
 */

/** Measured rounds, if the benchmark does not set another number. */
const ROUNDS = 15;

const WARM_UP = 3;

/**
 * @param baseline a name and a function that takes one measurement
 * @param candidates more of these
 * @param warmUp rounds before those that count; never more than of these
 * @param unit what the measurements are in; milliseconds if it is left out
 * @param note printed below the title
 * @returns the title, the unit, the note, and for each its median, least and most, and the median of
 *   its ratios to the baseline
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
    // Each round begins with another one, so that none always follows the same.
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

/** Says why something was not measured. */
export function missingNote(program) {
  return `Not measured: this machine has no ${program}.`;
}

function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
