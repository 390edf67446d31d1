import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../kernel/db.ts';
import { type ChatSender, makeChatSender } from '../test/chat.ts';
import { makeCompany } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';
import { takeSenderStates } from './senders.ts';

let world: World;
let first: ChatSender;
let second: ChatSender;
let other: ChatSender;

beforeAll(async () => {
  world = await createWorld({ role: 'none' });
  const company = await makeCompany(world.kernel);
  first = await makeChatSender(world.kernel, company.account_id, 'WHATSAPP');
  second = await makeChatSender(world.kernel, company.account_id, 'WHATSAPP', { connection_id: first.connection_id });
  other = await makeChatSender(world.kernel, company.account_id, 'WHATSAPP');
});
afterAll(() => world?.stop());

const take = (address: string, state: Record<string, string>) =>
  world.kernel.db.tx((tx) => takeSenderStates(tx, first.connection_id, [{ address, state }]));
const states = async () => {
  const rows = await world.kernel.db.rows<{ id: string; state: object | null }>(
    sql`select id, carrier_state as state from senders where id = any(${[first, second, other].map((one) => one.sender_id)}::uuid[])`,
  );
  return [first, second, other].map(({ sender_id }) => rows.find(({ id }) => id === sender_id)?.state);
};
const told = async () =>
  (
    await world.kernel.db.one<{ count: number }>(
      sql`select count(*)::int as count from events where type = 'sender.updated'`,
    )
  ).count;

test('by the carrier’s name of it, by its number, or of all of a connection; what is known already is not told again', async () => {
  await take(first.address, { quality: 'GREEN' });
  await take(second.code, { limit: 'TIER_2K' });
  expect(await states()).toEqual([{ quality: 'GREEN' }, { limit: 'TIER_2K' }, null]);
  await take('', { account_event: 'ACCOUNT_RESTRICTION' });
  expect(await states()).toEqual([
    { quality: 'GREEN', account_event: 'ACCOUNT_RESTRICTION' },
    { limit: 'TIER_2K', account_event: 'ACCOUNT_RESTRICTION' },
    null,
  ]);
  const before = await told();
  expect(before).toBe(4);
  await take(first.code, { quality: 'GREEN' });
  await take(other.address, { quality: 'RED' });
  expect(await told()).toBe(before);
  expect((await states())[2]).toBeNull();
});
