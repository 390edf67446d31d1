/** Stops of messages that show signs of fraud: their start, what they refuse, and their end. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFanout } from '../../campaigns/fanout/fanout.ts';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { applyStatuses } from '../../messages/messages.ts';
import {
  broken,
  fanOutAll,
  listEvents,
  makeStage,
  readBalance,
  readCampaign,
  type Stage,
  startCampaign,
} from '../../test/campaigns.ts';
import { makeCompany, makeKey } from '../../test/make.ts';
import { createWorld, type Reply, until, type World } from '../../test/world.ts';
import { detectAll } from './detect.ts';
import { mailTrafficStop } from './mails.ts';
import { pruneCounts } from './prune.ts';
import { settle } from './settle.ts';
import { endExpired } from './stops.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const db = () => world.kernel.db;
const detect = async () => {
  while (await detectAll(db()));
};
const run = (count: number, start = 447_733_000_100, step = 1): string[] =>
  Array.from({ length: count }, (_, n) => String(start + n * step));
/** At most ten recipients per request. Returns the last response. */
async function send(stage: Stage, to: string[], caller = stage.caller): Promise<Reply> {
  const body = { channel: 'SMS', from: stage.sender_id, to: to.slice(0, 10), text: 'Hello' };
  const reply = await caller.post('/v1/messages', body);
  return to.length > 10 ? send(stage, to.slice(10), caller) : reply;
}
const protect = (stage: Stage, body: object = {}) =>
  stage.caller.put('/v1/traffic_protection', { messages: 'block', campaigns: 'block', lift_hours: 24, ...body });
const listStops = async (stage: Stage) => (await stage.caller.get('/v1/traffic_stops')).body.data;
const countMessages = async ({ account_id }: Stage): Promise<number> =>
  (
    await db().one<{ count: number }>(sql`
      select count(*)::int as count from messages where account_id = ${account_id}`)
  ).count;
/** Messages that were counted before. */
const count = (stage: Stage, kind: string, place: string, age: string, values: Record<string, number | string>) =>
  db().run(sql`
    insert into traffic_counts (account_id, kind, place, country, hour, traffic, sent, outcomes, delivered, responded)
    values (${stage.account_id}, ${kind}, ${place}, 'GB', date_trunc('hour', now(), 'UTC') - ${age}::interval,
            ${values.traffic ?? 'messages'}, ${values.sent ?? 0}, ${values.sent ?? 0}, ${values.delivered ?? 0},
            ${values.responded ?? 0})`);

test('consecutive numbers are only reported by default, once, with the figures', async () => {
  const stage = await makeStage(world, []);
  expect((await stage.caller.get('/v1/traffic_protection')).body.data).toEqual({
    ...{ account_id: stage.account_id, messages: 'notify', campaigns: 'notify', lift_hours: 24 },
  });
  for (const numbers of [run(15), run(15, 447_733_000_115)]) {
    expect((await send(stage, numbers)).status).toBe(200);
    await detect();
  }
  expect(await listStops(stage)).toMatchObject([
    {
      ...{ traffic: 'messages', kind: 'range', place: '447733', country: 'GB', signal: 'consecutive', refuses: false },
      reason: 'Messages were sent to 30 consecutive numbers within an hour.',
    },
  ]);
  await send(stage, run(10, 447_733_000_130));
  await detect();
  expect(await listStops(stage)).toHaveLength(1);
  expect(await listEvents(world, stage, 'traffic_stop.started')).toHaveLength(1);
  const ref = { account_id: stage.account_id, id: (await listStops(stage))[0].id };
  for (let turn = 0; turn < 2; turn++) await db().tx((tx) => mailTrafficStop(tx, world.kernel, ref));
  const mails = await db().rows(sql`
    select 1 from mails
    where account_id = ${stage.account_id} and subject = 'Unusual messages to +447733…, United Kingdom'`);
  expect(mails).toHaveLength(1);
});

