/** Faults of the connection, and of a server that disappears, returns or is slow. */
import { ALL_ATTEMPTS, type Fault, fails, succeeds, uncertain } from "./fault.ts";

const CUT = "the connection was closed";
const SILENT = "no response within 30 s";

/** A request lost before it is processed can be retried; without retries the outcome is unknown. */
const LOST_BEFORE = {
  group: "connection",
  says: CUT,
  alone: fails(6),
  rawChange: uncertain(false),
} as const;

/** A response lost after the request was processed: a look-up or a retry shows that it succeeded. */
const LOST_AFTER = {
  group: "connection",
  says: CUT,
  alone: fails(6),
  rawChange: uncertain(true),
} as const;

const ONCE_AFTER = {
  ...LOST_AFTER,
  lasts: "once",
  read: succeeds(2),
  create: succeeds(1, 1),
  change: succeeds(2),
  // The second DELETE is answered with 406.
  delete: succeeds(2, 1),
} as const;

const ALWAYS_AFTER = {
  ...LOST_AFTER,
  lasts: "on",
  read: fails(6, ALL_ATTEMPTS),
  create: uncertain(true, 1, ALL_ATTEMPTS),
  change: uncertain(true, ALL_ATTEMPTS, 1),
} as const;

/** The faults, in the order of the page. */
export const CONNECTION_FAULTS: readonly Fault[] = [
  {
    ...LOST_BEFORE,
    title: "The connection is reset before the request is processed, once",
    injector: "reset before",
    lasts: "once",
    read: succeeds(2),
    create: succeeds(2, 1),
    change: succeeds(2),
  },
  {
    ...ONCE_AFTER,
    title: "The connection is reset after the request was processed, once",
    injector: "reset after",
  },
  {
    ...ONCE_AFTER,
    title: "The connection is closed without a response after the request was processed, once",
    injector: "closed after",
  },
  {
    ...LOST_BEFORE,
    title: "Every connection is reset before the request is processed",
    injector: "reset before",
    lasts: "on",
    read: fails(6, ALL_ATTEMPTS),
    create: uncertain(false, 1, ALL_ATTEMPTS),
    change: uncertain(false, ALL_ATTEMPTS, 1),
  },
  {
    ...ALWAYS_AFTER,
    title: "Every connection is reset after the request was processed",
    injector: "reset after",
  },
  {
    ...LOST_BEFORE,
    title: "The server receives the request and stops, and nothing is listening anymore",
    injector: "gone",
    lasts: "on",
    says: "connection refused",
    alone: fails(6, 1, CUT),
    read: fails(6, ALL_ATTEMPTS),
    create: { ...uncertain(false, 1, ALL_ATTEMPTS), says: CUT },
    change: uncertain(false, ALL_ATTEMPTS, 1),
    rawChange: { ...uncertain(false), says: CUT },
  },
  {
    ...LOST_BEFORE,
    title: "The server receives the request, stops, and returns a little later",
    injector: "returns",
    lasts: "once",
    read: succeeds(4),
    create: succeeds(2, 3),
    change: succeeds(4),
  },
  {
    ...ONCE_AFTER,
    title: "The request is processed, but the response does not arrive in time, once",
    injector: "silent",
    says: SILENT,
  },
  {
    ...ALWAYS_AFTER,
    title: "Requests are processed, but no response ever arrives in time",
    injector: "silent",
    says: SILENT,
  },
  {
    ...ONCE_AFTER,
    title: "The response body stops in the middle, once",
    injector: "stalled",
    says: SILENT,
  },
  {
    ...ALWAYS_AFTER,
    title: "Every response body stops in the middle",
    injector: "stalled",
    says: SILENT,
  },
  {
    group: "connection",
    title: "The headers of every response arrive slowly, a few bytes at a time",
    injector: "slow head",
    lasts: "on",
    says: null,
    alone: succeeds(),
    read: succeeds(),
    create: succeeds(),
    change: succeeds(),
  },
  {
    group: "connection",
    title: "The body of every response arrives slowly, a few bytes at a time",
    injector: "slow body",
    lasts: "on",
    says: null,
    alone: succeeds(),
    read: succeeds(),
    create: succeeds(),
    change: succeeds(),
  },
];
