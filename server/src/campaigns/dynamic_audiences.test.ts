import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import {
  applyCarrierStatus,
  broken,
  count,
  crowd,
  fanOutAll,
  makeStage,
  readCampaign,
  type Stage,
} from '../test/campaigns.ts';
import { makeAudience, testNumber } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';
import { runRemoveSets } from './model/reach.ts';

let world: World;
let stage: Stage;
let dynamic_id: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  stage = await makeStage(world, crowd(4));
  for (let index = 2; index < 10; index++) await tag(index, ['vip'], `Vip ${index}`);
  dynamic_id = await makeDynamic('VIPs', 'vip');
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const makeDynamic = async (name: string, word: string): Promise<string> => {
  const conditions = { match: 'all', conditions: [{ subject: 'tags', operator: 'has_any', value: [word] }] };
  const { body } = await stage.caller.post('/v1/audiences', { name, channel: 'SMS', conditions });
  return body.data.id;
};

async function tag(index: number, tags: string[], first_name?: string): Promise<void> {
  const number = testNumber(index);
  const created = await stage.caller.post('/v1/people', { number: `+${number}`, tags });
  if (created.status === 409 || first_name)
    await stage.caller.put(`/v1/people/${number}`, { tags, ...(first_name ? { first_name } : {}) });
}

const fields = (overrides: Record<string, unknown> = {}) => ({
  from: stage.sender_id,
  audience_ids: [dynamic_id],
  text: 'Hello {first_name:friend}',
  ...overrides,
});
const numbers = async (campaign_id: string) =>
  (
    await world.kernel.db.rows<{ number: string }>(sql`
      select number from messages where account_id = ${stage.account_id} and campaign_id = ${campaign_id}
      order by number`)
  ).map(({ number }) => number);

test('a campaign reaches the people who matched at the start, despite changes during the fan-out', async () => {
  const { body } = await stage.caller.post('/v1/campaigns', fields());
  expect(body.data).toMatchObject({ status: 'in_progress', total: 8, audience_name: 'VIPs' });
  // Portions have three contacts. Between portions, people enter, leave, and are renamed, and the conditions change.
  await fanOutAll(world, body.data, 3, 1);
  await tag(20, ['vip']);
  await tag(9, []);
  await stage.caller.put(`/v1/audiences/${dynamic_id}`, {
    name: 'VIPs',
    conditions: { match: 'all', conditions: [{ subject: 'tags', operator: 'has_any', value: ['nobody'] }] },
  });
  await fanOutAll(world, body.data, 3);
  expect(await numbers(body.data.id)).toEqual([2, 3, 4, 5, 6, 7, 8, 9].map(testNumber));
  const texts = await world.kernel.db.rows<{ text: string }>(sql`
    select text from messages where campaign_id = ${body.data.id} and number = ${testNumber(5)}`);
  expect(texts[0]!.text).toContain('Hello Vip 5');
  const { data } = (await stage.caller.get(`/v1/campaigns/${body.data.id}/recipients?filter[search]=vip 5`)).body;
  expect(data).toMatchObject([{ contact_name: 'Vip 5' }]);
  await stage.caller.put(`/v1/audiences/${dynamic_id}`, {
    name: 'VIPs',
    conditions: { match: 'all', conditions: [{ subject: 'tags', operator: 'has_any', value: ['vip'] }] },
  });
  await tag(9, ['vip']);
  await tag(20, []);
});

test('a scheduled campaign evaluates its dynamic audience again when it starts', async () => {
  const { body } = await stage.caller.post('/v1/campaigns', fields({ schedule: '2099-01-01 10:00:00' }));
  expect(body.data.status).toBe('scheduled');
  await tag(30, ['vip']);
  await stage.caller.put(`/v1/campaigns/${body.data.id}`, { status: 'in_progress' });
  await fanOutAll(world, body.data);
  expect(await numbers(body.data.id)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 30].map(testNumber));
  await tag(30, []);
});

test('fixed and dynamic audiences can be combined and excluded, and each number counts once', async () => {
  const excluded = await makeDynamic('Left out', 'out');
  await tag(8, ['vip', 'out']);
  await tag(0, ['out']);
  const also = await makeAudience(world.kernel, stage.account_id, [{ number: testNumber(7) }]);
  const chosen = { audience_ids: [stage.audience_id, dynamic_id], excluded_audience_ids: [excluded, also] };
  const figures = { total: 12, will_receive: 7, duplicate: 2, excluded: 3 };
  const preview = await stage.caller.post('/v1/campaign_previews', fields(chosen));
  expect(preview.body.data).toMatchObject({ counts: figures, blockers: [] });
  const { body } = await stage.caller.post('/v1/campaigns', fields(chosen));
  await fanOutAll(world, body.data, 2);
  expect(await numbers(body.data.id)).toEqual([1, 2, 3, 4, 5, 6, 9].map(testNumber));
  const { skipped } = await readCampaign(stage, body.data.id);
  expect(skipped).toEqual({ duplicate: figures.duplicate, excluded: figures.excluded });
  const listSkips = async (filter: string) =>
    (await stage.caller.get(`/v1/campaigns/${body.data.id}/skips?${filter}`)).body.data as { number: string }[];
  const excludedNumbers = (await listSkips('filter[reason]=excluded')).map(({ number }) => number);
  expect(excludedNumbers.sort()).toEqual([0, 7, 8].map(testNumber));
  expect(await listSkips(`filter[search]=${testNumber(8)}`)).toMatchObject([{ reason: 'excluded' }]);
  expect(await listSkips('filter[search]=vip 8')).toMatchObject([{ number: testNumber(8), contact_name: 'Vip 8' }]);
});

test('a campaign does not start if no one matches, and its people are removed after its end', async () => {
  const empty = await makeDynamic('Nobody', 'nobody-has-this');
  const refused = await stage.caller.post('/v1/campaigns', fields({ audience_ids: [empty] }));
  expect(refused.body.errors[0].code).toBe(1618);
  const { body } = await stage.caller.post('/v1/campaigns', fields());
  await fanOutAll(world, body.data);
  await applyCarrierStatus(world, body.data, 'sent');
  await count(world, body.data);
  expect((await readCampaign(stage, body.data.id)).status).toBe('completed');
  const stored = () =>
    world.kernel.db.one<{ count: number; sets: string[] }>(sql`
      select count(*) as count, array_agg(distinct set_id) as sets from campaign_people p
      where account_id = ${stage.account_id} and exists (
        select from campaigns c where c.account_id = p.account_id and c.id = ${body.data.id}
          and c.audience_sets->>${dynamic_id}::text = p.set_id::text)`);
  const { count: before, sets } = await stored();
  expect(before).toBeGreaterThan(0);
  await runRemoveSets(world.kernel, { account_id: stage.account_id, set_ids: sets });
  expect((await stored()).count).toBe(0);
});
