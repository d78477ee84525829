/** Runs functions where a call with very many arguments would overflow the stack. */

/**
 * Runs `work` with so little stack that a call cannot have `count` arguments. A test's stack is four times
 * that of the program, in which 125,000 are too many.
 */
export function withLittleStack<Result>(count: number, work: () => Result): Result {
  const many = Array(count).fill(0);
  const descend = (calls: number): Result => {
    if (calls > 0) return descend(calls - 1);
    return overflows(many) ? work() : descend(100);
  };
  return descend(0);
}

function overflows(numbers: readonly number[]): boolean {
  try {
    Math.max(...numbers);
    return false;
  } catch {
    return true;
  }
}
