/** Test programs as the user's pager: their input, and how they end. */
import { access, chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { main } from "../../src/main.ts";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { MemoryOutput, rig } from "../rig.ts";
import { startCommand } from "./helpers.ts";

const HELP = ["help", "flags"];

test("help gives the pager the text and no API key, and a shell reads PAGER", async () => {
  const r = await rig();
  await r.write("my pager.sh", "cat > shown; env > seen\n");
  const environment = { PAGER: `WORD='a b' sh "$HOME/my pager.sh"` };
  const ran = await r.run(HELP, { terminal: true, environment });
  expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "" });
  expect(await readFile(join(r.folder, "shown"), "utf8")).toContain("--base-url");
  const seen = await readFile(join(r.folder, "seen"), "utf8");
  expect(seen).not.toContain(DEFAULT_KEY);
  expect(seen).toMatch(/^WORD=a b$/m);
});

test("help prints its text if a pager of plain words does not exist, and exits with 2 for other pagers", async () => {
  const r = await rig();
  const plain = { PAGER: "no-such-pager -R" };
  const printed = await r.run(HELP, { terminal: true, environment: plain });
  expect(printed).toMatchObject({ code: 0, stdout: expect.stringContaining("--base-url") });
  const quoted = { PAGER: 'no-such-pager "-R"' };
  const ran = await r.run(HELP, { terminal: true, environment: quoted });
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('cannot run no-such-pager "-R": command not found');
});

test("help on Windows does not run a pager of the current folder", async () => {
  const r = await rig();
  await r.write("pager.exe", "#!/bin/sh\ncat > shown\n");
  await chmod(join(r.folder, "pager.exe"), 0o755);
  const [out, err] = [new MemoryOutput(true), new MemoryOutput(true)];
  const environment = { PAGER: "pager.exe", PATH: "." };
  const system = r.system({ out, err, terminal: true, environment });
  expect(await main(HELP, { ...system, platform: "win32" })).toBe(0);
  expect(out.text).toContain("--base-url");
  await expect(access(join(r.folder, "shown"))).rejects.toThrow("ENOENT");
});

test.each([
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s ends the pager and then help with exit code %i", async (signal, code) => {
  const r = await rig();
  await r.write("pager.sh", "cat > shown; touch ready; exec sleep 9\n");
  const running = startCommand(r, HELP, { PAGER: "sh pager.sh" }, "", true);
  await vi.waitFor(() => access(join(r.folder, "ready")), 5000);
  running.stop(signal);
  expect(await running.code).toBe(code);
});
