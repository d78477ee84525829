/** Faults of the answer's body, and of answers that are none of the service's. */
import { answered, done, type Fault, fails, shown, unsure } from "./fault.ts";

const GROUP = { group: "body", lasts: "on" } as const;
const WRITTEN = { create: done(), change: done() } as const;
/** An answer that `catalog api` shows as it came. */
const SHOWN = { rawRead: shown(), rawChange: done() } as const;
const TOO_LARGE = "larger than 64 MiB";
const FINE = { says: null, alone: done(), read: done(), ...WRITTEN } as const;

/** What nobody can read, and repeating does not change. */
const UNREADABLE = { ...GROUP, ...WRITTEN, alone: fails(6), read: fails(6) } as const;

/** The faults, in the order of the page. */
export const BODY_FAULTS: readonly Fault[] = [
  {
    group: "body",
    title: "The response is cut off in the middle, once",
    blow: "truncated",
    lasts: "once",
    says: "the connection was closed",
    ...WRITTEN,
    alone: fails(6),
    read: done(2),
    rawChange: answered(),
  },
  {
    ...GROUP,
    title: "Every response is cut off in the middle",
    blow: "truncated",
    says: "the connection was closed",
    ...WRITTEN,
    alone: fails(6),
    read: fails(6, 5),
    rawChange: answered(),
  },
  {
    ...GROUP,
    title: "Every chunked response is cut off after the first chunk",
    blow: "truncated chunks",
    says: "the connection was closed",
    ...WRITTEN,
    alone: fails(6),
    read: fails(6, 5),
    rawChange: answered(),
  },
  {
    ...UNREADABLE,
    ...SHOWN,
    title: "The response announces fewer bytes than it has",
    blow: "length too small",
    says: "unknown or invalid JSON",
  },
  {
    ...UNREADABLE,
    ...SHOWN,
    title: "The response is invalid JSON",
    blow: "broken JSON",
    says: "unknown or invalid JSON",
  },
  {
    ...UNREADABLE,
    ...SHOWN,
    title: "The response is JSON, but not the expected list",
    blow: "other JSON",
    says: "JSON that is not a list of records",
  },
  {
    ...UNREADABLE,
    ...SHOWN,
    title: "The response is 200 with an empty body",
    blow: "nothing in it",
    says: "an empty body instead of JSON",
  },
  {
    ...GROUP,
    title: "A proxy responds with 200 and an HTML page instead of the service",
    blow: "page",
    says: "an HTML page",
    alone: fails(6),
    read: fails(6),
    create: unsure(false, 1, 1),
    change: fails(6),
    rawRead: shown(),
  },
  { ...GROUP, ...FINE, title: "A proxy compresses the response unasked", blow: "gzip" },
  {
    ...GROUP,
    ...WRITTEN,
    title: "The response is compressed and damaged",
    blow: "broken gzip",
    says: "the compressed response is damaged",
    alone: fails(6),
    read: fails(6, 5),
    rawChange: answered(),
  },
  {
    ...UNREADABLE,
    title: "The response is small, but decompresses to more than 64 MiB",
    blow: "gzip bomb",
    says: TOO_LARGE,
    rawChange: answered(),
  },
  {
    ...UNREADABLE,
    title: "The response announces more than 64 MiB",
    blow: "enormous",
    says: TOO_LARGE,
    rawChange: answered(),
  },
  {
    ...UNREADABLE,
    title: "The response has an unsupported content encoding",
    blow: "other encoding",
    says: "unsupported content encoding: zstd",
    rawChange: answered(),
  },
  {
    ...GROUP,
    title: "The response headers are too large",
    blow: "flood of headers",
    says: "the response headers are too large",
    alone: fails(6),
    read: fails(6),
    create: unsure(true, 1, 1),
    change: unsure(true),
    rawChange: unsure(true),
  },
  {
    ...GROUP,
    title: "The server does not speak HTTP",
    blow: "no HTTP",
    says: "the server did not send a valid HTTP response",
    alone: fails(6),
    read: fails(6, 5),
    create: unsure(true, 1, 5),
    change: unsure(true, 5),
    rawChange: unsure(true),
  },
  {
    ...GROUP,
    ...FINE,
    title: "An interim response (103 Early Hints) comes first",
    blow: "early hints",
  },
];
