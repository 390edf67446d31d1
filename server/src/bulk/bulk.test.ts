import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { idAt, newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { ROUTES } from '../modules.ts';
import { makeAudience, makeCompany, makeUser, testNumber } from '../test/make.ts';
import { startWorkerProcess } from '../test/worker.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';
import { runBulkJob } from './run.ts';

/** Runs jobs at once. */
let world: World;
/** Has no worker, so that jobs run only when a test runs them. */
let quiet: World;
beforeAll(async () => {
  world = await createWorld();
  quiet = await createWorld({ role: 'api' });
});
afterAll(async () => {
  await quiet.stop();
  await world.stop();
});

const code = (reply: Reply) => reply.body?.errors?.[0]?.code;

async function makeContacts(place: World, count: number) {
  const company = await makeCompany(place.kernel);
  const contacts = Array.from({ length: count }, (_, index) => ({
    number: testNumber(index),
    first_name: index % 2 ? 'Odd' : 'Even',
  }));
  const audience = await makeAudience(place.kernel, company.account_id, contacts);
  const owner = place.as(company.token);
  return { company, owner, audience, start: (more: object = {}) => startRemoval(owner, audience, more) };
}

const startRemoval = (owner: Caller, id: string, more: object) =>
  owner.post('/v1/bulk_jobs', { action: 'remove_contacts', params: { id }, ...more });

const readJob = async (owner: Caller, id: string) =>
  (await owner.get('/v1/bulk_jobs')).body.data.find((row: { id: string }) => row.id === id);

async function waitUntilEnded(owner: Caller, id: string) {
  await expect
    .poll(async () => (await readJob(owner, id)).status, { timeout: 30_000 })
    .toMatch(/completed|failed|canceled/);
  return readJob(owner, id);
}

const listContacts = async (owner: Caller, audience: string) =>
  (await owner.get(`/v1/audiences/${audience}/contacts?page_size=1000`)).body;

const run = (account_id: string, id: string) =>
  runBulkJob(quiet.kernel, ROUTES, { account_id, id }, new AbortController().signal);

describe('a bulk job', () => {
  test('removes all rows of the filter and no others', async () => {
    const { owner, audience, start } = await makeContacts(world, 301);
    const { status, body } = await start({ filter: { search: 'odd' } });
    expect([status, body.data.status, body.data.total_rows]).toEqual([202, 'pending', null]);
    expect(await waitUntilEnded(owner, body.data.id)).toMatchObject({
      status: 'completed',
      total_rows: 150,
      done_count: 150,
      refused_count: 0,
      reasons: [],
    });
    const left = await listContacts(owner, audience);
    expect(left.data.map(({ first_name }: { first_name: string }) => first_name)).toEqual(Array(151).fill('Even'));
    expect((await owner.get(`/v1/audiences/${audience}`)).body.data.contacts_count).toBe(151);
    expect(await world.kernel.db.rows(sql`select 1 from bulk_job_rows where job_id = ${body.data.id}`)).toEqual([]);
  });

  test('counts rows that refuse the action with the reason and changes the others', async () => {
    const { owner, audience, start } = await makeContacts(world, 3);
    const { data } = await listContacts(owner, audience);
    const ids = [data[0].id, newId(), data[1].id, newId()];
    const ended = await waitUntilEnded(owner, (await start({ ids })).body.data.id);
    expect(ended).toMatchObject({ status: 'completed', total_rows: 4, done_count: 2, refused_count: 2 });
    expect(ended.reasons).toEqual([{ code: 1351, message: expect.stringMatching(/contact/i), count: 2 }]);
    expect((await listContacts(owner, audience)).data).toHaveLength(1);
  });

  test('leaves out rows that were added after the selection', async () => {
    const { company, owner, audience, start } = await makeContacts(quiet, 2);
    const late = idAt(Date.now() + 3_600_000);
    await quiet.kernel.db.run(sql`
      insert into contacts (account_id, audience_id, id, number, country, first_name, last_name, custom1, custom2)
      values (${company.account_id}, ${audience}, ${late}, '447410999999', 'GB', '', '', '', '')`);
    const { id } = (await start()).body.data;
    await run(company.account_id, id);
    expect(await readJob(owner, id)).toMatchObject({ status: 'completed', total_rows: 2, done_count: 2 });
    expect((await listContacts(owner, audience)).data).toMatchObject([{ id: late }]);
  });

  test('changes nothing more when it is canceled', async () => {
    const { company, owner, audience, start } = await makeContacts(quiet, 2);
    const { id } = (await start()).body.data;
    expect((await owner.delete(`/v1/bulk_jobs/${id}`)).status).toBe(204);
    expect(code(await owner.delete(`/v1/bulk_jobs/${id}`))).toBe(1922);
    await run(company.account_id, id);
    expect(await readJob(owner, id)).toMatchObject({ status: 'canceled', done_count: 0 });
    expect((await listContacts(owner, audience)).data).toHaveLength(2);
  });

  test('fails when its user has lost the permission', async () => {
    const { company, audience } = await makeContacts(quiet, 2);
    const user = await makeUser(quiet.kernel, company.account_id, { permissions: { AUDIENCES: 15 } });
    const caller = quiet.as(user.token);
    const { id } = (await startRemoval(caller, audience, {})).body.data;
    await quiet.kernel.db.run(sql`update users set permissions = '{"AUDIENCES": 1}' where id = ${user.user_id}`);
    await run(company.account_id, id);
    expect(await readJob(caller, id)).toMatchObject({ status: 'failed', done_count: 0, total_rows: 2 });
    expect(code(await startRemoval(caller, audience, {}))).toBe(1136);
  });

  test('is visible only to its user', async () => {
    const { company, owner, start } = await makeContacts(quiet, 1);
    const { id } = (await start()).body.data;
    const colleague = quiet.as((await makeUser(quiet.kernel, company.account_id)).token);
    expect(await readJob(colleague, id)).toBeUndefined();
    expect(code(await colleague.delete(`/v1/bulk_jobs/${id}`))).toBe(1921);
    expect((await owner.delete(`/v1/bulk_jobs/${id}`)).status).toBe(204);
  });

  test('is refused when too many jobs of the account are unfinished', async () => {
    const { start } = await makeContacts(quiet, 1);
    for (let index = 0; index < 5; index++) expect((await start()).status).toBe(202);
    expect(code(await start())).toBe(1923);
  });

  test('changes and counts each row once when its worker is killed between rows', async () => {
    // The worker would also run the jobs of other tests.
    await quiet.kernel.db.run(sql`update bulk_jobs set status = 'canceled' where status in ('pending', 'running')`);
    const { company, owner, audience, start } = await makeContacts(quiet, 170);
    const { data } = await listContacts(owner, audience);
    const kept = data[60].id;
    await owner.delete(`/v1/audiences/${audience}/contacts/${kept}`);
    const ids = data.map((row: { id: string }) => row.id);
    const { id } = (await start({ ids })).body.data;
    const killed = await startWorkerProcess(quiet, { FAILPOINT: 'bulk.portion:2' });
    expect((await killed.ended).signal).toBe('SIGKILL');
    expect(await readJob(owner, id)).toMatchObject({ status: 'running', total_rows: 170 });
    // The job queue runs the job again when the heartbeat of the dead worker is overdue.
    await Promise.all([run(company.account_id, id), run(company.account_id, id)]);
    await run(company.account_id, id);
    expect(await readJob(owner, id)).toMatchObject({ status: 'completed', done_count: 169, refused_count: 1 });
    expect((await owner.get(`/v1/audiences/${audience}`)).body.data.contacts_count).toBe(0);
  });
});

test.each(['remove_stop_list_entries', 'remove_templates', 'remove_campaigns'])(
  'the bulk action %s runs on its whole list',
  async (action) => {
    const company = await makeCompany(world.kernel);
    const owner = world.as(company.token);
    const path = action.replace('remove_', '/v1/').replace('_entries', '');
    for (const number of [1, 2, 3]) {
      const bodies: Record<string, object> = {
        '/v1/stop_list': { number: `+44741000000${number}` },
        '/v1/templates': { name: `Note ${number}`, channel: 'SMS', text: 'Hi' },
        '/v1/campaigns': { name: `Campaign ${number}`, channel: 'SMS', start: false },
      };
      expect((await owner.post(path, bodies[path])).status).toBe(201);
    }
    const { id } = (await owner.post('/v1/bulk_jobs', { action })).body.data;
    expect(await waitUntilEnded(owner, id)).toMatchObject({ status: 'completed', done_count: 3 });
    expect((await owner.get(path)).body.data).toEqual([]);
  },
  60_000,
);
