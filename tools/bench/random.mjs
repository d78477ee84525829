/**
 * Pseudorandom numbers that are the same in every run.
 *
 * @returns a function that gives the next one, from 0 to below 1
 */
export function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}
