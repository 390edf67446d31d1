/** Scheduled exports: when they run, what they contain, and who receives them. */
import type { ExportSchedule } from '@parley/contract/exports/schedules.ts';
import { MAX_EXPORT_SCHEDULES } from '@parley/contract/exports/schedules.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { ROUTES } from '../modules.ts';
import { type Company, makeCompany, makeUser } from '../test/make.ts';
import { type Caller, createWorld, type World } from '../test/world.ts';
import { runSchedules } from './schedules.ts';
import { writeExport } from './write.ts';

let world: World;
let company: Company;
let owner: Caller;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
});
afterAll(() => world.stop());

const schedule = (more: object = {}) =>
  owner.post('/v1/export_schedules', { list: 'messages', interval: 'daily', time_zone: 'Asia/Kolkata', ...more });
const list = async (): Promise<ExportSchedule[]> => (await owner.get('/v1/export_schedules')).body.data;
const makeDue = (id: string, at: string) =>
  world.kernel.db.run(sql`
    update export_schedules set next_date = ${at}::timestamptz
    where account_id = ${company.account_id} and id = ${id}`);
const listExports = () =>
  world.kernel.db.rows<{ id: string; filter: Record<string, string>; schedule_id: string }>(sql`
    select id, filter, schedule_id from exports where account_id = ${company.account_id}`);

test('a schedule starts at six in its time zone, the next day or on Monday', async () => {
  const daily = (await schedule()).body.data as ExportSchedule;
  const weekly = (await schedule({ interval: 'weekly' })).body.data as ExportSchedule;
  for (const { next_date } of [daily, weekly]) expect(next_date.slice(11)).toBe('00:30:00');
  expect(new Date(`${weekly.next_date.replace(' ', 'T')}Z`).getUTCDay()).toBe(1);
  expect(await list()).toMatchObject([{ id: daily.id, last_date: null }, { id: weekly.id }]);
});

test('a due schedule exports the day before once, and emails the link to its user', async () => {
  const { id } = (await schedule({ filter: { direction: 'MT', created_date_start: '2020-01-01' } })).body.data;
  await makeDue(id, '2026-03-10 00:30:00Z');
  await Promise.all([runSchedules(world.kernel), runSchedules(world.kernel)]);
  const rows = await listExports();
  expect(rows).toMatchObject([
    {
      schedule_id: id,
      filter: { direction: 'MT', created_date_start: '2026-03-08 18:30:00', created_date_end: '2026-03-09 18:29:59' },
    },
  ]);
  const [after] = await list();
  expect(after!.last_date).not.toBeNull();
  expect(after!.next_date > after!.last_date!).toBe(true);
  const ids = { account_id: company.account_id, id: rows[0]!.id };
  await writeExport(world.kernel, ROUTES, ids, new AbortController().signal);
  const mails = await world.kernel.db.rows<{ recipient: string; subject: string }>(sql`
    select recipient, subject from mails where account_id = ${company.account_id}`);
  expect(mails).toMatchObject([
    { recipient: after!.email, subject: expect.stringMatching(/^Your daily export: messag/) },
  ]);
});

test('a schedule ends when its user loses the permission of its list', async () => {
  const user = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 1 } });
  const { id } = (await world.as(user.token).post('/v1/export_schedules', { list: 'messages', interval: 'daily' })).body
    .data;
  await world.kernel.db.run(sql`update users set permissions = '{"AUDIENCES": 1}' where id = ${user.user_id}`);
  await makeDue(id, '2026-03-10 00:30:00Z');
  await runSchedules(world.kernel);
  expect(await listExports()).toEqual([]);
  expect(await list()).toEqual([]);
});

test('a schedule is refused when its list refuses the request or there are too many', async () => {
  const code = (reply: { body: { errors: { code: number }[] } }) => reply.body.errors[0]!.code;
  expect(code(await schedule({ time_zone: 'Mars/Olympus' }))).toBe(1162);
  expect((await schedule({ filter: { unknown: 'x' } })).status).toBe(400);
  expect((await schedule({ interval: 'hourly' })).status).toBe(400);
  const agent = await makeUser(world.kernel, company.account_id, { permissions: { AUDIENCES: 1 } });
  const refused = await world.as(agent.token).post('/v1/export_schedules', { list: 'messages', interval: 'daily' });
  expect(refused.status).toBe(403);
  for (let index = 0; index < MAX_EXPORT_SCHEDULES; index++) expect((await schedule()).status).toBe(201);
  expect(code(await schedule())).toBe(2081);
  const [first] = await list();
  const stranger = world.as((await makeCompany(world.kernel)).token);
  expect(code(await stranger.delete(`/v1/export_schedules/${first!.id}`))).toBe(2082);
  expect((await world.as(agent.token).get('/v1/export_schedules')).body.data).toEqual([]);
  expect((await owner.delete(`/v1/export_schedules/${first!.id}`)).status).toBe(204);
  expect(await list()).toHaveLength(MAX_EXPORT_SCHEDULES - 1);
});
