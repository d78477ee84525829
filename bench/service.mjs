/**
 * A service that takes the same time for every request and does nothing else: what a client adds is
 * then the client's own. Run as a program, it prints its address and serves until it is killed.
 */
import { createServer } from "node:http";

const PROVIDER = {
  id: "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21",
  name: "Example Academy",
  description: null,
  slug: "example-academy",
  url: "https://academy.example",
  domain: "academy.example",
  published: true,
};

const [latency = "0"] = process.argv.slice(2);

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => setTimeout(answer, Number(latency), request, response));
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});

function answer({ method, url }, response) {
  if (method !== "GET") {
    response.writeHead(method === "POST" ? 201 : 204).end();
    return;
  }
  const rows = url.startsWith("/developer/v1/providers") ? [PROVIDER] : [];
  const text = JSON.stringify(rows);
  response.writeHead(200, { "content-type": "application/json", "content-length": text.length });
  response.end(text);
}
