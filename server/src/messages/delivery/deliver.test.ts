import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { type Carrier, openCarrier } from '../../test/carrier.ts';
import { type Company, makeCarrier, makeCompany, makeSender, testNumber } from '../../test/make.ts';
import { type Caller, createWorld, until, type World } from '../../test/world.ts';
import { accept } from '../messages.ts';

let world: World;
let carrier: Carrier;
let connection_id: string;
let company: Company;
let api: Caller;
let code: string;
let sender_id: string;

beforeAll(async () => {
  world = await createWorld({ role: 'all', sandbox: true });
  carrier = openCarrier(world);
  await carrier.set({ receipt_delay_ms: 50, receipt_jitter_ms: 20 });
  ({ connection_id } = await makeCarrier(world.kernel, {
    port: world.sandbox!.smpp,
    countries: ['GB', 'US'],
    settings: { response_timeout_ms: 2_000 },
    grace_seconds: 1,
  }));
  await until('a bind is up', async () => (await bind()).state === 'bound');
});
afterAll(() => world?.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  ({ code, sender_id } = await makeSender(world.kernel, company.account_id));
  api = world.as(company.token);
});

const bind = async () =>
  (await world.kernel.db.maybeOne<{ state: string; session: string }>(sql`select state, session from binds`)) ?? {
    state: 'none',
    session: '',
  };
const send = async (to: string, text = 'Your order is ready'): Promise<string> => {
  const reply = await api.post('/v1/messages', { from: code, to, channel: 'sms', text });
  expect(reply.status).toBe(200);
  return reply.body.data[0].id;
};
const message = async (id: string) => (await api.get(`/v1/messages/${id}`)).body.data;
const waitForStatus = async (id: string, status: string, ms = 60_000) => {
  let current = await message(id);
  await until(
    `message ${status}`,
    async () => {
      current = await message(id);
      return current.status === status;
    },
    ms,
  ).catch((error) => {
    throw new Error(`${error.message}; it is ${JSON.stringify(current)}`);
  });
  return current;
};
/** Accepts many messages at once at the gate, without the API. */
const sendMany = (numbers: readonly string[], text = 'Hello', not_before = '-infinity') =>
  world.kernel.db.tx(async (tx) => {
    const result = await accept(tx, world.kernel, {
      account_id: company.account_id,
      channel: 'SMS',
      from: sender_id,
      source: 'api',
      refusal: 'throw',
      recipients: numbers.map((to) => ({ to, text })),
    });
    const ids = result.accepted.map(({ id }) => id);
    await tx.run(sql`
      update dispatch set not_before = greatest(not_before, ${not_before}::timestamptz)
      where message_id = any(${ids}::uuid[])`);
    return result;
  });
const statuses = async () => {
  const rows = await world.kernel.db.rows<{ status: string; n: number }>(sql`
    select status, count(*)::int as n from messages where account_id = ${company.account_id} and direction = 'MT'
    group by 1`);
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
};
const expectSound = async () => expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);

