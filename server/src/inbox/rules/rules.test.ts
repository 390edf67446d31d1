import type { RuleConditions } from '@parley/contract/inbox/rules.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { InboundIntake } from '../../messages/inbound/intake.ts';
import { type ChatSender, makeChatSender, makeIncoming, readConnection } from '../../test/chat.ts';
import { type Company, makeCompany, makeUser } from '../../test/make.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';
import { applyRules, replyByRule } from './apply.ts';
import { findLanguage } from './language.ts';
import { choose, isOpen, matches, type Opening } from './matching.ts';

const NONE: RuleConditions = {
  ...{ channels: [], sender_ids: [], texts: [], languages: [], campaign_ids: [], office_hours: null },
};
const OPENING: Opening = {
  ...{ channel: 'SMS', sender_id: 'a', text: 'Où est ma COMMANDE 🚚 ?', language: 'fr', campaign_id: null },
  at: new Date('2030-01-07T08:30:00Z'),
};
const WEEKDAYS = { hours: [{ days: [1, 2, 3, 4, 5], from: '09:00', until: '17:00' }], zone: 'Europe/Berlin' };

describe('matching', () => {
  test.each<[Partial<RuleConditions>, boolean]>([
    [{}, true],
    [{ channels: ['SMS', 'VIBER'] }, true],
    [{ channels: ['VIBER'] }, false],
    [{ texts: ['refund', 'ou est ma commande'] }, true],
    [{ texts: ['🚚'] }, true],
    [{ texts: ['refund'] }, false],
    [{ languages: ['de', 'fr'] }, true],
    [{ languages: ['de'] }, false],
    [{ sender_ids: ['b'] }, false],
    [{ campaign_ids: ['c'] }, false],
    [{ office_hours: 'inside' }, true],
    [{ office_hours: 'outside', channels: ['SMS'] }, false],
  ])('%o matches: %s', (conditions, expected) => {
    expect(matches({ ...NONE, ...conditions }, OPENING, WEEKDAYS)).toBe(expected);
  });

  test.each<[string, string | null]>([
    ['Guten Tag, wann haben Sie geöffnet?', 'de'],
    ['Kann ich mein Geld zurück bekommen', 'de'],
    ['Hello, where is my order 1234567? https://shop.example/bestellung', 'en'],
    ['Bonjour, je voudrais annuler ma commande', 'fr'],
    ['Hola, ¿dónde está mi pedido? 📦', 'es'],
    ['مرحبا، أين طلبي من فضلك؟', 'ar'],
    ['こんにちは、注文について', 'ja'],
    ...['Ja', 'ok danke', 'STOP', '👍👍', '12345', 'https://wann-haben-sie-auf.example', 'x'.repeat(20_000), ''].map(
      (text): [string, null] => [text, null],
    ),
  ])('the language of %j is %s', async (text, language) => {
    expect(await findLanguage(text)).toBe(language);
  });

  test('office hours follow the clock of the account, and end at their last minute', () => {
    const open = (at: string) => isOpen(WEEKDAYS, new Date(at));
    expect([open('2030-01-07T07:59:00Z'), open('2030-01-07T15:59:00Z'), open('2030-01-07T16:00:00Z')]).toEqual([
      false,
      true,
      false,
    ]);
    // In summer, Berlin is two hours ahead of UTC.
    expect([open('2030-07-01T07:00:00Z'), open('2030-07-06T10:00:00Z')]).toEqual([true, false]);
  });

  test('turns go to the user who has waited longest, and the least busy user is chosen first', () => {
    const users = [
      {
        user_id: 'a',
        open: 1,
        capacity: null,
        chosen: 30,
        open_by_channel: { SMS: 1 },
        channel_capacities: { SMS: 1 },
      },
      { user_id: 'b', open: 9, capacity: null, chosen: 10, open_by_channel: { SMS: 9 }, channel_capacities: {} },
      { user_id: 'c', open: 0, capacity: 0, chosen: null, open_by_channel: {}, channel_capacities: {} },
    ];
    expect(choose(users, 'round_robin', 'WHATSAPP')).toBe('b');
    expect(choose(users, 'least_busy', 'WHATSAPP')).toBe('a');
    expect(choose(users, 'least_busy', 'SMS')).toBe('b');
    expect(choose([users[2]!], 'least_busy', 'SMS')).toBeNull();
  });
});

let world: World;
let company: Company;
let owner: Caller;
let sender: ChatSender;
let agents: string[];
let next = 447410700000;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel, { balance_micros: 10_000_000 });
  owner = world.as(company.token);
  sender = await makeChatSender(world.kernel, company.account_id, 'WHATSAPP');
  agents = [];
  for (let n = 0; n < 2; n++)
    agents.push((await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 15 } })).user_id);
});

