/** A service in a separate process, which lists courses of one provider and does little else. */
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { listedCourse, PROVIDER_ID } from "./courses.mjs";

const FILE = fileURLToPath(import.meta.url);
const PROVIDER = {
  id: PROVIDER_ID,
  name: "Example Academy",
  slug: "example-academy",
  url: "https://academy.example",
  published: true,
};

/** Runs `work` with the variables that name a service of so many courses. @returns what `work` returns */
export async function withService(courses, work) {
  const stdio = ["ignore", "pipe", "inherit"];
  const child = spawn(process.execPath, [FILE, String(courses)], { stdio });
  try {
    const [url] = await child.stdout.setEncoding("utf8").take(1).toArray();
    return await work({ CATALOG_BASE_URL: url.trim(), CATALOG_API_KEY: "bench.key" });
  } finally {
    child.kill();
  }
}

function serve(count) {
  const server = createServer(({ url }, response) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const offset = Number(searchParams.get("offset") ?? 0);
    const length = Math.min(Number(searchParams.get("limit") ?? 10), Math.max(0, count - offset));
    const rows = pathname.endsWith("/providers")
      ? [PROVIDER]
      : Array.from({ length }, (_, index) => listedCourse(offset + index));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(rows));
  });
  // A connection may wait a long time for a busy client.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1", () => {
    process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
  });
}

if (process.argv[1] === FILE) serve(Number(process.argv[2]));