describe('a message', () => {
  test('is sent, delivered, charged, and logged', async () => {
    const id = await send('447400000001');
    const delivered = await waitForStatus(id, 'delivered');
    expect(delivered.timeline).toMatchObject([
      { status: 'enroute', source: 'gate' },
      { status: 'sent', source: 'carrier', detail: { ids: [expect.any(String)] } },
      { status: 'delivered', source: 'carrier', detail: { stat: 'DELIVERED' } },
    ]);
    expect(delivered).toMatchObject({ charge: 'settled', external_ids: [expect.any(String)], failure: null });
    expect(await carrier.accepted('447400000001')).toMatchObject([
      { text: 'Your order is ready', from: code, reference: expect.any(Number) },
    ]);
    const events = await world.kernel.db.rows<{ type: string; status: string }>(sql`
      select type, payload->>'status' as status from events where account_id = ${company.account_id}
        and type like 'message.%' order by id`);
    expect(events).toEqual([
      { type: 'message.created', status: 'enroute' },
      { type: 'message.status_changed', status: 'sent' },
      { type: 'message.status_changed', status: 'delivered' },
    ]);
    await expectSound();
  });

  test('is submitted within 250 ms of being accepted when the system is idle', async () => {
    const durations: number[] = [];
    for (let index = 0; index < 15; index++) {
      const number = testNumber(500 + index);
      const startedAt = performance.now();
      const [id] = [await send(number)];
      await until('the phone has the message', async () => (await carrier.accepted(number)).length === 1);
      durations.push(performance.now() - startedAt);
      await waitForStatus(id, 'delivered');
    }
    // Only the fastest run counts, because the test machine may be busy. The benchmark measures the rest.
    expect(Math.min(...durations)).toBeLessThan(250);
  });

  test('is delivered once all of its parts are delivered', async () => {
    const text = `${'A long story of many words. '.repeat(12)}€`;
    const id = await send('447400000002', text);
    const delivered = await waitForStatus(id, 'delivered');
    const parts = await carrier.accepted('447400000002');
    expect(parts.map(({ part, parts: total }) => [part, total]).sort()).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    expect(await carrier.phone('447400000002')).toMatchObject([{ text, direction: 'to_phone' }]);
    expect(delivered.external_ids).toHaveLength(3);
    expect(delivered.timeline.filter(({ status }: { status: string }) => status === 'delivered')).toHaveLength(1);
    await expectSound();
  });
});

describe('carrier results', () => {
  // The last digits of the number select the result that the sandbox carrier returns.
  test.concurrent.each([
    ['01', 'failed', 'rejected', 'settled', 1],
    ['02', 'rejected', 'rejected', 'released', 0],
    ['03', 'rejected', 'rejected', 'settled', 1],
    ['04', 'expired', 'expired', 'settled', 1],
    ['05', 'sent', null, 'settled', 1],
    ['07', 'delivered', null, 'settled', 1],
    ['08', 'delivered', null, 'settled', 1],
    ['09', 'delivered', null, 'settled', 1],
    ['10', 'delivered', null, 'settled', 1],
    ['11', 'failed', 'unknown', 'released', 0],
    ['12', 'failed', 'connection', 'released', 0],
    ['17', 'delivered', null, 'settled', 1],
    ['18', 'delivered', null, 'settled', 1],
    ['19', 'delivered', null, 'settled', 1],
    ['20', 'delivered', null, 'settled', 1],
  ] as const)('give the message to …9009%s the status %s', async (ending, status, failure, charge, submissions) => {
    const owner = await makeCompany(world.kernel);
    const from = await makeSender(world.kernel, owner.account_id);
    const to = `4474009009${ending}`;
    const caller = world.as(owner.token);
    const reply = await caller.post('/v1/messages', { from: from.code, to, channel: 'sms', text: 'Hello' });
    const { id } = reply.body.data[0];
    let current: Record<string, unknown> = {};
    await until(`…9009${ending} is ${status}`, async () => {
      current = (await caller.get(`/v1/messages/${id}`)).body.data;
      return current.status === status;
    }).catch((error) => {
      throw new Error(`${error.message}; it is ${JSON.stringify(current)}`);
    });
    expect(current).toMatchObject({ failure, charge, possible_duplicate: ending === '11' });
    expect((await carrier.accepted(to)).length).toBe(submissions);
  });

  test('leave the ledger balanced', expectSound);

  test('are stored with the carrier’s code and text', async () => {
    const rejected = await waitForStatus(await send('447400900902'), 'rejected');
    expect(rejected).toMatchObject({
      carrier_code: '0x0B',
      status_details: expect.stringContaining('ESME_RINVDSTADR'),
    });
  });
});

