import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { idAt, newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { mailsAbout } from '../../test/mailbox.ts';
import { type Company, makeCompany, makeSender, makeUser } from '../../test/make.ts';
import { type Caller, createWorld, type Reply, type World } from '../../test/world.ts';

let world: World;
let operators: Company;
let api: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  operators = await makeCompany(world.kernel, { operator: true });
  api = world.as(operators.token);
});
afterAll(() => world?.stop());

const codes = ({ body }: Reply): number[] => body.errors.map(({ code }: { code: number }) => code);
const rename = (account_id: string, name: string) =>
  world.kernel.db.run(sql`update accounts set company_name = ${name} where id = ${account_id}`);
const events = async (account_id: string, type: string) =>
  (
    await world.kernel.db.rows<{ payload: unknown }>(
      sql`select payload from events where account_id = ${account_id} and type = ${type} order by id`,
    )
  ).map(({ payload }) => payload);
const log = (account_id: string) =>
  world.kernel.db.rows<{ action: string; user_id: string; detail: Record<string, unknown> }>(
    sql`select action, user_id, detail from audit_log where account_id = ${account_id} order by number`,
  );
const mails = (account_id: string) => mailsAbout(world.kernel, account_id);

describe('account search', () => {
  let bakery: Company;
  beforeAll(async () => {
    bakery = await makeCompany(world.kernel);
    await rename(bakery.account_id, 'Müller & Söhne Bakery (North)');
    await makeSender(world.kernel, bakery.account_id, { code: '4915112345678', name: 'Bread line' });
    await world.kernel.db.run(sql`
      update users set email = 'Anna@Mueller-bakery.example' where account_id = ${bakery.account_id}`);
    const other = await makeCompany(world.kernel, { status: 'UNVERIFIED' });
    await rename(other.account_id, 'Northern Lights');
    await world.kernel.db.run(sql`update accounts set tags = '{PAID0,KEEN}' where id = ${other.account_id}`);
  });
  const search = async (query: string) =>
    (await api.get(`/v1/accounts?${query}`)).body.data.map((row: { company_name: string }) => row.company_name);

  test.each([
    ['words of its name in any order', 'bakery müll'],
    ['the beginning of an email address', 'anna@muel'],
    ['an email domain', '@mueller-bakery'],
    ['a sender’s number with a plus sign', '+49151123'],
    ['a sender’s name', 'bread'],
  ])('finds an account by %s', async (_, text) => {
    expect(await search(`filter[search]=${encodeURIComponent(text)}`)).toEqual(['Müller & Söhne Bakery (North)']);
  });
  test('finds an account by id and does not match unrelated text', async () => {
    expect(await search(`filter[search]=${bakery.account_id.toUpperCase()}`)).toEqual([
      'Müller & Söhne Bakery (North)',
    ]);
    for (const text of ['unknowncompany', "'; drop", '%', '&', '***', "a':*"])
      expect(await search(`filter[search]=${encodeURIComponent(text)}`)).not.toContain('Müller & Söhne Bakery (North)');
  });
  test('filters by status and tag and lists accounts newest first', async () => {
    expect(await search('filter[search]=north&filter[statuses]=UNVERIFIED')).toEqual(['Northern Lights']);
    expect(await search('filter[tags]=KEEN')).toEqual(['Northern Lights']);
    const first = await api.get('/v1/accounts?filter[search]=north&page_size=10');
    expect(first.body.data.map((row: { company_name: string }) => row.company_name)).toEqual([
      'Northern Lights',
      'Müller & Söhne Bakery (North)',
    ]);
    expect(first.body.pagination.total).toBe(2);
    expect(first.body.data[0]).toMatchObject({ status: 'UNVERIFIED', users_count: 1, senders_count: 0, closed: false });
    expect(first.body.data[0]).not.toHaveProperty('messages_30_days');
  });
});

