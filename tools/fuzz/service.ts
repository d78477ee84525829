/** The sandbox's service without HTTP, and a few courses for it. */
import { STATUS_CODES } from "node:http";
import { setImmediate } from "node:timers/promises";
import { respond, type Service } from "../../src/sandbox/endpoints.ts";
import { memoryStore, type Seed } from "../../src/sandbox/store.ts";
import type { BufferedResponse, Send } from "../../src/service/transport.ts";
import { abortError } from "../../src/service/transport.ts";
import { skippingClock } from "./clock.ts";

/** The ids of the courses. The first course has the most fields. */
export const COURSE_IDS = [
  "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
  "1b4e28ba-2fa1-4d1e-883f-0016d3cca427",
] as const;

const PROVIDER_ID = "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21";

/** A course with every required field, and others. */
export function createCourse(
  others: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    name: "Knitting for Beginners",
    url: "https://academy.example/knitting",
    short_description: "Knit your first scarf.",
    long_description: "From casting on to binding off.",
    audio: ["en"],
    provider_id: PROVIDER_ID,
    pace: "self_paced",
    ...others,
  };
}

/** The courses of the service. */
export const EXAMPLE_COURSES = [
  createCourse({
    id: COURSE_IDS[0],
    prices: [{ type: "single_course", price: "49.99", currency: "EUR", plan_type: "regular" }],
    certificate: { type: "paid", price: "39.00", currency: "EUR" },
    syllabus: [{ title: "Casting on", description: ["Yarn.", "Needles."] }],
  }),
  createCourse({ id: COURSE_IDS[1], name: "編み物 🧶", url: "https://academy.example/weave" }),
];

/** A service that starts from a seed. */
export function createService(seed: Seed): Send {
  return sendTo({ store: memoryStore(seed), clock: skippingClock() });
}

/** Sends requests for any host to a service in this process. */
export function sendTo(service: Service): Send {
  return async ({ method, url, headers, body }, { signal }): Promise<BufferedResponse> => {
    // Like a server, the service responds in a later turn of the event loop.
    await setImmediate();
    if (signal?.aborted) throw abortError();
    const { pathname, search } = new URL(url);
    const sent = Buffer.from(body ?? "");
    const request = { method, target: pathname + search, headers, body: sent };
    const response = respond(request, service);
    const content = response.body === undefined ? undefined : Buffer.from(response.body);
    return {
      status: response.status,
      reason: STATUS_CODES[response.status] ?? "",
      headers: { ...lowercaseNames(response.headers), ...describe(content) },
      body: method === "HEAD" || content === undefined ? Buffer.alloc(0) : content,
    };
  };
}

function lowercaseNames(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

/** The headers of a response with a body. */
function describe(content: Buffer | undefined): Record<string, string> {
  if (content === undefined) return {};
  return {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(content.length),
  };
}
