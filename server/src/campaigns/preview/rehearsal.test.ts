import { afterAll, beforeAll, expect, test } from 'vitest';
import { raw, sql } from '../../kernel/db/db.ts';
import {
  crowd,
  fanOutAll,
  makeStage,
  readBalance,
  readCampaign,
  type Stage,
  startCampaign,
} from '../../test/campaigns.ts';
import { makeAudience, testNumber } from '../../test/make.ts';
import { startWorkerProcess } from '../../test/worker.ts';
import { createWorld, freePort, type World } from '../../test/world.ts';

const PRICE = 40_000;

let world: World;
let stage: Stage;
let fields: Record<string, unknown>;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  stage = await makeStage(world, [
    { number: testNumber(1), first_name: 'Bartholomew' },
    { number: testNumber(2), first_name: 'Al' },
    { number: testNumber(3), first_name: '' },
    { number: '12025550107', country: 'US', first_name: 'Una' },
    { number: testNumber(4), first_name: 'Stopped' },
    { number: testNumber(5), first_name: 'Left out' },
    { number: '33612345678', country: 'FR', first_name: 'Unpriced' },
  ]);
  await stage.caller.post('/v1/stop_list', { number: testNumber(4) });
  const excluded = await makeAudience(world.kernel, stage.account_id, [{ number: testNumber(5) }]);
  fields = {
    from: stage.sender_id,
    audience: stage.audience_id,
    excluded_audience_ids: [excluded],
    text: 'Dear {first_name}, hello',
  };
});
afterAll(() => world.stop());

const rehearse = async (overrides: Record<string, unknown> = {}, caller = stage.caller) =>
  (await caller.post('/v1/campaign_rehearsals', { ...fields, ...overrides })).body;

test('a rehearsal agrees with the campaign to the cent, and sends nothing', async () => {
  const { data } = await rehearse();
  expect(data).toMatchObject({
    counts: { total: 7, will_receive: 4, stop_list: 1, excluded: 1 },
    total_micros: 4 * PRICE,
    excluded_total: 3,
  });
  const byCountry = new Map<string, number>();
  for (const { country, recipients } of data.networks as { country: string; recipients: number }[])
    byCountry.set(country, (byCountry.get(country) ?? 0) + recipients);
  expect(Object.fromEntries(byCountry)).toEqual({ GB: 3, US: 1 });
  const { data: campaign } = (await stage.caller.post('/v1/campaigns', fields)).body;
  await fanOutAll(world, campaign);
  const { fanned_out, skipped } = await readCampaign(stage, campaign.id);
  expect([fanned_out, Object.values(skipped).reduce((all, count) => all + count, 0)]).toEqual([4, 3]);
  const { forecast, actual } = (await stage.caller.get(`/v1/campaigns/${campaign.id}/results`)).body.data;
  const spent = actual.reduce((sum: number, row: { cost_micros: number }) => sum + row.cost_micros, 0);
  expect([forecast.total_micros, spent]).toEqual([data.total_micros, data.total_micros]);
});

test('a rehearsal shows the longest and shortest texts, and those with an empty variable', async () => {
  const { data } = await rehearse();
  expect(data.examples.slice(0, 2)).toMatchObject([
    { kind: 'longest', text: 'Dear Bartholomew, hello' },
    { kind: 'shortest', number: testNumber(3), text: 'Dear , hello' },
  ]);
  expect(data.examples).toHaveLength(4);
});

test('the excluded contacts are listed by reason and page', async () => {
  const { data: first } = await rehearse({ size: 2 });
  const { data: second } = await rehearse({ size: 2, offset: 2 });
  expect([...first.excluded, ...second.excluded]).toHaveLength(3);
  const { data } = await rehearse({ reason: 'stop_list' });
  expect(data).toMatchObject({ excluded_total: 1, excluded: [{ number: testNumber(4), reason: 'stop_list' }] });
});

test('a server killed in a rehearsal leaves nothing, and the campaign still sends one message each', async () => {
  const own = await makeStage(world, crowd(40));
  const body = { from: own.sender_id, audience: own.audience_id, text: 'Dear {first_name}, hello' };
  const before = await readBalance(world, own);
  const PORT = String(await freePort());
  const killed = await startWorkerProcess(world, { ROLE: 'api', PORT, FAILPOINT: 'after_rehearsal' });
  const call = fetch(`http://127.0.0.1:${PORT}/v1/campaign_rehearsals`, {
    method: 'POST',
    headers: { authorization: `Bearer ${own.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data: body }),
  });
  await expect(call).rejects.toThrow();
  expect((await killed.ended).signal).toBe('SIGKILL');
  for (const table of ['campaigns', 'messages', 'holds', 'campaign_skips'])
    expect(
      await world.kernel.db.rows(sql`select 1 from ${raw(table)} where account_id = ${own.account_id} limit 1`),
      table,
    ).toEqual([]);
  expect(await readBalance(world, own)).toEqual(before);
  const { data } = (await own.caller.post('/v1/campaign_rehearsals', body)).body;
  const campaign = await startCampaign(own, body);
  await fanOutAll(world, campaign);
  const messages = await world.kernel.db.rows<{ number: string; price_micros: number }>(sql`
    select number, price_micros from messages where account_id = ${own.account_id} order by number`);
  expect(messages.map(({ number }) => number)).toEqual(crowd(40).map(({ number }) => number));
  expect(messages.reduce((sum, { price_micros }) => sum + price_micros, 0)).toBe(data.total_micros);
});

test('a rehearsal needs an audience of the account', async () => {
  expect((await rehearse({ audience: null })).errors[0].code).toBe(1605);
  const other = await makeStage(world, [{ number: testNumber(1) }]);
  expect((await rehearse({}, other.caller)).errors[0].code).toBe(1606);
});
