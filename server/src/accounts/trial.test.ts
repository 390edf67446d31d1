import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clock } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { makeCompany } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';
import { writeTrialMails } from './trial.ts';

let world: World;
/** The clock is set to noon in London. */
const clock: Clock = { now: () => new Date('2026-11-21T12:00:00Z') };

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
}, 60_000);
afterAll(() => world.stop());

/** Creates a trial that started this many days and six hours ago. */
async function trial(days: number, more: { timezone?: string; tags?: string[]; admin_created?: boolean } = {}) {
  const { account_id, token } = await makeCompany(world.kernel, { timezone: more.timezone ?? 'UTC' });
  await world.kernel.db.run(sql`
    update accounts set tags = ${more.tags ?? ['PAID0']}, admin_created = ${more.admin_created ?? false},
      create_date = now() - make_interval(days => ${days}) - interval '6 hours' where id = ${account_id}`);
  return { account_id, api: world.as(token) };
}
const subjects = async (account_id: string) =>
  (
    await world.kernel.db.rows<{ subject: string }>(sql`
      select subject from mails where account_id = ${account_id} order by id`)
  ).map((row) => row.subject);
const write = (at: Clock = clock) => writeTrialMails({ ...world.kernel, clock: at });

describe('trial emails', () => {
  it('are each sent once: seven days, three days, and one day before the end, and at the end', async () => {
    const mails: [number, string[]][] = [
      [20, []],
      [23, ['Your free trial ends in 7 days']],
      [24, []],
      [27, ['Your free trial ends in 3 days']],
      [29, ['Your free trial ends tomorrow']],
      [30, ['Your free trial has ended']],
      [32, ['Your free trial has ended']],
      [60, []],
    ];
    const accounts: [string, string[]][] = [];
    for (const [days, words] of mails) accounts.push([(await trial(days)).account_id, words]);
    await write();
    await Promise.all([write(), write()]);
    for (const [account_id, words] of accounts) expect(await subjects(account_id)).toEqual(words);
  });

  it('are not sent at night', async () => {
    const { account_id } = await trial(23, { timezone: 'America/Los_Angeles' });
    await write();
    expect(await subjects(account_id)).toEqual([]);
    await write({ now: () => new Date('2026-11-21T18:00:00Z') });
    expect(await subjects(account_id)).toEqual(['Your free trial ends in 7 days']);
  });

  it('are not sent to blocked or closed accounts, or to accounts outside a trial', async () => {
    const paying = await trial(23, { tags: [] });
    const created = await trial(23, { admin_created: true });
    const blocked = await trial(23);
    const closed = await trial(23);
    await world.kernel.db.run(sql`update accounts set status = 'BLOCKED' where id = ${blocked.account_id}`);
    await world.kernel.db.run(sql`update accounts set close_date = now() where id = ${closed.account_id}`);
    await write();
    for (const { account_id } of [paying, created, blocked, closed]) expect(await subjects(account_id)).toEqual([]);
  });
});

describe('the remaining days of a trial', () => {
  it('are counted per account, which becomes read-only when none are left', async () => {
    const near = await trial(29);
    expect((await near.api.get('/v1/accounts/self')).body.data).toMatchObject({
      trial: true,
      trial_period_expired: false,
      days_left: 1,
    });
    const over = await trial(30);
    expect((await over.api.get('/v1/accounts/self')).body.data).toMatchObject({
      trial: true,
      trial_period_expired: true,
      days_left: 0,
    });
    expect((await over.api.get('/v1/audiences')).status).toBe(200);
    expect((await over.api.post('/v1/audiences', { name: 'One' })).body.errors[0].code).toBe(1142);
    expect((await over.api.put('/v1/accounts/self/preference', { welcome_closed: true })).status).toBe(200);
  });
});