describe('an account', () => {
  test('is returned with its owner, balance, and message count', async () => {
    const { account_id } = await makeCompany(world.kernel, {
      balance_micros: 7_000_000,
      credit_limit_micros: 2_000_000,
    });
    await world.kernel.db.run(sql`
      insert into holds (account_id, id, amount_micros, open_micros, message_count)
      values (${account_id}, ${newId()}, 0, 0, 12), (${account_id}, ${idAt(Date.now() - 40 * 86_400_000)}, 0, 0, 500)`);
    await world.kernel.db.run(sql`
      update logins set phone_number = '447400123456' where id = (select login_id from users
        where account_id = ${account_id})`);
    const { body } = await api.get(`/v1/accounts/${account_id}`);
    expect(body.data).toMatchObject({
      id: account_id,
      owner_name: 'Test Person',
      available_micros: 7_000_000,
      held_micros: 0,
      credit_limit_micros: 2_000_000,
      messages_30_days: 12,
      operator: false,
      block_reason: '',
    });
    expect(body.data).not.toHaveProperty('owner_phone');
    expect(codes(await api.get(`/v1/accounts/${newId()}`))).toEqual([1102]);
  });

  test('applies a change, logs it, and emits events only once when the change is repeated', async () => {
    const { account_id } = await makeCompany(world.kernel);
    const change = {
      tags: ['VIP', 'VIP'],
      channels: ['SMS', 'VIBER'],
      credit_limit_micros: 5_000_000,
      reason: 'Agreed by phone',
    };
    const { status, body } = await api.put(`/v1/accounts/${account_id}`, change);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ tags: ['VIP'], channels: ['SMS', 'VIBER'], credit_limit_micros: 5_000_000 });
    await api.put(`/v1/accounts/${account_id}`, change);
    const entries = await log(account_id);
    expect(entries).toMatchObject([
      {
        action: 'account.updated',
        user_id: operators.user_id,
        detail: {
          reason: 'Agreed by phone',
          changes: { tags: { from: [], to: ['VIP'] }, credit_limit_micros: { from: 0, to: 5_000_000 } },
        },
      },
    ]);
    expect(await events(account_id, 'account.changed')).toEqual([{ id: account_id, status: 'VERIFIED' }]);
    expect(await events(account_id, 'session.changed')).toEqual([{ user_id: null }]);
    expect(await events(account_id, 'balance.changed')).toHaveLength(2);
    expect(await events(operators.account_id, 'customer.changed')).toContainEqual({ id: account_id });
  });

  test('rejects the whole change when an operator without PAYMENTS:edit sets a credit limit', async () => {
    const { account_id } = await makeCompany(world.kernel, { credit_limit_micros: 3_000_000 });
    const clerk = await makeUser(world.kernel, operators.account_id, { permissions: { ACCOUNTS: 15, PAYMENTS: 1 } });
    const updateAccount = (body: object) => world.as(clerk.token).put(`/v1/accounts/${account_id}`, body);
    const refusal = await updateAccount({ tags: ['VIP'], credit_limit_micros: 4_000_000 });
    expect(refusal.body.errors).toMatchObject([
      { status: 403, code: 1136, message: 'You need Edit Payment permission.', field: 'credit_limit_micros' },
    ]);
    const account = async () => (await api.get(`/v1/accounts/${account_id}`)).body.data;
    expect(await account()).toMatchObject({ tags: [], credit_limit_micros: 3_000_000 });
    expect(await log(account_id)).toEqual([]);
    expect((await updateAccount({ tags: ['VIP'] })).status).toBe(200);
    await world.kernel.db.run(sql`
      update users set permissions = '{"ACCOUNTS": 15, "PAYMENTS": 5}' where id = ${clerk.user_id}`);
    expect((await updateAccount({ credit_limit_micros: 4_000_000 })).status).toBe(200);
    expect(await account()).toMatchObject({ tags: ['VIP'], credit_limit_micros: 4_000_000 });
  });

  test('rejects a taken name, an unknown country, a limit below its debt, and any change once closed', async () => {
    const { account_id } = await makeCompany(world.kernel, { credit_limit_micros: 3_000_000 });
    const other = await makeCompany(world.kernel);
    await rename(other.account_id, 'Taken Ltd');
    const updateAccount = (body: object) => api.put(`/v1/accounts/${account_id}`, body);
    expect(codes(await updateAccount({ company_name: 'TAKEN ltd' }))).toEqual([1129]);
    expect(codes(await updateAccount({ country_code: 'XX' }))).toEqual([1166]);
    await world.kernel.db.run(sql`update balances set available_micros = -2000000 where account_id = ${account_id}`);
    expect(codes(await updateAccount({ credit_limit_micros: 1_000_000 }))).toEqual([7921]);
    expect((await updateAccount({ credit_limit_micros: 2_000_000 })).status).toBe(200);
    await world.kernel.db.run(sql`update accounts set close_date = now() where id = ${account_id}`);
    expect(codes(await updateAccount({ tags: [] }))).toEqual([1145]);
    expect(codes(await api.put(`/v1/accounts/${newId()}`, { tags: [] }))).toEqual([1102]);
  });
});

