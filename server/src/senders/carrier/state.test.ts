import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type ChatSender, makeChatSender } from '../../test/chat.ts';
import { makeCompany } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';
import { recordCarrierStates } from './state.ts';

let world: World;
let first: ChatSender;
let second: ChatSender;
let other: ChatSender;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  const company = await makeCompany(world.kernel);
  first = await makeChatSender(world.kernel, company.account_id, 'WHATSAPP');
  second = await makeChatSender(world.kernel, company.account_id, 'WHATSAPP', { connection_id: first.connection_id });
  other = await makeChatSender(world.kernel, company.account_id, 'WHATSAPP');
});
afterAll(() => world?.stop());

const report = (address: string, state: Record<string, string>) =>
  world.kernel.db.tx((tx) => recordCarrierStates(tx, first.connection_id, [{ address, state }]));
const states = async () => {
  const rows = await world.kernel.db.rows<{ id: string; state: object | null }>(
    sql`select id, carrier_state as state from senders
      where id = any(${[first, second, other].map((sender) => sender.sender_id)}::uuid[])`,
  );
  return [first, second, other].map(({ sender_id }) => rows.find(({ id }) => id === sender_id)?.state);
};
const countEvents = async () =>
  (
    await world.kernel.db.one<{ count: number }>(
      sql`select count(*)::int as count from events where type = 'sender.updated'`,
    )
  ).count;

test('a report applies to the sender with its address or number, or to all senders on the connection', async () => {
  await report(first.address, { quality: 'GREEN' });
  await report(second.code, { limit: 'TIER_2K' });
  expect(await states()).toEqual([{ quality: 'GREEN' }, { limit: 'TIER_2K' }, null]);
  await report('', { account_event: 'ACCOUNT_RESTRICTION' });
  expect(await states()).toEqual([
    { quality: 'GREEN', account_event: 'ACCOUNT_RESTRICTION' },
    { limit: 'TIER_2K', account_event: 'ACCOUNT_RESTRICTION' },
    null,
  ]);
  const before = await countEvents();
  expect(before).toBe(4);
  await report(first.code, { quality: 'GREEN' });
  await report(other.address, { quality: 'RED' });
  expect(await countEvents()).toBe(before);
  expect((await states())[2]).toBeNull();
});

const queuedJobs = (name: string, sender_id: string) =>
  world.kernel.db.rows<{ data: { news?: { text: string }[] } }>(
    sql`select data from pgboss.job where name = ${name} and data->>'sender_id' = ${sender_id} order by created_on, id`,
  );
const timeline = async (sender_id: string) =>
  (
    await world.kernel.db.rows<{ text: string }>(
      sql`select text from sender_timeline where sender_id = ${sender_id} order by id`,
    )
  ).map(({ text }) => text);

test('state changes appear in the timeline, worse values trigger emails, and missing values are fetched', async () => {
  const { sender_id, address } = second;
  await report(address, { quality: 'GREEN', limit: 'TIER_2K' });
  expect(await timeline(sender_id)).toEqual([]);
  await report(address, { quality: 'RED', quality_event: 'FLAGGED' });
  await report(address, { quality_event: 'UNFLAGGED', limit: 'TIER_250' });
  await report(address, { quality: 'UNKNOWN' });
  await report(address, { limit: '10000', restrictions: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION' });
  expect(await timeline(sender_id)).toEqual([
    'Quality: low (was high).',
    'Recipients per day: 250 (was 2,000).',
    'Recipients per day: 10,000 (was 250).',
    'Restrictions: restricted add phone number action.',
  ]);
  expect(
    (await queuedJobs('senders.tell_state', sender_id)).map(({ data }) => data.news!.map(({ text }) => text)),
  ).toEqual([
    ['Quality: low (was high).'],
    ['Recipients per day: 250 (was 2,000).'],
    ['Restrictions: restricted add phone number action.'],
  ]);
  expect(await queuedJobs('senders.look', sender_id)).toHaveLength(1);
});
