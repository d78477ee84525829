/** Faults in the response body, and responses that are not the service's. */
import { ALL_ATTEMPTS, type Fault, fails, printsResponse, succeeds, uncertain } from "./fault.ts";

const GROUP = { group: "body", lasts: "on" } as const;
/** The status alone shows that a change is done. */
const WRITTEN = { create: succeeds(), change: succeeds() } as const;
/** A response that `catalog api` prints unchanged. */
const SHOWN = { rawRead: printsResponse(), rawChange: succeeds() } as const;
const FINE = { ...WRITTEN, says: null, alone: succeeds(), read: succeeds() } as const;

/** An unreadable response that a retry does not change. */
const UNREADABLE = { ...GROUP, ...WRITTEN, ...SHOWN, alone: fails(6), read: fails(6) } as const;

/** An incomplete response does not show what the service did. */
const INCOMPLETE = {
  ...GROUP,
  says: "the connection was closed",
  alone: fails(6),
  read: fails(6, ALL_ATTEMPTS),
  create: uncertain(true, 1, ALL_ATTEMPTS),
  change: uncertain(true, ALL_ATTEMPTS, 1),
  rawChange: uncertain(true),
} as const;

/** The faults, in the order of the page. */
export const BODY_FAULTS: readonly Fault[] = [
  {
    ...INCOMPLETE,
    title: "The response is cut off in the middle, once",
    injector: "truncated",
    lasts: "once",
    read: succeeds(2),
    create: succeeds(1, 1),
    change: succeeds(2),
    delete: succeeds(2, 1),
  },
  { ...INCOMPLETE, title: "Every response is cut off in the middle", injector: "truncated" },
  {
    ...INCOMPLETE,
    title: "Every chunked response is cut off after the first chunk",
    injector: "truncated chunks",
  },
  {
    ...UNREADABLE,
    title: "The response is invalid JSON",
    injector: "broken JSON",
    says: "something that is not valid JSON",
  },
  {
    ...UNREADABLE,
    title: "The response is JSON, but not the expected list",
    injector: "other JSON",
    says: "unexpected JSON",
  },
  {
    ...UNREADABLE,
    title: "The response is 200 with an empty body",
    injector: "nothing in it",
    says: "something that is not valid JSON",
  },
  {
    ...GROUP,
    title: "A proxy responds with 200 and an HTML page instead of the service",
    injector: "page",
    says: "an HTML page",
    alone: fails(6),
    read: fails(6),
    create: fails(6),
    change: fails(6),
    rawRead: printsResponse(),
    rawChange: printsResponse(),
  },
  {
    ...GROUP,
    ...FINE,
    title: "A proxy compresses the response without a request to do so",
    injector: "gzip",
  },
  {
    ...INCOMPLETE,
    title: "The response is compressed and damaged",
    injector: "broken gzip",
    says: "the compressed response is damaged",
  },
  {
    ...INCOMPLETE,
    title: "The response headers are too large",
    injector: "flood of headers",
    says: "Headers Overflow",
    read: fails(6),
    create: uncertain(true, 1, 1),
    change: uncertain(true, 1, 1),
  },
  {
    ...INCOMPLETE,
    title: "The server does not speak HTTP",
    injector: "no HTTP",
    says: "HTTP",
  },
  {
    ...GROUP,
    ...FINE,
    title: "An interim response (103 Early Hints) comes first",
    injector: "early hints",
  },
];
