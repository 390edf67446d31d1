import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { makeCompany } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());

interface Episode {
  open: string;
  wait?: string | null;
  reply?: string | null;
  close?: string | null;
  agent?: string | null;
  by?: string | null;
  channel?: string;
  labels?: string[] | null;
}

async function insertEpisode(account_id: string, episode: Episode): Promise<void> {
  const { open, wait = open, reply = null, close = null, agent = null, by = null, labels = null } = episode;
  await world.kernel.db.run(sql`
    insert into conversation_episodes (account_id, conversation_id, channel, open_date, waiting_date, reply_date,
                                       reply_user_id, close_date, assignee_id, label_ids)
    values (${account_id}, ${newId()}, ${episode.channel ?? 'SMS'}, ${open}, ${wait}, ${reply}, ${by}, ${close},
            ${agent}, ${labels ?? (close ? [] : null)}::uuid[])`);
}

async function makeReported() {
  const company = await makeCompany(world.kernel);
  const { account_id } = company;
  await world.kernel.db.run(sql`update accounts set timezone = 'America/New_York' where id = ${account_id}`);
  return { ...company, me: world.as(company.token) };
}

const PERIOD = 'from=2026-03-07&to=2026-03-09';
const LIST = '/v1/inbox_reports/conversations?filter[from]=2026-03-07&filter[to]=2026-03-09';

test('times, volume, and backlog follow the days of the account across a daylight saving change', async () => {
  const { account_id, me } = await makeReported();
  // March 8, 2026, has 23 hours in New York: 02:00 becomes 03:00.
  await insertEpisode(account_id, {
    open: '2026-03-05T15:00Z',
    reply: '2026-03-05T15:01Z',
    close: '2026-03-08T16:00Z',
  });
  await insertEpisode(account_id, { open: '2026-03-08T06:30Z', reply: '2026-03-08T07:30Z' }); // 01:30 to 03:30
  await insertEpisode(account_id, { open: '2026-03-09T03:30Z', close: '2026-03-09T04:30Z' }); // March 8, 23:30
  await insertEpisode(account_id, { open: '2025-01-01T00:00Z' });
  await insertEpisode(account_id, { open: '2025-01-01T00:00Z', close: '2025-01-03T00:00Z' });
  const { status, body } = await me.get(`/v1/inbox_reports?${PERIOD}`);
  expect(status).toBe(200);
  expect(body.data.days).toMatchObject([
    {
      date: '2026-03-07',
      opened: 0,
      answered: 0,
      closed: 0,
      response_seconds: null,
      resolution_seconds: null,
      backlog: 2,
    },
    {
      ...{ date: '2026-03-08', opened: 2, answered: 1, closed: 1, response_seconds: 3600 },
      ...{ resolution_seconds: 3 * 86_400 + 3600, backlog: 3 },
    },
    {
      ...{ date: '2026-03-09', opened: 0, answered: 0, closed: 1, response_seconds: null },
      ...{ resolution_seconds: 3600, backlog: 2 },
    },
  ]);
  expect(body.data.previous).toEqual({ from: '2026-03-04', to: '2026-03-06' });
  expect(body.data.before).toMatchObject({ opened: 1, answered: 1, closed: 0, response_seconds: 60, backlog: 2 });
  expect(body.data.total).toMatchObject({ opened: 2, answered: 1, closed: 2, backlog: 2 });
  expect(body.data.hours).toContainEqual({ weekday: 7, hour: 1, opened: 1, answered: 0, closed: 0 });
  expect(body.data.hours).toContainEqual({ weekday: 7, hour: 3, opened: 0, answered: 1, closed: 0 });
  expect(body.data.hours).toContainEqual({ weekday: 7, hour: 23, opened: 1, answered: 0, closed: 0 });
});

