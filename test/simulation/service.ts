/** The service of a world, with the freedoms that its description leaves, and with faults. */
import { STATUS_CODES } from "node:http";
import { respond } from "../../src/sandbox/endpoints.ts";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import {
  memoryStore,
  type Store,
  type StoredCourse,
  toStoredCourse,
} from "../../src/sandbox/store.ts";
import type { HttpRequest, HttpResponse } from "../../src/service/errors.ts";
import type { VirtualClock } from "./clock.ts";
import type { Change, Courses, Exchange, Interference, Write } from "./history.ts";
import { type Course, normalUrl } from "./model.ts";
import type { World } from "./world.ts";

/** The requests of a run so far, and what they changed. */
export interface Traffic {
  readonly exchanges: Exchange[];
  readonly writes: Write[];
}

export class Service {
  /** The urls that courses have or had. */
  readonly urls = new Set<string>();
  readonly #world: World;
  readonly #clock: VirtualClock;
  readonly #store: Store;
  /** When courses were changed, by the number of changes before. */
  readonly #touched = new Map<string, number>();
  /** Requests that take effect later, after so many requests of their run. */
  #late: { readonly request: HttpRequest; readonly due: number }[] = [];
  #changes = 0;

  constructor(world: World, clock: VirtualClock) {
    this.#world = world;
    this.#clock = clock;
    const facts = { description: "", domain: null, published: true };
    const providers = world.providers.map((each) => ({ ...each, ...facts }));
    const courses = world.courses.map((each) => toStoredCourse(each, clock));
    for (const { url } of courses) this.urls.add(String(url));
    this.#store = memoryStore({ users: [{ key: DEFAULT_KEY, providers, courses }] });
  }

