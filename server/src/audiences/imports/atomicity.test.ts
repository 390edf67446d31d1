import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { csv, findFiles, IMPORTS, listContacts, listEvents, manyRows, onStuckDisk } from '../../test/imports.ts';
import { type Company, makeAudience, makeCompany } from '../../test/make.ts';
import { type Caller, createWorld, until, type World } from '../../test/world.ts';
import { runImport } from './run.ts';
import { sweepImports } from './sweep.ts';

/** This world runs no jobs, so that each test decides when an import runs. */
let world: World;
let company: Company;
let owner: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel, { country: 'US' });
  owner = world.as(company.token);
});
afterAll(async () => {
  const broken = (await world.examine()).filter(({ ok }) => !ok);
  await world.stop();
  expect(broken).toEqual([]);
});

describe('an import', () => {
  async function createRunning(fields: Record<string, string>, text: string) {
    const { body } = await owner.upload(IMPORTS, { start: 'true', ...fields }, csv(text));
    expect(body.data.status).toBe('running');
    return { account_id: company.account_id, id: body.data.id as string };
  }
  const contactsStored = async () =>
    (
      await world.kernel.db.one<{ count: number }>(
        sql`select count(*) from contacts where account_id = ${company.account_id}`,
      )
    ).count;
  const createAbort = () => new AbortController();

  test('stores no contacts when its run is interrupted, and the next run imports all of them', async () => {
    const ids = await createRunning({ name: 'Cut off' }, manyRows(60_000));
    const before = await contactsStored();
    const stop = createAbort();
    const run = runImport(onStuckDisk(world.kernel), ids, stop.signal);
    await until(
      'rows are being copied',
      async () => (await owner.get(`${IMPORTS}/${ids.id}`)).body.data.processed_rows > 0,
      20_000,
    );
    // The worker stops.
    stop.abort(new Error('the worker stops'));
    await expect(run).rejects.toThrow('the worker stops');
    expect(await contactsStored()).toBe(before);
    expect((await owner.get('/v1/audiences?filter[search]=Cut off')).body.pagination.total).toBe(0);

    // The database closes the connection during the copy.
    const second = runImport(onStuckDisk(world.kernel), ids, createAbort().signal);
    const failed = expect(second).rejects.toThrow();
    await until('the copy is running', async () => {
      const { rowCount } = await world.kernel.db.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where query like 'copy contacts%' and state = 'active' and datname = current_database()`,
      );
      return (rowCount ?? 0) > 0;
    });
    await failed;
    expect(await contactsStored()).toBe(before);

    await runImport(world.kernel, ids, createAbort().signal);
    // Runs the import again, as happens after a crash between the commit and the end of the job.
    await runImport(world.kernel, ids, createAbort().signal);
    const imported = (await owner.get(`${IMPORTS}/${ids.id}`)).body.data;
    expect(imported).toMatchObject({
      status: 'completed',
      created_count: 60_000,
      total_rows: 60_000,
      duplicate_count: 0,
      invalid_count: 0,
    });
    expect(await contactsStored()).toBe(before + 60_000);
    expect((await owner.get(`/v1/audiences/${imported.audience_id}`)).body.data).toMatchObject({
      contacts_count: 60_000,
    });
    expect((await findFiles(world, ids.id)).storage_key).toBe('');
  });

  test('runs only once when two workers have the same job', async () => {
    const ids = await createRunning({ name: 'Twice' }, manyRows(2_000));
    await Promise.all([
      runImport(world.kernel, ids, createAbort().signal),
      runImport(world.kernel, ids, createAbort().signal),
    ]);
    expect((await owner.get('/v1/audiences?filter[search]=Twice')).body.data).toMatchObject([
      { contacts_count: 2_000 },
    ]);
    expect((await owner.get(`${IMPORTS}/${ids.id}`)).body.data).toMatchObject({
      status: 'completed',
      created_count: 2_000,
    });
  });

  test('stops and stores no contacts when it is canceled', async () => {
    const audience_id = await makeAudience(world.kernel, company.account_id, [{ number: '12025550100' }]);
    const ids = await createRunning({ audience_id }, manyRows(80_000));
    const run = runImport(onStuckDisk(world.kernel), ids, createAbort().signal);
    await until(
      'rows are being copied',
      async () => (await owner.get(`${IMPORTS}/${ids.id}`)).body.data.processed_rows > 0,
      20_000,
    );
    const { storage_key } = await findFiles(world, ids.id);
    expect((await owner.delete(`${IMPORTS}/${ids.id}`)).status).toBe(204);
    await run;
    expect((await owner.get(`${IMPORTS}/${ids.id}`)).body.data).toMatchObject({
      status: 'canceled',
      processed_rows: 0,
      created_count: 0,
    });
    expect(await listContacts(owner, audience_id)).toHaveLength(1);
    await until('its file is gone', async () => !(await world.kernel.storage.exists(storage_key)));
    for (const again of [
      await owner.delete(`${IMPORTS}/${ids.id}`),
      await owner.put(`${IMPORTS}/${ids.id}`, { options: { columns: { number: 0 } } }),
    ])
      expect(again.body.errors[0]).toMatchObject({ code: 1318, status: 409 });
  });

  test('fails with a reason when its audience name is taken while it waits', async () => {
    const ids = await createRunning({ name: 'Wanted' }, manyRows(10));
    expect((await owner.post('/v1/audiences', { name: 'WANTED', channel: 'SMS' })).status).toBe(201);
    await runImport(world.kernel, ids, createAbort().signal);
    expect((await owner.get(`${IMPORTS}/${ids.id}`)).body.data).toMatchObject({
      status: 'failed',
      error_code: 1309,
      error_message: 'An audience with this name already exists',
      audience_id: null,
      created_count: 0,
    });
    expect((await listEvents(world, company.account_id, 'audience_import.progressed')).at(-1)).toMatchObject({
      id: ids.id,
      status: 'failed',
    });
  });

  test('prevents the deletion of its audience while it is running, but not while it is unmapped', async () => {
    const audience_id = await makeAudience(world.kernel, company.account_id, []);
    const mapping = (await owner.upload(IMPORTS, { audience_id }, csv(manyRows(5)))).body.data.id;
    const ids = await createRunning({ audience_id }, manyRows(5));
    expect((await owner.delete(`/v1/audiences/${audience_id}`)).body.errors[0]).toMatchObject({
      code: 1319,
      status: 409,
    });
    await runImport(world.kernel, ids, createAbort().signal);
    expect((await owner.delete(`/v1/audiences/${audience_id}`)).status).toBe(204);
    expect(
      (await owner.put(`${IMPORTS}/${mapping}`, { options: { columns: { number: 0 } } })).body.errors[0].code,
    ).toBe(1301);
  });

  test('is canceled when abandoned, restarted when its run is lost, and failed when it never ends', async () => {
    const abandonedId = (await owner.upload(IMPORTS, { name: 'Unwanted' }, csv(manyRows(5)))).body.data.id;
    const lostIds = await createRunning({ name: 'Lost' }, manyRows(5));
    const endless = await createRunning({ name: 'Hopeless' }, manyRows(5));
    const newId = (await owner.upload(IMPORTS, { name: 'Fresh' }, csv(manyRows(5)))).body.data.id;
    await world.kernel.db.run(
      sql`update audience_imports set update_date = now() - interval '25 hours'
        where id in (${abandonedId}, ${lostIds.id}, ${endless.id})`,
    );
    await world.kernel.db.run(
      sql`update audience_imports set create_date = now() - interval '2 days' where id = ${endless.id}`,
    );
    const { storage_key } = await findFiles(world, abandonedId);
    const jobs = () =>
      world.kernel.db.one<{ count: number }>(
        sql`select count(*) from pgboss.job where name = 'audience_imports.run' and data->>'id' = ${lostIds.id}`,
      );
    expect((await jobs()).count).toBe(1);
    await sweepImports(world.kernel);
    expect((await owner.get(`${IMPORTS}/${abandonedId}`)).body.data.status).toBe('canceled');
    expect(await world.kernel.storage.exists(storage_key)).toBe(false);
    expect((await jobs()).count).toBe(2);
    expect((await owner.get(`${IMPORTS}/${endless.id}`)).body.data).toMatchObject({
      status: 'failed',
      error_code: 1001,
      error_message: 'The import could not be completed',
    });
    expect((await owner.get(`${IMPORTS}/${newId}`)).body.data.status).toBe('mapping');
  });
});
