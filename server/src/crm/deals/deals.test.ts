import type { ContactDeals } from '@parley/contract/crm/deals.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type Control, type CrmWorld, createCrmWorld, makeConnected } from '../../test/calls/crm_world.ts';
import { makeConversation } from '../../test/inbox/conversations.ts';
import { makeCompany, makeSender, makeUser } from '../../test/make.ts';
import type { Caller } from '../../test/world.ts';

/** Ada has a deal in Pipedrive, Emil in HubSpot, and Gus in neither. */
const ADA = '491700456101';
const EMIL = '491700456201';
const STRANGER = '491700456999';

let crm: CrmWorld;
let pipedrive: Control;
let hubspot: Control;
let owner: Caller;
let account_id: string;
let user_id: string;
let sender_id: string;

beforeAll(async () => {
  crm = await createCrmWorld('api');
  pipedrive = crm.control('pipedrive');
  hubspot = crm.control('hubspot');
});
afterAll(() => crm.stop());
beforeEach(async () => {
  await crm.world.kernel.db.run(sql`delete from crm_companies`);
  ({ owner, account_id, user_id } = await makeConnected(crm, 'pipedrive'));
  ({ sender_id } = await makeSender(crm.world.kernel, account_id));
  await hubspot('POST', '/reset');
});

const open = (number: string) => makeConversation(crm.world.kernel, { account_id, sender_id, number });
const read = async (id: string, caller: Caller = owner): Promise<ContactDeals[]> => {
  const reply = await caller.get(`/v1/conversations/${id}/deals`);
  expect(reply.status).toBe(200);
  return reply.body.data;
};
const connectHubspot = async (): Promise<void> => {
  const path = '/v1/crm_connections/hubspot';
  const { url } = (await owner.post(`${path}/authorizations`)).body.data;
  const { code } = await hubspot('POST', '/codes');
  const reply = await owner.post(`${path}/users`, { code, state: new URL(url).searchParams.get('state') });
  expect(reply.status).toBe(201);
};
const calls = async (): Promise<number> => (await pipedrive('GET', '')).calls;

describe('the deals of a contact', () => {
  test('have their name, stage, value, and page, with the open ones first', async () => {
    await pipedrive('POST', '/deals', { title: 'Grinder', person_id: 1, stage_id: 3, value: 99.5, status: 'won' });
    await pipedrive('POST', '/deals', { title: 'Of another person', person_id: 2, stage_id: 3, value: 1 });
    const site = `${crm.box.url}/pipedrive`;
    const [group] = await read(await open(ADA));
    expect(group).toEqual({
      ...{ provider: 'pipedrive', label: 'Pipedrive', has_more: false, problem: null },
      person: { id: '1', url: `${site}/person/1` },
      deals: [
        {
          ...{ id: '1', name: 'Espresso machine for Café Winter', stage: 'Contact made', state: 'open' },
          ...{ value: 4200, currency: 'EUR', url: `${site}/deal/1` },
        },
        {
          ...{ id: '4', name: 'Grinder', stage: 'Offer sent', state: 'won' },
          ...{ value: 99.5, currency: 'EUR', url: `${site}/deal/4` },
        },
      ],
    });
    expect((await fetch(group!.deals[0]!.url!)).status).toBe(200);
  });

  test('come from every connected CRM, and use the currency of the company if they have none', async () => {
    await connectHubspot();
    const [first, second] = await read(await open(EMIL));
    expect(first).toMatchObject({ provider: 'pipedrive', person: null, deals: [], problem: null });
    expect(second).toMatchObject({ provider: 'hubspot', person: { id: '101' }, has_more: false, problem: null });
    expect(second!.deals).toMatchObject([
      { name: 'Roastery tour', stage: 'Appointment Scheduled', state: 'open', value: 480, currency: 'EUR' },
    ]);
    expect((await fetch(second!.deals[0]!.url!)).status).toBe(200);
  });

  test('of HubSpot are won or lost by their stage, and an empty amount is no value', async () => {
    await connectHubspot();
    await hubspot('PUT', '/deals/104', { dealstage: 'closedwon', amount: '', deal_currency_code: 'USD' });
    expect((await read(await open(EMIL)))[1]!.deals).toMatchObject([
      { name: 'Roastery tour', stage: 'Closed Won', state: 'won', value: null, currency: 'USD' },
    ]);
  });

  test('are cut when there are many, and long names are shortened', async () => {
    for (let count = 0; count < 12; count++)
      await pipedrive('POST', '/deals', { title: 'x'.repeat(10_000), person_id: 1, stage_id: 9, value: count });
    const [group] = await read(await open(ADA));
    expect([group!.deals.length, group!.has_more]).toEqual([5, true]);
    expect([group!.deals[0]!.name.length, group!.deals[0]!.stage]).toEqual([200, '']);
  });

  test('are missing for a number that no person in the CRM has', async () => {
    const id = await open(STRANGER);
    expect(await read(id)).toMatchObject([{ person: null, deals: [], problem: null }]);
    const before = await calls();
    expect(await read(id)).toMatchObject([{ person: null }]);
    expect(await calls()).toBe(before);
  });

  test('are empty without a connection', async () => {
    await owner.delete('/v1/crm_connections/pipedrive');
    expect(await read(await open(ADA))).toEqual([]);
  });
});

