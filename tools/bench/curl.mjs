/** Shell lines with `curl` that a user could write instead of using `catalog`, for comparison. */
import { timeCommand } from "./command.mjs";
import { IGNORE_OUTPUT, plainEnvironment } from "./program.mjs";

/** The size of the largest page of the service. */
export const PAGE = 100;

/** A `curl` that fails on HTTP errors, and prints the reason. */
const CURL = 'curl --silent --show-error --fail --header "X-Api-Key: $CATALOG_API_KEY"';
const COURSES = "$CATALOG_BASE_URL/developer/v1/courses";

/** Runs shell lines to their end. @returns milliseconds @throws Error if a line fails */
export function timeShell(lines, place) {
  return timeCommand("sh", ["-e", "-c", lines], shellOptions(place));
}

/** Runs a shell in the same way as the program with which it is compared. */
export function shellOptions({ folder, environment }) {
  return { cwd: folder, env: plainEnvironment(folder, environment), stdio: IGNORE_OUTPUT };
}

/**
 * The lines that read `count` courses page after page.
 *
 * @param after text after each `curl`, such as a pipe
 */
export function readPages(count, after = "") {
  return `offset=0
while [ $offset -lt ${count} ]; do
  ${CURL} "${COURSES}?limit=${PAGE}&offset=$offset" ${after}
  offset=$((offset + ${PAGE}))
done`;
}

/** A `curl` command that creates a course. Append @ and the name of the file with the body. */
const CREATE = `${CURL} --output /dev/null --header "Content-Type: application/json" --url "${COURSES}" --data-binary`;

/** The line that creates a course for each line of the file `bodies.txt`, several at once. */
export function createInParallel(concurrency) {
  return `xargs -n 1 -P ${concurrency} ${CREATE} < bodies.txt`;
}

/** The lines that create a course for each line of the file `bodies.txt`, one after the other. */
export function createInLoop() {
  return `while read -r body; do
  ${CREATE} "$body"
done < bodies.txt`;
}
