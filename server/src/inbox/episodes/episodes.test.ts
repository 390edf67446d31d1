/**
 * Episodes of conversations: the events that open, answer, and close them, and episodes from before they were stored.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { receiveMessages } from '../../messages/inbound/intake.ts';
import { type Company, makeCarrier, makeCompany, makeSender, makeUser } from '../../test/make.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';
import { addEarlierEpisodes } from './earlier_episodes.ts';

let world: World;
let company: Company;
let owner: Caller;
let sender: { sender_id: string; code: string };
let connection_id: string;
let number: string;
let next = 447410005000;

beforeAll(async () => {
  world = await createWorld({ role: 'all' });
  ({ connection_id } = await makeCarrier(world.kernel));
});
afterAll(() => world.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  sender = await makeSender(world.kernel, company.account_id);
  number = String(next++);
});

const write = (text: string) =>
  world.kernel.db.tx((tx) =>
    receiveMessages(tx, [
      {
        ...{ channel: 'SMS', from: number, to: sender.code, text, parts: 1, connection_id, external_id: null },
        details: {},
      } as never,
    ]),
  );

interface Row {
  id: string;
  conversation_id: string;
  waiting: boolean;
  reply_user_id: string | null;
  open: boolean;
  assignee_id: string | null;
  labels: number | null;
}
const episodes = () =>
  world.kernel.db.rows<Row>(sql`
    select id, conversation_id, waiting_date is not null as waiting, reply_user_id, close_date is null as open,
           assignee_id, cardinality(label_ids) as labels
    from conversation_episodes where account_id = ${company.account_id} order by open_date, id`);
const conversationId = async () => (await owner.get('/v1/conversations')).body.data[0].id as string;
const reply = (text: string, caller: Caller = owner, more: object = {}) =>
  caller.post('/v1/messages', { channel: 'SMS', from: sender.sender_id, to: number, text, ...more });

test('a message opens an episode, and the close ends it with its assignee and its labels', async () => {
  await write('Hello');
  const id = await conversationId();
  const label = (await owner.post('/v1/labels', { name: 'Refund', color: 'blue' })).body.data.id;
  await owner.put(`/v1/conversations/${id}`, { assignee_id: company.user_id });
  await owner.put(`/v1/conversations/${id}/labels/${label}`, {});
  await write('Are you there?');
  expect(await episodes()).toMatchObject([{ waiting: true, open: true, assignee_id: company.user_id, labels: null }]);
  await owner.put(`/v1/conversations/${id}`, { status: 'closed' });
  await owner.put(`/v1/conversations/${id}`, { status: 'closed' });
  await owner.put(`/v1/conversations/${id}`, { assignee_id: null });
  const [first] = await episodes();
  expect(first).toMatchObject({ open: false, assignee_id: company.user_id });
  await write('It broke again');
  expect(await episodes()).toMatchObject([{ open: false }, { open: true, waiting: true, assignee_id: null }]);
  await owner.delete(`/v1/conversations/${id}`);
  expect(await episodes()).toMatchObject([{ open: false }, { open: false }]);
});

test('snoozed and pending conversations stay in their episode, and a user can open a new one', async () => {
  await write('Hello');
  const id = await conversationId();
  await owner.put(`/v1/conversations/${id}`, { status: 'pending' });
  const snooze_until = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  await owner.put(`/v1/conversations/${id}`, { status: 'snoozed', snooze_until });
  await owner.put(`/v1/conversations/${id}`, { status: 'open' });
  expect(await episodes()).toHaveLength(1);
  await owner.put(`/v1/conversations/${id}`, { status: 'closed' });
  await owner.put(`/v1/conversations/${id}`, { status: 'open' });
  expect(await episodes()).toMatchObject([{ open: false }, { open: true, waiting: false }]);
});

test('the first reply of a user counts once, unless it is canceled before it is sent', async () => {
  const agent = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 15, CONVERSATIONS: 15 } });
  await write('Hello');
  const schedule = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  const sent = await reply('Later', owner, { schedule });
  expect(sent.status, sent.text).toBeLessThan(300);
  expect(await episodes()).toMatchObject([{ reply_user_id: company.user_id }]);
  const message_id = [sent.body.data].flat()[0].id;
  const later = new Date(Date.now() + 7_200_000).toISOString().slice(0, 19).replace('T', ' ');
  expect((await owner.put(`/v1/messages/${message_id}`, { schedule: later })).status).toBe(200);
  const { hours } = await world.kernel.db.one<{ hours: number }>(sql`
    select round(extract(epoch from reply_date - now()) / 3600)::int as hours
    from conversation_episodes where account_id = ${company.account_id}`);
  expect(hours).toBe(2);
  const canceled = await owner.delete(`/v1/messages/${message_id}`);
  expect(canceled.status, canceled.text).toBeLessThan(300);
  expect(await episodes()).toMatchObject([{ reply_user_id: null }]);
  await reply('Now', world.as(agent.token));
  await reply('Again');
  expect(await episodes()).toMatchObject([{ reply_user_id: agent.user_id }]);
});

test('earlier episodes follow from messages and entries, and a repeated run adds nothing', async () => {
  await write('One');
  const id = await conversationId();
  await reply('Two');
  await owner.put(`/v1/conversations/${id}`, { status: 'closed' });
  await write('Three');
  const before = await episodes();
  expect(before).toHaveLength(2);
  const rows = () =>
    world.kernel.db.rows<{ is_open: boolean }>(sql`
      select conversation_id, channel, date_trunc('second', open_date)::text as open,
             date_trunc('second', waiting_date)::text as waiting, reply_user_id, close_date is null as is_open
      from conversation_episodes where account_id = ${company.account_id} order by open_date`);
  const stored = await rows();
  const restart = async (remove: boolean) => {
    if (remove)
      await world.kernel.db.run(sql`delete from conversation_episodes where account_id = ${company.account_id}`);
    await world.kernel.db.run(sql`
      update conversation_episode_marks set account_id = null, conversation_id = null, done = false`);
    await addEarlierEpisodes(world.kernel);
    expect(await world.kernel.db.one(sql`select done from conversation_episode_marks`)).toEqual({ done: true });
  };
  await restart(true);
  expect(await rows()).toEqual(stored);
  await restart(false);
  expect(await rows()).toEqual(stored);
  // The trigger has stored the second episode, but not the first.
  await world.kernel.db.run(sql`
    delete from conversation_episodes where account_id = ${company.account_id} and close_date is not null`);
  await restart(false);
  const partly = await rows();
  expect(partly).toHaveLength(2);
  expect(partly.map(({ is_open }) => is_open)).toEqual([false, true]);
});

test('a conversation that is closed and opened again at the same instant has an open episode', async () => {
  await write('Hello');
  const { db } = world.kernel;
  // The clock of a worker can be ahead of that of the database.
  await db.run(sql`
    update conversation_episodes set open_date = now() + interval '1 hour' where account_id = ${company.account_id}`);
  for (const status of ['closed', 'open', 'closed', 'open'])
    await db.run(sql`update conversations set status = ${status} where account_id = ${company.account_id}`);
  const rows = await db.rows<{ is_open: boolean }>(sql`
    select close_date is null as is_open from conversation_episodes where account_id = ${company.account_id}
    order by open_date`);
  expect(rows.map(({ is_open }) => is_open)).toEqual([false, false, true]);
});
