/** Tests that sending resumes in a new epoch only if the workers prove that no claim was lost. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { compareIdentities, readEpoch } from '../../kernel/epoch/epoch.ts';
import { makeCarrier } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';
import { holdMessages } from '../status/held.ts';
import { CycleMemory, watchEpoch } from './epoch_watch.ts';
import { endDeadWorkers, renewWorker } from './worker_lease.ts';

let world: World;
let connection_id: string;
beforeEach(async () => {
  world = await createWorld({ role: 'none' });
  ({ connection_id } = await makeCarrier(world.kernel));
});
afterEach(() => world.stop());

const state = async () => (await readEpoch(world.kernel.db)).state;
/** Simulates a promotion: the known identity has another timeline. */
const promote = () =>
  world.kernel.db.run(sql`
    update database_epoch set identity = concat_ws('/', split_part(identity, '/', 1), '00000FFF',
      split_part(identity, '/', 3), split_part(identity, '/', 4))`);
const setCycle = (cycle: number) => world.kernel.db.run(sql`update binds set cycle = ${cycle}`);

/** A worker with one bind, which has committed five cycles. */
async function startWorker() {
  const { db } = world.kernel;
  const bind = { connection_id, slot: 0, worker_id: newId(), submitter_id: newId() };
  await renewWorker(db, bind.worker_id);
  await db.run(sql`
    insert into binds (connection_id, slot, worker_id, state, lease_until)
    values (${connection_id}, 0, ${bind.worker_id}, 'bound', now() + interval '1 hour')`);
  const memory = new CycleMemory();
  const check = watchEpoch(world.kernel, bind.worker_id, memory, [holdMessages]);
  await check();
  const claim = () =>
    db.tx(async (tx) => {
      const { may_send, committed } = await memory.stamp(tx, bind);
      tx.afterCommit(committed);
      return may_send;
    });
  for (let cycle = 0; cycle < 5; cycle++) expect(await claim()).toBe(true);
  return { check, claim };
}

test('the cause is a failover when only the timeline differs, and a restore otherwise', () => {
  expect(compareIdentities('1/00000001/5/9', '1/00000001/5/9')).toBeNull();
  expect(compareIdentities('1/00000001/5/9', '1/00000002/5/9')).toBe('failover');
  expect(compareIdentities('1/00000001/5/9', '2/00000001/5/9')).toBe('restore');
  expect(compareIdentities('1/00000001/5/9', '1/00000001/6/9')).toBe('restore');
  expect(compareIdentities('1/00000001/5/9', '1/00000002/5/10')).toBe('restore');
});

describe('after a promotion', () => {
  test('sending resumes automatically when the database has the last claims of all workers', async () => {
    const worker = await startWorker();
    const before = await readEpoch(world.kernel.db);
    await promote();
    expect(await worker.claim()).toBe(false);
    await worker.check();
    expect(await readEpoch(world.kernel.db)).toMatchObject({
      state: 'open',
      cause: 'failover',
      epoch: before.epoch + 1,
    });
    expect(await worker.claim()).toBe(true);
  });

  test('sending is held when the database lacks the last claim of a worker', async () => {
    const worker = await startWorker();
    await promote();
    await setCycle(4);
    await worker.check();
    expect(await state()).toBe('held');
    expect(await worker.claim()).toBe(false);
  });

  test('sending is held and leases stay unchanged when a worker does not confirm its claims', async () => {
    const { db } = world.kernel;
    const worker = await startWorker();
    const silent = newId();
    await renewWorker(db, silent);
    await promote();
    await worker.check();
    await db.run(sql`update workers set lease_until = now() - interval '1 hour' where id = ${silent}`);
    expect(await endDeadWorkers(db)).toBe(false);
    expect(await readEpoch(db)).toMatchObject({ state: 'checking', awaited: [silent] });
    expect(await worker.claim()).toBe(false);
    await db.run(sql`update database_epoch set change_date = now() - interval '31 seconds'`);
    await worker.check();
    expect(await state()).toBe('held');
    expect(await endDeadWorkers(db)).toBe(true);
  });
});

test('sending is held when the database loses commits without a new identity', async () => {
  const worker = await startWorker();
  await setCycle(3);
  await worker.check();
  expect(await readEpoch(world.kernel.db)).toMatchObject({ state: 'held', cause: 'rewind' });
  await worker.check();
  expect((await readEpoch(world.kernel.db)).epoch).toBe(2);
});

test('the doctor reports failures when the database is unknown to the workers or sending is held', async () => {
  const failures = async () => (await world.examine()).filter(({ ok }) => !ok).map(({ title }) => title);
  const worker = await startWorker();
  expect(await failures()).toEqual([]);
  await world.kernel.db.run(sql`update database_epoch set identity = '1/00000001/1/1'`);
  expect(await failures()).toEqual(['The database was not replaced since the workers last used it']);
  await worker.check();
  expect(await failures()).toEqual(['Sending is not on hold after a failover or a restore']);
});
