import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import {
  applyCarrierStatus,
  count,
  crowd,
  fanOutAll,
  makeStage,
  readCampaign,
  type Stage,
  startCampaign,
  writeBack,
} from '../../test/campaigns.ts';
import { listContacts } from '../../test/imports.ts';
import { makeCompany } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';
import { toPoints } from './results.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());

const [ANN, BO, CY, DEE] = crowd(4).map(({ number }) => number) as [string, string, string, string];

/** Ann replies twice, Bo opts out, Cy replies and then opts out, the fourth message fails, and the rest are silent. */
async function makeResponses(): Promise<{ stage: Stage; id: string }> {
  const stage = await makeStage(world, crowd(8));
  await writeBack(world, stage, DEE, 'Before the campaign');
  const campaign = await startCampaign(stage);
  await fanOutAll(world, campaign);
  await world.kernel.db.run(sql`
    update messages set status = 'failed', failure = 'invalid', update_date = now()
    where account_id = ${stage.account_id} and campaign_id = ${campaign.id} and number = ${DEE}`);
  await applyCarrierStatus(world, campaign, 'delivered');
  await count(world, campaign);
  await writeBack(world, stage, ANN, 'Yes');
  await writeBack(world, stage, ANN, 'And thank you');
  await writeBack(world, stage, BO, 'STOP');
  await writeBack(world, stage, CY, 'Why?');
  await writeBack(world, stage, CY, 'STOP');
  return { stage, id: campaign.id };
}

interface Listed {
  to: string;
  contact_name: string;
  reply_date: string | null;
  opted_out: boolean;
}

test('a campaign counts and lists the recipients who replied or opted out', async () => {
  const { stage, id } = await makeResponses();
  const { replies, opt_outs, silent, points } = (await stage.caller.get(`/v1/campaigns/${id}/results`)).body.data;
  expect([replies, opt_outs, silent]).toEqual([2, 2, 4]);
  const sum = (key: string) =>
    points.reduce((all: number, point: Record<string, number>) => all + (point[key] as number), 0);
  expect([sum('delivered'), sum('failed'), sum('sent'), sum('replies')]).toEqual([7, 1, 0, 2]);

  const list = async (query: string) =>
    (await stage.caller.get(`/v1/campaigns/${id}/recipients?${query}`)).body.data as Listed[];
  const numbers = async (query: string) => (await list(query)).map(({ to }) => to);
  expect(await numbers('filter[response]=replied')).toEqual([ANN, CY]);
  expect(await numbers('filter[response]=opted_out')).toEqual([BO, CY]);
  expect(await numbers('filter[response]=none')).toHaveLength(5);
  expect(await numbers('filter[search]=person 3')).toEqual([DEE]);
  expect((await list('')).slice(0, 4).map((row) => [row.contact_name, row.reply_date !== null, row.opted_out])).toEqual(
    [
      ['Person 0', true, false],
      ['Person 1', false, true],
      ['Person 2', true, true],
      ['Person 3', false, false],
    ],
  );
});

test('a follow-up is drafted to the recipients who got the message and did not respond', async () => {
  const { stage, id } = await makeResponses();
  const { name } = await readCampaign(stage, id);
  const draft = await stage.caller.post(`/v1/campaigns/${id}/follow_ups`, {});
  expect(draft.status).toBe(201);
  expect(draft.body.data).toMatchObject({
    status: 'in_complete',
    name: `${name.slice(0, 28).trim()} (follow-up)`,
    sender_id: stage.sender_id,
    audience_name: `${name.slice(0, 28).trim()} (follow-up)`,
  });
  const people = await listContacts(stage.caller, draft.body.data.audience_id);
  expect(people.map(({ first_name }) => first_name)).toEqual(['Person 4', 'Person 5', 'Person 6', 'Person 7']);
  expect((await stage.caller.get(`/v1/audiences/${draft.body.data.audience_id}`)).body.data.contacts_count).toBe(4);
  const again = await stage.caller.post(`/v1/campaigns/${id}/follow_ups`, {});
  expect(again.body.data.name).toBe(`${name.slice(0, 28).trim()} (follow-up) (2)`);
});

test('a follow-up is refused when no recipient is left or the campaign still runs', async () => {
  const stage = await makeStage(world, crowd(1));
  const campaign = await startCampaign(stage);
  const path = `/v1/campaigns/${campaign.id}/follow_ups`;
  expect((await stage.caller.post(path, {})).body.errors[0]).toMatchObject({ code: 1614, status: 409 });
  await fanOutAll(world, campaign);
  await applyCarrierStatus(world, campaign, 'failed', { failure: 'invalid' });
  await count(world, campaign);
  expect((await stage.caller.post(path, {})).body.errors[0]).toMatchObject({ code: 1618, status: 400 });
  expect((await stage.caller.get('/v1/audiences')).body.pagination.total).toBe(1);
});

test('another account’s campaign has no results', async () => {
  const { id } = await makeResponses();
  const stranger = world.as((await makeCompany(world.kernel)).token);
  for (const reply of [
    await stranger.get(`/v1/campaigns/${id}/results`),
    await stranger.post(`/v1/campaigns/${id}/follow_ups`, {}),
  ])
    expect(reply.body.errors[0]).toMatchObject({ code: 1601, status: 404 });
});

test('results over time have periods of equal length and no gaps', () => {
  const at = Date.UTC(2026, 0, 1) / 1_000;
  const counted = (offset: number, outcome: 'delivered' | 'replies', many: number) => ({
    ...{ at: at + offset, outcome, count: many },
  });
  expect(toPoints([])).toEqual({ step_seconds: 10, points: [] });
  const short = toPoints([counted(0, 'delivered', 3), counted(20, 'replies', 1)]);
  expect(short.step_seconds).toBe(10);
  expect(short.points.map(({ date, delivered, replies }) => [date, delivered, replies])).toEqual([
    ['2026-01-01 00:00:00', 3, 0],
    ['2026-01-01 00:00:10', 0, 0],
    ['2026-01-01 00:00:20', 0, 1],
  ]);
  for (const days of [1, 7, 400]) {
    const long = toPoints([counted(0, 'delivered', 1), counted(days * 86_400, 'replies', 2)]);
    expect(long.points.length).toBeLessThanOrEqual(48);
    expect(long.points.reduce((all, { delivered, replies }) => all + delivered + replies, 0)).toBe(3);
  }
});