test('an account that fails, or that always has more messages, does not keep the others from their turn', async () => {
  const [first, second] = [await makeStage(world, []), await makeStage(world, [])];
  await detect();
  const sent = [first, second].sort((a, b) => (a.account_id < b.account_id ? -1 : 1));
  for (const stage of sent) await send(stage, run(1));
  const waiting = async () =>
    (
      await db().rows<{ account_id: string }>(sql`
        select account_id from traffic_batches
        where account_id in (${first.account_id}, ${second.account_id}) order by account_id`)
    ).map(({ account_id }) => account_id);
  // The second account has its turn first, and then the first one, whose transaction fails.
  const place = { after: sent[0]!.account_id };
  expect(await detectAll(db(), place)).toBe(true);
  expect(await waiting()).toEqual([sent[0]!.account_id]);
  await send(sent[1]!, run(1));
  let isBroken = true;
  const failing = Object.create(db(), {
    tx: {
      value: async (work: Parameters<ReturnType<typeof db>['tx']>[0]) => {
        if (isBroken) {
          isBroken = false;
          throw new Error('the account fails');
        }
        return db().tx(work);
      },
    },
    rows: { value: (statement: Parameters<ReturnType<typeof db>['rows']>[0]) => db().rows(statement) },
  });
  await expect(detectAll(failing, place)).rejects.toThrow('some accounts were not counted');
  expect(await waiting()).toEqual([sent[0]!.account_id]);
  await detect();
  expect(await waiting()).toEqual([]);
});

test('numbers with gaps, tests, and traffic that is off are not reported', async () => {
  const stage = await makeStage(world, []);
  await send(stage, run(30, 447_733_000_100, 2));
  await detect();
  await protect(stage, { messages: 'off' });
  await send(stage, run(30));
  await detect();
  expect(await listStops(stage)).toEqual([]);
});

test('a stop refuses messages at no charge, in every way to send, and a user lifts it for a day', async () => {
  const stage = await makeStage(world, []);
  const stranger = await makeStage(world, []);
  const key = world.as({ key: await makeKey(world.kernel, stage.account_id) });
  await protect(stage);
  await send(stage, run(25), key);
  await detect();
  const [stop] = await listStops(stage);
  expect(stop).toMatchObject({ signal: 'consecutive', refuses: true });
  const before = await readBalance(world, stage);
  const next = '447733009999';
  // Alone, which shares a transaction, and in a request with variables, which has its own.
  for (const text of ['Hello', 'Hello {name:you}'])
    for (const caller of [stage.caller, key]) {
      const body = { channel: 'SMS', from: stage.sender_id, to: [next], text };
      const reply = await caller.post('/v1/messages', body);
      expect([reply.status, reply.body.errors[0].code]).toEqual([403, 2615]);
      expect(reply.body.errors[0].message).toMatch(/^Messages to \+447733…, United Kingdom are stopped until /);
    }
  expect((await send(stage, ['447744000001', next])).status).toBe(403);
  expect(await readBalance(world, stage)).toEqual(before);
  expect(await countMessages(stage)).toBe(25);
  expect((await send(stage, ['447744000001'])).status).toBe(200);
  expect((await send(stranger, [next])).status).toBe(200);

  expect((await stranger.caller.delete(`/v1/traffic_stops/${stop.id}`)).body.errors[0].code).toBe(2616);
  expect((await stage.caller.delete(`/v1/traffic_stops/${stop.id}`)).status).toBe(204);
  expect((await stage.caller.delete(`/v1/traffic_stops/${stop.id}`)).status).toBe(404);
  await send(stage, run(25, 447_733_000_125));
  await detect();
  expect((await send(stage, [next])).status).toBe(200);
  expect(await listStops(stage)).toEqual([]);
  expect(await listEvents(world, stage, 'traffic_stop.ended')).toHaveLength(1);
  const { body: log } = await stage.caller.get('/v1/audit_log');
  const actions = log.data.map(({ action }: { action: string }) => action);
  expect(actions.slice(0, 3)).toEqual(['traffic.allowed', 'traffic.stopped', 'traffic.protection_changed']);
});

test('a stop ends after its time, and when the settings no longer block', async () => {
  const stage = await makeStage(world, []);
  await protect(stage, { lift_hours: 1 });
  await send(stage, run(25));
  await detect();
  const expire = () =>
    db().run(sql`
      update account_code_stops set expire_date = now() - interval '1 second'
      where account_id = ${stage.account_id} and lift_date is null`);
  expect(await expire()).toBe(1);
  // The time counts, even before the job has run.
  expect((await send(stage, ['447733009999'])).status).toBe(200);
  await endExpired(db());
  await endExpired(db());
  expect(await listEvents(world, stage, 'traffic_stop.ended')).toHaveLength(1);
  await send(stage, run(25, 447_733_000_125));
  await detect();
  expect((await send(stage, ['447733009999'])).status).toBe(403);
  await protect(stage, { messages: 'notify' });
  expect((await send(stage, ['447733009999'])).status).toBe(200);
  for (const body of [{ messages: 'stop' }, { campaigns: null }, { lift_hours: 0 }])
    expect((await protect(stage, body)).status).toBe(400);
});

