/** Tests that the API returns 503 while a disk is full, and that Parley recovers automatically. */
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { makeCarrier, makeCompany, makeSender, testNumber } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';
import { hasFullDisk } from './disk.ts';

let world: World;
let superuser: pg.Client;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  const url = new URL(inject('maintenance_url'));
  url.pathname = new URL(world.database_url).pathname;
  superuser = new pg.Client({ connectionString: url.href });
  await superuser.connect();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await superuser.end();
  await world.stop();
});

/** Makes PostgreSQL report a full disk for new messages and new tables. */
const fillDatabaseDisk = () =>
  superuser.query(`
    create function fail_event() returns event_trigger language plpgsql as $$ begin
      raise exception 'could not extend file' using errcode = '53100'; end $$;
    create function fail_row() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file' using errcode = '53100'; end $$;
    create trigger full_disk before insert on messages for each row execute function fail_row();
    create event trigger full_disk on ddl_command_start execute function fail_event()`);
const emptyDatabaseDisk = () =>
  superuser.query('drop event trigger full_disk; drop trigger full_disk on messages; drop function fail_row');

const readiness = async () => {
  const { status, body } = await world.as().get('/readyz');
  return [status, body.problems];
};
/** Skips the pause between two test writes. */
const skipPause = () => {
  const later = Date.now() + 60_000;
  vi.spyOn(Date, 'now').mockReturnValueOnce(later).mockReturnValueOnce(later);
};

test('the API returns 503 when the disk of the database is full, and recovers automatically', async () => {
  await makeCarrier(world.kernel);
  const { account_id, token } = await makeCompany(world.kernel);
  const { sender_id } = await makeSender(world.kernel, account_id);
  const send = () =>
    world.as(token).post('/v1/messages', { from: sender_id, to: testNumber(1), text: 'Hello', channel: 'SMS' });
  expect(await readiness()).toEqual([200, []]);
  await fillDatabaseDisk();
  const refused = await send();
  expect([refused.status, refused.headers.get('retry-after'), refused.body.errors[0].code]).toEqual([503, '30', 1028]);
  expect(await readiness()).toEqual([503, ['disk is full']]);
  expect((await world.as(token).get('/v1/messages')).status).toBe(200);
  await emptyDatabaseDisk();
  skipPause();
  expect(await hasFullDisk(world.kernel)).toBe(false);
  expect(await readiness()).toEqual([200, []]);
  expect((await send()).status).toBe(200);
});

test('the API returns 503 when the disk of the files is full', async () => {
  const { token } = await makeCompany(world.kernel);
  vi.spyOn(world.kernel.storage, 'put').mockRejectedValueOnce(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
  const refused = await world.as(token).upload('/v1/media', { type: 'document' }, { name: 'a.txt', bytes: 'text' });
  expect([refused.status, refused.body.errors[0].code]).toEqual([503, 1028]);
  expect(await readiness()).toEqual([200, []]);
});

test('the API returns 503 when the database closes its connections', async () => {
  const { token } = await makeCompany(world.kernel);
  await superuser.query(`
    create function end_session() returns trigger language plpgsql as $$ begin
      perform pg_terminate_backend(pg_backend_pid()); return new; end $$;
    grant pg_signal_backend to parley;
    create trigger end_session before insert on audiences for each row execute function end_session()`);
  const refused = await world.as(token).post('/v1/audiences', { name: 'Regulars', channel: 'SMS' });
  expect([refused.status, refused.headers.get('retry-after'), refused.body.errors[0].code]).toEqual([503, '5', 1029]);
});
