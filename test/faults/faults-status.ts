/** Faults in the status: rejections, transient failures and redirects. */
import { ALL_ATTEMPTS, type Fault, fails, type Outcome, succeeds, uncertain } from "./fault.ts";

/** One outcome for every request, sent once, with a conclusive response. */
function everywhere(outcome: Outcome) {
  return { alone: outcome, read: outcome, create: outcome, change: outcome } as const;
}

const ONCE = { group: "status", lasts: "once" } as const;
const ON = { group: "status", lasts: "on" } as const;
const SLOWED = {
  ...ONCE,
  says: "too many requests (HTTP 429)",
  alone: fails(6),
  read: succeeds(2),
  create: succeeds(2),
  change: succeeds(2),
  pauses: [7, 8],
} as const;
/** A failure that may have come after the request was processed. */
const FAILED_ONCE = {
  ...ONCE,
  alone: fails(6),
  read: succeeds(2),
  create: succeeds(2, 1),
  change: succeeds(2),
  rawChange: uncertain(false),
} as const;
const FAILING = {
  ...ON,
  alone: fails(6),
  read: fails(6, ALL_ATTEMPTS),
  create: uncertain(false, 1, ALL_ATTEMPTS),
  change: uncertain(false, ALL_ATTEMPTS, 1),
  rawChange: uncertain(false),
} as const;
const REDIRECTED = {
  ...ON,
  says: "catalog does not follow redirects",
  ...everywhere(fails(1)),
} as const;

/** The faults, in the order of the page. */
export const STATUS_FAULTS: readonly Fault[] = [
  { ...SLOWED, title: "429 with Retry-After in seconds, once", injector: "429 seconds" },
  { ...SLOWED, title: "429 with Retry-After as a date, once", injector: "429 date" },
  {
    ...ON,
    title: "429 with a Retry-After of an hour, every time",
    injector: "429 an hour",
    says: "too many requests (HTTP 429)",
    alone: fails(6),
    read: fails(6, 5),
    create: fails(6, 5),
    change: fails(6, 5),
    pauses: [240, 300],
  },
  {
    ...ON,
    title: "500 with a hint, with which the service rejects a request",
    injector: "500 hint",
    says: "HTTP 500",
    hint: "Limit Too High",
    ...everywhere(fails(1)),
  },
  { ...FAILED_ONCE, title: "500 without a hint, once", injector: "500", says: "HTTP 500" },
  { ...FAILING, title: "500 without a hint, every time", injector: "500", says: "HTTP 500" },
  {
    ...FAILED_ONCE,
    title: "502 with a proxy's HTML page, once",
    injector: "502",
    says: "HTTP 502",
  },
  {
    ...FAILING,
    title: "502 with a proxy's HTML page, every time",
    injector: "502",
    says: "HTTP 502",
  },
  { ...SLOWED, title: "503 with Retry-After, once", injector: "503", says: "HTTP 503" },
  {
    ...ON,
    title: "503 with Retry-After, every time",
    injector: "503",
    says: "HTTP 503",
    alone: fails(6),
    read: fails(6, ALL_ATTEMPTS),
    create: fails(6, ALL_ATTEMPTS),
    change: fails(6, ALL_ATTEMPTS),
    pauses: [42, 50],
  },
  {
    ...FAILED_ONCE,
    title: "504 from a gateway, although the service processed the request, once",
    injector: "504",
    says: "HTTP 504",
    create: succeeds(1, 1),
    delete: succeeds(2, 1),
    rawChange: uncertain(true),
  },
  {
    ...FAILING,
    title: "504 from a gateway, although the service processes every request",
    injector: "504",
    says: "HTTP 504",
    create: uncertain(true, 1, ALL_ATTEMPTS),
    change: uncertain(true, ALL_ATTEMPTS, 1),
    rawChange: uncertain(true),
  },
  {
    ...ON,
    title: "501, 507 or 520 to 524",
    injector: "other failure",
    says: "the service failed (HTTP",
    ...everywhere(fails(6)),
  },
  {
    ...ON,
    title: "400 with a hint",
    injector: "400",
    says: "HTTP 400",
    hint: "name is blank",
    ...everywhere(fails(1)),
  },
  {
    ...ON,
    title: "401, because the API key is no longer valid",
    injector: "401",
    says: "the service does not accept your API key (HTTP 401)",
    hint: "Invalid API Key",
    ...everywhere(fails(4)),
  },
  {
    ...ON,
    title: "403 with an HTML page, as from a firewall",
    injector: "403",
    says: "HTTP 403",
    ...everywhere(fails(1)),
  },
  {
    ...ON,
    title: "404 with an HTML page, as from another website",
    injector: "404",
    says: "the service has nothing at this URL (HTTP 404)",
    ...everywhere(fails(1)),
  },
  { ...REDIRECTED, title: "302, a redirect to another host", injector: "302" },
  { ...REDIRECTED, title: "307, a redirect to another host", injector: "307" },
];
