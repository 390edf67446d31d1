/** Tests archived campaigns, tags, notes, and the calendar. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { count, crowd, fanOutAll, makeStage, type Stage, startCampaign } from '../test/campaigns.ts';
import { createWorld, type World } from '../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());

const code = (reply: { body: { errors?: { code: number }[] } }) => reply.body.errors?.[0]?.code;
const list = async (stage: Stage, filter = ''): Promise<string[]> =>
  (await stage.caller.get(`/v1/campaigns?${filter}`)).body.data.map(({ name }: { name: string }) => name).sort();
const wire = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
const DAY = 86_400_000;

test('an archived campaign is hidden until a filter shows it, and an active one cannot be archived', async () => {
  const stage = await makeStage(world, crowd(1));
  const draft = await startCampaign(stage, { name: 'Draft', start: false });
  const running = await startCampaign(stage, { name: 'Running' });
  const archive = (id: string, archived = true) => stage.caller.put(`/v1/campaigns/${id}`, { archived });
  expect(code(await archive(running.id))).toBe(1611);
  expect((await archive(draft.id)).body.data.archive_date).not.toBeNull();
  expect(await list(stage)).toEqual(['Running']);
  expect(await list(stage, 'filter[archived]=true')).toEqual(['Draft']);
  expect(await list(stage, 'filter[archived]=all')).toEqual(['Draft', 'Running']);
  // A start returns the campaign to the list.
  await stage.caller.put(`/v1/campaigns/${draft.id}`, { status: 'in_progress' });
  expect(await list(stage)).toEqual(['Draft', 'Running']);
  await fanOutAll(world, running);
  await stage.caller.put(`/v1/campaigns/${running.id}`, { status: 'canceled' });
  expect((await archive(running.id)).status).toBe(200);
  expect((await archive(running.id, false)).body.data.archive_date).toBeNull();
});

test('tags and the note change at any time, and a filter finds campaigns by tag', async () => {
  const stage = await makeStage(world, crowd(1));
  const sale = await startCampaign(stage, {
    name: 'Sale',
    tags: [' Spring ', 'spring', 'VIP \u{1F331}'],
    note: 'Ask Ann',
  });
  expect(sale).toMatchObject({ tags: ['Spring', 'VIP \u{1F331}'], note: 'Ask Ann' });
  await startCampaign(stage, { name: 'Other', tags: ['Spring'] });
  await fanOutAll(world, sale);
  await count(world, sale);
  const changed = await stage.caller.put(`/v1/campaigns/${sale.id}`, { tags: ['Summer'], note: '' });
  expect(changed.body.data).toMatchObject({ tags: ['Summer'], note: '', status: 'in_progress' });
  expect(await list(stage, 'filter[tags]=Summer,Autumn')).toEqual(['Sale']);
  expect((await stage.caller.get('/v1/campaign_tags')).body.data).toEqual([
    { tag: 'Spring', campaigns: 1 },
    { tag: 'Summer', campaigns: 1 },
  ]);
  const refuse = async (tags: unknown) => code(await stage.caller.put(`/v1/campaigns/${sale.id}`, { tags }));
  for (const tags of [[''], ['a,b'], ['x'.repeat(31)], Array.from({ length: 11 }, (_, n) => `t${n}`)])
    expect(await refuse(tags)).toBe(2359);
  const stranger = await makeStage(world, []);
  expect((await stranger.caller.get('/v1/campaign_tags')).body.data).toEqual([]);
});

test('the calendar has past starts, scheduled campaigns, and future runs, in the account’s days', async () => {
  const stage = await makeStage(world, crowd(2), { timezone: 'Pacific/Auckland' });
  const sent = await startCampaign(stage, { name: 'Sent' });
  const soon = Date.now() + 2 * DAY;
  await startCampaign(stage, { name: 'Later', schedule: wire(soon) });
  await startCampaign(stage, { name: 'Daily', schedule: wire(soon + 1_000), repeat: { every: 'day', count: 4 } });
  await startCampaign(stage, { name: 'Draft', start: false });
  const day = (at: number) => new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format(at);
  const read = async (from: string, to: string, caller = stage.caller) =>
    (await caller.get(`/v1/campaign_calendar?from=${from}&to=${to}`)).body;
  const { data } = await read(day(Date.now()), day(soon + 2 * DAY));
  expect(data.map(({ name, kind }: { name: string; kind: string }) => `${name} ${kind}`)).toEqual([
    'Sent sent',
    'Later scheduled',
    'Daily run',
    'Daily run',
    'Daily run',
  ]);
  expect(data[0]).toMatchObject({ campaign_id: sent.id, recipients: 2, status: 'in_progress' });
  expect(data[2].at).toBe(wire(soon + 1_000));
  const stranger = await makeStage(world, []);
  expect((await read(day(Date.now()), day(soon), stranger.caller)).data).toEqual([]);
  for (const [from, to] of [
    ['2027-02-31', '2027-03-01'],
    ['2027-03-02', '2027-03-01'],
    ['2027-01-01', '2027-12-31'],
  ] as const)
    expect((await read(from, to)).errors).toHaveLength(1);
});
