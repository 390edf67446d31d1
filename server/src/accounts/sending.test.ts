/**
 * During a restricted trial, messages reach only the verified number, whether a user, an API key, or a campaign sends
 * them.
 */
import { problemMessage } from '@parley/contract/problem.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { makeAudience, makeCarrier, makeCompany, makeKey, makeSender, makeUser } from '../test/make.ts';
import { createWorld, type Reply, type World } from '../test/world.ts';

const OWN = '12025550111';
const COLLEAGUES = '12025550112';
const OTHER = '12025550113';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  await makeCarrier(world.kernel);
});
afterAll(() => world.stop());

const code = (reply: Reply) => reply.body.errors?.[0]?.code ?? reply.status;

async function company(options: { country?: string; days?: number; tags?: string[]; phone?: string } = {}) {
  const { account_id, user_id, token } = await makeCompany(world.kernel, { country: options.country ?? 'US' });
  await world.kernel.db.run(sql`
    update accounts set tags = ${options.tags ?? ['PAID0']},
      create_date = now() - make_interval(days => ${options.days ?? 3})
    where id = ${account_id}`);
  await world.kernel.db.run(sql`
    update logins set status = 'EMAIL_VERIFIED' where id = ${user_id}`);
  await setPhone(user_id, options.phone ?? OWN);
  const sender = await makeSender(world.kernel, account_id);
  const send = (who: string | { key: string }, ...to: string[]) =>
    world.as(who).post('/v1/messages', { from: sender.code, to, channel: 'SMS', text: 'Hello' });
  return { account_id, user_id, token, ...sender, api: world.as(token), send };
}
/** Marks the number as verified for one login and as unverified for any other. */
const setPhone = async (login_id: string, number: string) => {
  await world.kernel.db.run(sql`update logins set status = 'EMAIL_VERIFIED' where phone_number = ${number}`);
  await world.kernel.db.run(sql`
    update logins set phone_number = ${number}, status = 'PHONE_VERIFIED' where id = ${login_id}`);
};
const count = async (account_id: string) =>
  (
    await world.kernel.db.one<{ n: number }>(sql`
      select (select count(*) from messages where account_id = ${account_id}) + (select count(*) from holds
      where account_id = ${account_id}) as n`)
  ).n;

describe('a restricted trial', () => {
  it('rejects recipients other than the user’s own number with the specified message', async () => {
    const account = await company();
    const refusal = await account.send(account.token, OTHER);
    expect([refusal.status, refusal.body.errors[0]]).toEqual([
      403,
      expect.objectContaining({ code: 1529, message: problemMessage('TRIAL_RECIPIENT_NOT_ALLOWED'), field: 'to' }),
    ]);
    expect(code(await account.send(account.token, OWN, OTHER))).toBe(1529);
    expect(await count(account.account_id)).toBe(0);
    expect((await account.send(account.token, `+${OWN}`)).status).toBeLessThan(300);
    const colleague = await makeUser(world.kernel, account.account_id, { permissions: { MESSAGES: 3, SENDERS: 1 } });
    await setPhone(colleague.user_id, COLLEAGUES);
    expect(code(await account.send(colleague.token, OWN))).toBe(1529);
    expect((await account.send(colleague.token, COLLEAGUES)).status).toBeLessThan(300);
    const newUser = await makeUser(world.kernel, account.account_id, {
      permissions: { MESSAGES: 3 },
      status: 'EMAIL_VERIFIED',
    });
    expect(code(await account.send(newUser.token, OWN))).toBe(1529);
  });

  it('restricts API keys to the owner’s number', async () => {
    const account = await company();
    const key = await makeKey(world.kernel, account.account_id);
    expect(code(await account.send({ key }, OTHER))).toBe(1529);
    expect((await account.send({ key }, OWN)).status).toBeLessThan(300);
  });

  it('applies when both the company and the user are in the US or Canada', async () => {
    for (const free of [{ country: 'GB' }, { phone: '447400000001' }, { tags: [] }]) {
      const account = await company(free);
      expect((await account.send(account.token, OTHER)).status).toBeLessThan(300);
      expect((await account.api.get('/v1/accounts/self')).body.data.is_restricted_onboarding).toBe(false);
    }
    const canada = await company({ country: 'CA' });
    expect((await canada.api.get('/v1/accounts/self')).body.data.is_restricted_onboarding).toBe(true);
    expect(code(await canada.send(canada.token, OTHER))).toBe(1529);
  });

  it('blocks a campaign to other recipients and reports the blocker in its preview', async () => {
    const account = await company();
    const audience = await makeAudience(world.kernel, account.account_id, [
      { number: OWN, country: 'US' },
      { number: OTHER, country: 'US' },
    ]);
    const draft = { channel: 'SMS', from: account.sender_id, audience, text: 'Hello' };
    const preview = await account.api.post('/v1/campaign_previews', draft);
    expect(preview.body.data.blockers).toEqual([
      {
        code: 'trial_recipients',
        message: problemMessage('TRIAL_RECIPIENT_NOT_ALLOWED'),
        fix: { label: 'Select another audience', path: '#setup' },
      },
    ]);
    expect(code(await account.api.post('/v1/campaigns', { ...draft, name: 'All', start: true }))).toBe(1529);
    const me = await makeAudience(world.kernel, account.account_id, [{ number: OWN, country: 'US' }]);
    expect((await account.api.post('/v1/campaign_previews', { ...draft, audience: me })).body.data.blockers).toEqual(
      [],
    );
    const reply = await account.api.post('/v1/campaigns', { ...draft, audience: me, name: 'Me', start: true });
    expect(reply.body.data.status).toBe('in_progress');
  });
});

describe('an ended trial', () => {
  it('prevents sending, and campaigns report the reason', async () => {
    const account = await company({ days: 31, country: 'GB' });
    expect(code(await account.send(account.token, OTHER))).toBe(1142);
    const audience = await makeAudience(world.kernel, account.account_id, [{ number: OTHER, country: 'US' }]);
    expect(code(await account.api.post('/v1/campaign_previews', { audience, text: 'Hi' }))).toBe(1142);
    const { findObstacles } = await import('../campaigns/draft/ready.ts');
    const draft = {
      ...account,
      channel: 'SMS' as const,
      currency: 'USD' as const,
      text: 'Hi',
      content: {},
      countries: null,
      fallbacks: null,
      audience_ids: [],
      excluded_audience_ids: [],
      template_id: null,
      audience_id: audience,
      user_id: null,
      safety: {},
      start_date: null,
    };
    const { found } = await findObstacles(world.kernel.db, draft);
    expect(found).toEqual([{ code: 'TRIAL_ENDED', message: problemMessage('TRIAL_ENDED') }]);
    expect(await count(account.account_id)).toBe(0);
  });
});

describe('a closed account', () => {
  it('cannot send messages, even from a campaign', async () => {
    const account = await company({ country: 'GB' });
    await world.kernel.db.run(sql`update accounts set close_date = now() where id = ${account.account_id}`);
    const { accept } = await import('../messages/messages.ts');
    const sending = world.kernel.db.tx((tx) =>
      accept(tx, world.kernel, {
        account_id: account.account_id,
        channel: 'SMS',
        from: account.sender_id,
        recipients: [{ to: OTHER, text: 'Hi' }],
        source: 'campaign',
        refusal: 'skip',
      }),
    );
    await expect(sending).rejects.toMatchObject({ name: 'ACCOUNT_UNVERIFIED' });
  });
});
