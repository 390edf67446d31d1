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
});
afterAll(() => world.stop());

/** Creates a trial that started this many days and six hours ago. */
async function trial(days: number, options: { timezone?: string; tags?: string[]; admin_created?: boolean } = {}) {
  const { account_id, token } = await makeCompany(world.kernel, { timezone: options.timezone ?? 'UTC' });
  await world.kernel.db.run(sql`
    update accounts set tags = ${options.tags ?? ['PAID0']}, admin_created = ${options.admin_created ?? false},
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
  it('are each sent once: seven days, three days, and one day before the trial ends, and when it ends', async () => {
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
    for (const [days, expected] of mails) accounts.push([(await trial(days)).account_id, expected]);
    await write();
    await Promise.all([write(), write()]);
    for (const [account_id, expected] of accounts) expect(await subjects(account_id)).toEqual(expected);
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
    const blockedTrial = await trial(23);
    const closedTrial = await trial(23);
    await world.kernel.db.run(sql`update accounts set status = 'BLOCKED' where id = ${blockedTrial.account_id}`);
    await world.kernel.db.run(sql`update accounts set close_date = now() where id = ${closedTrial.account_id}`);
    await write();
    for (const { account_id } of [paying, created, blockedTrial, closedTrial])
      expect(await subjects(account_id)).toEqual([]);
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
    const expired = await trial(30);
    expect((await expired.api.get('/v1/accounts/self')).body.data).toMatchObject({
      trial: true,
      trial_period_expired: true,
      days_left: 0,
    });
    expect((await expired.api.get('/v1/audiences')).status).toBe(200);
    expect((await expired.api.post('/v1/audiences', { name: 'One', channel: 'SMS' })).body.errors[0].code).toBe(1142);
  });
});
