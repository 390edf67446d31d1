/** Tests campaigns end to end: API, fan-out, SMPP delivery to the sandbox's phones, receipts, counts, and charges. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import {
  broken,
  crowd,
  listEvents,
  makeStage,
  readBalance,
  readCampaign,
  startCampaign,
} from '../../test/campaigns.ts';
import { makeCarrier } from '../../test/make.ts';
import { createWorld, until, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'all', sandbox: true });
  await carrier({ receipt_delay_ms: 50, receipt_jitter_ms: 20 });
  await makeCarrier(world.kernel, { port: world.sandbox!.smpp });
  await until('a bind is up', async () => {
    const rows = await world.kernel.db.rows<{ state: string }>(sql`select state from binds`);
    return rows.some(({ state }) => state === 'bound');
  });
});
afterAll(() => world?.stop());

const carrier = (settings: object) =>
  fetch(`${world.sandbox!.url}/api/carrier`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  });
const stats = async () =>
  (await (await fetch(`${world.sandbox!.url}/api/stats`)).json()) as { accepted: number; duplicates: number };
const listTexts = async (number: string) => {
  const body = (await (await fetch(`${world.sandbox!.url}/api/submissions?to=${number}`)).json()) as {
    submissions: { text: string }[];
  };
  return body.submissions.map(({ text }) => text);
};

test('a campaign stops sending when it is paused and reaches each recipient only once when resumed', async () => {
  const recipients = crowd(1_500, 5_000_000);
  const stage = await makeStage(world, recipients);
  await carrier({ throttle_per_second: 700 });
  const campaign = await startCampaign(stage, { text: 'Hello {first_name}, your order is waiting' });
  await until('some have arrived', async () => (await stats()).accepted > 200);
  const setStatus = (status: string) => stage.caller.put(`/v1/campaigns/${campaign.id}`, { status });
  expect((await setStatus('paused')).body.data.status).toBe('paused');
  await carrier({ throttle_per_second: 0 });
  // Messages that are already being submitted are still sent.
  await until('the binds are idle', async () => {
    const rows = await world.kernel.db.rows(sql`select 1 from dispatch where stage = 'submitting' limit 1`);
    return rows.length === 0;
  });
  const { accepted } = await stats();
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect((await stats()).accepted).toBe(accepted);
  expect(accepted).toBeLessThan(1_500);
  await until('the pause is counted', async () => {
    const { counts } = await readCampaign(stage, campaign.id);
    return counts.delivered === accepted && counts.enroute + counts.waiting === 1_500 - accepted;
  });

  expect((await setStatus('in_progress')).status).toBe(200);
  await until('all are delivered', async () => (await readCampaign(stage, campaign.id)).counts.delivered === 1_500);
  expect(await readCampaign(stage, campaign.id)).toMatchObject({
    status: 'completed',
    total: 1_500,
    fanned_out: 1_500,
    skipped: {},
    cost_micros: 1_500 * 40_000,
  });
  // Paging through the recipients returns each recipient once.
  const listed: string[] = [];
  for (let next: string | null = `/v1/campaigns/${campaign.id}/recipients?page_size=100`; next; ) {
    const { status, body } = await stage.caller.get(next);
    expect([status, body.pagination.total, body.pagination.total_is_estimate]).toEqual([200, 1_500, undefined]);
    listed.push(...body.data.map(({ to }: { to: string }) => to));
    next = body.pagination.links.next;
  }
  expect([listed.length, new Set(listed).size]).toEqual([1_500, 1_500]);
  expect(await stats()).toMatchObject({ accepted: 1_500, duplicates: 0 });
  expect(await listTexts(recipients[7]!.number)).toEqual(['Hello Person 7, your order is waiting']);
  expect(await readBalance(world, stage)).toEqual({ available_micros: 100_000_000 - 60_000_000, held_micros: 0 });
  const progress = await listEvents(world, stage, 'campaign.progressed');
  const delivered = progress.map((row) => row.counts.delivered);
  expect(delivered).toEqual([...delivered].sort((a, b) => a - b));
  // At most about one event is emitted per second, no matter how many messages change.
  expect(progress.length).toBeLessThan(30);
  expect(await broken(world)).toEqual([]);
});

test('a campaign charges for sent messages and releases the other holds when it is canceled', async () => {
  const stage = await makeStage(world, crowd(1_500, 6_000_000));
  const before = (await stats()).accepted;
  await carrier({ throttle_per_second: 500 });
  const campaign = await startCampaign(stage);
  await until('some have arrived', async () => (await stats()).accepted > before + 100);
  expect((await stage.caller.put(`/v1/campaigns/${campaign.id}`, { status: 'canceled' })).status).toBe(200);
  await carrier({ throttle_per_second: 0 });
  await until('no message is open', async () => {
    const { counts } = await readCampaign(stage, campaign.id);
    return counts.enroute === 0 && counts.waiting === 0 && counts.sent === 0;
  });
  const completed = await readCampaign(stage, campaign.id);
  const delivered = (await stats()).accepted - before;
  expect(completed.status).toBe('canceled');
  expect(completed.counts.delivered).toBe(delivered);
  expect(delivered + completed.counts.canceled + (completed.skipped.canceled ?? 0)).toBe(1_500);
  expect(completed.counts.canceled).toBeGreaterThan(0);
  expect(await readBalance(world, stage)).toEqual({
    available_micros: 100_000_000 - delivered * 40_000,
    held_micros: 0,
  });
  expect(await broken(world)).toEqual([]);
});
