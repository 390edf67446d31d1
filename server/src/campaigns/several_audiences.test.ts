import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { broken, fanOutAll, makeStage, readCampaign, type Stage } from '../test/campaigns.ts';
import { makeAudience, makeCompany, testNumber } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';

let world: World;
let stage: Stage;
/** Numbers 1 to 6, 4 to 9, and 6 and 7. */
let audiences: { first: string; second: string; excluded: string };
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  const people = (from: number, until: number) =>
    Array.from({ length: until - from + 1 }, (_, at) => ({
      number: testNumber(from + at),
      first_name: `P${from + at}`,
    }));
  stage = await makeStage(world, people(1, 6));
  audiences = {
    first: stage.audience_id,
    second: await makeAudience(world.kernel, stage.account_id, people(4, 9)),
    excluded: await makeAudience(world.kernel, stage.account_id, people(6, 7)),
  };
  await stage.caller.post('/v1/stop_list', { number: testNumber(1) });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const fields = (overrides: Record<string, unknown> = {}) => ({
  from: stage.sender_id,
  audience_ids: [audiences.first, audiences.second],
  excluded_audience_ids: [audiences.excluded],
  text: 'Hello {first_name:friend}',
  ...overrides,
});

const numbers = async (campaign_id: string) =>
  (
    await world.kernel.db.rows<{ number: string }>(
      sql`select number from messages where campaign_id = ${campaign_id} order by number`,
    )
  ).map(({ number }) => number);

test('a campaign to several audiences sends one message per number, without the excluded audiences', async () => {
  const preview = await stage.caller.post('/v1/campaign_previews', fields());
  expect(preview.body.data).toMatchObject({
    counts: { total: 12, will_receive: 6, stop_list: 1, duplicate: 2, excluded: 3 },
    blockers: [],
  });
  const { body } = await stage.caller.post('/v1/campaigns', fields());
  expect(body.data).toMatchObject({
    audience_id: audiences.first,
    audience_ids: [audiences.first, audiences.second],
    excluded_audience_ids: [audiences.excluded],
  });
  // Portions of two contacts interrupt the fan-out within and between the audiences.
  await fanOutAll(world, body.data, 2);
  expect(await numbers(body.data.id)).toEqual([2, 3, 4, 5, 8, 9].map(testNumber));
  const skips = `/v1/campaigns/${body.data.id}/skips`;
  const all = (await stage.caller.get(skips)).body;
  expect(all.pagination.total).toBe(6);
  const listed = (all.data as { number: string; reason: string }[]).map(({ number, reason }) => `${number} ${reason}`);
  expect(listed.sort()).toEqual(
    [`${testNumber(1)} stop_list`, `${testNumber(4)} duplicate`, `${testNumber(5)} duplicate`]
      .concat([6, 6, 7].map((index) => `${testNumber(index)} excluded`))
      .sort(),
  );
  const excluded = (await stage.caller.get(`${skips}?filter[reason]=excluded&filter[search]=P7`)).body;
  expect(excluded.data).toMatchObject([{ number: testNumber(7), contact_name: 'P7', reason: 'excluded' }]);
  const stranger = world.as((await makeCompany(world.kernel)).token);
  expect((await stranger.get(skips)).status).toBe(404);
  expect(await readCampaign(stage, body.data.id)).toMatchObject({
    total: 12,
    fanned_out: 6,
    skipped: { stop_list: 1, duplicate: 2, excluded: 3 },
  });
  const { data } = (await stage.caller.get(`/v1/campaigns/${body.data.id}/recipients?page_size=20`)).body;
  expect(data.map(({ contact_name }: { contact_name: string }) => contact_name)).toEqual([
    'P2',
    'P3',
    'P4',
    'P5',
    'P8',
    'P9',
  ]);
});

test('a contact that moves between the audiences during the fan-out gets one message', async () => {
  const { body } = await stage.caller.post('/v1/campaigns', fields({ excluded_audience_ids: [] }));
  await fanOutAll(world, body.data, 5, 1);
  const { id } = await world.kernel.db.one<{ id: string }>(sql`
    select id from contacts where account_id = ${stage.account_id} and audience_id = ${audiences.first}
      and number = ${testNumber(4)}`);
  await stage.caller.delete(`/v1/audiences/${audiences.first}/contacts/${id}`);
  await fanOutAll(world, body.data);
  expect(await numbers(body.data.id)).toEqual([2, 3, 4, 5, 6, 7, 8, 9].map(testNumber));
});

test('an audience that a campaign includes or excludes cannot be deleted', async () => {
  const schedule = '2099-01-01 10:00:00';
  await stage.caller.post('/v1/campaigns', fields({ schedule }));
  for (const id of [audiences.second, audiences.excluded])
    expect((await stage.caller.delete(`/v1/audiences/${id}`)).body.errors[0].code).toBe(1319);
});

test('a campaign is refused when one of its audiences does not exist', async () => {
  const other = await makeStage(world, [{ number: testNumber(1) }]);
  for (const overrides of [
    { audience_ids: [audiences.first, other.audience_id] },
    { excluded_audience_ids: [other.audience_id] },
  ])
    expect((await stage.caller.post('/v1/campaigns', fields(overrides))).body.errors[0].code).toBe(1606);
  expect((await stage.caller.post('/v1/campaigns', fields({ audience_ids: [] }))).body.errors[0].code).toBe(1605);
});
