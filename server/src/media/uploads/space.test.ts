/** Tests that every kind of stored file counts toward its account's storage, however it arrives. */
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeCompany } from '../../test/make.ts';
import { makeSlot, readProblem, send } from '../../test/media.ts';
import { createWorld, type World } from '../../test/world.ts';
import { storeInboundFile } from '../media.ts';

const MB = 1024 * 1024;
let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api', settings: { FILES_MB: '1' } });
});
afterAll(() => world.stop());

const storedBytes = async ({ account_id }: Company): Promise<number> =>
  (
    await world.kernel.db.one<{ bytes: number }>(sql`
      select coalesce(sum(bytes), 0)::int as bytes from media where account_id = ${account_id} and status = 'ready'`)
  ).bytes;
const notes = (bytes: number): string => 'a note\n'.repeat(Math.ceil(bytes / 7)).slice(0, bytes);
const receive = (company: Company, bytes: number) =>
  storeInboundFile(
    world.kernel,
    { account_id: company.account_id, type: 'document', channel: null, file_name: 'a.txt', content_type: 'text/plain' },
    Readable.from([Buffer.from(notes(bytes))]),
  );

test('an account cannot exceed its storage when several slots are open at the same time', async () => {
  const company = await makeCompany(world.kernel);
  const slots = await Promise.all(
    [1, 2, 3].map((n) => makeSlot(world, company.token, { file_name: `${n}.txt`, type: 'document', channel: 'VIBER' })),
  );
  const replies = await Promise.all(slots.map((slot) => send(world, slot, notes(MB / 2))));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 409]);
  expect(readProblem(replies.find(({ status }) => status === 409)!)[1]).toBe(1918);
  expect(await storedBytes(company)).toBe(MB);
});

test('an inbound file is refused when the storage of the account is full', async () => {
  const company = await makeCompany(world.kernel);
  await receive(company, MB - 10);
  await expect(receive(company, 11)).rejects.toMatchObject({ name: 'STORAGE_LIMIT_REACHED' });
  expect((await receive(company, 10)).status).toBe('ready');
  await expect(receive(company, 1)).rejects.toMatchObject({ name: 'STORAGE_LIMIT_REACHED' });
  expect(await storedBytes(company)).toBe(MB);
});
