/** Faults in the response body, and responses that are not the service's. */
import {
  type Fault,
  fails,
  failsAfterSuccess,
  type Outcome,
  printsResponse,
  succeeds,
  uncertain,
} from "./fault.ts";

const GROUP = { group: "body", lasts: "on" } as const;
/** A deletion that is looked up so often, in vain. */
function undone(lookUps: number): Outcome {
  return { ...uncertain(true, 1, lookUps), says: "and looking the course up failed" };
}
/** A deletion has no body: with one, the course is looked up. */
const WRITTEN = {
  create: succeeds(),
  change: succeeds(),
  delete: undone(1),
} as const;
/** A response that `catalog api` prints unchanged. */
const SHOWN = { rawRead: printsResponse(), rawChange: succeeds() } as const;
const TOO_LARGE = "the response is larger than";
const FINE = {
  ...WRITTEN,
  says: null,
  alone: succeeds(),
  read: succeeds(),
  delete: succeeds(1, 1),
} as const;

/** An unreadable response that a retry does not change. */
const UNREADABLE = { ...GROUP, ...WRITTEN, alone: fails(6), read: fails(6) } as const;

/** The faults, in the order of the page. */
export const BODY_FAULTS: readonly Fault[] = [
  {
    group: "body",
    title: "The response is cut off in the middle, once",
    injector: "truncated",
    lasts: "once",
    says: "the connection was closed",
    ...WRITTEN,
    alone: fails(6),
    read: succeeds(2),
    delete: succeeds(1, 1),
    rawChange: failsAfterSuccess(),
  },
  {
    ...GROUP,
    title: "Every response is cut off in the middle",
    injector: "truncated",
    says: "the connection was closed",
    ...WRITTEN,
    alone: fails(6),
    read: fails(6, 5),
    delete: undone(5),
    rawChange: failsAfterSuccess(),
  },
  {
    ...GROUP,
    title: "Every chunked response is cut off after the first chunk",
    injector: "truncated chunks",
    says: "the connection was closed",
    ...WRITTEN,
    alone: fails(6),
    read: fails(6, 5),
    delete: undone(5),
    rawChange: failsAfterSuccess(),
  },
  {
    ...UNREADABLE,
    ...SHOWN,
    title: "The response announces fewer bytes than it has",
    injector: "length too small",
    delete: undone(5),
    says: "something that is not valid JSON",
  },
  {
    ...UNREADABLE,
    ...SHOWN,
    title: "The response is invalid JSON",
    injector: "broken JSON",
    says: "something that is not valid JSON",
  },
  {
    ...UNREADABLE,
    ...SHOWN,
    title: "The response is JSON, but not the expected list",
    injector: "other JSON",
    says: "JSON that is not a list of objects with ids",
  },
  {
    ...UNREADABLE,
    ...SHOWN,
    title: "The response is 200 with an empty body",
    injector: "nothing in it",
    says: "an empty body instead of JSON",
  },
  {
    ...GROUP,
    title: "A proxy responds with 200 and an HTML page instead of the service",
    injector: "page",
    says: "an HTML page",
    alone: fails(6),
    read: fails(6),
    create: uncertain(false, 1, 1),
    change: fails(6),
    rawRead: printsResponse(),
  },
  {
    ...GROUP,
    ...FINE,
    title: "A proxy compresses the response without a request to do so",
    injector: "gzip",
  },
  {
    ...GROUP,
    ...WRITTEN,
    title: "The response is compressed and damaged",
    injector: "broken gzip",
    says: "the compressed response is damaged",
    alone: fails(6),
    read: fails(6, 5),
    delete: undone(5),
    rawChange: failsAfterSuccess(),
  },
  {
    ...UNREADABLE,
    title: "The response is small, but decompresses to more than 64 MiB",
    injector: "gzip bomb",
    says: TOO_LARGE,
    rawChange: failsAfterSuccess(),
  },
  {
    ...UNREADABLE,
    title: "The response announces more than 64 MiB",
    injector: "enormous",
    says: TOO_LARGE,
    rawChange: failsAfterSuccess(),
  },
  {
    ...UNREADABLE,
    title: "The response has an unsupported content encoding",
    injector: "other encoding",
    says: "unsupported content encoding: zstd",
    rawChange: failsAfterSuccess(),
  },
  {
    ...GROUP,
    title: "The response headers are too large",
    injector: "flood of headers",
    says: "the response headers are too large",
    alone: fails(6),
    read: fails(6),
    create: uncertain(true, 1, 1),
    change: uncertain(true, 1, 1),
    rawChange: uncertain(true),
  },
  {
    ...GROUP,
    title: "The server does not speak HTTP",
    injector: "no HTTP",
    says: "the server did not send a valid HTTP response",
    alone: fails(6),
    read: fails(6, 5),
    create: uncertain(true, 1, 5),
    change: uncertain(true, 5, 1),
    rawChange: uncertain(true),
  },
  {
    ...GROUP,
    ...FINE,
    title: "An interim response (103 Early Hints) comes first",
    injector: "early hints",
  },
];
