import { BUCKETS } from '@parley/contract/campaigns/statuses.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { applyCarrierStatus, count, crowd, fanOutAll, makeStage, startCampaign } from '../../test/campaigns.ts';
import { createWorld, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());

test('each bucket lists its recipients, which can be searched by the start of the number', async () => {
  const stage = await makeStage(world, crowd(30));
  const campaign = await startCampaign(stage);
  await fanOutAll(world, campaign);
  await applyCarrierStatus(world, campaign, 'delivered', { limit: 12 });
  await applyCarrierStatus(world, campaign, 'failed', { limit: 5, failure: 'invalid' });
  await applyCarrierStatus(world, campaign, 'sent', { limit: 1 });
  const list = async (query: string) =>
    (await stage.caller.get(`/v1/campaigns/${campaign.id}/recipients?${query}`)).body;
  const totals = [];
  for (const bucket of ['all', 'waiting', 'sent', 'delivered', 'failed', 'canceled']) {
    totals.push((await list(`filter[bucket]=${bucket}`)).pagination.total);
  }
  expect(totals).toEqual([30, 12, 1, 12, 5, 0]);
  const matches = await list(`filter[search]=%2B${crowd(1, 7)[0]!.number.slice(0, 12)}&filter[bucket]=all`);
  expect(matches.data.map((message: { to: string }) => message.to)).toEqual([crowd(1, 7)[0]!.number]);
  expect(matches.data[0]).toMatchObject({ campaign_id: campaign.id, text: 'Hello Person 7' });
  expect((await list('filter[search]=nobody')).data).toEqual([]);
  const second = await list('page=2&page_size=20');
  expect(second.data.map((message: { to: string }) => message.to)).toEqual(
    crowd(10, 20).map((person) => person.number),
  );
});

test('the counts of a campaign are the totals of the lists behind their links', async () => {
  const stage = await makeStage(world, crowd(24));
  const campaign = await startCampaign(stage);
  await fanOutAll(world, campaign);
  for (const status of [
    'delivered',
    'read',
    'failed',
    'rejected',
    'expired',
    'blocked',
    'unsubscribed',
    'sent',
  ] as const)
    await applyCarrierStatus(world, campaign, status, { limit: 2 });
  await count(world, campaign);
  const get = async (path: string) => (await stage.caller.get(`/v1/campaigns/${campaign.id}${path}`)).body;
  const { counts } = (await get('')).data as { counts: Record<string, number> };
  for (const bucket of ['waiting', 'sent', 'delivered', 'failed', 'canceled'] as const) {
    const counted = BUCKETS[bucket].reduce((sum, status) => sum + (counts[status] ?? 0), 0);
    expect(counted, bucket).toBe((await get(`/recipients?filter[bucket]=${bucket}`)).pagination.total);
  }
  const results = (await get('/results')).data as { replies: number; opt_outs: number };
  expect(results.replies).toBe((await get('/recipients?filter[response]=replied')).pagination.total);
  expect(results.opt_outs).toBe((await get('/recipients?filter[response]=opted_out')).pagination.total);
});

test('the recipients who clicked are those who opened a link themselves', async () => {
  const stage = await makeStage(world, crowd(4));
  const campaign = await startCampaign(stage);
  await fanOutAll(world, campaign);
  const { db } = world.kernel;
  const { account_id } = stage;
  const results = async () => (await stage.caller.get(`/v1/campaigns/${campaign.id}/results`)).body.data;
  expect((await results()).clicked).toBeNull();
  const link_id = newId();
  await db.run(sql`
    insert into links (account_id, id, url, source, campaign_id)
    values (${account_id}, ${link_id}, 'https://example.com', 'campaign', ${campaign.id})`);
  const messages = await db.rows<{ id: string; number: string }>(sql`
    select id, number from messages where account_id = ${account_id} and campaign_id = ${campaign.id} order by number`);
  for (const [at, kind] of [
    [0, 'person'],
    [0, 'person'],
    [1, 'bot'],
    [2, 'preview'],
    [3, 'person'],
  ] as const)
    await db.run(sql`
      insert into link_clicks (account_id, id, link_id, kind, is_unique, device, message_id, number, click_date)
      values (${account_id}, ${newId()}, ${link_id}, ${kind}, false, 'phone', ${messages[at]!.id},
              ${messages[at]!.number}, now())`);
  expect((await results()).clicked).toBe(2);
  const { data, pagination } = (
    await stage.caller.get(`/v1/campaigns/${campaign.id}/recipients?filter[response]=clicked`)
  ).body;
  expect(data.map(({ id }: { id: string }) => id)).toEqual([messages[0]!.id, messages[3]!.id]);
  expect(pagination.total).toBe(2);
});

test('a bucket export is complete, safe for spreadsheets, and uses international numbers', async () => {
  const stage = await makeStage(
    world,
    [
      { number: '447400000001', first_name: '=HYPERLINK("http://x")' },
      ...crowd(2_500, 10),
      { number: '447400000002', first_name: 'Hart, "Amelia"' },
    ],
    { balance_micros: 1_000_000_000 },
  );
  const campaign = await startCampaign(stage, { name: 'Spring "sale" \u2013 1', text: '{first_name}' });
  await fanOutAll(world, campaign);
  await applyCarrierStatus(world, campaign, 'failed', { limit: 1, failure: 'invalid' });
  const file = (bucket: string) => stage.caller.get(`/v1/campaigns/${campaign.id}/recipients/file?bucket=${bucket}`);
  const all = await file('all');
  expect(all.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(all.headers.get('content-disposition')).toContain(
    `filename*=UTF-8''Spring%20%22sale%22%20%E2%80%93%201%20-%20all.csv`,
  );
  const lines = all.text.split('\r\n');
  expect(lines).toHaveLength(2_502 + 2);
  expect(lines[0]).toBe('number,country,status,reason,carrier_code,segments,price,currency,created,updated,text');
  expect(lines[1]).toMatch(
    /^\+447400000001,GB,failed,Carrier report,,1,0\.040000,USD,[^,]+,[^,]+,"'=HYPERLINK\(""http:\/\/x""\)"$/,
  );
  expect(lines[2]).toMatch(/^\+447400000002,GB,enroute,,,1,.*,"Hart, ""Amelia"""$/);
  expect(new Set(lines.slice(1, -1).map((line) => line.split(',')[0])).size).toBe(2_502);
  expect((await file('failed')).text.split('\r\n')).toHaveLength(3);
  expect((await file('canceled')).text.split('\r\n')).toHaveLength(2);
  expect((await file('nonsense')).status).toBe(400);
});

test('an interrupted download does not leave a transaction open', async () => {
  const stage = await makeStage(world, crowd(6_000), { balance_micros: 10_000_000_000 });
  const campaign = await startCampaign(stage, { text: 'x'.repeat(900) });
  await fanOutAll(world, campaign);
  const abort = new AbortController();
  const response = await fetch(`${world.url}/v1/campaigns/${campaign.id}/recipients/file`, {
    headers: { authorization: `Bearer ${stage.token}` },
    signal: abort.signal,
  });
  await response.body!.getReader().read();
  abort.abort();
  for (let attempt = 0; attempt < 100; attempt++) {
    const open = await world.kernel.db.rows(sql`
      select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`);
    if (open.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('a transaction stayed open');
});
