/**
 * A service that takes the same time for every request and does little else, so that the client needs all other time.
 * It lists prepared courses and ignores changes. As a program, it prints its URL and serves until it is killed.
 */
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { listedCourses, PROVIDER_ID } from "./courses.mjs";
import { listen, startServer } from "./server.mjs";

const FILE = fileURLToPath(import.meta.url);

/**
 * Starts the service as a separate process.
 *
 * @param latency milliseconds from a request to its response
 * @param courses the number of listed courses
 * @param lessons the number of lessons in each course: 3 for about 2 KB, 12 for about 3 KB
 * @returns the environment that names the service, and `stop()`
 */
export async function startService({ latency = 0, courses = 0, lessons = 3 } = {}) {
  const flags = Object.entries({ latency, courses, lessons });
  return await startServer(
    FILE,
    flags.flatMap(([name, value]) => [`--${name}`, String(value)]),
  );
}

/** Runs `work` while such a service is running. @returns what `work` returns */
export async function withService(options, work) {
  const service = await startService(options);
  try {
    return await work(service.environment);
  } finally {
    await service.stop();
  }
}

const PROVIDER = {
  id: PROVIDER_ID,
  name: "Example Academy",
  description: null,
  slug: "example-academy",
  url: "https://academy.example",
  domain: "academy.example",
  published: true,
};

/** The maximum size of a course in bytes. */
const LIMIT = 8192;

/** All courses as JSON in one buffer, and pages cut out of it. */
class Pages {
  #bytes;
  /** Where each course begins, and where the last one ends. */
  #starts = [0];

  constructor(count, lessons) {
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(1, count * LIMIT));
    let end = 0;
    for (const course of listedCourses(count, lessons)) {
      end += this.#bytes.write(`${JSON.stringify(course)},`, end);
      this.#starts.push(end);
    }
  }

  /** The body of a response. */
  page(offset, limit) {
    const last = this.#starts.length - 1;
    const start = this.#starts[Math.min(offset, last)];
    const end = this.#starts[Math.min(offset + limit, last)];
    const rows = this.#bytes.subarray(start, Math.max(start, end - 1));
    return Buffer.concat([Buffer.from("["), rows, Buffer.from("]")]);
  }
}

function serve({ latency, courses, lessons }) {
  const pages = new Pages(courses, lessons);
  const providers = Buffer.from(JSON.stringify([PROVIDER]));
  const answer = ({ method, url }, response) => {
    if (method !== "GET") {
      response.writeHead(method === "POST" ? 201 : 204).end();
      return;
    }
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const body = pathname.endsWith("/providers")
      ? providers
      : pages.page(Number(searchParams.get("offset")), Number(searchParams.get("limit") ?? 10));
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
    response.end(body);
  };
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      if (latency > 0) setTimeout(answer, latency, request, response);
      else answer(request, response);
    });
  });
  listen(server);
}

if (process.argv[1] === FILE) {
  const text = (fallback) => ({ type: "string", default: String(fallback) });
  const { values } = parseArgs({
    options: { latency: text(0), courses: text(0), lessons: text(3) },
  });
  const numbers = Object.entries(values).map(([name, value]) => [name, Number(value)]);
  serve(Object.fromEntries(numbers));
}
