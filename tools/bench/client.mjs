/** A client with one connection, which adds as little time as possible to the measured time. */
import { Agent, request } from "node:http";

/** The path of the courses. */
export const PATH = "/developer/v1/courses";

/** @param environment the environment that `startSandbox` returns */
export class Client {
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #port;
  #key;

  constructor({ CATALOG_BASE_URL: baseUrl, CATALOG_API_KEY: key }) {
    this.#port = Number(new URL(baseUrl).port);
    this.#key = key;
  }

  /**
   * Sends one request.
   *
   * @param body a string is sent unchanged, anything else as JSON
   * @returns the status, headers and text of the answer
   */
  send(method, query = "", { body, headers = {}, path = PATH } = {}) {
    return new Promise((resolve, reject) => {
      const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
      const all = { "x-api-key": this.#key };
      if (text !== undefined) {
        all["content-type"] = "application/json";
        all["content-length"] = Buffer.byteLength(text);
      }
      const options = {
        agent: this.#agent,
        port: this.#port,
        method,
        path: `${path}${query}`,
        headers: { ...all, ...headers },
      };
      const sent = request(options, (answer) => {
        const chunks = [];
        answer.on("data", (chunk) => chunks.push(chunk));
        answer.on("error", reject);
        answer.on("end", () =>
          resolve({
            status: answer.statusCode,
            headers: answer.headers,
            text: Buffer.concat(chunks).toString("utf8"),
          }),
        );
      });
      sent.on("error", reject);
      sent.end(text);
    });
  }

  /** Closes the connection. */
  close() {
    this.#agent.destroy();
  }
}

/** The smallest valid course, with some fields changed. */
export function smallCourse(changes) {
  return {
    name: "Knitting for Beginners",
    url: "https://academy.example/knitting",
    short_description: "Knit your first scarf in six evenings.",
    long_description: "From casting on to binding off.",
    audio: ["en"],
    provider_id: "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21",
    pace: "self_paced",
    ...changes,
  };
}
