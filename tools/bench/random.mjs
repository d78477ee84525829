/**
 * Pseudorandom numbers that are the same in every run.
 *
 * @returns a function that returns the next number, from 0 (included) to 1 (excluded)
 */
export function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}
