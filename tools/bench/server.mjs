/** Runs the servers of benchmarks as separate processes. */
import { spawn } from "node:child_process";

/**
 * Starts a program that calls `listen()`.
 *
 * @returns the environment that names the server, and `stop()`
 */
export async function startServer(file, words) {
  const child = spawn(process.execPath, [file, ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const [address] = await child.stdout.setEncoding("utf8").take(1).toArray();
  if (address === undefined) throw new Error(`${file} ended before it served`);
  return {
    environment: { CATALOG_BASE_URL: address.trim(), CATALOG_API_KEY: "bench.key" },
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}

/** Serves on a free port, and prints the URL for the parent process. */
export function listen(server) {
  // No timeout, because a connection may wait a long time for a busy client.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1", () => {
    process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
  });
}
