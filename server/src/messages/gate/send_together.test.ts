import { spawn } from 'node:child_process';
import { VALIDITY_SECONDS } from '@parley/contract/messages/messages.ts';
import { Problem } from '@parley/contract/problem.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { charge } from '../../billing/billing.ts';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { GroupConflict } from '../../kernel/http/grouped_calls.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { ANNA, BRUNO, createGate, FUNDS, type Gate, PRICE } from '../../test/gate.ts';
import { makeCompany, makeKey, makeSender, testNumber } from '../../test/make.ts';
import { freePort, until } from '../../test/world.ts';
import { sendTogether } from './send_together.ts';

let gate: Gate;
beforeAll(async () => {
  gate = await createGate();
});
afterAll(() => gate.world.stop());
beforeEach(() => gate.renew());

type Call = Parameters<typeof sendTogether.run>[2][number];

const makeCall = (fields: object): Call => {
  const { account_id, user_id } = gate.company;
  const body = { from: gate.code, to: [ANNA], channel: 'SMS', text: 'Your order is ready', ...fields };
  const actor = { kind: 'user', account_id, user_id, key_id: null } as Actor;
  const input = { params: undefined, query: undefined, body } as unknown as Call['input'];
  return { actor, input, address: '127.0.0.1' };
};

const run = (calls: Call[], attempt = 1) =>
  gate.world.kernel.db.tx((tx) => sendTogether.run(tx, gate.world.kernel, calls, attempt));

/** The texts of the messages of a call, or the name of the problem that refused it. */
const summary = (outcome: Awaited<ReturnType<typeof run>>[number]) => {
  if (outcome === null) return 'alone';
  if (outcome instanceof Problem) return outcome.name;
  return (outcome.result as { text: string; to: string }[]).map(({ to, text }) => `${to} ${text}`);
};

