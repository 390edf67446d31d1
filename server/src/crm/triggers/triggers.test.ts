import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import {
  type Control,
  type CrmWorld,
  createCrmWorld,
  makeConnected,
  readSync,
  syncedFully,
} from '../../test/calls/crm_world.ts';
import { makeAudience, makeCarrier, makeSender } from '../../test/make.ts';
import { makeTemplate } from '../../test/templates.ts';
import { type Caller, type Reply, until } from '../../test/world.ts';

const [ADA, BEN] = ['491700456101', '491700456102'];
const OFFER_SENT = '3';

let crm: CrmWorld;
let control: Control;
let owner: Caller;
let account_id: string;
let path: string;
let sender_id: string;
let template_id: string;

beforeAll(async () => {
  crm = await createCrmWorld();
  await makeCarrier(crm.world.kernel);
});
afterAll(() => crm.stop());

const connect = async (name: 'pipedrive' | 'hubspot') => {
  await crm.world.kernel.db.run(sql`delete from crm_companies`);
  await crm.world.kernel.db.run(sql`update crm_syncs set is_on = false, has_triggers = false`);
  control = crm.control(name);
  ({ owner, account_id, path } = await makeConnected(crm, name));
  ({ sender_id } = await makeSender(crm.world.kernel, account_id));
  template_id = await makeTemplate(crm.world.kernel, account_id, { text: 'Hello {first_name}, your offer is ready.' });
};
const code = (reply: Reply) => reply.body?.errors?.[0]?.code;
const create = async (change: object = {}) => {
  const trigger = {
    stage_id: OFFER_SENT,
    sender_id,
    template_id,
    purpose: 'transactional',
    reentry: 'once',
    is_on: true,
  };
  return owner.post(`${path}/triggers`, { ...trigger, ...change });
};
const runs = async (id: string) => (await owner.get(`${path}/triggers/${id}/runs`)).body.data;
const texts = async (): Promise<string[]> =>
  (
    await crm.world.kernel.db.rows<{ number: string; text: string }>(
      sql`select number, text from messages where account_id = ${account_id} order by id`,
    )
  ).map(({ number, text }) => `${number} ${text}`);
/** Deals are read after a webhook. The counts of runs no longer change once no change waits. */
const settled = () => until('no change waits', async () => (await readSync(owner, path)).waiting_count === 0);

describe('a deal that enters a stage', () => {
  beforeEach(() => connect('pipedrive'));

  test('sends the template once, to deals that enter from now on, and logs it', async () => {
    // Chiara's deal is in the stage already.
    const { body, status, text } = await create();
    expect([status, text]).toEqual([201, text]);
    await control('PUT', '/deals/1', { stage_id: 3 });
    await until('the message is sent', async () => (await texts()).length === 1);
    expect(await texts()).toEqual([`${ADA} Hello Ada, your offer is ready.`]);
    await control('PUT', '/deals/1', { stage_id: 2 });
    await control('PUT', '/deals/1', { stage_id: 3 });
    await control('PUT', '/deals/2', { stage_id: 3 });
    await until('the second deal has its message', async () => (await texts()).length === 2);
    await settled();
    expect((await texts()).length).toBe(2);
    expect(await runs(body.data.id)).toMatchObject([
      { deal_id: '2', status: 'sent' },
      { deal_id: '1', number: ADA },
    ]);
    const logged = async () =>
      (await control('GET', '')).activities.map((one: { deal_id: number }) => one.deal_id).sort();
    await until('both messages are logged on their deals', async () => String(await logged()) === '1,2');
  });

  test('sends it again on each entry if the rule requires it, and not while it is off', async () => {
    const { id } = (await create({ reentry: 'each_time' })).body.data;
    await control('PUT', '/deals/1', { stage_id: 3 });
    await until('the message is sent', async () => (await texts()).length === 1);
    await control('PUT', '/deals/1', { value: 5_000 });
    await control('PUT', '/deals/1', { stage_id: 1 });
    await control('PUT', '/deals/1', { stage_id: 3 });
    await until('the message is sent again', async () => (await texts()).length === 2);
    expect((await owner.put(`${path}/triggers/${id}`, { is_on: false })).body.data.is_on).toBe(false);
    await control('PUT', '/deals/2', { stage_id: 3 });
    // A deal that entered while it was off gets no message later.
    await owner.put(`${path}/triggers/${id}`, { is_on: true });
    await control('PUT', '/deals/1', { stage_id: 1 });
    await control('PUT', '/deals/1', { stage_id: 3 });
    await until('the message is sent again', async () => (await texts()).length === 3);
    expect((await texts()).every((text) => text.startsWith(ADA!))).toBe(true);
    expect((await owner.delete(`${path}/triggers/${id}`)).status).toBe(204);
    expect((await owner.get(`${path}/triggers`)).body.data).toEqual([]);
  });

  test('respects the stop list and the consent, and says why nothing was sent', async () => {
    await owner.post('/v1/stop_list', { number: ADA });
    const any = (await create()).body.data;
    const marketing = (await create({ purpose: 'marketing' })).body.data;
    await control('PUT', '/deals/1', { stage_id: 3, person_id: 4 });
    await control('PUT', '/deals/2', { stage_id: 3 });
    await until('the marketing is refused', async () => (await runs(marketing.id)).length === 2);
    expect((await runs(marketing.id)).map(({ error }: { error: string }) => error)).toEqual([
      'The person has not agreed to marketing on this channel.',
      'The deal has no person with a phone number.',
    ]);
    await control('PUT', '/deals/3', { stage_id: 1 });
    await control('PUT', '/deals/3', { stage_id: 3, person_id: 1 });
    await until('the stopped person is refused', async () => (await runs(any.id)).length === 3);
    expect((await runs(any.id))[0]).toMatchObject({ status: 'refused', number: ADA, message_id: null });
    expect(await texts()).toEqual([`${BEN} Hello Ben, your offer is ready.`]);
  });

  test('needs a stage, a sender, and a template that exist', async () => {
    const other = await makeConnected(crm, 'hubspot');
    expect(code(await create({ stage_id: '99' }))).toBe(2565);
    expect(code(await create({ stage_id: '\u{1f600}' }))).toBe(2565);
    expect(code(await create({ sender_id: template_id }))).toBe(1505);
    const foreign = await makeTemplate(crm.world.kernel, other.account_id);
    expect((await create({ template_id: foreign })).status).toBe(400);
    const { id } = (await create()).body.data;
    expect(code(await other.owner.put(`${other.path}/triggers/${id}`, { is_on: false }))).toBe(2564);
    expect(code(await other.owner.get(`${other.path}/triggers/${id}/runs`))).toBe(2564);
  });
});

