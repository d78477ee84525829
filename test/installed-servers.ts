/** Starts squid, tinyproxy and nginx, where they are installed: each with a configuration in a folder of its own. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { writeExecutable } from "./executable.ts";

/** How a proxy is configured. */
export interface ProxyRules {
  /** The user name and password that it requires. */
  readonly login?: { readonly user: string; readonly password: string };
  /** Whether it lets any request through; it does by default. */
  readonly allows?: boolean;
}

const SBIN = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` };

/** Whether a program can be started. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ["-v"], { stdio: "ignore", env: SBIN }).error === undefined;
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "catalog-server-"));
  // A server that is started by root reads its files as another user.
  await chmod(folder, 0o755);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A free port of this machine. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a server in the foreground, and waits until it listens; it stops after the test. */
async function start(program: string, words: readonly string[], port: number): Promise<void> {
  const child = spawn(program, words, { env: SBIN, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  const isReady = (): Promise<boolean> => {
    if (hasEnded(child)) throw new Error(`${program} ended:\n${said}`);
    return isListening(port);
  };
  await vi.waitUntil(isReady, { timeout: 15_000, interval: 20 });
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

/** Starts squid with the rules of Debian's configuration: tunnels lead only to port 443. @returns its port */
export async function startSquid({ login, allows = true }: ProxyRules): Promise<number> {
  const [folder, port] = [await newFolder(), await freePort()];
  const helper = join(folder, "login.sh");
  const expected = `${login?.user} ${login?.password}`;
  const answer = `[ "$line" = '${expected}' ] && echo OK || echo ERR`;
  writeExecutable(helper, `#!/bin/sh\nwhile read -r line; do ${answer}; done\n`);
  const lines = [
    `http_port 127.0.0.1:${port}`,
    `pid_filename ${join(folder, "squid.pid")}`,
    ...["access_log none", "cache_log /dev/null", "cache_store_log none", "cache deny all"],
    ...[`coredump_dir ${folder}`, "shutdown_lifetime 0 seconds", "pinger_enable off"],
    ...["acl ssl port 443", "acl CONNECT method CONNECT", "http_access deny CONNECT !ssl"],
    ...(login === undefined
      ? []
      : [
          `auth_param basic program ${helper}`,
          "auth_param basic children 1",
          "acl known proxy_auth REQUIRED",
          "http_access deny !known",
        ]),
    `http_access ${allows ? "allow" : "deny"} all`,
  ];
  const file = join(folder, "squid.conf");
  await writeFile(file, `${lines.join("\n")}\n`);
  await start("squid", ["-N", "-f", file], port);
  return port;
}

/** Starts tinyproxy with the rules of Debian's configuration. @returns its port */
export async function startTinyproxy({ login, allows = true }: ProxyRules): Promise<number> {
  const [folder, port] = [await newFolder(), await freePort()];
  const lines = [
    `Port ${port}`,
    ...["Listen 127.0.0.1", "ConnectPort 443", "Timeout 20", "LogLevel Critical"],
    `LogFile "${join(folder, "log")}"`,
    `Allow ${allows ? "127.0.0.1" : "192.0.2.1"}`,
    ...(login === undefined ? [] : [`BasicAuth ${login.user} ${login.password}`]),
  ];
  const file = join(folder, "tinyproxy.conf");
  await writeFile(file, `${lines.join("\n")}\n`);
  await start("tinyproxy", ["-d", "-c", file], port);
  return port;
}

/** How nginx limits the rate of requests. */
export interface NginxLimit {
  /** Requests a second. */
  readonly rate: number;
  /** How many requests may come at once. */
  readonly burst?: number;
  readonly status: 429 | 503;
}

/** Starts nginx in front of a service. @returns its port */
export async function startNginx(
  target: string,
  { rate, burst, status }: NginxLimit,
): Promise<number> {
  const [folder, port] = [await newFolder(), await freePort()];
  const lines = [
    `daemon off; worker_processes 1; pid ${join(folder, "pid")};`,
    ...(process.getuid?.() === 0 ? [`user ${userInfo().username};`] : []),
    "events { worker_connections 100; }",
    "http { access_log off;",
    ...["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${join(folder, name)};`,
    ),
    `limit_req_zone $server_port zone=all:1m rate=${rate}r/s;`,
    `server { listen 127.0.0.1:${port};`,
    `limit_req zone=all${burst === undefined ? "" : ` burst=${burst} nodelay`};`,
    `limit_req_status ${status};`,
    `location / { proxy_pass ${target}; proxy_set_header Host ${new URL(target).host}; } } }`,
  ];
  const file = join(folder, "nginx.conf");
  await writeFile(file, `${lines.join("\n")}\n`);
  await start("nginx", ["-p", folder, "-e", join(folder, "log"), "-c", file], port);
  return port;
}
