/** Real proxies and a real rate limiter in the long tests; otherwise a small proxy that behaves the same. */
import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/base/process.ts";
import { main } from "../../src/main.ts";
import { courseSeed } from "../../src/sandbox/seed.ts";
import {
  freePort,
  isInstalled,
  type NginxLimit,
  type ProxyRules,
  startNginx,
  startSquid,
  startTinyproxy,
} from "../installed-servers.ts";
import { IS_LONG } from "../long.ts";
import { startStrictProxy } from "../proxy.ts";
import { MemoryOutput, rig, testClock } from "../rig.ts";
import { id, lines, numberedCourse, startCommand } from "./helpers.ts";

type StartProxy = (rules: ProxyRules) => Promise<number>;

const PROXIES: [name: string, start: StartProxy, isUsable: boolean][] = [
  ["stand-in", startStrictProxy, true],
  ["squid", startSquid, IS_LONG && isInstalled("squid")],
  ["tinyproxy", startTinyproxy, IS_LONG && isInstalled("tinyproxy")],
];

const LOGIN = { user: "user", password: "secret" };

describe.each(PROXIES)("proxy %s", (name, start, isUsable) => {
  /** Lists courses through the proxy, which an empty NO_PROXY allows for this machine, too. */
  async function list(
    port: number,
    { login = "", target = 0, words = ["courses", "ls", "-o", "id"] } = {},
  ) {
    const r = await rig({ seed: courseSeed([numberedCourse(1)], testClock()) });
    const running = startCommand(r, [...words, "--retries", "0"], {
      ...(target === 0 ? {} : { CATALOG_BASE_URL: `http://127.0.0.1:${target}` }),
      HTTP_PROXY: `http://${login}127.0.0.1:${port}`,
      NO_PROXY: "",
    });
    const code = await running.code;
    const requests = r.sandbox.requests();
    return { code, stdout: running.out.text, stderr: running.err.text, requests, port };
  }

  test.runIf(isUsable)(
    `ls works through the proxy ${name} if the proxy opens tunnels only to port 443`,
    async () => {
      const port = await start({});
      const status = await new Promise((resolve, reject) => {
        const asked = request({ port, method: "CONNECT", path: "127.0.0.1:8080" });
        asked.once("connect", ({ statusCode }, socket) => resolve(socket.destroy() && statusCode));
        asked.once("error", reject).end();
      });
      expect(status).toBe(403);
      const ran = await list(port);
      expect([ran.code, lines(ran.stdout).length, ran.stderr]).toEqual([0, 1, ""]);
    },
  );

  test.runIf(isUsable)(
    `ls says how to set a user name and password if the proxy ${name} requires them`,
    async () => {
      const port = await start({ login: LOGIN });
      const refused = await list(port);
      expect([refused.code, refused.stdout, refused.requests]).toEqual([6, "", 0]);
      expect(refused.stderr).toContain(
        `via the proxy from HTTP_PROXY (http://127.0.0.1:${port}): the proxy requires a user name and password (HTTP 407)`,
      );
      expect(refused.stderr).toContain("Set them in HTTP_PROXY, as in http://user:password@");
      const accepted = await list(port, { login: "user:s%65cret@" });
      expect([accepted.code, lines(accepted.stdout).length]).toEqual([0, 1]);
      const wrong = await list(port, { login: "user:other@" });
      expect(wrong.code).toBe(6);
      expect(wrong.stderr).toContain("the proxy requires a user name and password (HTTP 40");
      expect(wrong.stderr).not.toContain("other");
    },
  );

  test.runIf(isUsable)(
    `ls and rm do not blame the API key if the proxy ${name} does not allow the request`,
    async () => {
      const port = await start({ allows: false });
      for (const words of [
        ["courses", "ls"],
        ["courses", "rm", "--yes", id(1)],
      ]) {
        const ran = await list(port, { words });
        expect([ran.code, ran.stdout, ran.requests]).toEqual([6, "", 0]);
        expect(ran.stderr).toContain(`via the proxy from HTTP_PROXY (http://127.0.0.1:${port})`);
        expect(ran.stderr).toContain("request rejected (HTTP 403)");
        expect(ran.stderr).toContain("Check that the proxy allows the service's host and port");
        expect(ran.stderr).not.toContain("permission");
      }
    },
  );

  test.runIf(isUsable)(`ls names the proxy ${name} that cannot reach the service`, async () => {
    const port = await start({});
    const target = await freePort();
    const ran = await list(port, { target });
    expect([ran.code, ran.stdout]).toEqual([6, ""]);
    expect(ran.stderr).toMatch(/the service failed \(HTTP 50\d\), with an HTML page/);
    expect(ran.stderr).toContain(
      `Check that the proxy from HTTP_PROXY (http://127.0.0.1:${port}) can reach the service`,
    );
  });
});

/** The lowest rates are tested in virtual time in test/service/rate-limit.test.ts; these take seconds. */
const RATES = (process.env.CATALOG_NGINX_RATES ?? "50").split(" ").map(Number);
const LIMITS = RATES.flatMap((rate) =>
  ([503, 429] as const).flatMap((status): NginxLimit[] => [
    { rate, status },
    { rate, status, burst: 5 },
  ]),
);

describe.runIf(IS_LONG && isInstalled("nginx"))("rate limit of nginx", () => {
  test("push creates all of 60 courses behind nginx with any rate, status and burst", {
    timeout: 300_000,
  }, async () => {
    const files = JSON.stringify(Array.from({ length: 60 }, (_, index) => numberedCourse(index)));
    const push = async (limit: NginxLimit): Promise<unknown> => {
      const r = await rig();
      await r.write("courses.json", files);
      const port = await startNginx(r.sandbox.baseUrl, limit);
      const [out, err] = [new MemoryOutput(), new MemoryOutput()];
      const environment = { CATALOG_BASE_URL: `http://127.0.0.1:${port}` };
      const system = { ...r.system({ out, err, environment }), clock: systemClock };
      const code = await main(["courses", "push", "courses.json"], system);
      return [limit, code, err.text.split("\n").at(-2)];
    };
    expect(await Promise.all(LIMITS.map(push))).toEqual(
      LIMITS.map((limit) => [limit, 0, "Created 60 courses."]),
    );
  });
});