describe('an unsubmitted message', () => {
  test('is not sent when its recipient opted out, its account is blocked, or it has expired', async () => {
    const [stoppedNumber, expiredNumber] = ['447400000011', '447400000012'];
    await world.kernel.db.tx(async (tx) => {
      const { accepted } = await accept(tx, world.kernel, {
        account_id: company.account_id,
        channel: 'SMS',
        from: sender_id,
        source: 'api',
        refusal: 'throw',
        recipients: [stoppedNumber, expiredNumber].map((to) => ({ to, text: 'Hello' })),
      });
      await tx.run(sql`
        insert into stop_list (account_id, id, number, sender_id, reason) values (${company.account_id}, ${newId()},
          ${stoppedNumber}, ${sender_id}, 'manual')`);
      await tx.run(
        sql`update dispatch set expire_date = now() - interval '1 second' where message_id = ${accepted[1]!.id}`,
      );
    });
    await until('both have ended', async () => {
      const counts = await statuses();
      return counts.unsubscribed === 1 && counts.expired === 1;
    });
    const blockedCompany = await makeCompany(world.kernel);
    const from = await makeSender(world.kernel, blockedCompany.account_id);
    await world.kernel.db.tx(async (tx) => {
      await accept(tx, world.kernel, {
        account_id: blockedCompany.account_id,
        channel: 'SMS',
        from: from.sender_id,
        source: 'api',
        refusal: 'throw',
        recipients: [{ to: '447400000013', text: 'Hello' }],
      });
      await tx.run(sql`update accounts set status = 'BLOCKED' where id = ${blockedCompany.account_id}`);
    });
    await until('the message is blocked', async () => {
      const row = await world.kernel.db.one<{ status: string }>(
        sql`select status from messages where account_id = ${blockedCompany.account_id}`,
      );
      return row.status === 'blocked';
    });
    for (const number of [stoppedNumber, expiredNumber, '447400000013'])
      expect(await carrier.accepted(number)).toEqual([]);
    await expectSound();
  });

  test('is sent once, in a later cycle, when its worker stalls', async () => {
    const { db } = world.kernel;
    await db.run(sql`create table attempts (attempt int)`);
    await db.run(sql`
      create function stall() returns trigger language plpgsql as
      'begin
         insert into attempts values (new.attempt);
         if new.attempt = 1 then perform pg_sleep(5.1); end if;
         return null;
       end'`);
    await db.run(sql`
      create constraint trigger stall after update on dispatch deferrable initially deferred for each row
      when (new.stage = 'submitting') execute function stall()`);
    const number = testNumber(16);
    await sendMany([number]);
    await until('the message is delivered', async () => (await statuses()).delivered === 1);
    expect(await db.rows(sql`select attempt from attempts order by 1`)).toEqual([{ attempt: 1 }, { attempt: 2 }]);
    await db.run(sql`drop function stall() cascade`);
    await db.run(sql`drop table attempts`);
    expect(await carrier.accepted(number)).toHaveLength(1);
    await expectSound();
  });

  test('stays queued while it is paused and is sent when it is resumed', async () => {
    await sendMany(['447400000014'], 'Later', 'infinity');
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await statuses()).toEqual({ enroute: 1 });
    await world.kernel.db.run(sql`update dispatch set not_before = now() where account_id = ${company.account_id}`);
    await until('the message is delivered', async () => (await statuses()).delivered === 1);
  });
});

