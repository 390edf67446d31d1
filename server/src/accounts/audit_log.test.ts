import { AUDIT_PHRASES } from '@parley/contract/accounts/audit_log.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { record } from '../kernel/security/audit.ts';
import { SOURCES } from '../test/conventions/source.ts';
import { type Company, makeCompany, makeUser } from '../test/make.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';

let world: World;
let company: Company;
let owner: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  const act = (action: string, name: string, detail = {}) =>
    world.kernel.db.tx(async (tx) =>
      record(
        tx,
        { actor: company, address: '203.0.113.9', headers: { 'user-agent': 'Browser' }, request_id: 'r-1' },
        { action, target: { type: 'user', id: name, name }, detail },
      ),
    );
  for (let index = 0; index < 12; index++) await act('user.updated', `Person ${index}`);
  await act('user.blocked', '=HYPERLINK("http://x")', { reason: 'Left' });
});
afterAll(() => world.stop());

const code = (reply: Reply) => reply.body.errors[0]!.code;
const names = (reply: Reply) => reply.body.data.map((row: { target_name: string }) => row.target_name);
const broken = async () => (await world.examine()).filter(({ id, ok }) => id === 'A1' && !ok).length;

describe('the audit log', () => {
  it('is listed newest first in pages without gaps', async () => {
    const first = await owner.get('/v1/audit_log');
    expect(first.body.pagination.total).toBe(13);
    expect(names(first).slice(0, 2)).toEqual(['=HYPERLINK("http://x")', 'Person 11']);
    expect(first.body.data[0]).toMatchObject({
      action: 'user.blocked',
      actor_name: 'Test Person',
      user_id: company.user_id,
      real_user_id: null,
      address: '203.0.113.9',
      agent: 'Browser',
      request_id: 'r-1',
      detail: { reason: 'Left' },
    });
    // A row written between two pages does not shift the next one.
    await world.kernel.db.tx(async (tx) => record(tx, { actor: company }, { action: 'user.updated' }));
    const second = await world.as(company.token).raw(first.body.pagination.links.next, {});
    expect(names(second)).toEqual(['Person 2', 'Person 1', 'Person 0']);
  });

  it('can be filtered by action, user, text, and time', async () => {
    const countEntries = async (filter: string) => (await owner.get(`/v1/audit_log?${filter}`)).body.pagination.total;
    expect(await countEntries('filter[actions]=user.blocked')).toBe(1);
    expect(await countEntries('filter[actions]=user.blocked,user.updated')).toBe(14);
    expect(await countEntries('filter[search]=blocked%20a%20user')).toBe(1);
    expect(await countEntries('filter[search]=Person%2011')).toBe(1);
    expect(await countEntries('filter[search]=%25%25')).toBe(0);
    expect(await countEntries(`filter[user_id]=${company.user_id}`)).toBe(14);
    expect(await countEntries('filter[to_date]=2020-01-01%2000:00:00')).toBe(0);
    expect(await countEntries('filter[from_date]=2020-01-01%2000:00:00')).toBe(14);
    const stranger = await makeCompany(world.kernel);
    expect((await world.as(stranger.token).get('/v1/audit_log')).body.data).toEqual([]);
    const agent = await makeUser(world.kernel, company.account_id, { permissions: { ACCOUNTS: 1 } });
    expect(code(await world.as(agent.token).get('/v1/audit_log'))).toBe(1136);
  });

  it('lets the doctor detect changed and removed rows', async () => {
    const { db } = world.kernel;
    expect(await broken()).toBe(0);
    // Changes the log as a database superuser could, by disabling the trigger.
    const forge = async (statement: ReturnType<typeof sql>) => {
      await db.run(sql`alter table audit_log disable trigger audit_log_append_only`);
      await db.run(statement);
      await db.run(sql`alter table audit_log enable trigger audit_log_append_only`);
    };
    await expect(db.run(sql`delete from audit_log`)).rejects.toThrow();
    await forge(sql`update audit_log set detail = '{"reason": "Stayed"}' where action = 'user.blocked'`);
    expect(await broken()).toBe(1);
    await forge(sql`update audit_log set detail = '{"reason": "Left"}' where action = 'user.blocked'`);
    expect(await broken()).toBe(0);
    await forge(sql`delete from audit_log where account_id = ${company.account_id} and number = 4`);
    expect(await broken()).toBe(1);
  });

  it('has a phrase for every action that the server records', () => {
    const sources = SOURCES.filter(({ path, test }) => /^server\/src\/(?!kernel|start)\w+\//.test(path) && !test);
    // In files that write to the log, collects every string that looks like an action, except the names of jobs and
    // fields. In other files, collects the values named `action`.
    const writes = /kernel\/audit\.ts|\brecord\(|\blogEverywhere\(/;
    const actions = new Set(
      sources.flatMap(({ text }) =>
        [
          ...(writes.test(text) ? text.matchAll(/(?<!field: |job(?:<[^(]*>)?\()'([a-z_]+\.[a-z_]+)'/g) : []),
          ...text.matchAll(/\baction: (?:[\w.]+ \? )?'([a-z_]+\.[a-z_]+)'/g),
          ...text.matchAll(/\baction: [\w.]+ \? '[a-z_.]+' : '([a-z_]+\.[a-z_]+)'/g),
        ].map((match) => match[1]!),
      ),
    );
    expect(actions.size).toBeGreaterThan(40);
    expect([...actions].filter((action) => !(action in AUDIT_PHRASES)).sort()).toEqual([]);
  });
});
