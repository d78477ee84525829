/** `catalog sandbox` as a process: its output, its server, its command, and how it ends. */
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeExecutable } from "../executable.ts";
import { IS_LONG, someOf } from "../long.ts";
import { HAS_TERMINAL, newFile, runCatalog, startCatalog, startOnTerminal } from "./rig.ts";

describe("sandbox with a command", () => {
  test("sandbox passes arguments, environment and input to its command, and prints nothing itself", async () => {
    const words = ["a b", "--yes", "-o", "json", "", "-", "--", "--port", "1"];
    const script = 'printf "<%s>" "$OTHER" "$@"; cat';
    const ended = await runCatalog(["sandbox", "--", "sh", "-c", script, "sh", ...words], {
      environment: { OTHER: "kept" },
      input: "said\n",
    });
    const stdout = `<kept>${words.map((word) => `<${word}>`).join("")}said\n`;
    expect(ended).toMatchObject({ code: 0, stdout, stderr: "" });
  });

  test.each(someOf(["SIGHUP", "SIGTERM", "SIGINT"], 1))(
    "sandbox passes %s to its command and waits until the command ends",
    async (signal) => {
      const script = `
      process.on("${signal}", () => { console.log("received"); process.exit(9); });
      setInterval(() => {}, 1000);
      console.log("ready");
    `;
      const running = await startCatalog(["sandbox", "--", process.execPath, "-e", script]);
      await running.waitForStdout(/ready/);
      running.child.kill(signal);
      const stdout = "ready\nreceived\n";
      expect(await running.ended).toMatchObject({ code: 9, signal: null, stdout });
    },
  );

  test.runIf(IS_LONG)(
    "sandbox runs a Windows script as its command in a shell, and names a command that does not exist",
    async () => {
      const text = `Object.defineProperty(process, "platform", { value: "win32" });`;
      const path = await newFile("platform.cjs", text);
      const folder = dirname(path);
      await writeFile(join(folder, "tool.cmd"), "");
      writeExecutable(
        join(folder, "shell"),
        `#!/bin/sh\necho "$@"\ncase $4 in *tool*) exit 7;; esac; exit 1\n`,
      );
      const environment = {
        NODE_OPTIONS: `--require ${path}`,
        PATH: `${folder};/nowhere`,
        comspec: join(folder, "shell"),
        TEMP: folder,
      };
      const ran = await runCatalog(["sandbox", "--", "tool", "a b", "%X%"], { environment });
      const stdout = `/d /s /c "${folder}/tool.cmd ^"a^ b^" ^"^%X^%^""\n`;
      expect(ran).toMatchObject({ code: 7, stdout, stderr: "" });
      const missing = await runCatalog(["sandbox", "--", "missing"], { environment });
      const stderr = "error: cannot run missing: command not found\n";
      expect(missing).toMatchObject({ code: 2, stderr });
    },
  );

  const INPUTS = [
    [", even if its input is not a terminal", "</dev/null"],
    ["", ""],
  ] as const;

  test.skipIf(!HAS_TERMINAL).each(someOf(INPUTS, 1))(
    "sandbox passes Ctrl-C on a terminal once to its command%s",
    async (_, redirection) => {
      const path = await newFile(
        "count.cjs",
        `
        let count = 0;
        process.on("SIGINT", () => {
          if (++count > 1) return;
          // A second signal, if any, arrives before another process has run.
          const other = require("node:child_process").spawn(process.execPath, ["-e", "0"]);
          other.on("exit", () => { console.log("received " + count); process.exit(9); });
        });
        setInterval(() => {}, 1000);
        console.log("ready");
      `,
      );
      const words = ["sandbox", "--", process.execPath, path];
      const running = await startOnTerminal(words, 80, { redirection });
      await running.waitForStdout(/ready/);
      running.child.stdin?.write("\u0003");
      const { code, stdout } = await running.ended;
      expect(stdout).toContain("received 1\r\n");
      expect(code).toBe(9);
    },
  );
});
