import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/server.ts";
import { created, ID, list, OTHER_ID, open, type Reply, send } from "./rig.ts";

const OBJECT = "application/vnd.pgrst.object+json";
const NOT_DELETED =
  '{"hint":null,"details":"The result contains 0 rows","code":"PGRST116",' +
  '"message":"JSON object requested, multiple (or no) rows returned"}';

async function openWithCourse(): Promise<Sandbox> {
  const sandbox = await open();
  await created(sandbox, { id: ID });
  return sandbox;
}

function remove(sandbox: Sandbox, query: string, accept?: string): Promise<Reply> {
  const headers = accept === undefined ? {} : { Accept: accept };
  return send(sandbox, "DELETE", `/developer/v1/courses${query}`, { headers });
}

describe("DELETE courses without the single-object Accept header", () => {
  test("DELETE is answered with 204 and no body, and deletes the course", async () => {
    const sandbox = await openWithCourse();
    expect(await remove(sandbox, `?id=${ID}`)).toMatchObject({ status: 204, text: "", type: null });
    expect(await list(sandbox)).toEqual([]);
  });
});

describe("DELETE courses with the single-object Accept header", () => {
  test("DELETE of a single object is answered with 204 if the course was deleted, and 406 if it does not exist", async () => {
    const sandbox = await openWithCourse();
    expect(await remove(sandbox, `?id=${ID.toUpperCase()}`, OBJECT)).toMatchObject({ status: 204 });
    const again = await remove(sandbox, `?id=${ID}`, OBJECT);
    expect(again).toMatchObject({ status: 406, text: NOT_DELETED });
    expect(again.type).toBe("application/json; charset=utf-8");
  });

  test.each([
    [OBJECT, 406],
    [`text/html, ${OBJECT};charset=utf-8;q=0.9, */*`, 406],
    ["Application/Vnd.PGRST.Object+JSON", 406],
    ["application/json", 204],
    ["*/*", 204],
    ["application/vnd.other.object+json", 406],
    ["application/vnd.object+json", 204],
    [`${OBJECT}x`, 204],
  ])("DELETE of an unknown course with Accept: %s is answered with %i", async (accept, status) => {
    expect((await remove(await open(), `?id=${ID}`, accept)).status).toBe(status);
  });
});

describe("DELETE courses with an invalid id", () => {
  test.each([undefined, OBJECT])(
    "DELETE without an id is answered with 400 and deletes nothing (Accept %s)",
    async (accept) => {
      const sandbox = await openWithCourse();
      const reply = await remove(sandbox, "", accept);
      expect(reply.status).toBe(400);
      expect(reply.text).toBe(
        '{"hint":"Missing ID","details":"You should provide an id as a query parameter; nothing was deleted"}',
      );
      expect((await remove(sandbox, "?provider_id=x", accept)).status).toBe(400);
      expect(await list(sandbox)).toHaveLength(1);
    },
  );

  test.each(["abc", "", "eq.1", "*", `${ID},${OTHER_ID}`])(
    "DELETE with the id %j is answered with 400 and deletes nothing",
    async (id) => {
      const sandbox = await openWithCourse();
      const reply = await remove(sandbox, `?id=${id}`);
      expect(reply.status).toBe(400);
      expect(reply.text).toBe(
        `{"hint":null,"details":null,"code":"22P02","message":"invalid input syntax for type uuid: \\"${id}\\""}`,
      );
      expect(await list(sandbox)).toHaveLength(1);
    },
  );
});