/** A contact writes. Returns the conversation. */
async function write(text: string, number = String(next++)): Promise<string> {
  const connection = await readConnection(world.kernel, sender.connection_id);
  await new InboundIntake(world.kernel).add(connection, makeIncoming(sender, number, { text }));
  const { id } = await world.kernel.db.one<{ id: string }>(sql`
    select id from conversations where account_id = ${company.account_id} and number = ${number}`);
  return id;
}
const apply = (conversation_id: string) =>
  applyRules(world.kernel, { account_id: company.account_id, conversation_id });
const read = async (id: string) => (await owner.get(`/v1/conversations/${id}`)).body.data;
const makeTeam = async () => (await owner.post('/v1/inbox_teams', { name: 'Orders', user_ids: agents })).body.data.id;
const makeRule = async (fields: object) =>
  (await owner.post('/v1/inbox_rules', { name: 'Orders', enabled: true, conditions: {}, actions: {}, ...fields })).body
    .data;
const jobs = async (name: string) =>
  (
    await world.kernel.db.rows<{ data: { conversation_id: string } }>(sql`
    select data from pgboss.job where name = ${name} and data->>'account_id' = ${company.account_id}`)
  ).map(({ data }) => data);

test('parallel workers assign each new conversation once, in turns', async () => {
  const team_id = await makeTeam();
  await makeRule({ actions: { assign: { team_id, method: 'round_robin' } } });
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.push(await write('Where is my order?'));
  expect((await jobs('inbox.apply_rules')).map(({ conversation_id }) => conversation_id).sort()).toEqual(
    [...ids].sort(),
  );
  await Promise.all([...ids, ...ids].map(apply));
  const assigned = await Promise.all(ids.map(async (id) => (await read(id)).assignee_id));
  expect(agents.map((agent) => assigned.filter((one) => one === agent).length)).toEqual([3, 3]);
  const history = (await owner.get(`/v1/conversations/${ids[0]}/assignments`)).body.data;
  expect(history).toMatchObject([{ from: null, by: null, rule: 'Orders', to: { id: assigned[0] } }]);
});

test('users who are away or have enough conversations get none, and the decision is recorded', async () => {
  const team_id = await makeTeam();
  await makeRule({ actions: { assign: { team_id, method: 'least_busy' } } });
  await owner.put(`/v1/inbox_agents/${agents[0]}`, { away: true });
  await owner.put(`/v1/inbox_agents/${agents[1]}`, { capacity: 1 });
  const ids = [await write('One'), await write('Two')];
  for (const id of ids) await apply(id);
  expect((await read(ids[0]!)).assignee_id).toBe(agents[1]);
  expect((await read(ids[1]!)).assignee_id).toBeNull();
  expect((await owner.get(`/v1/conversations/${ids[1]}/entries`)).body.data).toMatchObject([
    { kind: 'rule', user: null, rule: { name: 'Orders', unavailable: 'Orders' } },
  ]);
});

test('a user gets no more conversations of a channel than their limit', async () => {
  const team_id = await makeTeam();
  await makeRule({ actions: { assign: { team_id, method: 'least_busy' } } });
  await owner.put(`/v1/inbox_agents/${agents[0]}`, { away: true });
  const limit = (channel_capacities: object) => owner.put(`/v1/inbox_agents/${agents[1]}`, { channel_capacities });
  expect((await limit({ FAX: 1 })).status).toBe(400);
  expect((await limit({ WHATSAPP: 0 })).status).toBe(400);
  expect((await limit({ WHATSAPP: 1, SMS: 5 })).body.data.channel_capacities).toEqual({ WHATSAPP: 1, SMS: 5 });
  const ids = [await write('One'), await write('Two')];
  for (const id of ids) await apply(id);
  expect((await read(ids[0]!)).assignee_id).toBe(agents[1]);
  expect((await read(ids[1]!)).assignee_id).toBeNull();
  const listed = (await owner.get('/v1/inbox_agents')).body.data.find(({ id }: { id: string }) => id === agents[1]);
  expect(listed).toMatchObject({ open: 1, open_by_channel: { WHATSAPP: 1 } });
  const assignee = (await owner.get('/v1/inbox_users')).body.data.find(({ id }: { id: string }) => id === agents[1]);
  expect(assignee).toMatchObject({ open: 1, capacity: null, away: false });
});

