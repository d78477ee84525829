/** A client that checks every response of a sandbox. No other client changes its courses. */
import { Client, smallCourse } from "./client.mjs";
import { seededRandom } from "./random.mjs";

/** The maximum number of courses per client. */
const LIMIT = 40;
const ABSENT = "ffffffff-ffff-4fff-8fff-ffffffffffff";
const OBJECT = { accept: "application/vnd.pgrst.object+json" };

/** Requests that must be rejected, with the status and part of the response. */
const BAD = [
  ["GET", "?limit=0", {}, 500, "Limit Too Low"],
  ["GET", "?limit=101", {}, 500, "Limit Too High"],
  ["GET", "?offset=-1", {}, 500, "Offset Too Low"],
  ["GET", "?id=nonsense", {}, 400, "22P02"],
  ["GET", "?published=maybe", {}, 400, "22P02"],
  ["GET", "", { headers: { "x-api-key": "not.it" } }, 401, "Invalid API Key"],
  ["GET", "", { path: "/nowhere" }, 404, "Not Found"],
  ["PUT", "", { body: {} }, 405, "Method Not Allowed"],
  ["POST", "", { body: "{" }, 400, "valid JSON"],
  ["POST", "", { body: "[]" }, 400, "JSON object"],
  ["POST", "", { body: { name: "" } }, 400, "name is blank"],
  [
    "POST",
    "",
    { body: smallCourse({ syllabus: [{ title: "A", x: 1 }] }) },
    400,
    "folowing keys: x",
  ],
  ["POST", "", { body: "{}", headers: { "content-type": "text/plain" } }, 400, "Content-Type"],
  ["PATCH", "", { body: {} }, 500, "Missing ID"],
  ["PATCH", `?id=${ABSENT}`, { body: {} }, 404, ""],
  ["DELETE", "", {}, 400, "Missing ID"],
  ["DELETE", `?id=${ABSENT}`, { headers: OBJECT }, 406, "0 rows"],
  ["DELETE", `?id=${ABSENT}`, {}, 204, ""],
];

/** One client with one connection, which sends one request after the other. */
export class LoadClient {
  #client;
  #random;
  #number;
  /** The number of requests by kind. */
  #times;
  #courses = new Map();
  #made = 0;

  constructor(environment, number, times) {
    this.#client = new Client(environment);
    this.#random = seededRandom(number + 1);
    this.#number = number;
    this.#times = times;
  }

  /** @throws Error if a response is wrong */
  async runUntil(end) {
    while (performance.now() < end) {
      const drawn = this.#random();
      if (drawn < 0.25) await this.#page();
      else if (drawn < 0.5) await this.#one();
      else if (drawn < 0.68) await this.#create();
      else if (drawn < 0.83) await this.#change();
      else if (drawn < 0.92) await this.#remove();
      else await this.#err();
    }
    this.#client.close();
  }

  async #send(name, status, part, method, query, options) {
    const begun = performance.now();
    const answer = await this.#client.send(method, query, options);
    const time = performance.now() - begun;
    if (answer.status !== status || !answer.text.includes(part)) {
      const wanted = `${status} ${part}`;
      throw new Error(`${method} ${query}: ${answer.status} ${answer.text}, not ${wanted}`);
    }
    const times = this.#times.get(name) ?? [];
    if (times.length === 0) this.#times.set(name, times);
    times.push(time);
    return answer.text;
  }

  async #page() {
    const limit = 1 + Math.floor(this.#random() * 100);
    const offset = Math.floor(this.#random() * 200);
    const query = `?limit=${limit}&offset=${offset}`;
    const rows = JSON.parse(await this.#send("GET a page", 200, "", "GET", query));
    const ids = new Set(rows.map(({ id }) => id));
    const isWhole = rows.every(({ id, slug, name }) => id && slug && name.startsWith("Course "));
    if (rows.length > limit || ids.size !== rows.length || !isWhole) {
      throw new Error(`GET ${query} returned unexpected courses: ${JSON.stringify(rows)}`);
    }
  }

  async #one() {
    const [id = ABSENT, name] = this.#any() ?? [];
    const [row, ...others] = JSON.parse(await this.#send("GET by id", 200, "", "GET", `?id=${id}`));
    if (row?.name !== name || others.length > 0) {
      throw new Error(`GET of ${id} shows ${row?.name}, not ${name}`);
    }
  }

  async #create() {
    if (this.#courses.size >= LIMIT) return;
    this.#made += 1;
    const place = String(this.#number).padStart(4, "0");
    const id = `50000000-0000-4000-8000-${place}${String(this.#made).padStart(8, "0")}`;
    const name = this.#newName();
    const body = smallCourse({ id, name });
    await this.#send("POST", 201, "", "POST", "", { body });
    this.#courses.set(id, name);
    if (this.#random() < 0.1) await this.#send("POST again", 409, id, "POST", "", { body });
  }

  async #change() {
    const [id] = this.#any() ?? [];
    if (id === undefined) return;
    const name = this.#newName();
    await this.#send("PATCH", 204, "", "PATCH", `?id=${id}`, { body: { name } });
    this.#courses.set(id, name);
  }

  async #remove() {
    const [id] = this.#any() ?? [];
    if (id === undefined) return;
    await this.#send("DELETE", 204, "", "DELETE", `?id=${id}`, { headers: OBJECT });
    this.#courses.delete(id);
    if (this.#random() < 0.3) {
      await this.#send("DELETE again", 406, "", "DELETE", `?id=${id}`, { headers: OBJECT });
    }
  }

  async #err() {
    const [method, query, options, status, part] = BAD[Math.floor(this.#random() * BAD.length)];
    await this.#send("bad request", status, part, method, query, options);
  }

  #newName() {
    return `Course ${this.#number} ${Math.floor(this.#random() * 1e9)}`;
  }

  /** One of the client's courses with its name; undefined if the client has no course. */
  #any() {
    const place = Math.floor(this.#random() * this.#courses.size);
    return [...this.#courses][place];
  }
}