  courses(): Courses {
    return new Map(this.#store.all().map((course) => [course.id, course]));
  }

  /** Does what a colleague does. Undefined if it is not possible any more. */
  interfere(change: Change): Omit<Interference, "index"> | undefined {
    const id = String(change.op === "add" ? change.course.id : change.id).toLowerCase();
    const before = this.#store.find(id);
    if ((before === undefined) !== (change.op === "add")) return undefined;
    const put = (course: Course): void => this.#put(toStoredCourse(course, this.#clock));
    if (change.op === "delete") this.#store.remove(id);
    else put(change.op === "add" ? change.course : { ...before, ...change.fields });
    return { id, before, after: this.#store.find(id) };
  }

  /** Lets late requests take effect: all of them when their run has ended. */
  finishLate(traffic: Traffic, isOver: boolean): void {
    const waiting = this.#late;
    this.#late = [];
    for (const late of waiting) {
      if (!isOver && late.due > traffic.exchanges.length) this.#late.push(late);
      else this.#process(late.request, traffic);
    }
  }

  /** Carries out the last request of a run, with the fault that the history gives it. */
  async answer(request: HttpRequest, traffic: Traffic, timeout: number): Promise<HttpResponse> {
    const exchange = traffic.exchanges.at(-1);
    const fault = exchange?.fault;
    const [kind = "", when] = fault?.split(" ") ?? [];
    if (fault === "slow") this.#clock.advance(25_000);
    if (fault === "refused") fail("ECONNREFUSED");
    if (fault === "reset") fail("ECONNRESET");
    if (fault === "late") {
      this.#late.push({ request, due: traffic.exchanges.length + 2 });
      this.#clock.advance(timeout);
      throw new DOMException("no response in time", "TimeoutError");
    }
    const hint = (text: string | null): string => JSON.stringify({ hint: text, details: null });
    if (when !== "done" && /^\d/.test(kind)) {
      const text = when === "hint" ? "Too Busy" : kind === "401" ? "Invalid API Key" : null;
      return reply(Number(kind), hint(text), when === "wait" ? { "retry-after": "3" } : {});
    }
    if (fault === "html") return reply(200, "<!doctype html><title>Log in</title>");
    const answer = this.#process(request, traffic);
    if (exchange !== undefined) exchange.status = answer.status;
    if (fault === "lost") fail("ECONNRESET");
    if (fault === "cut") fail("UND_ERR_SOCKET");
    if (fault === "html done") return reply(200, "<html><body>proxy</body></html>");
    if (when === "done") return reply(Number(kind), hint(null));
    const content = String(answer.body ?? "");
    if (fault === "garbage") return reply(answer.status, content.slice(0, -7));
    if (exchange !== undefined && answer.status === 200 && exchange.target.includes("/courses"))
      exchange.rows = JSON.parse(content);
    return reply(answer.status, content, { "content-type": "application/json; charset=utf-8" });
  }

  #process({ method, url, headers, body }: HttpRequest, { exchanges, writes }: Traffic) {
    const { pathname, search, searchParams } = new URL(url);
    const content = Buffer.from(body ?? "");
    const isSent = method === "POST" || method === "PATCH";
    const sent: Course | undefined = isSent ? JSON.parse(String(content)) : undefined;
    const id = String(searchParams.get("id") ?? sent?.id ?? "").toLowerCase();
    const before = this.#store.find(id);
    const sameUrl = sent?.url === undefined ? [] : this.#withUrl(sent.url, id);
    const answer = respond(
      { method, target: pathname + search, headers, body: content },
      { store: this.#view, clock: this.#clock },
    );
    const after = this.#store.find(id);
    if (method !== "GET" && before !== after)
      writes.push({ method, id, body: sent, before, after, sameUrl, index: exchanges.length });
    return answer;
  }

  #withUrl(url: unknown, but: string): string[] {
    const wanted = normalUrl(url);
    const others = this.#store.all().filter(({ id }) => id !== but);
    return others.filter((each) => normalUrl(each.url) === wanted).map(({ id }) => id);
  }

  /** The store as this service shows and changes it. */
  get #view(): Store {
    return {
      ...this.#store,
      put: (course) => this.#put(course),
      courses: (user, query) => {
        const all = { ...query, limit: Number.POSITIVE_INFINITY, offset: 0 };
        const rows = this.#sort([...this.#store.courses(user, all)]);
        // The last course is never shown, and another one twice.
        const [first] = rows;
        const isWrong = this.#world.freedoms.isRestless && query.id === undefined;
        if (isWrong && rows.length > 2 && first !== undefined) rows[rows.length - 1] = first;
        return rows
          .slice(query.offset, query.offset + query.limit)
          .map((row) => this.#represent(row));
      },
    };
  }

  #put(course: StoredCourse): void {
    const { urls, trims, order } = this.#world.freedoms;
    const url = String(course.url);
    const spelled = {
      kept: url,
      lowered: url.replace(/\/\/[^/]*/, (host) => host.toLowerCase()),
      slashed: url.replace(/^([^?]*[^/?])(\?.*)?$/, "$1/$2"),
      unslashed: url.replace(/^([^?]*)\/(\?.*)?$/, "$1$2"),
    };
    const trim = (text: unknown): string => String(text).normalize().trim().replace(/\s+/g, " ");
    const { name, short_description } = course;
    const trimmed = { name: trim(name), short_description: trim(short_description) };
    this.urls.add(url);
    this.#touched.set(course.id, ++this.#changes);
    if (order === "changed-last") this.#store.remove(course.id);
    this.#store.put({ ...course, ...(trims ? trimmed : {}), url: spelled[urls] });
  }

  #sort(rows: StoredCourse[]): StoredCourse[] {
    const { order } = this.#world.freedoms;
    if (order === "by-name")
      rows.sort((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
    const changed = ({ id }: StoredCourse): number => this.#touched.get(id) ?? 0;
    if (order === "changed-first") rows.sort((one, other) => changed(other) - changed(one));
    return rows;
  }

  #represent(course: StoredCourse): StoredCourse {
    const { empty, numbersAsText, upperIds } = this.#world.freedoms;
    const entries = Object.entries(course).flatMap(([field, value]): [string, unknown][] => {
      if (value === null || (Array.isArray(value) && value.length === 0)) {
        if (empty === "absent") return [];
        return [[field, empty === "list" && LISTS.includes(field) ? [] : value]];
      }
      if (numbersAsText && typeof value === "number") return [[field, String(value)]];
      const isId = field === "id" || field === "provider_id";
      return [[field, upperIds && isId ? String(value).toUpperCase() : value]];
    });
    return Object.fromEntries(entries) as StoredCourse;
  }
}

const LISTS = ["prices", "level", "instructors", "syllabus", "subtitles_text"];

function fail(code: string): never {
  throw Object.assign(new Error(code), { code });
}

function reply(status: number, body: string, headers: Record<string, string> = {}): HttpResponse {
  return { status, reason: STATUS_CODES[status] ?? "", headers, body: Buffer.from(body) };
}
