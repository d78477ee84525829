import { describe, expect, test } from "vitest";
import { parseSeeds } from "../../src/sandbox/seed.ts";
import type { Sandbox } from "../../src/sandbox/server.ts";
import {
  change,
  create,
  created,
  ID,
  list,
  numbered,
  OTHER_ID,
  open,
  send,
  testClock,
} from "./rig.ts";

const ANNA = { "X-Api-Key": "anna.1" };
const BERT = { "X-Api-Key": "bert.2" };
const ANNAS = "aaaaaaaa-0000-4000-8000-000000000001";
const BERTS = "bbbbbbbb-0000-4000-8000-000000000002";

const annasCourse = { id: ID, provider_id: ANNAS, url: "https://anna.example/1" };
const bertsCourse = { id: OTHER_ID, provider_id: BERTS, url: "https://bert.example/1" };

async function openForTwo(): Promise<Sandbox> {
  const users = [
    { key: "anna.1", providers: [{ id: ANNAS, name: "Anna", url: "https://anna.example" }] },
    { key: "bert.2", providers: [{ id: BERTS, name: "Bert", url: "https://bert.example" }] },
  ];
  const sandbox = await open({ seed: parseSeeds([{ users }], testClock()) });
  await created(sandbox, annasCourse, ANNA);
  await created(sandbox, bertsCourse, BERT);
  return sandbox;
}

describe("users of the sandbox", () => {
  test("GET courses never returns another user's courses, with any filter", async () => {
    const sandbox = await openForTwo();
    expect(await list(sandbox, "", ANNA)).toMatchObject([{ id: ID }]);
    expect(await list(sandbox, "", BERT)).toMatchObject([{ id: OTHER_ID }]);
    expect(await list(sandbox, `?id=${OTHER_ID}`, ANNA)).toEqual([]);
    expect(await list(sandbox, `?provider_id=${BERTS}`, ANNA)).toEqual([]);
    expect(await list(sandbox, `?id=${OTHER_ID}&provider_id=${BERTS}`, ANNA)).toEqual([]);
    expect(await list(sandbox, "?name=Knit&published=true", ANNA)).toHaveLength(1);
  });

  test("PATCH of another user's course is answered with 404 and changes nothing", async () => {
    const sandbox = await openForTwo();
    expect((await change(sandbox, OTHER_ID, { name: "Mine" }, ANNA)).status).toBe(404);
    expect(await list(sandbox, "?name=Mine", BERT)).toEqual([]);
  });

  test("DELETE of another user's course deletes nothing: 204, or 406 for a single object", async () => {
    const sandbox = await openForTwo();
    const target = `/developer/v1/courses?id=${OTHER_ID}`;
    expect((await send(sandbox, "DELETE", target, { headers: ANNA })).status).toBe(204);
    const headers = { ...ANNA, Accept: "application/vnd.pgrst.object+json" };
    expect((await send(sandbox, "DELETE", target, { headers })).status).toBe(406);
    expect(await list(sandbox, "", BERT)).toHaveLength(1);
  });

  test("POST cannot use another user's provider, website or id", async () => {
    const sandbox = await openForTwo();
    const mine = { ...annasCourse, id: numbered(1) };
    expect((await create(sandbox, { ...mine, provider_id: BERTS }, ANNA)).status).toBe(400);
    expect((await create(sandbox, { ...mine, url: "https://bert.example/" }, ANNA)).status).toBe(
      400,
    );
    expect((await create(sandbox, { ...mine, id: OTHER_ID }, ANNA)).status).toBe(409);
    expect(await list(sandbox, "", ANNA)).toHaveLength(1);
  });
});
