/** Those who write to a sandbox that is killed, and the one who looks on. */
import { request } from "node:http";

const PATH = "/developer/v1/courses";
const PROVIDER = "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21";
/** One write of so many is of a size that takes the system some time. */
const LARGE = 25;

/** One course, and what may be there of it. */
export class Course {
  constructor(index) {
    this.index = index;
    this.id = `20000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
    this.version = 0;
    /** What was acknowledged last, and what was asked for after it: undefined for none. */
    this.states = [undefined];
    /** The slug that the service gave it. */
    this.slug = undefined;
  }

  /** The name tells the version, so that any answer tells how new it is. */
  body(size) {
    this.version += 1;
    return {
      name: `${this.index} v${this.version}`,
      long_description: `${this.version} `.repeat(size),
    };
  }

  /** Whether what the service shows is one of the states from some place on. */
  placeOf(shown) {
    return this.states.findIndex((state) =>
      state === undefined || shown === undefined
        ? state === shown
        : state.name === shown.name && state.long_description === shown.long_description,
    );
  }
}

let made = 0;

/** Changes one course after the other until the sandbox is gone. */
export async function write(sandbox, agent, courses, { random, run, count, faults }) {
  while (!run.over) {
    const course = courses[random(courses.length)];
    const exists = course.states[0] !== undefined;
    const size = random(LARGE) === 0 ? 10_000 + random(400_000) : random(60) + 1;
    const act = exists ? (random(4) === 0 ? "DELETE" : "PATCH") : "POST";
    const body = act === "DELETE" ? undefined : course.body(size);
    course.states = [course.states[0], body];
    if (act === "POST") {
      made += 1;
      course.made = made;
    }
    const answer = await call(
      sandbox,
      agent,
      act,
      act === "POST" ? "" : `?id=${course.id}`,
      act === "POST" ? { ...REQUIRED, ...body, id: course.id } : body,
    );
    if (answer === undefined) {
      count.unanswered += 1;
      return;
    }
    if (answer.status !== (act === "POST" ? 201 : 204)) {
      faults.push(`${act} of course ${course.index} was answered with ${answer.status}`);
      return;
    }
    count.acknowledged += 1;
    course.states = [body];
    if (act !== "PATCH") course.slug = undefined;
  }
}

const REQUIRED = {
  url: "https://academy.example/killed",
  short_description: "Written by a sandbox that is killed.",
  audio: ["en"],
  provider_id: PROVIDER,
  pace: "self_paced",
};

/** Looks at what others write: what it was shown must not be gone later. */
export async function read(sandbox, agent, courses, random, run, count, faults) {
  while (!run.over) {
    const course = courses[random(courses.length)];
    const before = course.states;
    const answer = await call(sandbox, agent, "GET", `?id=${course.id}`);
    if (answer === undefined) return;
    const [shown] = answer.status === 200 ? JSON.parse(answer.text) : [];
    if (answer.status !== 200) faults.push(`a read was answered with ${answer.status}`);
    // It may have gone on meanwhile; then this tells nothing.
    if (course.states !== before) continue;
    const place = course.placeOf(shown);
    if (place < 0) faults.push(`course ${course.index} was shown as ${shown?.name ?? "none"}`);
    if (place > 0) {
      count.seen += 1;
      // The array stays, since the write is on its way still.
      course.states.splice(0, place);
    }
    if (shown !== undefined && course.states.length === 1) course.slug = shown.slug;
  }
}

/** Sends one request. @returns undefined when it was not answered in full */
export function call({ port, key }, agent, method, query, body) {
  return new Promise((resolve) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      "x-api-key": key,
      ...(text === undefined
        ? { accept: "application/vnd.pgrst.object+json" }
        : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
    };
    const sent = request({ agent, port, method, headers, path: `${PATH}${query}` }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", () => resolve(undefined));
      answer.on("close", () =>
        resolve(
          answer.complete
            ? { status: answer.statusCode, text: Buffer.concat(chunks).toString("utf8") }
            : undefined,
        ),
      );
    });
    sent.on("error", () => resolve(undefined));
    sent.end(text);
  });
}
