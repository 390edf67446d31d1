/** Accounts of a group that send at the same time as their limits, overrides, and balances change. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { broken, makeStage, type Stage } from '../test/campaigns.ts';
import { testNumber } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';
import { spread } from './inheritance.ts';
import { loadGuard } from './rules.ts';
import { noteBlocked } from './violations.ts';
import { windowAt } from './windows.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'all' });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

async function makeGroup(count: number): Promise<[Stage, ...Stage[]]> {
  const parent = await makeStage(world, []);
  const subs: Stage[] = [];
  for (let n = 0; n < count; n++) {
    const sub = await makeStage(world, []);
    await world.kernel.db.run(sql`
      update accounts set parent_id = ${parent.account_id}, account_type = 'SUB_ACCOUNT'
      where id = ${sub.account_id}`);
    subs.push(sub);
  }
  return [parent, ...subs];
}

const create = async ({ caller }: Stage, body: object): Promise<{ id: string }> => {
  const reply = await caller.post('/v1/limits', { type: 'messages', limit: 3, interval: 'month', ...body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
};

test('blocked messages of sub-accounts count for the sub-account that sent them', async () => {
  const [parent, ...subs] = await makeGroup(2);
  await create(parent, { sub_accounts: 'each', limit: 1 });
  const { db } = world.kernel;
  for (const [n, { account_id }] of [...subs, ...subs].entries()) {
    const [rule] = (await loadGuard(db, account_id)).limits;
    const window = windowAt(rule!.interval, world.kernel.clock.now());
    noteBlocked(db, account_id, { rule: rule!, window, scope: '', blocked: 10 ** n });
  }
  const counts = () =>
    Promise.all(
      subs.map(
        async ({ account_id }) =>
          (await db.maybeOne<{ blocked: number }>(sql`select blocked from violations where account_id = ${account_id}`))
            ?.blocked ?? 0,
      ),
    );
  await expect.poll(async () => (await counts()).reduce((sum, count) => sum + count)).toBe(1_111);
  expect(await counts()).toEqual([101, 1_010]);
});

test('an interrupted notification of sub-accounts runs again', async () => {
  const [parent] = await makeGroup(1);
  const { account_id } = parent;
  await expect(spread(world.kernel.db, { account_id }, AbortSignal.abort())).rejects.toThrow('stopped');
});

test('no request of a busy group fails while its limits, overrides, and balances change', {
  timeout: 120_000,
}, async () => {
  const group = await makeGroup(3);
  const [parent, ...subs] = group;
  const shared = await create(parent, { sub_accounts: 'together', limit: 1_000_000, warn_at: [50] });
  const per_recipient = { type: 'messages_per_recipient', sub_accounts: 'together', limit: 1_000_000 };
  let recipient = await create(parent, per_recipient);
  for (const stage of group) {
    await create(stage, { limit: 1_000_000 });
    await create(stage, { type: 'spend', limit: 1_000_000_000_000 });
  }
  const numbers = Array.from({ length: 40 }, (_, n) => testNumber(7_000 + n));
  const failed: string[] = [];
  const check = ({ status, text }: { status: number; text: string }) => {
    if (status >= 500) failed.push(text);
  };
  let isOver = false;
  const senders = Array.from({ length: 32 }, async (_, n) => {
    const { caller, sender_id } = group[n % group.length]!;
    for (let turn = 0; turn < 6; turn++) {
      const to = [...numbers].sort(() => Math.random() - 0.5).slice(0, 10);
      const reply = await caller.post('/v1/messages', { channel: 'SMS', from: sender_id, to, text: 'Hello' });
      if (reply.status !== 200) failed.push(reply.text);
    }
  });
  const changes = [
    async (turn: number) => {
      const path = `/v1/accounts/self/subaccounts/${subs[turn % subs.length]!.account_id}/limits/${shared.id}`;
      check(turn % 2 ? await parent.caller.delete(path) : await parent.caller.put(path, { limit: 900_000 + turn }));
    },
    async (turn: number) => {
      if (turn % 3 === 2) {
        check(await parent.caller.delete(`/v1/limits/${recipient.id}`));
        recipient = await create(parent, per_recipient);
      } else check(await parent.caller.put(`/v1/limits/${recipient.id}`, { interval: turn % 2 ? 'day' : 'month' }));
    },
    async (turn: number) => {
      const path = `/v1/accounts/self/subaccounts/${subs[turn % subs.length]!.account_id}/transfers`;
      const body = { direction: turn % 2 ? 'from' : 'to', amount_micros: 1_000_000 };
      check(await parent.caller.post(path, body));
    },
  ];
  const changing = changes.map(async (change) => {
    for (let turn = 0; !isOver; turn++) await change(turn);
  });
  await Promise.all(senders);
  isOver = true;
  await Promise.all(changing);
  expect(failed).toEqual([]);
  const stored = await world.kernel.db.one(sql`
    select count(*)::int as messages from messages
    where account_id = any(${group.map(({ account_id }) => account_id)}::uuid[])`);
  expect(stored).toEqual({ messages: 32 * 6 * 10 });
});
