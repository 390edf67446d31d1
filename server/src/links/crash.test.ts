import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { makeCompany } from '../test/make.ts';
import { createWorld, freePort, until, type World } from '../test/world.ts';
import { storeClicks } from './clicks.ts';
import { newCode } from './codes.ts';
import { insertLink } from './queries.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'none' });
});
afterAll(() => world.stop());

test('a click whose response was sent is stored when the process is killed', async () => {
  const { account_id } = await makeCompany(world.kernel);
  const code = newCode();
  await world.kernel.db.tx((tx) =>
    insertLink(tx, {
      ...{ account_id, id: newId(), url: 'https://example.com', name: '', domain: null, source: 'manual', code },
      ...{ tags: [], expire_date: null, max_clicks: null, password_hash: null },
    }),
  );
  const PORT = String(await freePort());
  const server = spawn(process.execPath, [inject('programs').server], {
    env: { ...process.env, ...world.settings, PORT, ROLE: 'api' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${PORT}`;
  await until('the server is ready', async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok ?? false);
  let opened = 0;
  let running = true;
  const open = async () => {
    while (running) {
      const headers = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Mobile Safari' };
      const response = await fetch(`${url}/${code}`, { redirect: 'manual', headers }).catch(() => null);
      if (response?.status === 302) opened++;
    }
  };
  const readers = Array.from({ length: 8 }, open);
  await until('some links were opened', () => opened >= 50);
  server.kill('SIGKILL');
  await once(server, 'exit');
  running = false;
  await Promise.all(readers);
  while ((await storeClicks(world.kernel.db)) > 0);
  const { clicks, counted } = await world.kernel.db.one<{ clicks: number; counted: number }>(sql`
    select (select count(*)::int from link_clicks where account_id = ${account_id}) as clicks,
           (select clicks::int from links where account_id = ${account_id}) as counted`);
  expect(clicks).toBeGreaterThanOrEqual(opened);
  // A batch of clicks and its count are one transaction.
  expect(counted).toBe(clicks);
});
