/** Promises about what a run says: its output, its exit code, and the results of its steps. */
import { DEFAULT_KEY } from "../../../src/sandbox/seed.ts";
import type { Ran } from "../history.ts";
import { differences } from "../model.ts";
import {
  type Check,
  has,
  isCalm,
  isChanging,
  isFaithful,
  isOf,
  parseJson,
  parseLines,
  type Row,
  rowsOf,
} from "./run.ts";

const CODES: readonly unknown[] = [0, 1, 2, 3, 4, 5, 6, 7, 129, 130, 143, "killed"];
const STOPS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const behaves: Check = (ran) => {
  const { code, stdout, stderr, signal } = ran;
  if (!CODES.includes(code)) return code === "hangs" ? "the command hangs" : `exit code ${code}`;
  if (typeof code === "number" && signal !== undefined && code !== STOPS[signal] && code !== 0)
    return `exit code ${code} after ${signal}`;
  if (/this is a bug in catalog|^\s+at \S+ \((?:file:|node:|\/)/m.test(stderr))
    return stderr.slice(0, 500);
  if ((stdout + stderr).includes(DEFAULT_KEY)) return "the key is printed";
  const bad = ran.exchanges.find(
    ({ method, id = "" }) => (method === "PATCH" || method === "DELETE") && !UUID.test(id),
  );
  if (bad !== undefined) return `${bad.method} ${bad.target} names no course`;
  const fixed = ran.exchanges.find(
    ({ method, body = {} }) => method === "PATCH" && ("id" in body || "slug" in body),
  );
  if (fixed !== undefined) return `PATCH of ${fixed.id} has an id or a slug`;
  const isRefused = code === 2 || code === 3;
  return isRefused && isCalm(ran) && ran.writes.length > 0
    ? `exit code ${code} after changes`
    : undefined;
};

export const printsJson: Check = (ran) => {
  const { code, stdout, stderr } = ran;
  if (!has(ran, "--json"))
    return isChanging(ran) && !isOf(ran, "create") && stdout !== ""
      ? "data is printed that nobody asked for"
      : undefined;
  if (code === "killed" || ran.signal !== undefined) return undefined;
  // A question on a terminal is no JSON.
  if (!stderr.includes("\u001b") && parseLines(stderr) === undefined)
    return `standard error has lines that are no JSON: ${stderr.slice(0, 300)}`;
  const isWritten = stdout !== "" || code === 0 || code === 1;
  return isWritten && parseJson(stdout || "[]") === undefined
    ? `standard output does not parse: ${stdout.slice(0, 300)}`
    : undefined;
};

/** The results of a run that has ended and may have changed the catalog. */
function resultsOf(ran: Ran): readonly Row[] | undefined {
  return typeof ran.code === "number" && isChanging(ran) && !has(ran, "--dry-run")
    ? rowsOf(ran)
    : undefined;
}

export const changesNothingInDryRun: Check = (ran) =>
  has(ran, "--dry-run") && ran.writes.length > 0 ? "a dry run changed the catalog" : undefined;

/** Faults after which it is not clear whether the request took effect. */
const UNCLEAR = /^(reset|lost|cut|late|html( done)?|50[0234]( done)?)$/;

export const honestResults: Check = (ran, { world }) => {
  const rows = resultsOf(ran) ?? [];
  const isFaulty = ran.events.some(({ fault, signal, full }) => fault ?? signal ?? full);
  const touched = new Set(ran.interferences.map(({ id }) => id));
  for (const { id, name, action, status } of rows) {
    if (name === undefined) return `the result of ${action} ${id} has no name`;
    if (id === null || touched.has(id)) continue;
    const own = ran.writes.filter((write) => write.id === id);
    const now = ran.after.get(id);
    const says = `${id} is reported as ${action} ${status}`;
    if (status === "unknown" && !isFaulty) return `${says} without any fault`;
    if (status === "unknown") continue;
    const isUnclear = ran.exchanges.some(
      (each) => each.id === id && each.method !== "GET" && UNCLEAR.test(each.fault ?? ""),
    );
    if (status === "failed" && isUnclear) return `${says}, but it may have taken effect`;
    if (status !== "done" && own.length > 0)
      return `${says}, but ${own.map(({ method }) => method).join(", ")} took effect`;
    if (status !== "done") continue;
    if ((action === "delete") !== (now === undefined))
      return `${says}, but the course ${now ? "exists" : "does not exist"}`;
    const last = own.at(-1);
    if (last === undefined) return `${says}, but nothing took effect`;
    const wrong = differences(last.body ?? {}, now ?? {}, Object.keys(last.body ?? {})).filter(
      (field) => field !== "id" && field !== "slug",
    );
    if (action !== "delete" && wrong.length > 0 && !world.freedoms.trims)
      return `${says}, but ${wrong.join(", ")} differs`;
  }
  const missing = ran.writes.find(
    ({ id }) => !touched.has(id) && !rows.some((row) => row.id === id),
  );
  return resultsOf(ran) && missing && `${missing.method} of ${missing.id} has no result`;
};

/** The actions whose results are counted together once they are done. */
const DONE: Readonly<Record<string, string>> = {
  created: "create",
  updated: "update",
  deleted: "delete",
};

export const agreeingTotals: Check = (ran) => {
  const rows = resultsOf(ran);
  if (rows === undefined) return undefined;
  const tally = (...statuses: string[]) =>
    rows.filter(({ status }) => statuses.includes(status)).length;
  if (ran.code === 0 && tally("failed", "unknown") > 0)
    return "exit code 0 although something failed";
  if (tally("unknown") > 0 && ![6, 129, 130, 143, 2, 4].includes(Number(ran.code)))
    return `exit code ${ran.code} although an effect is unknown`;
  const counts = parseLines(ran.stderr)?.findLast(({ counts: said }) => said)?.counts;
  if (counts === undefined || rows.length === 0) return undefined;
  const said = counts as Readonly<Record<string, number>>;
  const count = (name: string): number =>
    rows.filter(({ action, status }) =>
      name in DONE ? action === DONE[name] && status === "done" : status === name,
    ).length;
  const all = [...Object.keys(DONE), "failed", "skipped", "unknown", "unchanged"];
  const off = all.find((name) => said[name] !== count(name));
  return off && `the counts say ${off} ${said[off]}, the results ${count(off)}`;
};

export const deletesLast: Check = (ran) => {
  const isHalf = resultsOf(ran)?.some(
    ({ action, status }) => action !== "delete" && ["failed", "unknown"].includes(status),
  );
  const first = ran.exchanges.findIndex(({ method }) => method === "DELETE");
  if (first === -1) return undefined;
  if (isHalf) return "a deletion is sent although a creation or an update failed";
  const later = ran.exchanges.slice(first).find(({ body }) => body !== undefined);
  return later && `${later.method} of ${later.id} is sent after a deletion`;
};

const PASSING: readonly unknown[] = [
  ..."refused reset lost cut 429 500 502 503".split(" "),
  ...["429 wait", "500 done", "502 done", "503 done", "503 wait", "504 done"],
];

export const repeats: Check = (ran) => {
  const [event, ...others] = ran.events;
  const isOne = others.length === 0 && PASSING.includes(event?.fault) && (event?.times ?? 1) <= 2;
  if (!isOne || !(isChanging(ran) || isOf(ran, "pull"))) return undefined;
  const isBad = rowsOf(ran)?.some(
    ({ status, error }) => status === "unknown" || error?.kind === "unreachable",
  );
  return ran.code === 6 || isBad
    ? `${event?.fault} at ${event?.at} is not repeated until it passes`
    : undefined;
};

export const endsAsUnreachable: Check = (ran) => {
  const { method, fault } = ran.exchanges.at(-1) ?? {};
  const isOnlyPassing = ran.events.every((event) => PASSING.includes(event.fault));
  const isReading = method === "GET" && PASSING.includes(fault) && isOnlyPassing;
  return isReading && ran.code === 1
    ? `exit code 1 although the service kept failing with ${fault}`
    : undefined;
};

export const repeatsCarefully: Check = ({ exchanges }) => {
  for (const [index, { method, target, id, at, fault }] of exchanges.entries()) {
    const later = exchanges.slice(index + 1);
    const wait =
      / wait$/.test(fault ?? "") && later.find((each) => each.at > at && each.at < at + 3000);
    if (wait) return `${wait.method} ${wait.target} does not wait after ${fault} with Retry-After`;
    const next = later.findIndex(
      (each) => each.method === method && each.target === target && each.id === id,
    );
    if (next === -1 || fault === undefined) continue;
    if (fault === "500 hint" || fault === "401")
      return `${method} of ${id} is repeated after ${fault}`;
    const isLookedUp = later.slice(0, next).some((each) => each.method === "GET" && each.id === id);
    if (method === "POST" && UNCLEAR.test(fault) && !isLookedUp)
      return `POST of ${id} is repeated after ${fault} without a look-up`;
  }
  return undefined;
};

export const isAccepted: Check = (ran, { world }) => {
  if (!isCalm(ran) || !isFaithful(world) || has(ran, "--force")) return undefined;
  const bad = ran.exchanges.find(({ method, status = 0 }) => method !== "GET" && status >= 400);
  return bad && `${bad.method} of ${bad.id} is rejected with ${bad.status}`;
};
