/** Stops of codes when a process is killed before it commits the stop, and before and after it stores the email. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { createGate, type Gate } from '../test/gate.ts';
import { makeKey } from '../test/make.ts';
import { startWorkerProcess } from '../test/worker.ts';
import { freePort } from '../test/world.ts';

let gate: Gate;
beforeAll(async () => {
  gate = await createGate();
  await gate.renew(10_000_000);
});
afterAll(async () => {
  await gate.expectSound();
  await gate.world.stop();
});

const db = () => gate.world.kernel.db;
const phone = (n: number): string => `44741990${1_000 + n}`;

/** Starts a process that answers API calls, and returns how to request a code from it. */
async function startServer(settings: Record<string, string> = {}) {
  const port = String(await freePort());
  const key = await makeKey(gate.world.kernel, gate.company.account_id);
  const server = await startWorkerProcess(gate.world, { ROLE: 'api', PORT: port, ...settings });
  const send = async (to: string): Promise<number | 'no answer'> => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/verifications`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ data: { channel: 'SMS', sender: gate.code, phone: to, code_length: 6 } }),
    }).catch(() => null);
    if (!response) return 'no answer';
    return response.status === 201 ? 201 : ((await response.json()) as { errors: [{ code: number }] }).errors[0].code;
  };
  return { ...server, send };
}

interface Traces {
  codes: number;
  messages: number;
  holds: number;
  stops: number;
  events: number;
  jobs: number;
}
const readTraces = () => {
  const own = sql`where account_id = ${gate.company.account_id}`;
  return db().one<Traces>(sql`
    select (select count(*)::int from sent_codes ${own}) as codes,
           (select count(*)::int from messages ${own}) as messages,
           (select count(*)::int from holds ${own}) as holds,
           (select count(*)::int from account_code_stops ${own}) as stops,
           (select count(*)::int from events ${own} and type = 'code_stop.started') as events,
           (select count(*)::int from pgboss.job where name = 'verifications.report_stop') as jobs`);
};
const countMails = async () =>
  (
    await db().one<{ mails: number }>(sql`
      select count(*)::int as mails from mails
      where account_id = ${gate.company.account_id} and subject like 'Verification codes to % were stopped'`)
  ).mails;

test('a stop whose process is killed before the commit leaves nothing, and its repetition leaves it once', async () => {
  const { actions } = (await gate.api.get('/v1/verifications/protection')).body.data;
  await gate.api.put('/v1/verifications/protection', {
    ...{ actions: { ...actions, consecutive: 'stop' }, lift_hours: 24 },
  });
  const killed = await startServer({ FAILPOINT: 'before_code_stop_commit' });
  for (let n = 1; n < 10; n++) expect(await killed.send(phone(n))).toBe(201);
  expect(await killed.send(phone(10))).toBe('no answer');
  expect((await killed.ended).signal).toBe('SIGKILL');
  const nine = { codes: 9, messages: 9, holds: 9 };
  expect(await readTraces()).toEqual({ ...nine, stops: 0, events: 0, jobs: 0 });

  const other = await startServer();
  const repeated = await Promise.all(Array.from({ length: 5 }, () => other.send(phone(10))));
  expect(repeated.filter((code) => code === 201)).toHaveLength(1);
  const refused = await Promise.all(Array.from({ length: 8 }, (_, n) => other.send(phone(11 + n))));
  expect(new Set(refused)).toEqual(new Set([2362]));
  await other.stop();
  expect(await readTraces()).toEqual({ codes: 10, messages: 10, holds: 10, stops: 1, events: 1, jobs: 1 });
});

test('the email about a stop is stored once when workers are killed before and after they store it', async () => {
  const killAt = async (FAILPOINT: string) => {
    expect((await (await startWorkerProcess(gate.world, { FAILPOINT })).ended).signal).toBe('SIGKILL');
    // The queue gives the job of the dead worker to another one.
    const restored = await db().run(sql`
      update pgboss.job set state = 'retry', start_after = now()
      where name = 'verifications.report_stop' and state = 'active'`);
    expect(restored).toBe(1);
  };
  await killAt('before_code_stop_mail');
  expect(await countMails()).toBe(0);
  await killAt('after_code_stop_mail');
  expect(await countMails()).toBe(1);
  await killAt('after_code_stop_mail');
  expect(await countMails()).toBe(1);
  expect(await readTraces()).toMatchObject({ codes: 10, messages: 10, stops: 1, events: 1 });
});
