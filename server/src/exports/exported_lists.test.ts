/** Exports of conversations, links, and a campaign's recipients: their rows, and who may read them. */
import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyCarrierStatus, crowd, makeStage, startCampaign } from '../test/campaigns.ts';
import { makeConversation } from '../test/inbox/conversations.ts';
import { makeCompany, makeSender, makeUser } from '../test/make.ts';
import { type Caller, createWorld, type World } from '../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

/** Starts an export, and returns its ID once it is complete. */
async function complete(caller: Caller, body: object): Promise<string> {
  const created = await caller.post('/v1/exports', body);
  expect(created.status, created.text).toBe(202);
  const { id } = created.body.data as { id: string };
  const find = async () =>
    ((await caller.get('/v1/exports')).body.data as { id: string; status: string }[]).find((row) => row.id === id);
  await expect.poll(async () => (await find())?.status, { timeout: 30_000 }).toBe('COMPLETED');
  return id;
}

async function download(token: string, id: string): Promise<Buffer> {
  const response = await fetch(`${world.url}/v1/exports/${id}/file`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

const readCsv = (file: Buffer): string[] => file.toString().replace('\ufeff', '').trim().split('\r\n');

test('an export of conversations has those that its user may view, and its colleagues cannot read it', async () => {
  const { account_id, token, user_id } = await makeCompany(world.kernel);
  const { sender_id } = await makeSender(world.kernel, account_id);
  const agent = await makeUser(world.kernel, account_id, { permissions: { MESSAGES: 1, CONVERSATIONS: 1 } });
  const colleague = await makeUser(world.kernel, account_id, { permissions: { MESSAGES: 1, CONVERSATIONS: 1 } });
  const make = (number: string, assignee_id: string | null) =>
    makeConversation(world.kernel, { account_id, sender_id, number, assignee_id, texts: [`=I am ${number}`] });
  await make('447410001001', agent.user_id);
  await make('447410001002', null);
  await make('447410001003', user_id);
  const caller = world.as(agent.token);
  const id = await complete(caller, { list: 'conversations', columns: ['recipient', 'last'] });
  const rows = readCsv(await download(agent.token, id));
  expect(rows[0]).toBe('Number,Name,Country,Last message,Direction');
  expect(rows.slice(1).toSorted()).toEqual([
    "+447410001001,,GB,'=I am 447410001001,inbound",
    "+447410001002,,GB,'=I am 447410001002,inbound",
  ]);
  const own = await complete(caller, { list: 'conversations', filter: { bucket: 'self' } });
  expect(readCsv(await download(agent.token, own))).toHaveLength(2);

  const other = world.as(colleague.token);
  expect((await other.get('/v1/exports')).body.data).toEqual([]);
  expect((await other.get(`/v1/exports/${id}/file`)).status).toBe(404);
  expect((await other.post(`/v1/exports/${id}/links`, {})).status).toBe(404);
  expect((await other.put(`/v1/exports/${id}`, {})).status).toBe(404);
  expect((await other.delete(`/v1/exports/${id}`)).status).toBe(404);
  // The owner may view all conversations.
  const owner = world.as(token);
  expect((await owner.get('/v1/exports')).body.data).toHaveLength(2);
  expect(readCsv(await download(token, id))).toHaveLength(3);
  // The file of a user with more permissions has more conversations.
  expect((await owner.put(`/v1/exports/${id}`, {})).status).toBe(202);
  const isComplete = async () =>
    ((await owner.get('/v1/exports')).body.data as { id: string; status: string }[]).find((row) => row.id === id)!
      .status === 'COMPLETED';
  await expect.poll(isComplete, { timeout: 30_000 }).toBe(true);
  expect(readCsv(await download(token, id))).toHaveLength(4);
  expect((await caller.get(`/v1/exports/${id}/file`)).status).toBe(403);
});

test('an export of a campaign has the people of the chosen bucket', async () => {
  const stage = await makeStage(world, crowd(30));
  const campaign = await startCampaign(stage);
  const countMessages = async () =>
    (await stage.caller.get(`/v1/campaigns/${campaign.id}/recipients`)).body.pagination.total;
  await expect.poll(countMessages, { timeout: 30_000 }).toBe(30);
  await applyCarrierStatus(world, campaign, 'delivered', { limit: 12 });
  await applyCarrierStatus(world, campaign, 'failed', { limit: 5, failure: 'invalid' });
  const { token } = stage;
  const read = async (filter: object, format: string) =>
    download(
      token,
      await complete(stage.caller, {
        ...{ list: 'campaign_recipients', params: { id: campaign.id }, filter, format },
        columns: ['recipient', 'status', 'response'],
      }),
    );
  const [sheet] = (await readXlsx(await read({ bucket: 'delivered' }, 'xlsx'))).sheets;
  expect(sheet!.rows[0]).toEqual(['Number', 'Name', 'Country', 'Status', 'Reason', 'Replied (UTC)', 'Opted out']);
  expect(sheet!.rows.slice(1).map((row) => row[3])).toEqual(Array(12).fill('delivered'));
  const failed = (await read({ bucket: 'failed' }, 'jsonl')).toString().trim().split('\n');
  expect(failed.map((line) => JSON.parse(line))).toHaveLength(5);
  expect(JSON.parse(failed[0]!)).toMatchObject({ status: 'failed', opted_out: 'no', replied: null });
  expect((await read({ response: 'none' }, 'parquet')).subarray(0, 4).toString()).toBe('PAR1');
  const stranger = world.as((await makeCompany(world.kernel)).token);
  const { body } = await stranger.post('/v1/exports', {
    ...{ list: 'campaign_recipients', params: { id: campaign.id } },
  });
  const message = async () =>
    ((await stranger.get('/v1/exports')).body.data as { id: string; error_message: string | null }[]).find(
      (row) => row.id === body.data.id,
    )?.error_message;
  await expect.poll(message, { timeout: 30_000 }).toMatch(/campaign/i);
});

test('an export of links has their figures', async () => {
  const { token } = await makeCompany(world.kernel);
  const owner = world.as(token);
  for (const name of ['Menu', 'Booking'])
    await owner.post('/v1/short_urls', { url: `https://example.com/${name}`, name, tags: ['spring'] });
  const id = await complete(owner, {
    ...{ list: 'links', filter: { search: 'menu' }, columns: ['name', 'url', 'clicks', 'tags'] },
  });
  const [head, ...rows] = readCsv(await download(token, id));
  expect(head).toBe('Name,Destination,Clicks,First click (UTC),Last click (UTC),Tags');
  expect(rows).toEqual(['Menu,https://example.com/Menu,0,,,spring']);
});

test('an export of a person has details, consents, and messages, for users with the same permissions', async () => {
  const { account_id, token } = await makeCompany(world.kernel);
  const owner = world.as(token);
  const { sender_id } = await makeSender(world.kernel, account_id);
  const number = '447410001009';
  await owner.post('/v1/people', { number: `+${number}`, first_name: 'Ann', tags: ['vip'] });
  await owner.post(`/v1/people/${number}/consents`, {
    ...{ channel: 'SMS', purpose: 'marketing', change: 'given', text: 'Yes' },
  });
  await makeConversation(world.kernel, { account_id, sender_id, number, texts: ['Hello 🎉'] });
  const id = await complete(owner, { list: 'person', params: { id: number }, format: 'jsonl' });
  const rows = (await download(token, id))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(rows.filter(({ kind }) => kind === 'detail').map(({ name }) => name)).toEqual([
    ...['number', 'country', 'first_name', 'tags', 'create_date'],
  ]);
  expect(rows.find(({ kind }) => kind === 'consent')).toMatchObject({
    name: 'marketing',
    value: 'Yes',
    status: 'given',
  });
  expect(rows.find(({ kind }) => kind === 'message')).toMatchObject({ value: 'Hello 🎉', direction: 'inbound' });
  const reader = await makeUser(world.kernel, account_id, {
    permissions: { AUDIENCES: 1, MESSAGES: 1, CONVERSATIONS: 3, CAMPAIGNS: 1 },
  });
  const caller = world.as(reader.token);
  expect((await caller.get(`/v1/exports/${id}/file`)).status).toBe(403);
  await complete(caller, { list: 'person', params: { id: number } });
  expect((await owner.post('/v1/exports', { list: 'person', params: { id: 'x' } })).body.errors[0].code).toBe(2391);
});