test('a second CRM uses the same sync, triggers, and log', async () => {
  await connect('hubspot');
  const audience_id = await makeAudience(crm.world.kernel, account_id, [{ number: '491700456299', first_name: 'Ida' }]);
  const settings = {
    ...{ direction: 'both', rule: 'newest', audience_id, is_on: true },
    fields: [
      { crm: 'firstname', parley: 'first_name' },
      { crm: 'city', parley: 'custom1' },
    ],
    consents: [
      { crm: 'sms_consent', yes: 'Yes', no: 'No', channel: 'SMS', purpose: 'marketing', text: 'News, please' },
    ],
    opt_out: { crm: 'opted_out', yes: 'Yes', no: 'No' },
  };
  const reply = await owner.put(`${path}/sync`, settings);
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
  await syncedFully(owner, path);
  const state = () => control('GET', '');
  const find = async (first: string) =>
    (await state()).contacts.find((one: { properties: { firstname: string } }) => one.properties.firstname === first);
  expect((await find('Ida')).properties.mobilephone).toBe('+491700456299');
  const EMIL = '491700456201';
  expect((await owner.get(`/v1/people/${EMIL}`)).body.data).toMatchObject({ first_name: 'Emil', custom1: 'Kiel' });
  await control('PUT', '/contacts/102', { city: 'Paris' });
  const FATOU = '491700456202';
  await until('a webhook arrives', async () => (await owner.get(`/v1/people/${FATOU}`)).body.data.custom1 === 'Paris');
  await owner.post('/v1/stop_list', { number: FATOU });
  await until('the opt-out arrives', async () => (await find('Fatou')).properties.opted_out === 'true');
  await control('POST', '/merges', { from: '101', into: '103' });
  await until('the other contact has the number', async () => {
    const [contact] = (await owner.get(`/v1/audiences/${audience_id}/contacts?filter[search]=${EMIL}`)).body.data;
    return contact?.first_name === 'Gus';
  });
  expect((await readSync(owner, path)).failed_count).toBe(0);

  const { id } = (await create({ stage_id: 'closedwon', purpose: 'marketing' })).body.data;
  const [deal] = (await state()).deals;
  await control('PUT', `/deals/${deal.id}`, { dealstage: 'closedwon' });
  await until('the stage sends its message', async () => (await runs(id))[0]?.status === 'sent');
  await until('the message is logged', async () => (await state()).communications.length === 1);
  expect((await state()).communications[0].properties).toMatchObject({
    hs_communication_channel_type: 'SMS',
    hs_communication_body: expect.stringContaining('your offer is ready'),
  });
  expect((await owner.delete(path)).status).toBe(204);
  expect((await state()).connected).toEqual([]);
  const left = await crm.world.kernel.db.one<{ count: number }>(sql`
    select (select count(*) from crm_links where account_id = ${account_id})
      + (select count(*) from crm_triggers where account_id = ${account_id})
      + (select count(*) from crm_syncs where account_id = ${account_id}) as count`);
  expect(Number(left.count)).toBe(0);
});
