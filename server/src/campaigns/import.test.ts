import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { broken, readCampaign } from '../test/campaigns.ts';
import { csv } from '../test/imports.ts';
import { type Company, makeCarrier, makeCompany, makeSender } from '../test/make.ts';
import { type Caller, createWorld, until, type World } from '../test/world.ts';

const PATH = '/v1/campaign_imports';
const FILE = 'Number;First name\n+447400900101;Ann\n+447400900102;\n+447400900101;Ann again\nno number;Eve';

let world: World;
let company: Company;
let owner: Caller;
let from: string;
beforeAll(async () => {
  world = await createWorld();
  await makeCarrier(world.kernel);
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  from = (await makeSender(world.kernel, company.account_id)).sender_id;
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const send = (fields: Record<string, unknown>, bytes = FILE, caller = owner) =>
  caller.upload(PATH, { data: JSON.stringify({ from, text: 'Hello {first_name:friend}', ...fields }) }, csv(bytes));

async function waitForEnd(id: string) {
  let row: Record<string, unknown> = {};
  await until(
    'the import ends',
    async () => {
      row = (await owner.get(`${PATH}/${id}`)).body.data;
      return row.status !== 'importing';
    },
    30_000,
  );
  return row;
}

const texts = (campaign_id: unknown) =>
  world.kernel.db.rows(sql`select text from messages where campaign_id = ${campaign_id} order by number`);

test('a campaign import returns immediately, and sends one message to each number in the file', async () => {
  const { status, body } = await send({ name: 'From a file' });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ status: 'importing', audience_id: null, total_rows: 4, error_code: null });
  const row = await waitForEnd(body.data.id);
  expect(row).toMatchObject({ status: 'started', created_count: 2, duplicate_count: 1, invalid_count: 1 });
  await until('the messages exist', async () => (await texts(row.campaign_id)).length === 2);
  expect(await texts(row.campaign_id)).toEqual([{ text: 'Hello Ann' }, { text: 'Hello friend' }]);
  const campaign = await owner.get(`/v1/campaigns/${row.campaign_id}`);
  expect(campaign.body.data).toMatchObject({ name: 'From a file', audience_id: row.audience_id, total: 2 });
});

test('a campaign import waits for its scheduled time', async () => {
  const { body } = await send({ schedule: '2099-01-01 10:00:00' });
  const row = await waitForEnd(body.data.id);
  expect(row.status).toBe('started');
  const stage = { ...company, caller: owner, sender_id: from, audience_id: '' };
  expect(await readCampaign(stage, String(row.campaign_id))).toMatchObject({ status: 'scheduled' });
});

test('a campaign import that cannot start leaves a draft with its audience', async () => {
  const poor = await makeCompany(world.kernel, { balance_micros: 1 });
  const caller = world.as(poor.token);
  const sender = (await makeSender(world.kernel, poor.account_id)).sender_id;
  const { body } = await send({ from: sender }, FILE, caller);
  await until('it ends', async () => (await caller.get(`${PATH}/${body.data.id}`)).body.data.status !== 'importing');
  const row = (await caller.get(`${PATH}/${body.data.id}`)).body.data;
  expect(row).toMatchObject({ status: 'failed', error_code: 7909 });
  const campaign = (await caller.get(`/v1/campaigns/${row.campaign_id}`)).body.data;
  expect(campaign).toMatchObject({ status: 'in_complete', audience_id: row.audience_id });
  expect((await owner.get(`${PATH}/${row.id}`)).status).toBe(404);
});

test('a campaign import creates nothing when the message or the file is invalid', async () => {
  const count = () =>
    world.kernel.db.one(sql`
    select (select count(*) from campaigns where account_id = ${company.account_id}) as campaigns,
           (select count(*) from audience_imports where account_id = ${company.account_id}) as imports`);
  const before = await count();
  const code = async (fields: Record<string, unknown>, bytes?: string) =>
    (await send(fields, bytes)).body.errors[0].code;
  expect(await code({ text: '' })).toBe(1607);
  expect(await code({ from: null })).toBe(1603);
  expect(await code({ from: 'Nobody' })).toBe(1604);
  expect(await code({ schedule: '2020-01-01 10:00:00' })).toBe(1522);
  expect(await code({}, 'Name\nAnn\n')).toBe(1311);
  expect(await code({ channel: 'FAX' })).toBe(1515);
  expect(await count()).toEqual(before);
});
