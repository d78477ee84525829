/** Starts sandboxes for benchmarks. */
import { spawn } from "node:child_process";
import { PROGRAM, plainEnvironment } from "./program.mjs";

/**
 * Starts a sandbox as a separate process, so that serving is not part of the time.
 *
 * @param flags the flags of the sandbox
 * @returns the environment that names the sandbox, its process id, and `stop()`
 */
export async function startSandbox(folder, flags) {
  const words = [PROGRAM, "sandbox", "--quiet", "--port", "0", ...flags];
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: plainEnvironment(folder),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let text = "";
  for await (const chunk of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    text += chunk;
    const variables = [...text.matchAll(/export (CATALOG_\w+)=(\S+)\n/g)];
    if (variables.length < 2) continue;
    return {
      process: child.pid,
      environment: Object.fromEntries(variables.map(([, name, value]) => [name, value])),
      stop: async () => {
        child.kill();
        await ended;
      },
    };
  }
  throw new Error("the sandbox ended before it served");
}