test('a campaign pauses before the stopped destination, skips no contact, and resumes after a lift', async () => {
  const contacts = run(60, 447_733_000_100).map((number) => ({ number }));
  const stage = await makeStage(world, contacts);
  await protect(stage);
  const campaign = await startCampaign(stage);
  await fanOutAll(world, campaign, 30, 1);
  await detect();
  const loop = startFanout(world.kernel);
  const state = async () => (await readCampaign(stage, campaign.id)).status;
  await until('the campaign pauses', async () => (await state()) === 'paused');
  expect(await readCampaign(stage, campaign.id)).toMatchObject({ status_details: 'traffic_stop', skipped: {} });
  expect(await countMessages(stage)).toBe(30);
  // Stops of campaigns do not affect other messages.
  expect((await send(stage, ['447733009999'])).status).toBe(200);

  // It pauses again as long as the stop is active.
  const resume = () => stage.caller.put(`/v1/campaigns/${campaign.id}`, { status: 'in_progress' });
  await resume();
  await until('the campaign pauses again', async () => (await state()) === 'paused');
  const [stop] = await listStops(stage);
  expect(stop).toMatchObject({ traffic: 'campaigns', refuses: true });
  await stage.caller.delete(`/v1/traffic_stops/${stop.id}`);
  await resume();
  await until('all contacts have a message', async () => (await countMessages(stage)) === 61);
  await loop.stop();
  await detect();
  expect(await listStops(stage)).toEqual([]);
});

test('growth and concentration compare a range with the account’s own last 15 days', async () => {
  const stage = await makeStage(world, []);
  await count(stage, 'account', '', '3 days', { sent: 900 });
  await count(stage, 'range', '447733', '3 days', { sent: 8, delivered: 8 });
  await count(stage, 'range', '447733', '2 hours', { sent: 2, delivered: 1 });
  await send(stage, run(60, 447_733_000_100, 7));
  await detect();
  const stops = await listStops(stage);
  const found = stops.map(({ signal, reason }: { signal: string; reason: string }) => [signal, reason]);
  expect(new Map(found)).toEqual(
    new Map([
      ['concentration', '100% of 60 messages in an hour went to this range. Before, it was 1%.'],
      [
        'growth',
        '60 messages were sent to this range within an hour. The busiest hour of the last 15 days had 8 messages.',
      ],
    ]),
  );
  // A stop keeps its figures, also those of other signs, when the counts are deleted.
  await db().run(sql`delete from traffic_counts where account_id = ${stage.account_id}`);
  const kept = (await listStops(stage)).map(({ figures }: { figures: { signal: string }[] }) =>
    figures.map(({ signal }) => signal),
  );
  expect(kept.flat().sort()).toEqual(['concentration', 'conversion', 'conversion', 'growth']);
});

test('the outcomes of an hour are counted once, and a falling delivery is reported', async () => {
  const stage = await makeStage(world, []);
  await send(stage, run(60, 447_733_000_100, 7));
  await detect();
  await count(stage, 'range', '447733', '3 days', { sent: 500, delivered: 480 });
  await db().tx(async (tx) => {
    const rows = await tx.rows<{ id: string; number: string }>(
      sql`select id, number from messages where account_id = ${stage.account_id}`,
    );
    const { account_id } = stage;
    await applyStatuses(
      tx,
      rows.map(({ id: message_id, number }) => ({
        ...{ account_id, message_id, source: 'carrier' as const },
        ...(number.endsWith('0')
          ? { status: 'delivered' as const }
          : { status: 'failed' as const, failure: 'invalid' as const }),
      })),
    );
  });
  const { hour } = await db().one<{ hour: string }>(sql`
    select to_char(max(hour) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as hour from traffic_counts
    where account_id = ${stage.account_id} and kind = 'account'`);
  for (let turn = 0; turn < 2; turn++) await settle(db(), { account_id: stage.account_id, hour });
  expect((await listStops(stage)).map(({ reason }: { reason: string }) => reason)).toEqual([
    '10% of 60 messages were delivered in the last 24 hours. Before, it was 96%.',
  ]);
});