test('the first rule that matches labels, closes, and replies once while the contact keeps waiting', async () => {
  const label = (await owner.post('/v1/labels', { name: 'Refund' })).body.data.id;
  await makeRule({ name: 'Off', enabled: false, actions: { close: true } });
  await makeRule({
    name: 'Refunds',
    conditions: { texts: ['REFUND'] },
    actions: { label_ids: [label], reply: 'Soon' },
  });
  await makeRule({ name: 'Rest', actions: { close: true } });
  const refund = await write('a refund, thanks');
  const rest = await write('thanks');
  const before = (await read(refund)).waiting_since;
  for (const id of [refund, rest, refund]) await apply(id);
  const [work] = (await jobs('inbox.rule_reply')) as unknown as Parameters<typeof replyByRule>[1][];
  await Promise.all([replyByRule(world.kernel, work!), replyByRule(world.kernel, work!)]);
  expect(await read(refund)).toMatchObject({ label_ids: [label], status: 'open', waiting_since: before });
  expect((await read(rest)).status).toBe('closed');
  const texts = (await owner.get(`/v1/conversations/${refund}/messages`)).body.data.map(
    (m: { text: string }) => m.text,
  );
  expect(texts).toEqual(['Soon', 'a refund, thanks']);
});

test('a message to an open conversation starts no rule, and one that reopens it does', async () => {
  await makeRule({ actions: { close: true } });
  const number = String(next++);
  const id = await write('Hello', number);
  await write('Are you there?', number);
  expect(await jobs('inbox.apply_rules')).toHaveLength(1);
  await apply(id);
  expect((await read(id)).status).toBe('closed');
  await write('Hello again', number);
  expect(await jobs('inbox.apply_rules')).toHaveLength(2);
  await apply(id);
  expect((await read(id)).status).toBe('closed');
});

test('rules keep their order when they move, and unknown targets are refused', async () => {
  const [first, second, third] = [await makeRule({}), await makeRule({}), await makeRule({})];
  expect((await owner.put(`/v1/inbox_rules/${third.id}`, { position: 1 })).body.data.position).toBe(1);
  await owner.delete(`/v1/inbox_rules/${first.id}`);
  const rules = (await owner.get('/v1/inbox_rules')).body.data as { id: string }[];
  expect(rules.map(({ id }) => id)).toEqual([third.id, second.id]);
  const strangers = await makeCompany(world.kernel);
  const stranger = world.as(strangers.token);
  const assign = { team_id: await makeTeam(), method: 'round_robin' };
  const refused = await stranger.post('/v1/inbox_rules', { name: 'X', conditions: {}, actions: { assign } });
  expect(refused.body.errors[0].code).toBe(2368);
  expect((await stranger.put(`/v1/inbox_rules/${second.id}`, { enabled: false })).status).toBe(404);
});

test('a test run counts the conversations that a rule would have matched, and changes nothing', async () => {
  const ids = [await write('Refund!'), await write('Hello'), await write('no refund yet')];
  const result = (await owner.post('/v1/inbox_rule_tests', { conditions: { texts: ['refund'] } })).body.data;
  expect(result).toMatchObject({ conversations: 3, matched: 2 });
  expect(result.rows.map((row: { conversation_id: string }) => row.conversation_id)).toEqual([ids[2], ids[0]]);
  const agent = await makeUser(world.kernel, company.account_id, { permissions: { CONVERSATIONS: 2 + 4 } });
  // This user may view the conversations of others, and these are unassigned.
  const limited = (await world.as(agent.token).post('/v1/inbox_rule_tests', { conditions: {} })).body;
  expect(limited.data).toEqual({ conversations: 3, matched: 3, rows: [] });
});

test('a rule for a language assigns conversations in it, and is tested on earlier ones', async () => {
  const german = { conditions: { languages: ['de'] }, actions: { assign: { user_id: agents[0] } } };
  const earlier = await write('Ich möchte meine Bestellung gern ändern');
  await write('I would like to change my order');
  await write('Ja');
  const tried = (await owner.post('/v1/inbox_rule_tests', { conditions: german.conditions })).body.data;
  expect(tried).toMatchObject({ conversations: 3, matched: 1, rows: [{ conversation_id: earlier }] });
  expect((await makeRule(german)).conditions.languages).toEqual(['de']);
  const [asked, other] = [await write('Wann kommt meine Bestellung an?'), await write('When does my order arrive?')];
  for (const id of [asked, other]) await apply(id);
  expect([(await read(asked)).assignee_id, (await read(other)).assignee_id]).toEqual([agents[0], null]);
  const unknown = await owner.post('/v1/inbox_rules', { name: 'A', conditions: { languages: ['xx'] }, actions: {} });
  expect(unknown.status).toBe(400);
});
