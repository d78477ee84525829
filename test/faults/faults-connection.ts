/** Faults of the connection, and of a server that comes and goes or takes its time. */
import { answered, done, type Fault, fails, unsure } from "./fault.ts";

const CUT = "the connection was closed";
const SILENT = "no response within 30 s";

/** What is lost before it is processed can be sent again; who sends once cannot know. */
const LOST_BEFORE = {
  group: "connection",
  says: CUT,
  alone: fails(6),
  rawChange: unsure(false),
} as const;

/** What is lost after it was processed is there, or gone, when it is looked up or sent again. */
const LOST_AFTER = {
  group: "connection",
  says: CUT,
  alone: fails(6),
  rawChange: unsure(true),
} as const;

const ONCE_AFTER = {
  ...LOST_AFTER,
  lasts: "once",
  read: done(2),
  create: done(1, 1),
  change: done(2),
} as const;

const ALWAYS_AFTER = {
  ...LOST_AFTER,
  lasts: "on",
  read: fails(6, 5),
  create: unsure(true, 1, 5),
  change: unsure(true, 5),
} as const;

/** The status came, the body did not: a write is done, whatever the body would have said. */
const STALLED = {
  group: "connection",
  blow: "stalled",
  says: SILENT,
  alone: fails(6),
  create: done(),
  change: done(),
  rawChange: answered(),
} as const;

/** The faults, in the order of the page. */
export const CONNECTION_FAULTS: readonly Fault[] = [
  {
    ...LOST_BEFORE,
    title: "The connection is reset before the request is processed, once",
    blow: "reset before",
    lasts: "once",
    read: done(2),
    create: done(2, 1),
    change: done(2),
  },
  {
    ...ONCE_AFTER,
    title: "The connection is reset after the request was processed, once",
    blow: "reset after",
  },
  {
    ...ONCE_AFTER,
    title: "The connection is closed without a response after the request was processed, once",
    blow: "closed after",
  },
  {
    ...LOST_BEFORE,
    title: "Every connection is reset before the request is processed",
    blow: "reset before",
    lasts: "on",
    read: fails(6, 5),
    create: unsure(false, 1, 5),
    change: unsure(false, 5),
  },
  {
    ...ALWAYS_AFTER,
    title: "Every connection is reset after the request was processed",
    blow: "reset after",
  },
  {
    ...LOST_BEFORE,
    title: "The server receives the request and stops: nothing is listening any more",
    blow: "gone",
    lasts: "on",
    says: "connection refused: nothing is listening at this address",
    alone: fails(6, 1, CUT),
    read: fails(6, 5),
    create: unsure(false, 1, 5),
    change: unsure(false, 5),
    rawChange: { ...unsure(false), says: CUT },
  },
  {
    ...LOST_BEFORE,
    title: "The server receives the request, stops, and returns a little later",
    blow: "returns",
    lasts: "once",
    read: done(4),
    create: done(2, 3),
    change: done(4),
  },
  {
    ...ONCE_AFTER,
    title: "The request is processed, but the response does not come in time, once",
    blow: "silent",
    says: SILENT,
  },
  {
    ...ALWAYS_AFTER,
    title: "Requests are processed, but no response ever comes in time",
    blow: "silent",
    says: SILENT,
  },
  {
    ...STALLED,
    title: "The response body stops in the middle, once",
    lasts: "once",
    read: done(2),
  },
  {
    ...STALLED,
    title: "Every response body stops in the middle",
    lasts: "on",
    read: fails(6, 5),
  },
  {
    group: "connection",
    title: "The headers of every response come slowly, a few bytes at a time",
    blow: "slow head",
    lasts: "on",
    says: null,
    alone: done(),
    read: done(),
    create: done(),
    change: done(),
  },
  {
    group: "connection",
    title: "The body of every response comes slowly, a few bytes at a time",
    blow: "slow body",
    lasts: "on",
    says: null,
    alone: done(),
    read: done(),
    create: done(),
    change: done(),
  },
];
