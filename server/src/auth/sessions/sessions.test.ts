import { accountChanged } from '@parley/contract/accounts/accounts.ts';
import { teamChanged } from '@parley/contract/team/team.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { heldClock, newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { emit } from '../../kernel/live/events.ts';
import { mailsTo, mailTo } from '../../test/mailbox.ts';
import { type Company, makeCompany } from '../../test/make.ts';
import { createWorld, PROMPT_MS, type Reply, until, type World } from '../../test/world.ts';
import { wireTime } from '../../verify/verify.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { hashToken } from '../people/tokens.ts';
import { ABSOLUTE_MINUTES, IDLE_MINUTES, openSession } from './sessions.ts';

const clock = heldClock(new Date());
let world: World;
let company: Company;
let email: string;
let hash: string;

const PASSWORD = 'Tangled-teapot-7';
const MINUTE = 60_000;
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1';

beforeAll(async () => {
  world = await createWorld({ clock });
  hash = await hashPassword(PASSWORD);
});
afterAll(() => world.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  email = `owner-${company.user_id}@sessions.localhost`;
  await world.kernel.db.run(sql`
    with l as (update logins set email = ${email}, password_hash = ${hash} where id = ${company.user_id})
    update users set email = ${email} where id = ${company.user_id}`);
});

const codes = (reply: Reply): unknown[] => [reply.status, reply.body?.errors?.[0].code];
const signIn = async (agent = CHROME, password = PASSWORD, who = email) =>
  world.as().raw('/v1/users/self/token', {
    headers: {
      authorization: `Basic ${Buffer.from(`${who}:${password}`).toString('base64')}`,
      'user-agent': agent,
    },
  });
const openToken = async (agent = CHROME): Promise<string> => (await signIn(agent)).body.data.access_token;
const isOpen = async (token: string) => (await world.as(token).get('/v1/users/self')).status === 200;
const acts = async (account_id = company.account_id) =>
  (
    await world.kernel.db.rows<{ action: string }>(
      sql`select action from audit_log where account_id = ${account_id} order by number`,
    )
  ).map(({ action }) => action);