describe('a group of requests', () => {
  test('gives each request its own response and opens one hold per sender and validity', async () => {
    const { account_id } = gate.company;
    await gate.world.kernel.db.run(sql`
      insert into stop_list (account_id, id, number, reason) values (${account_id}, ${newId()}, ${BRUNO}, 'keyword')`);
    const past = '2020-01-01 00:00:00';
    const outcomes = await run([
      makeCall({ text: 'One', payload: 'a' }),
      makeCall({ to: [ANNA, BRUNO], text: 'Two' }),
      makeCall({ from: 'nobody', text: 'Three' }),
      makeCall({ schedule: past, text: 'Four' }),
      makeCall({ to: ['12'], text: 'Five' }),
      makeCall({ to: ['447400000003', '447400000004'], text: 'Six', payload: 'b', validity_seconds: 60 }),
      makeCall({ text: 'Seven' }),
    ]);
    expect(outcomes.map(summary)).toEqual([
      [`${ANNA} One`],
      'RECIPIENT_BLOCKED',
      'MESSAGE_SENDER_NOT_FOUND',
      'SCHEDULE_IN_PAST',
      'alone',
      ['447400000003 Six', '447400000004 Six'],
      [`${ANNA} Seven`],
    ]);
    const rows = await gate.world.kernel.db.rows(sql`
      select m.text, m.payload, (extract(epoch from m.expire_date - m.create_date))::int as validity, d.priority
      from messages m join dispatch d on d.account_id = m.account_id and d.message_id = m.id
      where m.account_id = ${account_id} order by m.text, m.number`);
    const { default: usual } = VALIDITY_SECONDS;
    expect(rows).toEqual([
      { text: 'One', payload: 'a', validity: usual, priority: 5 },
      { text: 'Seven', payload: null, validity: usual, priority: 5 },
      { text: 'Six', payload: 'b', validity: 60, priority: 5 },
      { text: 'Six', payload: 'b', validity: 60, priority: 5 },
    ]);
    expect([await gate.count('holds'), await gate.count('ledger')]).toEqual([2, 3]);
    expect(await gate.balance()).toMatchObject({ available_micros: FUNDS - 4 * PRICE, held_micros: 4 * PRICE });
    await gate.expectSound();
  });

  test('refuses only the requests that the balance does not cover', async () => {
    await gate.renew(3 * PRICE);
    const three = [ANNA, BRUNO, '447400000003'];
    const outcomes = await run([
      makeCall({ to: [ANNA, BRUNO], text: 'One' }),
      makeCall({ to: three, text: 'Two' }),
      makeCall({ text: 'Three' }),
      makeCall({ text: 'Four' }),
    ]);
    expect(outcomes.map(summary)).toEqual([
      [`${ANNA} One`, `${BRUNO} One`],
      'BALANCE_NOT_ENOUGH',
      [`${ANNA} Three`],
      'BALANCE_NOT_ENOUGH',
    ]);
    expect(await gate.balance()).toMatchObject({ available_micros: 0, held_micros: 3 * PRICE });
    await gate.expectSound();
  });

  test('is refused as a whole if the account may not send, except for requests with other problems', async () => {
    const { account_id } = gate.company;
    await gate.world.kernel.db.run(sql`update accounts set status = 'BLOCKED' where id = ${account_id}`);
    const outcomes = await run([makeCall({}), makeCall({ text: '' })]);
    expect(outcomes.map(summary)).toEqual(['ACCOUNT_UNVERIFIED', 'MESSAGE_TEXT_REQUIRED']);
  });

  test('runs again if its money was spent in the meantime', async () => {
    await gate.renew(PRICE);
    const { account_id } = gate.company;
    const { db } = gate.world.kernel;
    let first: Promise<unknown> | undefined;
    await db.tx(async (tx) => {
      await charge(tx, { account_id, amount_micros: PRICE, key: 'rental', note: '' });
      first = run([makeCall({})]).catch((error: unknown) => error);
      // The group has read the balance before the charge and now waits for the lock.
      await until('the group waits', async () => {
        const rows = await db.rows(sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
        return rows.length > 0;
      });
    });
    expect(await first).toBeInstanceOf(GroupConflict);
    expect((await run([makeCall({})], 2)).map(summary)).toEqual(['BALANCE_NOT_ENOUGH']);
    await gate.expectNoMessages();
  });
});

interface Attempt {
  key: string;
  to: string[];
  reply?: { status: number; text: string };
}

/** Starts an API process as in production. It ends at the failpoint. */
async function startServer(failpoint: string): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [inject('programs').server], {
    env: { ...process.env, ...gate.world.settings, ROLE: 'api', PORT: String(port), FAILPOINT: failpoint },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const isReady = async () => (await fetch(`${url}/livez`).catch(() => null))?.ok ?? false;
  await until('the server is ready', isReady);
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/**
 * Sends random requests over several connections to servers that are killed around the commits of groups, and repeats
 * those without a response, as clients do. The result must be that of the requests that were answered with success.
 */
test('kill -9 around a group’s commit loses, repeats, and charges nothing', async () => {
  const FUNDED = 90;
  const credit_limit_micros = 10 * PRICE;
  const { kernel } = gate.world;
  const company = await makeCompany(kernel, { balance_micros: FUNDED * PRICE, credit_limit_micros });
  const { sender_id } = await makeSender(kernel, company.account_id);
  const api_key = await makeKey(kernel, company.account_id);
  const attempts: Attempt[] = Array.from({ length: 80 }, (_, n) => ({
    key: `order-${n}`,
    to: Array.from({ length: 1 + (n % 3) }, (_, place) => testNumber(70_000 + n * 10 + place)),
  }));
  const send = async (url: string, attempt: Attempt) => {
    const { key, to } = attempt;
    const headers = { 'content-type': 'application/json', 'x-api-key': api_key, 'idempotency-key': key };
    const body = JSON.stringify({ data: { from: sender_id, to, channel: 'SMS', text: `Order ${key}` } });
    const response = await fetch(`${url}/v1/messages`, { method: 'POST', headers, body }).catch(() => null);
    const text = await response?.text().catch(() => undefined);
    // A repeated key can still be in use while the database notices the end of the killed server.
    if (response && text !== undefined && response.status !== 409) attempt.reply = { status: response.status, text };
  };
  for (const failpoint of ['before_group_commit:3', 'after_group_commit:4', 'before_group_commit:2', '']) {
    const server = await startServer(failpoint);
    do {
      const open = attempts.filter(({ reply }) => !reply);
      await Promise.all(
        Array.from({ length: 12 }, async () => {
          for (let next = open.shift(); next; next = open.shift()) await send(server.url, next);
        }),
      );
    } while (failpoint === '' && attempts.some(({ reply }) => !reply));
    if (failpoint === '')
      for (const { status } of attempts.map(({ reply }) => reply!)) expect([200, 402]).toContain(status);
    await server.stop();
  }
  const accepted = attempts.filter(({ reply }) => reply!.status === 200);
  const stored = await kernel.db.rows<{ id: string; to: string }>(
    sql`select id, "to" from messages where account_id = ${company.account_id}`,
  );
  const replied = accepted.flatMap(({ reply }) => JSON.parse(reply!.text).data as { id: string; to: string }[]);
  expect(replied.map(({ id, to }) => `${id} ${to}`).sort()).toEqual(stored.map(({ id, to }) => `${id} ${to}`).sort());
  expect(stored.map(({ to }) => to).sort()).toEqual(accepted.flatMap(({ to }) => to).sort());
  const balance = await kernel.db.one(sql`
    select available_micros, held_micros from balances where account_id = ${company.account_id}`);
  expect(balance).toEqual({
    available_micros: (FUNDED - stored.length) * PRICE,
    held_micros: stored.length * PRICE,
  });
  // A refusal means that the remaining money did not cover the request.
  const left = FUNDED + credit_limit_micros / PRICE - stored.length;
  const refused = attempts.filter(({ reply }) => reply!.status === 402);
  expect(refused.length).toBeGreaterThan(0);
  for (const { to } of refused) expect(to.length).toBeGreaterThan(left);
  await gate.expectSound();
});

test('32 senders over two servers get exactly as many messages as the balance covers', async () => {
  const FUNDED = 100;
  const { kernel } = gate.world;
  const company = await makeCompany(kernel, { balance_micros: FUNDED * PRICE + PRICE - 1 });
  const { sender_id } = await makeSender(kernel, company.account_id);
  const api_key = await makeKey(kernel, company.account_id);
  const servers = await Promise.all([startServer(''), startServer('')]);
  const counts = new Map<number, number>();
  const send = async (sender: number, n: number) => {
    // A request with a brace has its own transaction, so both ways to the balance compete.
    const text = sender % 4 === 0 ? `Order {${n}}` : `Order ${n}`;
    const data = { from: sender_id, to: [testNumber(80_000 + sender * 10 + n)], channel: 'SMS', text };
    const { status } = await fetch(`${servers[sender % 2]!.url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': api_key },
      body: JSON.stringify({ data }),
    });
    counts.set(status, (counts.get(status) ?? 0) + 1);
  };
  await Promise.all(
    Array.from({ length: 32 }, async (_, sender) => {
      for (let n = 0; n < 5; n++) await send(sender, n);
    }),
  );
  await Promise.all(servers.map((server) => server.stop()));
  expect(Object.fromEntries(counts)).toEqual({ 200: FUNDED, 402: 32 * 5 - FUNDED });
  const balance = await kernel.db.one(sql`
    select available_micros, held_micros from balances where account_id = ${company.account_id}`);
  expect(balance).toEqual({ available_micros: PRICE - 1, held_micros: FUNDED * PRICE });
  await gate.expectSound();
});
