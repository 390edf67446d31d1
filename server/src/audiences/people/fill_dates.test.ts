import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { crowd, makeStage } from '../../test/campaigns.ts';
import { testNumber } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';
import { fillDates } from './fill_dates.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());

test('the dates of people from before the upgrade are stored in the background, and newer ones are kept', async () => {
  const { db } = world.kernel;
  const numbers = [0, 1].map(testNumber) as [string, string];
  const stage = await makeStage(world, crowd(2));
  const { account_id } = stage;
  const setField = (number: string, fields: Record<string, unknown>) =>
    db.run(sql`
      update people set fields = ${JSON.stringify(fields)}::jsonb
      where account_id = ${account_id} and number = ${number}`);
  await stage.caller.post('/v1/contact_fields', { key: 'birthday', label: 'Birthday', kind: 'date' });
  for (const number of numbers) await setField(number, { birthday: '1990-05-01' });
  const listDates = async () =>
    (
      await db.rows<{ date: string }>(sql`
      select date::text from person_dates where account_id = ${account_id}`)
    ).map(({ date }) => date);
  expect(await listDates()).toEqual(['1990-05-01', '1990-05-01']);
  await db.run(sql`delete from person_dates where account_id = ${account_id}`);
  await db.run(sql`insert into person_date_fills (account_id) values (${account_id})`);
  await Promise.all([0, 1].map(() => fillDates(world.kernel, {}, new AbortController().signal)));
  expect(await listDates()).toEqual(['1990-05-01', '1990-05-01']);
  expect(await db.rows(sql`select from person_date_fills where account_id = ${account_id}`)).toEqual([]);
  await setField(numbers[0], { birthday: '1991-06-02' });
  await setField(numbers[1], {});
  expect(await listDates()).toEqual(['1991-06-02']);
});
