/** Compares every figure with the total of the list behind its link, on messages with all statuses. */
import type { Dashboard } from '@parley/contract/insights/dashboard.ts';
import { FIGURES } from '@parley/contract/insights/figures.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import { MESSAGE_GROUPS, STATUSES, statusesFound, statusesInGroup } from '@parley/contract/messages/statuses.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { crowd, makeStage } from '../test/campaigns.ts';
import { type Company, makeCompany, makeSender } from '../test/make.ts';
import { type Caller, createWorld, type World } from '../test/world.ts';

let world: World;
let company: Company;
let api: Caller;
let sender_id: string;
let template_id: string;

const CHARGES = ['held', 'settled', 'released'] as const;
const PRICE = 1_000;

/** Every outbound status three times, once per charge, and three inbound messages, in two channels. */
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel, { timezone: 'Asia/Kolkata' });
  api = world.as(company.token);
  const sender = await makeSender(world.kernel, company.account_id);
  sender_id = sender.sender_id;
  const template = await api.post('/v1/templates', { name: 'hello', channel: 'SMS', text: 'Hello' });
  expect(template.status, template.text).toBe(201);
  template_id = template.body.data.id;
  let number = 447_410_000_000;
  for (const status of STATUSES)
    for (const charge of CHARGES)
      await world.kernel.db.run(sql`
        insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country,
          text, segments_count, encoding, price_micros, currency, charge, source, template_id)
        values (${company.account_id}, ${newId()}, ${status === 'received' ? 'MO' : 'MT'},
          ${charge === 'released' ? 'VIBER' : 'SMS'}, ${status}, ${sender_id}, ${sender.code}, ${String(++number)},
          ${String(number)}, 'GB', 'Hello', 1, 'GSM-7', ${status === 'received' ? 0 : PRICE}, 'USD',
          ${status === 'received' ? 'none' : charge}, ${status === 'received' ? 'phone' : 'api'},
          ${status === 'delivered' ? template_id : null})`);
});
afterAll(() => world.stop());

type Filter = { direction?: string; statuses?: readonly string[]; charge?: string; channel?: string };

/** Reads the list in the same way as the message log of the web app. */
async function listed({ statuses, ...filter }: Filter & Record<string, unknown>): Promise<Message[]> {
  const search = new URLSearchParams({ page_size: '100' });
  for (const [name, value] of Object.entries(filter)) search.set(`filter[${name}]`, String(value));
  if (statuses) search.set('filter[statuses]', statusesFound(statuses).join(','));
  const { status, body, text } = await api.get(`/v1/messages?${search}`);
  expect(status, text).toBe(200);
  expect(body.pagination.total).toBe(body.data.length);
  return body.data;
}
const readDashboard = async (): Promise<Dashboard> => (await api.get('/v1/dashboard')).body.data;

describe('the dashboard', () => {
  test.each(['sent', 'delivered', 'failed', 'received'] as const)('counts as %s what its link lists', async (key) => {
    const { total } = await readDashboard();
    expect(total[key]).toBeGreaterThan(0);
    expect(await listed(FIGURES[key])).toHaveLength(total[key]);
  });

  test('spends the sum of the prices that its link lists', async () => {
    const { total } = await readDashboard();
    const prices = (await listed(FIGURES.spend)).map(({ price_micros }) => price_micros);
    expect(total.spend_micros).toBe(prices.reduce<number>((sum, price) => sum + price!, 0));
    expect(total.spend_micros).toBeGreaterThan(0);
  });

  test('counts by channel what its links list', async () => {
    const { channels } = await readDashboard();
    expect(channels).toHaveLength(2);
    for (const { channel, sent, received } of channels)
      expect(await listed({ ...FIGURES.traffic, channel })).toHaveLength(sent + received);
  });

  test('draws series that add up to the messages sent', async () => {
    const { total } = await readDashboard();
    const pending = await listed({ direction: 'MT', statuses: ['pending'] });
    expect(total.sent - total.delivered - total.failed).toBe(pending.length);
  });
});

test('a reserved amount links to the messages that hold it', async () => {
  const held = await listed(FIGURES.reserved);
  expect(held).toHaveLength(STATUSES.length - 1);
  expect(held.every(({ charge }) => charge === 'held')).toBe(true);
});

test('the API finds a group by its name when no status has that name', async () => {
  for (const name of ['pending', 'undelivered', 'answered'] as const) {
    const { body } = await api.get(`/v1/messages?page_size=100&filter[statuses]=${name}`);
    expect(body.pagination.total).toBe(statusesInGroup(name).length * CHARGES.length);
  }
  const { body } = await api.get('/v1/messages?page_size=100&filter[statuses]=delivered');
  expect(body.pagination.total).toBe(CHARGES.length);
});

test('the groups of the message log list every message once', async () => {
  const lists = await Promise.all(Object.keys(MESSAGE_GROUPS).map((group) => listed({ statuses: [group] })));
  const ids = lists.flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength((await listed({})).length);
});

test('a sender counts the messages that its link lists', async () => {
  const { body } = await api.get(`/v1/senders/${sender_id}`);
  const sent = await listed({ direction: 'MT', sender_ids: sender_id });
  expect(body.data.messages_30_days).toBe(sent.length);
});

test('a template counts the messages that its link lists', async () => {
  const { body } = await api.get(`/v1/templates/${template_id}`);
  expect(body.data.sent_count).toBe(CHARGES.length);
  expect(await listed({ template_ids: template_id })).toHaveLength(CHARGES.length);
});

test('the unread conversations of an inbox are those that its link lists', async () => {
  const { account_id, user_id } = company;
  const assignees = [null, null, null, user_id, user_id];
  for (const [index, assignee_id] of assignees.entries())
    await world.kernel.db.run(sql`
      insert into conversations (account_id, id, channel, sender_id, number, assignee_id, unread_count, "timestamp")
      values (${account_id}, ${newId()}, 'SMS', ${sender_id}, ${`4474200000${index}`}, ${assignee_id}, ${index},
        now())`);
  const { body } = await api.get('/v1/conversation_badges');
  for (const bucket of ['self', 'none'] as const) {
    const list = await api.get(`/v1/conversations?page_size=100&filter[bucket]=${bucket}&filter[unread]=true`);
    expect(list.body.data).toHaveLength(2);
    expect(body.data[bucket].conversations).toBe(list.body.pagination.total);
  }
});

test('an audience counts the contacts that its page lists', async () => {
  const stage = await makeStage(world, crowd(12));
  const { data } = (await stage.caller.get('/v1/audiences')).body;
  const [{ id, contacts_count }] = data;
  const { body } = await stage.caller.get(`/v1/audiences/${id}/contacts`);
  expect(body.pagination.total).toBe(contacts_count);
  expect(contacts_count).toBe(12);
});

test('an account counts the users and senders that its tabs list for operators', async () => {
  const operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
  const { account_id } = company;
  const deleted = await makeSender(world.kernel, account_id);
  await world.kernel.db.run(sql`
    update senders set delete_date = now() where account_id = ${account_id} and id = ${deleted.sender_id}`);
  const { users_count, senders_count } = (await operator.get(`/v1/accounts/${account_id}`)).body.data;
  for (const [list, count] of Object.entries({ users: users_count, senders: senders_count })) {
    const { status, body, text } = await operator.get(`/v1/accounts/${account_id}/${list}`);
    expect(status, text).toBe(200);
    expect(body.pagination.total).toBe(count);
  }
});
