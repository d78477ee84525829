/** What a user would write in a shell with `curl`, for comparison. */
import { timed } from "./command.mjs";
import { plainEnvironment, UNHEARD } from "./program.mjs";

/** The largest page that the service gives. */
export const PAGE = 100;

/** Fails like its `curl` does, and says why. */
const CURL = 'curl --silent --show-error --fail --header "X-Api-Key: $CATALOG_API_KEY"';
const COURSES = "$CATALOG_BASE_URL/developer/v1/courses";

/** Runs lines of shell to their end. @returns milliseconds @throws Error when a line fails */
export function timedShell(lines, place) {
  return timed("sh", ["-e", "-c", lines], shellOptions(place));
}

/** How a shell is run: the same way as the program beside it. */
export function shellOptions({ folder, environment }) {
  return { cwd: folder, env: plainEnvironment(folder, environment), stdio: UNHEARD };
}

/**
 * The lines that read that many courses page after page.
 *
 * @param after what stands behind each `curl`, such as a pipe
 */
export function readPages(count, after = "") {
  return `offset=0
while [ $offset -lt ${count} ]; do
  ${CURL} "${COURSES}?limit=${PAGE}&offset=$offset" ${after}
  offset=$((offset + ${PAGE}))
done`;
}

/** The words of one `curl` that creates a course; a body's file follows them, with an @ before it. */
const CREATE = `${CURL} --output /dev/null --header "Content-Type: application/json" --url "${COURSES}" --data-binary`;

/** The line that creates a course for each line of a file `bodies.txt`, so many at once. */
export function createAtOnce(concurrency) {
  return `xargs -n 1 -P ${concurrency} ${CREATE} < bodies.txt`;
}

/** The lines that create the same courses one after the other. */
export function createInLoop() {
  return `while read -r body; do
  ${CREATE} "$body"
done < bodies.txt`;
}
