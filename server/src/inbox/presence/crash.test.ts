/** Two server processes on one database: presence reaches both, and the kill of one loses no reply and no draft. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { makeConversation } from '../../test/inbox/conversations.ts';
import { type Company, makeCarrier, makeCompany, makeSender, makeUser, testNumber } from '../../test/make.ts';
import { startWorkerProcess, type WorkerProcess } from '../../test/worker.ts';
import { createWorld, freePort, until, type World } from '../../test/world.ts';

const AGENTS = 4;
const REPLIES = 12;

let world: World;
let company: Company;
let sender_id: string;
beforeAll(async () => {
  world = await createWorld({ role: 'none' });
  await makeCarrier(world.kernel);
  company = await makeCompany(world.kernel);
  ({ sender_id } = await makeSender(world.kernel, company.account_id));
});
afterAll(() => world.stop());

interface Server {
  readonly url: string;
  readonly child: ChildProcess;
}

async function startServer(failpoint = ''): Promise<Server> {
  const PORT = String(await freePort());
  const child = spawn(process.execPath, [inject('programs').server], {
    env: { ...process.env, ...world.settings, PORT, ROLE: 'api', FAILPOINT: failpoint },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${PORT}`;
  await until('the server is ready', async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok ?? false);
  return { url, child };
}

/** Returns the data of the response, or null if the server is dead or refuses. */
async function call(
  { url }: Server,
  token: string,
  method: string,
  path: string,
  data: object,
  key?: string,
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses member by member
): Promise<any> {
  const response = await fetch(url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      ...(key ? { 'idempotency-key': key } : {}),
    },
    body: JSON.stringify({ data }),
  }).catch(() => null);
  if (!response?.ok) return null;
  const body = (await response.json().catch(() => null)) as { data?: unknown } | null;
  return body?.data ?? null;
}

const converse = (n: number) =>
  makeConversation(world.kernel, { account_id: company.account_id, sender_id, number: testNumber(n) });
const permissions = { MESSAGES: 15, CONVERSATIONS: 15 };

test('a reply that was sent and a draft that was saved outlive the kill of the server, each once', async () => {
  const agents = await Promise.all(
    Array.from({ length: AGENTS }, () => makeUser(world.kernel, company.account_id, { permissions })),
  );
  // This process kills itself before a commit, in the middle of the work.
  const killed = await startServer('before_group_commit:9');
  const other = await startServer();
  const exited = once(killed.child, 'exit');
  const keys: string[] = [];
  const drafts = new Map<string, { token: string; text: string }>();
  await Promise.all(
    agents.map(async ({ token }, agent) => {
      for (let turn = 0; turn < REPLIES; turn++) {
        const n = agent * REPLIES + turn;
        const id = await converse(n);
        const text = `Reply ${n} 👩‍👩‍👧`;
        const key = newId();
        const typed = `Draft ${n}`;
        const draft = { reply: typed };
        const isSaved = await call(killed, token, 'PUT', `/v1/conversations/${id}/draft`, draft);
        if (!isSaved) await call(other, token, 'PUT', `/v1/conversations/${id}/draft`, draft);
        drafts.set(id, { token, text: typed });
        const body = { channel: 'SMS', from: sender_id, to: [testNumber(n)], text, undo_seconds: 5 };
        keys.push(text);
        // A page that got no response repeats the request with the same key, as the composer does.
        const sent = await call(killed, token, 'POST', '/v1/messages', body, key);
        if (!sent) expect(await call(other, token, 'POST', '/v1/messages', body, key)).not.toBeNull();
        if (sent && turn % 3 === 0) await call(other, token, 'POST', '/v1/messages', body, key);
      }
    }),
  );
  killed.child.kill('SIGKILL');
  await exited;
  const rows = await world.kernel.db.rows<{ text: string; count: number }>(sql`
    select text, count(*)::int as count from messages
    where account_id = ${company.account_id} and direction = 'MT' group by text`);
  expect(rows.filter(({ count }) => count !== 1)).toEqual([]);
  expect(rows.map(({ text }) => text).sort()).toEqual([...keys].sort());
  for (const [id, { token, text }] of drafts) {
    const response = await fetch(`${other.url}/v1/conversations/${id}/draft`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(((await response.json()) as { data: unknown }).data).toEqual({ reply: text, note: '' });
  }
  other.child.kill('SIGTERM');
});

test('users of two server processes see each other in a conversation', async () => {
  const [first, second] = [await startServer(), await startServer()];
  const worker: WorkerProcess = await startWorkerProcess(world);
  const id = await converse(900);
  const agent = await makeUser(world.kernel, company.account_id, { permissions, first_name: 'Ann' });
  const path = `/v1/conversations/${id}/presence`;
  const leave = new AbortController();
  const stream = await fetch(`${first.url}/v1/events`, {
    headers: { authorization: `Bearer ${company.token}` },
    signal: leave.signal,
  });
  let text = '';
  const reading = (async () => {
    for await (const part of stream.body!.pipeThrough(new TextDecoderStream())) text += part;
  })().catch(() => {});
  expect(await call(first, company.token, 'PUT', path, { state: 'viewing' })).toEqual({ others: [] });
  const { others } = await call(second, agent.token, 'PUT', path, { state: 'typing' });
  expect(others).toMatchObject([{ user_id: company.user_id, state: 'viewing' }]);
  await until('the page at the first process is notified', () =>
    text.includes(`"user_id":"${agent.user_id}","full_name":"Ann Person","state":"typing"`),
  );
  expect((await call(first, company.token, 'PUT', path, { state: 'viewing' })).others).toMatchObject([
    { user_id: agent.user_id, state: 'typing' },
  ]);
  leave.abort();
  await reading;
  await worker.stop();
  for (const { child } of [first, second]) child.kill('SIGTERM');
});