describe('a carrier', () => {
  test('receives every message once when it throttles', async () => {
    await carrier.set({ throttle_per_second: 30 });
    const numbers = Array.from({ length: 80 }, (_, index) => testNumber(1_000 + index));
    await sendMany(numbers);
    await until('all are delivered', async () => (await statuses()).delivered === 80);
    await carrier.set({ throttle_per_second: 0 });
    const submissions = (await carrier.accepted()).filter(({ to }) => numbers.includes(to));
    expect(submissions.length).toBe(80);
    await expectSound();
  });

  test('receives every message once when it cuts the bind repeatedly', async () => {
    const before = (await bind()).session;
    await carrier.set({ response_delay_ms: 30 });
    const numbers = Array.from({ length: 400 }, (_, index) => testNumber(2_000 + index));
    await sendMany(numbers);
    for (let round = 0; round < 3; round++) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      await carrier.cut();
    }
    await until('all are delivered', async () => (await statuses()).delivered === 400).catch(async (error) => {
      throw new Error(`${error.message} ${JSON.stringify(await statuses())}`);
    });
    await carrier.set({ response_delay_ms: 0 });
    const submissions = (await carrier.accepted()).filter(({ to }) => numbers.includes(to));
    expect(submissions.length).toBe(400);
    expect((await bind()).session).not.toBe(before);
    await expectSound();
  });

  test('receives every message once when it loses responses and repeats or reorders receipts', async () => {
    await carrier.set({
      responses_lost_percent: 20,
      receipts_twice_percent: 30,
      out_of_order: true,
      response_delay_ms: 20,
      receipt_delay_ms: 0,
      receipt_jitter_ms: 60,
    });
    const numbers = Array.from({ length: 200 }, (_, index) => testNumber(3_000 + index));
    await sendMany(numbers);
    await until('all are delivered', async () => (await statuses()).delivered === 200).catch(async (error) => {
      throw new Error(`${error.message} ${JSON.stringify(await statuses())}`);
    });
    await carrier.set({
      responses_lost_percent: 0,
      receipts_twice_percent: 0,
      out_of_order: false,
      response_delay_ms: 0,
      receipt_delay_ms: 50,
    });
    const submissions = (await carrier.accepted()).filter(({ to }) => numbers.includes(to));
    expect(submissions.length).toBe(200);
    await expectSound();
  });

  test('receives each part of a long message once when it loses responses', async () => {
    await carrier.set({ responses_lost_percent: 30, response_delay_ms: 10 });
    const text = 'A long story of many words. '.repeat(13);
    const numbers = Array.from({ length: 30 }, (_, index) => testNumber(4_000 + index));
    await sendMany(numbers, text);
    await until('all are delivered', async () => (await statuses()).delivered === 30).catch(async (error) => {
      throw new Error(`${error.message} ${JSON.stringify(await statuses())}`);
    });
    await carrier.set({ responses_lost_percent: 0, response_delay_ms: 0 });
    for (const number of numbers) {
      expect((await carrier.accepted(number)).map(({ part }) => part).sort()).toEqual([1, 2, 3]);
    }
    await expectSound();
  });

  test('confirms a message by its receipt when the response is lost and no reference is echoed', async () => {
    await carrier.set({ echo_reference: false, responses_lost_percent: 100 });
    const id = await send('447400000021');
    await until('the phone has the message', async () => (await carrier.accepted('447400000021')).length === 1);
    const delivered = await waitForStatus(id, 'delivered');
    await carrier.set({ echo_reference: true, responses_lost_percent: 0 });
    expect(delivered).toMatchObject({ charge: 'settled', possible_duplicate: false });
    expect((await carrier.accepted('447400000021')).length).toBe(1);
    expect(await world.kernel.db.rows(sql`select * from unmatched_reports`)).toEqual([]);
    await expectSound();
  });
});

describe('the connection', () => {
  test('reopens when its settings change and closes when it is disabled, and operators are shown both', async () => {
    const operators = await makeCompany(world.kernel, { operator: true });
    const operatorApi = world.as(operators.token);
    const before = (await bind()).session;
    const { settings } = (await operatorApi.get('/v1/connections')).body.data[0];
    await operatorApi.put(`/v1/connections/${connection_id}`, { settings: { ...settings, window: 20 } });
    await until('another session is up', async () => {
      const current = await bind();
      return current.state === 'bound' && current.session !== before;
    });
    const connection = (await operatorApi.get('/v1/connections')).body.data[0];
    expect(connection.binds).toMatchObject([{ slot: 0, state: 'bound', window: 20, in_flight: 0 }]);
    const { accepted } = await sendMany(['447400000031'], 'Held', 'infinity');
    await operatorApi.put(`/v1/connections/${connection_id}`, { enabled: false });
    await until('no bind remains', async () => (await bind()).state === 'none');
    await world.kernel.db.run(sql`update dispatch set not_before = now() where account_id = ${company.account_id}`);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await statuses()).toEqual({ enroute: 1 });
    await operatorApi.put(`/v1/connections/${connection_id}`, { enabled: true });
    await waitForStatus(accepted[0]!.id, 'delivered');
    const connectionStates = async () => {
      const events = await world.kernel.db.rows<{ state: string }>(sql`
        select payload->>'state' as state from events
        where account_id = ${operators.account_id} and type = 'connection.changed' order by id`);
      return events.map(({ state }) => state);
    };
    await until('operators saw all states', async () => (await connectionStates()).length === 7);
    expect(await connectionStates()).toEqual([
      'enabled',
      'stopped',
      'bound',
      'disabled',
      'stopped',
      'enabled',
      'bound',
    ]);
  });
});
