/**
 * Compares things by interleaved pairs: every round measures each of them once, so that whatever
 * the machine does beside falls on all of them alike, and a ratio is taken within a round.
 */

const WARM_UP = 3;

/**
 * @param baseline a name and a function that takes one measurement, in milliseconds
 * @param candidates more of these
 * @param warmUp rounds before those that count
 * @returns the title, the unit, and for each its median, least and most, and the median of its
 *   ratios to the baseline
 */
export async function paired({ title, rounds, baseline, candidates, warmUp = WARM_UP }) {
  const entries = [baseline, ...candidates];
  const times = entries.map(() => []);
  for (let round = -warmUp; round < rounds; round++) {
    // Each round begins with another one, so that none always follows the same.
    for (let turn = 0; turn < entries.length; turn++) {
      const index = (turn + round + warmUp) % entries.length;
      const time = await entries[index][1]();
      if (round >= 0) times[index].push(time);
    }
  }
  const rows = entries.map(([name], index) => ({
    name,
    median: median(times[index]),
    min: Math.min(...times[index]),
    max: Math.max(...times[index]),
    ratio: median(times[index].map((time, round) => time / times[0][round])),
  }));
  return { title, unit: "ms", rounds, rows };
}

function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
