import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { makeConversation } from '../../test/inbox/conversations.ts';
import { type Company, makeCompany, makeSender, makeUser } from '../../test/make.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';

let world: World;
let company: Company;
let sender_id: string;
let owner: Caller;
let agent: Caller;
let agent_id: string;
let number = 447410005000;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  ({ sender_id } = await makeSender(world.kernel, company.account_id));
  owner = world.as(company.token);
  const user = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 15, CONVERSATIONS: 15 } });
  agent = world.as(user.token);
  agent_id = user.user_id;
});
afterAll(() => world.stop());

const converse = () =>
  makeConversation(world.kernel, { account_id: company.account_id, sender_id, number: String(number++) });
const report = async (caller: Caller, id: string, state: string) =>
  (await caller.put(`/v1/conversations/${id}/presence`, { state })).body.data.others as object[];
const states = async (id: string) =>
  (
    await world.kernel.db.rows<{ state: string }>(sql`
      select payload->>'state' as state from events
      where account_id = ${company.account_id} and type = 'conversation_presence.changed' and payload->>'id' = ${id}
      order by id`)
  ).map(({ state }) => state);

test('users see who else is in a conversation, and only changes become events', async () => {
  const id = await converse();
  expect(await report(owner, id, 'viewing')).toEqual([]);
  await report(agent, id, 'viewing');
  expect(await report(owner, id, 'viewing')).toMatchObject([{ user_id: agent_id, state: 'viewing' }]);
  for (let key = 0; key < 3; key++) await report(agent, id, 'typing');
  expect(await report(owner, id, 'viewing')).toMatchObject([{ user_id: agent_id, state: 'typing' }]);
  await report(agent, id, 'away');
  expect(await report(owner, id, 'viewing')).toEqual([]);
  expect(await states(id)).toEqual(['viewing', 'viewing', 'typing', 'away']);
});

test('a user whose page is gone disappears after a minute', async () => {
  const id = await converse();
  await report(agent, id, 'typing');
  await world.kernel.db.run(sql`
    update conversation_presence set seen_date = seen_date - interval '61 seconds'
    where account_id = ${company.account_id} and conversation_id = ${id}`);
  expect(await report(owner, id, 'viewing')).toEqual([]);
  await report(agent, id, 'viewing');
  expect(await states(id)).toEqual(['typing', 'viewing', 'viewing']);
});

async function reply(to: string, user_id: string): Promise<string> {
  const id = newId();
  await world.kernel.db.run(sql`
    insert into messages (account_id, id, sender_id, number, "from", "to", text, channel, type, status, direction,
                          source, country, currency, segments_count, encoding, user_id)
    values (${company.account_id}, ${id}, ${sender_id}, ${to}, '447700900000', ${to}, 'Hello', 'SMS', 'text', 'sent',
            'MT', 'inbox', 'GB', 'USD', 1, 'GSM-7', ${user_id})`);
  return id;
}

test('a reply after the reply of another user is recorded once', async () => {
  const to = String(number);
  const id = await converse();
  const theirs = await reply(to, agent_id);
  const path = `/v1/conversations/${id}/collisions`;
  const key = { 'idempotency-key': newId() };
  for (let n = 0; n < 2; n++) expect((await owner.post(path, { message_id: theirs }, key)).status).toBe(201);
  const { body } = await owner.get(`/v1/conversations/${id}/entries`);
  expect(body.data).toMatchObject([
    { kind: 'collision', user: { id: company.user_id }, answered: { id: agent_id }, text: '' },
  ]);
});

test('a message that is not another user’s reply in the conversation is refused', async () => {
  const to = String(number);
  const id = await converse();
  const own = await reply(to, company.user_id);
  const elsewhere = await reply('447410009999', agent_id);
  for (const message_id of [own, elsewhere, newId(), 'x']) {
    const { body } = await owner.post(`/v1/conversations/${id}/collisions`, { message_id });
    expect([message_id, body.errors[0].code]).toEqual([message_id, 2352]);
  }
  expect((await owner.put(`/v1/conversations/${id}/presence`, { state: 'sleeping' })).status).toBe(400);
});