describe('the calls of the CRM', () => {
  test('are shared by users who open the same contact', async () => {
    const id = await open(ADA);
    const agent = crm.world.as(
      (await makeUser(crm.world.kernel, account_id, { permissions: { CONVERSATIONS: 1, AUDIENCES: 1 } })).token,
    );
    await Promise.all([read(id), read(id), read(id, agent)]);
    const before = await calls();
    expect(await read(id, agent)).toMatchObject([{ deals: [{ id: '1' }] }]);
    expect(await calls()).toBe(before);
  });

  test('use the user’s own login if there is one, and otherwise another one', async () => {
    const id = await open(ADA);
    const lea = await makeUser(crm.world.kernel, account_id, {
      permissions: { CONVERSATIONS: 1, AUDIENCES: 1, MESSAGES: 3 },
    });
    const { code } = await pipedrive('POST', '/codes', { user_id: 1002 });
    await crm.world.as(lea.token).post('/v1/pipedrive-oauth/token', { code });
    await read(id);
    const before = await calls();
    expect(await read(id, crm.world.as(lea.token))).toMatchObject([{ deals: [{ id: '1' }] }]);
    expect(await calls()).toBeGreaterThan(before);
  });

  test('report a CRM that fails, show the deals of another, and are repeated on the next request', async () => {
    await connectHubspot();
    const id = await open(EMIL);
    await pipedrive('POST', '/failures', { status: 503, count: 1 });
    expect(await read(id)).toMatchObject([
      { provider: 'pipedrive', person: null, deals: [], problem: 'unreachable' },
      { provider: 'hubspot', deals: [{ name: 'Roastery tour' }], problem: null },
    ]);
    expect(await read(id)).toMatchObject([{ problem: null }, { problem: null }]);
    await pipedrive('POST', '/uninstalls', { user_id: 1001 });
    expect(await read(id)).toMatchObject([{ problem: 'signed_out' }, { problem: null }]);
  });

  test('search again when the known person was deleted', async () => {
    await connectHubspot();
    const conversation_id = await open(EMIL);
    expect((await read(conversation_id))[1]).toMatchObject({ person: { id: '101' } });
    await hubspot('DELETE', '/contacts/101');
    const { id } = await hubspot('POST', '/contacts', { firstname: 'Emil', mobilephone: '+49 170 0456201' });
    // Another company has its own results.
    await crm.world.kernel.db.run(sql`update crm_connections set company_id = 'other' where provider = 'hubspot'`);
    expect((await read(conversation_id))[1]).toMatchObject({ person: { id }, deals: [], problem: null });
  });
});

describe('users', () => {
  test('need the permission for people, and may read only the deals of conversations that they may view', async () => {
    const id = await open(ADA);
    const as = async (permissions: Record<string, number>) =>
      crm.world.as((await makeUser(crm.world.kernel, account_id, { permissions })).token);
    const get = async (caller: Caller) => {
      const { status, body } = await caller.get(`/v1/conversations/${id}/deals`);
      return [status, body.errors?.[0].code];
    };
    const before = await calls();
    expect(await get(await as({ MESSAGES: 15, CONVERSATIONS: 15 }))).toEqual([403, 1136]);
    expect(await get(await as({ MESSAGES: 1, AUDIENCES: 1 }))).toEqual([403, 1653]);
    expect(await get(crm.world.as((await makeCompany(crm.world.kernel)).token))).toEqual([404, 1651]);
    expect(await calls()).toBe(before);
    await owner.put(`/v1/conversations/${id}`, { assignee_id: user_id });
    expect(await get(await as({ CONVERSATIONS: 1, AUDIENCES: 1 }))).toEqual([403, 1653]);
    expect(await get(await as({ CONVERSATIONS: 2, AUDIENCES: 1 }))).toEqual([200, undefined]);
  });
});
