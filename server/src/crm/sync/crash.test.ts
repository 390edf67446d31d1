import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type CrmWorld, createCrmWorld, makeConnected, syncedFully } from '../../test/calls/crm_world.ts';
import { makeAudience } from '../../test/make.ts';
import { freePort, until } from '../../test/world.ts';

let crm: CrmWorld;
beforeAll(async () => {
  crm = await createCrmWorld('api');
});
afterAll(() => crm.stop());

async function startWorker(failpoint = '') {
  const PORT = String(await freePort());
  const child = spawn(process.execPath, [inject('programs').server], {
    env: { ...process.env, ...crm.world.settings, PORT, ROLE: 'worker', FAILPOINT: failpoint },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { child, exited: once(child, 'exit') };
}

test('a worker that is killed between two steps loses nothing, and does nothing twice', async () => {
  const { owner, account_id, path } = await makeConnected(crm, 'pipedrive');
  const { db } = crm.world.kernel;
  const audience_id = await makeAudience(crm.world.kernel, account_id, [
    { number: '491700456150', first_name: 'Nora' },
    { number: '491700456151', first_name: 'Odd' },
    { number: '491700456101', first_name: 'Adina' },
  ]);
  const fields = [{ crm: 'first_name', parley: 'first_name' }];
  const settings = { direction: 'both', rule: 'parley', audience_id, fields, consents: [], opt_out: null, is_on: true };
  expect((await owner.put(`${path}/sync`, settings)).status).toBe(200);
  for (const failpoint of ['crm_after_parley', 'crm_after_push', 'crm_before_create', 'crm_after_create']) {
    const { child, exited } = await startWorker(failpoint);
    await exited;
    expect([failpoint, child.signalCode]).toEqual([failpoint, 'SIGKILL']);
    // The time after which another worker takes the job of a killed one, and the pause before a search finds a record.
    await db.run(sql`update pgboss.job set state = 'failed' where name = 'crm.sync' and state = 'active'`);
    await db.run(sql`update crm_syncs set next_date = now() where account_id = ${account_id}`);
    await db.run(sql`
      update crm_links set update_date = now() - interval '2 minutes'
      where account_id = ${account_id} and state = 'creating'`);
  }
  const { child, exited } = await startWorker();
  await syncedFully(owner, path);
  child.kill('SIGTERM');
  await exited;
  const { people } = await crm.control('pipedrive')('GET', '/records');
  expect(people.map(({ name }: { name: string }) => name).sort()).toEqual([
    ...['Adina Winter', 'Ben Okafor', 'Chiara Rossi', 'Dana Lund', 'Nora', 'Odd'],
  ]);
  const rows = await db.rows<{ state: string }>(sql`select state from crm_links where account_id = ${account_id}`);
  expect(rows.map(({ state }) => state)).toEqual(['synced', 'synced', 'synced', 'synced', 'synced']);
  await until('the counts are exact', async () => (await crm.world.examine()).every(({ ok }) => ok));
});