/** Collects events from an open stream until it is closed. */
async function listen(token: string) {
  const stop = new AbortController();
  const events: { event_type: string; data: unknown }[] = [];
  const state = { events, ended: false, close: () => stop.abort() };
  const response = await fetch(`${world.url}/v1/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  void (async () => {
    let rest = '';
    try {
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        rest += chunk;
        const parts = rest.split('\n\n');
        rest = parts.pop()!;
        for (const part of parts) {
          const data = /^data: (.*)$/m.exec(part)?.[1];
          if (data) events.push(JSON.parse(data));
        }
      }
    } catch {
      // The test has closed the stream.
    }
    state.ended = true;
  })();
  await until('the stream is open', () => events.some(({ event_type }) => event_type === 'connection.ok'));
  return state;
}

describe('a session', () => {
  it('expires when idle even while a page is open, and its event stream ends', async () => {
    const token = await openToken();
    const { db } = world.kernel;
    const setIdle = (minutes: number) =>
      db.run(sql`
        update sessions set last_used_date = ${new Date(world.kernel.clock.now().getTime() - minutes * 60_000)}
        where token_hash = ${hashToken(token)}`);
    const used = async () =>
      (
        await db.one<{ at: string }>(
          sql`select last_used_date::text as at from sessions where token_hash = ${hashToken(token)}`,
        )
      ).at;
    await setIdle(5);
    const before = await used();
    const stream = await listen(token);
    expect(await used()).toBe(before);
    expect(await isOpen(token)).toBe(true);
    expect(await used()).not.toBe(before);
    await setIdle(13 * 60);
    await until('the stream has received the event', () => stream.ended);
    expect((await world.as(token).get('/v1/events')).status).toBe(401);
  });

  it('is listed with its device, and other sessions can be ended individually or all at once', async () => {
    const [current, phone, other] = [await openToken(), await openToken(IPHONE), await openToken()];
    const me = world.as(current);
    const list = (await me.get('/v1/users/self/sessions')).body.data;
    expect(list[0]).toMatchObject({
      current: true,
      device: 'Chrome on Windows',
      method: 'password',
      address: '127.0.0.1',
    });
    expect(list.filter((session: { current: boolean }) => session.current).length).toBe(1);
    const onPhone = list.find((session: { device: string }) => session.device === 'Safari on iPhone');
    expect((await me.delete(`/v1/users/self/sessions/${onPhone.id}`)).status).toBe(204);
    expect([await isOpen(current), await isOpen(phone), await isOpen(other)]).toEqual([true, false, true]);
    expect(codes(await me.delete(`/v1/users/self/sessions/${onPhone.id}`))).toEqual([404, 1151]);
    // Ends the initial session and the other one.
    expect((await me.delete('/v1/users/self/sessions')).body.data).toEqual({ ended: 2 });
    expect([await isOpen(current), await isOpen(other), await isOpen(company.token)]).toEqual([true, false, false]);
    expect((await acts()).filter((action) => action !== 'session.signed_in')).toEqual([
      'session.ended',
      'session.others_ended',
    ]);
  });

  it('is not found by another person', async () => {
    const stranger = await makeCompany(world.kernel);
    const { id } = (await world.as(stranger.token).get('/v1/users/self/sessions')).body.data[0];
    const me = world.as(company.token);
    expect(codes(await me.delete(`/v1/users/self/sessions/${id}`))).toEqual([404, 1151]);
    expect(codes(await me.delete(`/v1/users/self/sessions/${newId()}`))).toEqual([404, 1151]);
    expect(codes(await me.delete('/v1/users/self/sessions/1'))).toEqual([404, 1151]);
    expect(await isOpen(stranger.token)).toBe(true);
  });

  it('is notified immediately when it ends, and other sessions are not', async () => {
    const [current, phone] = [await openToken(), await openToken(IPHONE)];
    const [currentStream, phoneStream] = [await listen(current), await listen(phone)];
    const list = (await world.as(current).get('/v1/users/self/sessions')).body.data;
    const { id } = list.find((session: { device: string }) => session.device === 'Safari on iPhone');
    await world.as(current).delete(`/v1/users/self/sessions/${id}`);
    await until(
      'the ended session receives the event',
      () => phoneStream.events.some(({ event_type }) => event_type === 'session.ended'),
      PROMPT_MS,
    );
    expect(phoneStream.events.find(({ event_type }) => event_type === 'session.ended')!.data).toEqual({
      user_id: company.user_id,
      session_id: id,
    });
    await until('its stream is closed', () => phoneStream.ended, PROMPT_MS);
    expect(currentStream.events.some(({ event_type }) => event_type === 'session.ended')).toBe(false);
    expect(currentStream.ended).toBe(false);
    currentStream.close();
  });

  it('receives only events that need no permission while a setup step is pending', async () => {
    const { db } = world.kernel;
    const { account_id } = company;
    const emitEvents = () =>
      db.tx(async (tx) => {
        emit(tx, teamChanged, account_id, { account_id });
        emit(tx, accountChanged, account_id, { id: account_id, status: 'VERIFIED' });
      });
    const types = async (token: string) => {
      const stream = await listen(token);
      await emitEvents();
      await until('the account’s events arrive', () =>
        stream.events.some(({ event_type }) => event_type === 'account.changed'),
      );
      stream.close();
      return stream.events.map(({ event_type }) => event_type).filter((type) => /^(team|account)\./.test(type));
    };
    const token = await openToken();
    expect(await types(token)).toEqual(['team.changed', 'account.changed']);
    await db.run(sql`update accounts set second_factor_required = true where id = ${account_id}`);
    expect(await types(token)).toEqual(['account.changed']);
    await db.run(sql`update accounts set second_factor_required = false where id = ${account_id}`);
    await db.run(sql`update logins set status = 'EMAIL_VERIFIED' where id = ${company.user_id}`);
    expect(await types(token)).toEqual(['account.changed']);
  });

  it('ends when it is idle, and after a month regardless of activity', async () => {
    const token = await openToken();
    for (let hours = 0; hours < 24; hours += 11) {
      clock.advance(11 * 60 * MINUTE);
      expect(await isOpen(token)).toBe(true);
    }
    clock.advance(IDLE_MINUTES.customer * MINUTE + 1_000);
    expect(await isOpen(token)).toBe(false);
    const busy = await openToken();
    for (let minutes = 0; minutes < ABSOLUTE_MINUTES.customer - 700; minutes += 700) {
      clock.advance(700 * MINUTE);
      if (!(await isOpen(busy))) throw new Error(`closed after ${minutes} minutes`);
    }
    clock.advance(700 * MINUTE);
    expect(await isOpen(busy)).toBe(false);
  });

  it('records when the person was last seen', async () => {
    const token = await openToken();
    clock.advance(2 * MINUTE);
    expect(await isOpen(token)).toBe(true);
    const { seen } = await world.kernel.db.one<{ seen: string }>(sql`
      select last_seen_date as seen from users where id = ${company.user_id}`);
    expect(seen).toBe(wireTime(clock.now()));
  });

  it('ends sooner for an operator', async () => {
    const operators = await makeCompany(world.kernel, { operator: true });
    clock.advance(IDLE_MINUTES.operator * MINUTE - 1_000);
    expect(await isOpen(operators.token)).toBe(true);
    clock.advance(IDLE_MINUTES.operator * MINUTE + 1_000);
    expect(await isOpen(operators.token)).toBe(false);
    const { expire_date } = await world.kernel.db.tx((tx) =>
      openSession(tx, operators, { address: '127.0.0.1', agent: '' }),
    );
    expect(Date.parse(`${expire_date.replace(' ', 'T')}Z`) - clock.now().getTime()).toBeLessThanOrEqual(
      ABSOLUTE_MINUTES.operator * MINUTE,
    );
  });

  it('becomes invalid once its company is closed', async () => {
    await world.kernel.db.run(sql`update accounts set close_date = now() where id = ${company.account_id}`);
    expect(codes(await world.as(company.token).get('/v1/users/self'))).toEqual([401, 1101]);
    expect(codes(await signIn())).toEqual([403, 1145]);
    expect(codes(await signIn(CHROME, 'Wrong-teapot-7'))).toEqual([401, 1120]);
  });

  it('triggers an email when its device is new, unless it is the person’s first session', async () => {
    const otherCompany = await makeCompany(world.kernel);
    const address = `fresh-${otherCompany.user_id}@sessions.localhost`;
    const { db } = world.kernel;
    await db.run(sql`update logins set email = ${address}, password_hash = ${hash} where id = ${otherCompany.user_id}`);
    await db.run(sql`delete from sessions where login_id = ${otherCompany.user_id}`);
    await signIn(CHROME, PASSWORD, address);
    await signIn(CHROME, PASSWORD, address);
    expect(await mailsTo(world.kernel, address)).toEqual([]);
    await signIn(IPHONE, PASSWORD, address);
    const mail = await mailTo(world.kernel, address);
    expect(mail.subject).toBe('New sign-in: Safari on iPhone');
    expect(mail.text).toContain('127.0.0.1');
    await signIn(IPHONE, PASSWORD, address);
    expect((await mailsTo(world.kernel, address)).length).toBe(1);
  });

  it('logs its sign-out and notifies its other tabs', async () => {
    const token = await openToken();
    const tab = await listen(token);
    expect((await world.as(token).delete('/v1/users/self/token')).status).toBe(204);
    expect(await isOpen(token)).toBe(false);
    await until('the other tab receives the event', () =>
      tab.events.some(({ event_type }) => event_type === 'session.ended'),
    );
    expect((await acts()).at(-1)).toBe('session.signed_out');
    tab.close();
  });
});

describe('changing a password', () => {
  const change = (token: string, current_password: string | undefined, password: string) =>
    world.as(token).put('/v1/users/self/password', { current_password, password });

  it('ends other sessions, issues a new token for the current one, and triggers an email', async () => {
    const [first, second] = [await openToken(), await openToken()];
    const currentId = async (token: string) =>
      (await world.as(token).get('/v1/users/self/sessions')).body.data.find(
        ({ current }: { current: boolean }) => current,
      ).id;
    const id = await currentId(first);
    const tab = await listen(first);
    const { status, body } = await change(first, PASSWORD, 'Copper-kettle-9');
    expect([status, Object.keys(body.data)]).toEqual([200, ['access_token', 'expire_date']]);
    // The session continues with a new token. A copy of the old token is invalid.
    const { access_token } = body.data;
    expect([await isOpen(access_token), await isOpen(first), await isOpen(second)]).toEqual([true, false, false]);
    expect(await currentId(access_token)).toBe(id);
    await until('a stream with the old token ends', () => tab.ended);
    expect(
      tab.events.filter(({ event_type }) => event_type === 'session.ended').map(({ data }) => data),
    ).not.toContainEqual(expect.objectContaining({ session_id: id }));
    tab.close();
    expect(codes(await signIn())).toEqual([401, 1120]);
    expect((await signIn(CHROME, 'Copper-kettle-9')).status).toBe(200);
    const subjects = (await mailsTo(world.kernel, email)).map(({ subject }) => subject);
    expect(subjects).toContain('Your password was changed');
    expect(await acts()).toContain('password.changed');
    const { password_change_date } = await world.kernel.db.one<{ password_change_date: string }>(
      sql`select password_change_date from logins where id = ${company.user_id}`,
    );
    expect(password_change_date).toBeTruthy();
  });

  it.each([
    ['the current password is wrong', 'Wrong-teapot-7', 'Copper-kettle-9', [400, 1126]],
    ['the current password is missing', undefined, 'Copper-kettle-9', [400, 1126]],
    ['the password stays the same', PASSWORD, PASSWORD, [400, 1116]],
    ['the password is too short', PASSWORD, 'Ab1', [400, 1114]],
    ['the password is common', PASSWORD, 'Welcome2026!', [400, 1115]],
  ])('is rejected when %s', async (_, current, password, expected) => {
    const [first, second] = [await openToken(), await openToken()];
    expect(codes(await change(first, current, password))).toEqual(expected);
    expect([await isOpen(first), await isOpen(second)]).toEqual([true, true]);
    expect((await signIn()).status).toBe(200);
  });

  it('does not require the current password when none is set', async () => {
    await world.kernel.db.run(sql`update logins set password_hash = null where id = ${company.user_id}`);
    expect((await change(company.token, undefined, 'Copper-kettle-9')).status).toBe(200);
    expect((await signIn(CHROME, 'Copper-kettle-9')).status).toBe(200);
  });

  it('is rate-limited after five wrong current passwords', async () => {
    const results: unknown[] = [];
    for (let index = 0; index < 6; index++)
      results.push(codes(await change(company.token, `Wrong-${index}-Aa`, 'Copper-kettle-9')));
    expect(results).toEqual([...Array(5).fill([400, 1126]), [429, 1121]]);
  });
});
