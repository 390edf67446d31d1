import { FULL } from '@parley/contract/permission.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heldClock } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { type Company, makeCompany, makeKey, makeUser } from '../test/make.ts';
import { type Caller, createWorld, type World } from '../test/world.ts';

const clock = heldClock(new Date());
let world: World;
let company: Company;
let owner: Caller;
beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
});
afterAll(() => world.stop());

const create = async (fields: object = {}) =>
  (await owner.post('/v1/keys', { name: 'Shop', permissions: { MESSAGES: 3 }, ...fields })).body.data;
const callWith = (key: string) => world.as({ key }).get('/v1/messages');

describe('an API key', () => {
  it('is returned once, has a prefix and a checksum, and opens exactly the calls of its scopes', async () => {
    const { key, id } = await create();
    expect(key).toMatch(/^parley_[0-9A-Za-z]{36}$/);
    expect((await callWith(key)).status).toBe(200);
    expect((await world.as({ key }).get('/v1/audiences')).body.errors[0].code).toBe(1136);
    const read = await owner.get(`/v1/keys/${id}`);
    expect(read.body.data).toMatchObject({
      key: `${key.slice(0, 12)}…${key.slice(-4)}`,
      permissions: { MESSAGES: 3 },
      state: 'active',
      created_by: 'Test Person',
      last_used_address: '127.0.0.1',
    });
    expect(JSON.stringify((await owner.get('/v1/keys')).body)).not.toContain(key);
    const mistyped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    expect((await callWith(mistyped)).body.errors[0].code).toBe(1101);
  });

  it('of 32 hexadecimal digits keeps working, and appears in the list without a prefix', async () => {
    const key = await makeKey(world.kernel, company.account_id, { MESSAGES: 1 });
    expect((await callWith(key)).status).toBe(200);
    const rows = (await owner.get('/v1/keys?page_size=100')).body.data;
    expect(rows.some((row: { key: string }) => row.key === `…${key.slice(-4)}`)).toBe(true);
  });

  it('stops working when it expires', async () => {
    const in_an_hour = new Date(clock.now().getTime() + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    const { key, id } = await create({ expire_date: in_an_hour });
    expect((await callWith(key)).status).toBe(200);
    await world.kernel.db.run(sql`
      update api_keys set expire_date = now() - interval '1 hour' where id = ${id}`);
    expect((await callWith(key)).body.errors[0]).toMatchObject({ code: 2121, status: 401 });
    expect((await owner.get(`/v1/keys/${id}`)).body.data.state).toBe('expired');
    const past = await owner.post('/v1/keys', {
      name: 'Late',
      permissions: { MESSAGES: 1 },
      expire_date: '2020-01-01 00:00:00',
    });
    expect(past.body.errors[0].code).toBe(2127);
  });

  it('works only from its addresses', async () => {
    const away = await create({ addresses: ['192.0.2.0/24', '2001:DB8::1'] });
    expect(away.addresses).toEqual(['192.0.2.0/24', '2001:db8::1']);
    expect((await callWith(away.key)).body.errors[0]).toMatchObject({ code: 2120, status: 403 });
    await owner.put(`/v1/keys/${away.id}`, { addresses: ['127.0.0.0/8'] });
    expect((await callWith(away.key)).status).toBe(200);
    for (const address of ['example.com', '1.2.3', '192.0.2.1/33', '192.0.2.1/a', '::1/129'])
      expect((await owner.put(`/v1/keys/${away.id}`, { addresses: [address] })).body.errors[0].code).toBe(2125);
  });

  it('works along with its replacement until the grace period ends', async () => {
    const old = await create();
    const rotated = (await owner.post(`/v1/keys/${old.id}/rotations`, { grace_seconds: 3_600 })).body.data;
    expect(rotated.key).not.toBe(old.key);
    expect((await callWith(old.key)).status).toBe(200);
    expect((await callWith(rotated.key)).status).toBe(200);
    clock.advance(3_601_000);
    expect((await callWith(old.key)).body.errors[0].code).toBe(1101);
    expect((await callWith(rotated.key)).status).toBe(200);
    const immediate = (await owner.post(`/v1/keys/${old.id}/rotations`, { grace_seconds: 0 })).body.data;
    expect((await callWith(rotated.key)).body.errors[0].code).toBe(1101);
    expect((await callWith(immediate.key)).status).toBe(200);
  });

  it('stops working when it is deleted, and each change is in the audit log', async () => {
    const { key, id } = await create({ name: 'Short-lived' });
    await owner.put(`/v1/keys/${id}`, { name: 'Renamed' });
    expect((await owner.delete(`/v1/keys/${id}`)).status).toBe(204);
    expect((await callWith(key)).body.errors[0].code).toBe(1101);
    expect((await owner.get(`/v1/keys/${id}`)).body.errors[0].code).toBe(1221);
    expect((await owner.delete(`/v1/keys/${id}`)).body.errors[0].code).toBe(1221);
    const entries = await world.kernel.db.rows<{ action: string }>(
      sql`select action from audit_log where account_id = ${company.account_id} and target_id = ${id} order by number`,
    );
    expect(entries.map(({ action }) => action)).toEqual(['key.created', 'key.updated', 'key.deleted']);
  });
});

describe('managing keys', () => {
  it('is refused for API keys, other companies, and unverified accounts', async () => {
    const { key, id } = await create({ permissions: { KEYS: FULL } });
    expect((await world.as({ key }).get('/v1/keys')).status).toBe(403);
    const stranger = world.as((await makeCompany(world.kernel)).token);
    for (const reply of [
      await stranger.get(`/v1/keys/${id}`),
      await stranger.put(`/v1/keys/${id}`, { name: 'Mine' }),
      await stranger.post(`/v1/keys/${id}/rotations`, {}),
      await stranger.delete(`/v1/keys/${id}`),
    ])
      expect(reply.body.errors[0].code).toBe(1221);
    expect((await owner.get('/v1/keys/1')).body.errors[0].code).toBe(1222);
    const unverified = await makeCompany(world.kernel, { status: 'UNVERIFIED' });
    const refusal = await world.as(unverified.token).post('/v1/keys', { name: 'A', permissions: { MESSAGES: 1 } });
    expect(refusal.body.errors[0].code).toBe(1524);
  });

  it('never grants more than the person has, not even by rotation', async () => {
    const person = await makeUser(world.kernel, company.account_id, { permissions: { KEYS: FULL, MESSAGES: 1 } });
    const colleague = world.as(person.token);
    const wide = await create({ permissions: { MESSAGES: 3 } });
    const code = (reply: { body: { errors: { code: number }[] } }) => reply.body.errors[0]!.code;
    expect(code(await colleague.post('/v1/keys', { name: 'A', permissions: { MESSAGES: 3 } }))).toBe(1158);
    expect(code(await colleague.post(`/v1/keys/${wide.id}/rotations`, {}))).toBe(1158);
    expect(code(await colleague.put(`/v1/keys/${wide.id}`, { permissions: { MESSAGES: 7 } }))).toBe(1158);
    expect((await colleague.put(`/v1/keys/${wide.id}`, { name: 'Renamed' })).status).toBe(200);
  });

  it.each([
    [{ name: '  ' }, 2122],
    [{ name: 'a'.repeat(61) }, 2123],
    [{ permissions: {} }, 2128],
    [{ permissions: { MESSAGES: 16 } }, 1117],
    [{ permissions: { ROCKETS: 1 } }, 1117],
    [{ name: 'a\0b' }, 1705],
    [{ addresses: Array(51).fill('192.0.2.1') }, 2126],
  ])('refuses fields that break a rule (%#)', async (fields, code) => {
    const reply = await owner.post('/v1/keys', { name: 'A', permissions: { MESSAGES: 1 }, ...fields });
    expect(reply.body.errors[0].code, reply.text).toBe(code);
  });

  it('stops at 100 keys, even for simultaneous calls', async () => {
    const full = await makeCompany(world.kernel);
    const other = world.as(full.token);
    await world.kernel.db.run(sql`
      insert into api_keys (account_id, id, name, key_hash, hint, permissions)
      select ${full.account_id}, gen_random_uuid(), 'Old', sha256(convert_to('old' || n, 'UTF8')), 'xxxx', '{}'
      from generate_series(1, 98) n`);
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => other.post('/v1/keys', { name: 'A', permissions: { MESSAGES: 1 } })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
  });
});
