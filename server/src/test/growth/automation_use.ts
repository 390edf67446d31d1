/** Automations of a small account: a person joins, has a birthday, and has not replied. */
import { sql } from '../../kernel/db/db.ts';
import type { Caller } from '../world.ts';
import { until, type World } from '../world.ts';

interface Use {
  caller: Caller;
  account_id: string;
  sender_id: string;
  audience_id: string;
  ids: Record<string, string>;
}

export async function useAutomations(world: World, use: Use, round: number): Promise<void> {
  const { caller, account_id, sender_id: from, audience_id: audience, ids } = use;
  await caller.post('/v1/contact_fields', { key: 'birthday', label: 'Birthday', kind: 'date' });
  const create = async (name: string, trigger: Record<string, unknown>): Promise<string> =>
    (await caller.post('/v1/campaigns', { name: `${name} ${round}`, from, audience, text: 'Hi', trigger })).body.data
      .id;
  const joined = await create('Welcome', { on: 'joined', reentry: 'days' });
  const birthday = await create('Birthday', { on: 'date', field: 'birthday', time: '09:00' });
  const silent = await create('Reminder', { on: 'no_reply', campaign_id: ids.campaigns, wait_days: 1 });
  const number = `44740000050${round}`;
  await caller.post(`/v1/audiences/${audience}/contacts`, { number: `+${number}` });
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(5, 10);
  for (const date of ['1990-01-01', `1990-${tomorrow}`, `2000-${tomorrow}`])
    await caller.put(`/v1/people/${number}`, { fields: { birthday: date } });
  await world.kernel.db.run(sql`
    update campaigns set end_date = end_date - interval '2 days' where account_id = ${account_id} and id = ${ids.campaigns}`);
  await world.kernel.db.run(sql`
    update campaigns set due_date = now(), schedule = case when id = ${birthday} then schedule end,
      trigger_date = trigger_date - interval '3 days'
    where account_id = ${account_id} and id = any(${[birthday, silent]}::uuid[])`);
  for (const id of [joined, birthday, silent])
    await until('the automation has a run', async () => {
      const { body } = await caller.get(`/v1/campaigns?filter[series_id]=${id}`);
      return body.data[0]?.total > 0;
    });
  for (const id of [joined, birthday, silent]) {
    for (const { id: run } of (await caller.get(`/v1/campaigns?filter[series_id]=${id}`)).body.data)
      await caller.put(`/v1/campaigns/${run}`, { status: 'canceled' });
    await caller.put(`/v1/campaigns/${id}`, { status: 'canceled' });
  }
}
