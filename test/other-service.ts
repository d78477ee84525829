/**
 * A second service, deliberately different from the sandbox and independent of it: every page is in
 * another order, so that rows repeat and others are missing; writes return the course; rows have unknown
 * fields and other defaults; and courses change on the site between two requests.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { type JsonAnswer, type Received, sendDirectly } from "./direct.ts";
import { PROVIDER_ID, type Rig } from "./rig.ts";

type Course = Record<string, unknown>;

/** A running service. */
export interface OtherService {
  /** The environment variables that select it. */
  readonly environment: Readonly<Record<string, string>>;
  /** What it has now, by id; a test may change it as a person on the site does. */
  readonly courses: Map<string, Course>;
  /** Every request so far as `METHOD path?query`. */
  readonly requests: string[];
  /** Called before each request is answered. */
  onRequest: (line: string) => void;
  /** Changes what is sent before it is stored, as a service does that normalizes values. */
  normalize: (course: Course) => Course;
  /** Whether responses to writes have no body. */
  isSilent: boolean;
}

const PROVIDER = {
  ...{ id: PROVIDER_ID, name: "Example Academy", slug: "example-academy", published: true },
  ...{ url: "https://academy.example/", domain: ["academy.example"], logo: null },
};

/** What it adds to a course that is created. */
const DEFAULTS = {
  ...{ approval_status: "in_review", published: true, number_of_lessons: 1, level: [] },
  ...{ assessments: false, assignments: false, views: 0 },
};

/** Starts the service with these courses; it stops after the test. Runs of the rig call it. */
export async function startOtherService(
  { shortcuts }: Pick<Rig, "shortcuts">,
  ...courses: readonly Course[]
): Promise<OtherService> {
  const service = {
    courses: new Map(courses.map((course) => [String(course.id), { ...DEFAULTS, ...course }])),
    requests: [] as string[],
    onRequest: (_line: string): void => undefined,
    normalize: (course: Course): Course => course,
    isSilent: false,
  };
  const random = randomNumbers();
  const answer = async (received: Received): Promise<JsonAnswer> => {
    const line = `${received.method} ${received.url}`;
    service.requests.push(line);
    service.onRequest(line);
    const [status, body] = respond(received, service.courses, service.normalize, random);
    const isEmpty = service.isSilent && received.method !== "GET";
    return { status, text: isEmpty ? "" : JSON.stringify(body, null, 1) };
  };
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = "", url = "" } = incoming;
    const text = Buffer.concat(chunks).toString();
    const answered = await answer({ method, url, headers: {}, text });
    outgoing.writeHead(answered.status, { "content-type": "application/json; charset=utf-8" });
    outgoing.end(answered.text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  shortcuts.set(baseUrl, () => sendDirectly(answer));
  return Object.assign(service, { environment: { CATALOG_BASE_URL: baseUrl } });
}

function respond(
  { method, url, text }: Received,
  courses: Map<string, Course>,
  normalize: (course: Course) => Course,
  random: () => number,
): [number, unknown] {
  const { pathname, searchParams: query } = new URL(url, "http://localhost");
  if (pathname.endsWith("/providers")) return [200, [PROVIDER]];
  const id = query.get("id")?.toLowerCase();
  const found = id === undefined ? undefined : courses.get(id);
  switch (method) {
    case "GET": {
      const rows = [...courses.values()].filter((course) => isSelected(course, query));
      const offset = Number(query.get("offset") ?? 0);
      return [200, shuffle(rows, random).slice(offset, offset + Number(query.get("limit") ?? 10))];
    }
    case "POST": {
      const body = normalize(JSON.parse(text));
      const created = { ...DEFAULTS, slug: `c-${courses.size}`, ...body };
      courses.set(String(body.id).toLowerCase(), created);
      return [200, [created]];
    }
    case "PATCH":
      if (found === undefined) return [404, { message: "no such course" }];
      return [200, Object.assign(found, normalize(JSON.parse(text)))];
    default:
      return courses.delete(id ?? "") ? [200, found] : [406, { message: "0 rows" }];
  }
}

function isSelected(course: Course, query: URLSearchParams): boolean {
  const is = (name: string): boolean =>
    !query.has(name) || String(course[name]) === query.get(name);
  return is("id") && is("provider_id") && String(course.name).includes(query.get("name") ?? "");
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  const keys = new Map(items.map((item) => [item, random()]));
  return [...items].sort((one, other) => Number(keys.get(one)) - Number(keys.get(other)));
}

/** Numbers from 0 to 1, the same in every run. */
function randomNumbers(): () => number {
  let seed = 1;
  return () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}