test('parallel workers count every message once', async () => {
  const stage = await makeStage(world, []);
  await Promise.all(Array.from({ length: 40 }, (_, n) => send(stage, [String(447_755_000_000 + n * 7)])));
  await Promise.all(Array.from({ length: 6 }, () => detectAll(db())));
  await detect();
  const { sent, left } = await db().one<{ sent: number; left: number }>(sql`
    select (select sum(sent)::int from traffic_counts where account_id = ${stage.account_id} and kind = 'account')
             as sent,
           (select count(*)::int from traffic_batches where account_id = ${stage.account_id}) as left`);
  expect({ sent, left }).toEqual({ sent: 40, left: 0 });
});

test('operators see the stops of all accounts, and lift a stop of a customer', async () => {
  const stage = await makeStage(world, []);
  await protect(stage);
  await send(stage, run(25));
  await detect();
  const own = { account_id: stage.account_id, traffic: 'messages', refuses: true };
  const operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
  const { body } = await operator.get('/v1/account_traffic_stops');
  expect(body.data).toEqual(expect.arrayContaining([expect.objectContaining(own)]));
  expect((await stage.caller.get('/v1/account_traffic_stops')).status).toBe(403);

  const path = `/v1/accounts/${stage.account_id}/traffic_stops`;
  const [stop] = (await operator.get(path)).body.data;
  expect(stop).toMatchObject({ refuses: true, signal: 'consecutive', place: '447733' });
  expect((await stage.caller.delete(`${path}/${stop.id}`)).status).toBe(403);
  const stranger = await makeStage(world, []);
  const wrong = await operator.delete(`/v1/accounts/${stranger.account_id}/traffic_stops/${stop.id}`);
  expect([wrong.status, wrong.body.errors[0].code]).toEqual([404, 2616]);
  expect((await operator.delete(`${path}/${stop.id}`)).status).toBe(204);
  expect((await operator.delete(`${path}/${stop.id}`)).status).toBe(404);
  expect((await send(stage, ['447733009999'])).status).toBe(200);
  expect(await listEvents(world, stage, 'traffic_stop.ended')).toHaveLength(1);
  const log = (await stage.caller.get('/v1/audit_log?page_size=1')).body.data[0];
  expect(log).toMatchObject({ action: 'traffic.allowed', target_id: '447733' });
  // The destination is not stopped again immediately, as after a lift by the customer.
  await send(stage, run(25, 447_733_000_200));
  await detect();
  expect(await listStops(stage)).toEqual([]);
});

test('an operator lifts a stop of codes, which verifications announce', async () => {
  const stage = await makeStage(world, []);
  const id = newId();
  await db().run(sql`
    insert into account_code_stops (account_id, id, traffic, kind, place, country, sends, usual, stop_date)
    values (${stage.account_id}, ${id}, 'codes', 'range', '447766', 'GB', 40, 2, now())`);
  const operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
  const path = `/v1/accounts/${stage.account_id}/traffic_stops`;
  expect((await operator.get(path)).body.data).toMatchObject([{ id, traffic: 'codes' }]);
  expect((await operator.delete(`${path}/${id}`)).status).toBe(204);
  expect((await operator.delete(`${path}/${id}`)).body.errors[0].code).toBe(2616);
  expect(await listEvents(world, stage, 'code_stop.ended')).toHaveLength(1);
});

test('old counts are deleted in batches, including the counts of accounts that no longer send', async () => {
  const [first, second] = [await makeStage(world, []), await makeStage(world, [])];
  for (const stage of [first, second])
    for (const age of ['1 day', '15 days', '17 days', '40 days', '41 days'])
      await count(stage, 'account', '', age, { sent: 1 });
  await pruneCounts(db(), undefined, 2);
  const rows = await db().rows<{ count: number }>(sql`
    select count(*)::int as count from traffic_counts
    where account_id = any(${[first.account_id, second.account_id]}::uuid[]) group by account_id`);
  expect(rows).toEqual([{ count: 2 }, { count: 2 }]);
  const { old } = await db().one<{ old: number }>(sql`
    select count(*)::int as old from traffic_counts where hour < now() - interval '16 days'`);
  expect(old).toBe(0);
});