test('every figure of a report equals the number of conversations in its list', async () => {
  const { account_id, me, user_id } = await makeReported();
  const other = newId();
  for (let hour = 0; hour < 20; hour++)
    await insertEpisode(account_id, {
      open: `2026-03-08T${String(hour).padStart(2, '0')}:00Z`,
      reply: hour % 3 === 0 ? '2026-03-08T23:00Z' : null,
      close: hour % 2 === 0 ? '2026-03-08T22:00Z' : null,
      agent: hour % 5 === 0 ? user_id : null,
      by: hour % 3 === 0 ? other : null,
      channel: hour < 5 ? 'SMS' : 'VIBER',
    });
  for (const filter of ['', `&filter[agent_id]=${user_id}`, '&filter[agent_id]=none', '&filter[channel]=VIBER']) {
    const { total, groups } = (await me.get(`/v1/inbox_reports?${PERIOD}&by=agent${filter}`)).body.data;
    for (const event of ['opened', 'answered', 'closed'] as const) {
      const { body } = await me.get(`${LIST}&filter[event]=${event}${filter}`);
      expect(body.pagination.total, `${event}${filter}`).toBe(total[event]);
      expect(groups.reduce((sum: number, group: Record<string, number>) => sum + group[event]!, 0)).toBe(total[event]);
    }
  }
});

test('users without permission to view conversations of others see only their own figures', async () => {
  const { account_id, me, user_id } = await makeReported();
  await insertEpisode(account_id, { open: '2026-03-08T10:00Z', agent: user_id });
  await insertEpisode(account_id, { open: '2026-03-08T10:00Z', agent: newId() });
  await insertEpisode(account_id, { open: '2026-03-08T10:00Z' });
  const opened = async () => (await me.get(`/v1/inbox_reports?${PERIOD}`)).body.data.total.opened;
  expect(await opened()).toBe(3);
  for (const [permissions, expected] of [
    [{ MESSAGES: 1 }, 1],
    [{ MESSAGES: 1, CONVERSATIONS: 1 }, 2],
    [{ MESSAGES: 1, CONVERSATIONS: 3 }, 3],
    [{ CONVERSATIONS: 1 }, 1],
  ] as const) {
    await world.kernel.db.run(sql`
      update users set is_owner = false, permissions = ${JSON.stringify(permissions)}::jsonb where id = ${user_id}`);
    expect(await opened(), JSON.stringify(permissions)).toBe(expected);
  }
});

test('a report shows nothing to another account and refuses invalid periods', async () => {
  const { account_id } = await makeReported();
  await insertEpisode(account_id, { open: '2026-03-08T10:00Z' });
  const { me } = await makeReported();
  expect((await me.get(`/v1/inbox_reports?${PERIOD}`)).body.data.total.opened).toBe(0);
  expect((await me.get('/v1/inbox_reports?from=2026-03-09&to=2026-03-07')).status).toBe(400);
  expect((await me.get('/v1/inbox_reports?from=2026-03-09')).status).toBe(400);
  expect((await me.get('/v1/inbox_reports?filter[agent_id]=%00')).status).toBe(400);
});

test('the backlog counts open conversations of any age', async () => {
  const { account_id, me } = await makeReported();
  const at = Date.parse('2026-03-07T05:00:00Z');
  let expected = 0;
  for (let step = -2; step < 16; step++)
    for (const [opened, closed] of [
      [0.4, 0.6],
      [0.99, 0.01],
      [1.2, -0.2],
    ] as const) {
      const length = 3_600_000 * 2 ** step;
      const close = at + length * closed;
      await insertEpisode(account_id, {
        open: new Date(at - length * opened).toISOString(),
        close: new Date(close).toISOString(),
      });
      if (close >= at) expected++;
    }
  const { days, before } = (await me.get(`/v1/inbox_reports?${PERIOD}`)).body.data;
  const left = (await me.get('/v1/inbox_reports?from=2026-03-07&to=2026-03-07')).body.data;
  expect(left.before.backlog).toBe(expected);
  expect(days[0].backlog).toBe(before.backlog + days[0].opened - days[0].closed);
});