describe('blocking', () => {
  test('signs an account’s users out at the next request until the account is unblocked', async () => {
    const { account_id, token } = await makeCompany(world.kernel);
    const setBlocked = (blocked: boolean) =>
      api.put(`/v1/accounts/${account_id}/block`, { blocked, reason: 'Complaints about spam' });
    expect((await setBlocked(true)).body.data).toMatchObject({
      status: 'BLOCKED',
      block_reason: 'Complaints about spam',
    });
    const reply = await world.as(token).get('/v1/users/self');
    expect([reply.status, ...codes(reply)]).toEqual([403, 1135]);
    expect((await setBlocked(false)).body.data).toMatchObject({ status: 'VERIFIED', block_reason: '' });
    expect((await world.as(token).get('/v1/users/self')).status).toBe(200);
    expect((await log(account_id)).map(({ action }) => action)).toEqual(['account.blocked', 'account.unblocked']);
    const { body } = await api.get(`/v1/accounts/${account_id}/audit_log`);
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual(['account.unblocked', 'account.blocked']);
    expect(body.data[0]).toMatchObject({ actor_name: 'Test Person', user_id: operators.user_id });
  });
  test('is rejected for the operators’ own account', async () => {
    const reply = await api.put(`/v1/accounts/${operators.account_id}/block`, { blocked: true, reason: 'By mistake' });
    expect([reply.status, ...codes(reply)]).toEqual([409, 1159]);
  });
  test('applies to a user or an owner, but operators cannot block themselves', async () => {
    const { account_id, user_id, token } = await makeCompany(world.kernel);
    const colleague = await makeUser(world.kernel, account_id, { permissions: { MESSAGES: 15 } });
    const setBlocked = (id: string, user: string, blocked = true) =>
      api.put(`/v1/accounts/${id}/users/${user}/block`, { blocked, reason: 'Shared a password' });
    expect((await setBlocked(account_id, user_id)).body.data).toMatchObject({
      blocked: true,
      status: 'BLOCKED',
      is_owner: true,
    });
    expect(codes(await world.as(token).get('/v1/users/self'))).toEqual([1135]);
    expect((await world.as(colleague.token).get('/v1/users/self')).status).toBe(200);
    const listed = (await api.get(`/v1/accounts/${account_id}/users`)).body;
    expect(listed.pagination.total).toBe(2);
    expect(listed.data[0]).toMatchObject({ id: user_id, block_reason: 'Shared a password' });
    expect((await setBlocked(account_id, user_id, false)).body.data.blocked).toBe(false);
    expect(codes(await setBlocked(operators.account_id, operators.user_id))).toEqual([1160]);
    expect(codes(await setBlocked(account_id, newId()))).toEqual([1130]);
    expect(codes(await api.get(`/v1/accounts/${newId()}/users`))).toEqual([1102]);
  });
});

test('a closed account can be reopened', async () => {
  const { account_id } = await makeCompany(world.kernel);
  await world.kernel.db.run(sql`update accounts set close_date = now() where id = ${account_id}`);
  expect((await api.get(`/v1/accounts/${account_id}`)).body.data.closed).toBe(true);
  expect((await api.put(`/v1/accounts/${account_id}/reopen`, {})).body.data.closed).toBe(false);
  expect((await log(account_id)).at(-1)).toMatchObject({ action: 'account.reopened' });
});

describe('the operators’ own account', () => {
  test('cannot be changed by an operator who is not its owner', async () => {
    const ownAccountId = operators.account_id;
    const limitedOperator = await makeUser(world.kernel, ownAccountId, {
      permissions: { ACCOUNTS: 15, USERS: 15, PAYMENTS: 15 },
    });
    const caller = world.as(limitedOperator.token);
    const block = await caller.put(`/v1/accounts/${ownAccountId}/users/${operators.user_id}/block`, {
      blocked: true,
      reason: 'Mine now',
    });
    expect(block.body.errors).toMatchObject([{ status: 409, code: 1159, message: 'Manage operators under Users' }]);
    expect((await api.get('/v1/users/self')).body.data.status).toBe('PHONE_VERIFIED');
    for (const change of [{ company_name: 'Hacked' }, { country_code: 'FR' }, { tags: ['PAID0'] }, { channels: [] }])
      expect(codes(await caller.put(`/v1/accounts/${ownAccountId}`, change)), JSON.stringify(change)).toEqual([1159]);
    expect(await log(ownAccountId)).toEqual([]);
    // The credit limit can be changed, because the operators' account pays for verification codes sent to phones.
    const before = (await api.get(`/v1/accounts/${ownAccountId}`)).body.data;
    const { credit_limit_micros } = (
      await caller.put(`/v1/accounts/${ownAccountId}`, {
        company_name: before.company_name,
        credit_limit_micros: 9_000_000,
      })
    ).body.data;
    expect(credit_limit_micros).toBe(9_000_000);
    // The account's owner can add a trial tag, but the tag must not lock operators out of their work.
    expect((await api.put(`/v1/accounts/${ownAccountId}`, { tags: ['PAID0'] })).body.data.trial).toBe(false);
    await world.kernel.db.run(
      sql`update accounts set create_date = now() - interval '40 days' where id = ${ownAccountId}`,
    );
    const { account_id } = await makeCompany(world.kernel);
    expect((await caller.put(`/v1/accounts/${account_id}`, { tags: ['KNOWN'] })).status).toBe(200);
    expect((await api.put(`/v1/accounts/${ownAccountId}`, { tags: [] })).status).toBe(200);
  });
});

describe('a sender for a customer', () => {
  const order = {
    name: 'Support',
    code: '+44 7400 000555',
    type: 'mobile',
    countries: ['gb', 'GB'],
    brand: 'Brand',
    two_way: true,
  };

  test('can be used immediately, receives replies, and is announced to the customer', async () => {
    const { account_id, token } = await makeCompany(world.kernel);
    const { status, body } = await api.post(`/v1/accounts/${account_id}/senders`, order);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      account_id,
      code: '447400000555',
      status: 'available',
      countries: ['GB'],
      two_way: true,
    });
    const customerView = await world.as(token).get(`/v1/senders/${body.data.id}`);
    expect(customerView.body.data).toMatchObject(body.data);
    expect((await api.get(`/v1/accounts/${account_id}/senders`)).body.data).toEqual([body.data]);
    expect(await events(account_id, 'sender.created')).toEqual([body.data]);
    expect(await log(account_id)).toMatchObject([{ action: 'sender.created', user_id: operators.user_id }]);
    const [mail] = await mails(account_id);
    expect(mail).toMatchObject({ subject: 'Your sender 447400000555 is ready' });
    expect(mail!.text).toContain('Recipients can reply to it');
  });

  test('is approved immediately when it is a name, and cannot receive replies', async () => {
    const { account_id } = await makeCompany(world.kernel);
    const name = { name: 'Shop', code: 'Shop & Co', type: 'alphanumeric' };
    const { body } = await api.post(`/v1/accounts/${account_id}/senders`, name);
    expect(body.data).toMatchObject({ status: 'approved', two_way: false, countries: [] });
    const refusal = await api.post(`/v1/accounts/${account_id}/senders`, {
      ...name,
      name: 'B',
      code: 'Other',
      two_way: true,
    });
    expect([refusal.status, refusal.body.errors[0].field]).toEqual([400, 'two_way']);
  });

  test.each([
    ['a name without a letter', { type: 'alphanumeric', code: '12345', two_way: false }, 1405],
    ['a name that is too long', { type: 'alphanumeric', code: 'TwelveLetter', two_way: false }, 1405],
    ['a name with unsupported characters', { type: 'alphanumeric', code: 'Café', two_way: false }, 1405],
    ['a number with letters', { code: '4474CALLME' }, 1407],
    ['a number without a country code', { code: '07400000555' }, 1407],
    ['a short code that is too long', { type: 'short_code', code: '123456789' }, 1407],
  ])('is rejected with %s', async (_, change, code) => {
    const { account_id } = await makeCompany(world.kernel);
    expect(codes(await api.post(`/v1/accounts/${account_id}/senders`, { ...order, ...change }))).toEqual([code]);
    expect(await log(account_id)).toEqual([]);
  });

  test('is rejected when its code or name is in use or another account receives its replies', async () => {
    const [first, second] = [await makeCompany(world.kernel), await makeCompany(world.kernel)];
    const post = (account_id: string, change: object) =>
      api.post(`/v1/accounts/${account_id}/senders`, { ...order, code: '447400000777', ...change });
    expect((await post(first.account_id, {})).status).toBe(201);
    expect(codes(await post(first.account_id, { name: 'Again' }))).toEqual([1440]);
    expect(codes(await post(first.account_id, { code: '447400000778' }))).toEqual([1441]);
    expect(codes(await post(second.account_id, {}))).toEqual([1440]);
    expect((await post(second.account_id, { two_way: false })).status).toBe(201);
    expect(codes(await post(newId(), {}))).toEqual([1102]);
  });

  test('is created by only one of 32 concurrent requests', async () => {
    const { account_id } = await makeCompany(world.kernel);
    const replies = await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        api.post(`/v1/accounts/${account_id}/senders`, { ...order, code: '447400000888', name: `Sender ${index}` }),
      ),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(replies.filter(({ status }) => status !== 201).flatMap(codes))).toEqual(new Set([1440]));
  });
});
