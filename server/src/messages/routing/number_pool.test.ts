/** Number pools, from choosing a member to receiving the reply. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { fanOut } from '../../campaigns/fanout/fanout.ts';
import { sql } from '../../kernel/db/db.ts';
import { fanOutAll, startCampaign } from '../../test/campaigns.ts';
import { makeChatSender } from '../../test/chat.ts';
import { ANNA, BRUNO, createGate, type Gate } from '../../test/gate.ts';
import { type Company, makeAudience, makeCompany, makeSender, testNumber } from '../../test/make.ts';
import { recordStatements } from '../../test/statements.ts';
import type { Reply } from '../../test/world.ts';
import { receiveMessages } from '../inbound/intake.ts';
import { applyStatuses } from '../messages.ts';
import { createChooser } from './number_pool.ts';

let gate: Gate;
beforeAll(async () => {
  gate = await createGate();
});
afterAll(() => gate?.world.stop());
beforeEach(() => gate.renew(100_000_000));

const db = () => gate.world.kernel.db;
const account = () => gate.company.account_id;
const makeSenders = async (...options: Parameters<typeof makeSender>[2][]) => {
  const senders = [];
  for (const entry of options) senders.push(await makeSender(gate.world.kernel, account(), entry));
  return senders;
};
const putMembers = (members: { sender_id: string; weight?: number }[], id = gate.sender_id) =>
  gate.api.put(`/v1/senders/${id}/members`, { members });
const code = (reply: Reply) => reply.body.errors?.[0].code;
const sendTo = async (to: string): Promise<string> => {
  const reply = await gate.send({ to, from: gate.sender_id });
  expect(reply.status).toBe(200);
  const [message] = reply.body.data;
  expect(message.sender_id).toBe(gate.sender_id);
  const row = await db().one<{ from: string; address: string }>(sql`
    select m."from", d.sender_address as address from messages m join dispatch d on d.account_id = m.account_id
      and d.message_id = m.id
    where m.account_id = ${account()} and m.id = ${message.id}`);
  expect(row).toEqual({ from: message.from, address: message.from });
  return message.from;
};
const receive = async (to: string, text = 'Hello') => {
  const { connection_id } = await connection();
  const entry = { connection_id, channel: 'SMS', from: ANNA, to, text, parts: 1, details: {} };
  return db().tx((tx) => receiveMessages(tx, [entry]));
};
const connection = () => db().one<{ connection_id: string }>(sql`select id as connection_id from connections limit 1`);

describe('pool members', () => {
  test('must be active numbers in the account; other senders are rejected with a reason', async () => {
    const other: Company = await makeCompany(gate.world.kernel);
    const foreign = await makeSender(gate.world.kernel, other.account_id);
    const [name, draft, activeNumber] = await makeSenders(
      { type: 'alphanumeric', code: 'Harbour', status: 'approved', two_way: false },
      { status: 'unregistered' },
      {},
    );
    const refusal = await putMembers([foreign, name!, draft!, activeNumber!].map(({ sender_id }) => ({ sender_id })));
    expect(refusal.status).toBe(404);
    expect(refusal.body.errors.map((entry: { code: number }) => entry.code)).toEqual([1402, 1487, 1488]);
    expect(refusal.text).not.toContain(foreign.code);
    expect((await gate.api.get(`/v1/senders/${gate.sender_id}/members`)).body.data).toEqual([]);
    expect(code(await putMembers([{ sender_id: activeNumber!.sender_id, weight: 101 }]))).toBe(1705);
    expect(code(await putMembers([], foreign.sender_id))).toBe(1402);
    expect(code(await gate.api.get(`/v1/senders/${foreign.sender_id}/members`))).toBe(1402);
    expect(code(await putMembers([{ sender_id: activeNumber!.sender_id }], name!.sender_id))).toBe(1487);
  });

  test('belong to a single pool, send only through it, and cannot have their own members', async () => {
    const [memberA, memberB] = await makeSenders({ name: 'Second' }, {});
    const reply = await putMembers([{ sender_id: memberA!.sender_id, weight: 3 }]);
    expect(reply.body.data).toMatchObject([
      { sender_id: gate.sender_id, own: true, weight: 1, share: 0, messages_30_days: 0 },
      { sender_id: memberA!.sender_id, own: false, weight: 3, code: memberA!.code },
    ]);
    const { data } = (await gate.api.get('/v1/senders')).body;
    const listed = new Map(data.map((sender: { id: string }) => [sender.id, sender]));
    expect(listed.get(gate.sender_id)).toMatchObject({ members_count: 1, pool_id: gate.sender_id, pool_name: null });
    expect(listed.get(memberA!.sender_id)).toMatchObject({ members_count: 0, pool_id: gate.sender_id });
    expect(listed.get(memberB!.sender_id)).toMatchObject({ members_count: 0, pool_id: null, pool_name: null });

    const byName = await gate.send({ from: 'Second' });
    expect(code(byName)).toBe(1504);
    expect(byName.body.errors[0].message).toContain(`Sender ${gate.code}`);
    expect(code(await putMembers([{ sender_id: memberA!.sender_id }], memberB!.sender_id))).toBe(1489);
    expect(code(await putMembers([{ sender_id: gate.sender_id }], memberB!.sender_id))).toBe(1490);
    expect(code(await putMembers([{ sender_id: memberB!.sender_id }], memberA!.sender_id))).toBe(1489);

    const events = await db().rows<{ id: string }>(sql`
      select payload->>'id' as id from events where account_id = ${account()} and type = 'sender.updated'
      order by id`);
    expect(events.map(({ id }) => id)).toEqual([gate.sender_id, memberA!.sender_id]);
    expect((await putMembers([])).body.data).toEqual([]);
    expect((await gate.send({ from: 'Second' })).status).toBe(200);
    await gate.expectSound();
  });
});

describe('the choice of a member', () => {
  const member = (sender_id: string, country: string | null, overrides = {}) => ({
    sender_id,
    code: sender_id,
    country,
    countries: [] as string[],
    weight: 1,
    ...overrides,
  });

  test('prefers the person’s country, then their calling code, then any usable member', () => {
    const { choose, fits } = createChooser([
      member('gb', 'GB'),
      member('us', 'US', { countries: ['US', 'CA'] }),
      member('de', 'DE'),
    ]);
    expect(choose({ number: '447400000001', country: 'GB' }).code).toBe('gb');
    expect(choose({ number: '15145550100', country: 'CA' }).code).toBe('us');
    expect(choose({ number: '447700300001', country: 'JE' }).code).toBe('gb');
    expect(['gb', 'de']).toContain(choose({ number: '37491000001', country: 'AM' }).code);
    expect(fits('us', 'AM')).toBe(false);
    expect(fits('gone', 'GB')).toBe(false);
  });

  test('follows the weights when members match equally and is stable for each person', () => {
    const { choose } = createChooser([member('a', 'GB', { weight: 3 }), member('b', 'GB')]);
    const people = Array.from({ length: 4_000 }, (_, n) => ({ number: testNumber(n), country: 'GB' }));
    const codes = people.map((person) => choose(person).code);
    const share = codes.filter((entry) => entry === 'a').length / codes.length;
    expect(share).toBeGreaterThan(0.72);
    expect(share).toBeLessThan(0.78);
    expect(people.map((person) => choose(person).code)).toEqual(codes);
  });

  test('does not change for a person while the member stays in the pool', async () => {
    const [usNumber] = await makeSenders({ code: '12025550143', type: 'local', countries: ['US'] });
    await putMembers([{ sender_id: usNumber!.sender_id }]);
    expect(await sendTo('12025550199')).toBe(usNumber!.code);
    expect(await sendTo(ANNA)).toBe(gate.code);
    // When a better match joins later, people who already have a member keep it.
    const [second] = await makeSenders({ code: '12025550144', type: 'local', countries: ['US'] });
    await putMembers([{ sender_id: usNumber!.sender_id }, { sender_id: second!.sender_id, weight: 100 }]);
    expect(await sendTo('12025550199')).toBe(usNumber!.code);
    const refusal = await putMembers([{ sender_id: second!.sender_id }]);
    expect(refusal.body.data).toMatchObject([
      { own: true, messages_30_days: 1 },
      { sender_id: second!.sender_id, messages_30_days: 0 },
    ]);
    expect(await sendTo('12025550199')).toBe(second!.code);
    await gate.expectSound();
  });

  test('covers the countries of the sender and of all its members', async () => {
    await db().run(
      sql`update senders set countries = '{GB}' where account_id = ${account()} and id = ${gate.sender_id}`,
    );
    expect(code(await gate.send({ to: '12025550199' }))).toBe(1543);
    const [usNumber] = await makeSenders({ code: '12025550145', type: 'local', countries: ['US', 'CA'] });
    await putMembers([{ sender_id: usNumber!.sender_id }]);
    expect((await gate.api.get(`/v1/senders/${gate.sender_id}`)).body.data.countries).toEqual(['CA', 'GB', 'US']);
    expect(await sendTo('12025550199')).toBe(usNumber!.code);
    expect(await sendTo(BRUNO)).toBe(gate.code);
  });
});

describe('replies', () => {
  test('join one conversation whichever member receives them, and assign the person to the latest member', async () => {
    const [second] = await makeSenders({});
    await putMembers([{ sender_id: second!.sender_id }]);
    const first = await sendTo(ANNA);
    const other = first === gate.code ? second!.code : gate.code;
    await receive(other);
    await receive(first);
    await receive(other, 'And again');
    const { data } = (await gate.api.get('/v1/conversations')).body;
    expect(data).toMatchObject([{ number: ANNA, sender_id: gate.sender_id, unread_count: 3 }]);
    const rows = await db().rows(sql`
      select "to", sender_id from messages where account_id = ${account()} and direction = 'MO' order by id`);
    expect(rows).toEqual([other, first, other].map((to) => ({ to, sender_id: gate.sender_id })));
    expect(await sendTo(ANNA)).toBe(other);
    await gate.expectSound();
  });

  test('with STOP opt a person out of every member, and opt-outs move with a number that joins or leaves', async () => {
    const [second, third] = await makeSenders({}, {});
    await receive(second!.code, 'STOP');
    await putMembers([{ sender_id: second!.sender_id }]);
    expect(code(await gate.send({ from: gate.sender_id }))).toBe(1530);
    await receive(second!.code, 'START');
    expect((await gate.send({ from: gate.sender_id })).status).toBe(200);
    await putMembers([{ sender_id: second!.sender_id }, { sender_id: third!.sender_id }]);
    await receive(second!.code, 'STOP');
    await putMembers([{ sender_id: second!.sender_id }]);
    expect(code(await gate.send({ from: third!.code }))).toBe(1530);
  });

  /** Waits until exactly this many transactions are blocked by a lock. */
  const waitForBlocked = (count: number) =>
    vi.waitFor(
      async () => {
        const rows = await db().rows(sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
        expect(rows).toHaveLength(count);
      },
      { timeout: 30_000, interval: 20 },
    );

  test('opt a person out of the pool when a STOP is stored while its number joins', async () => {
    const [second] = await makeSenders({});
    let update: Promise<Reply> | undefined;
    const { connection_id } = await connection();
    const stop = { connection_id, channel: 'SMS', from: ANNA, to: second!.code, text: 'STOP', parts: 1, details: {} };
    await db().tx(async (tx) => {
      await receiveMessages(tx, [stop]);
      update = putMembers([{ sender_id: second!.sender_id }]);
      await waitForBlocked(1);
    });
    expect((await update!).status).toBe(200);
    expect(code(await gate.send({ from: gate.sender_id }))).toBe(1530);
  });

  test('opt a person out of the pool when a STOP or stop list entry arrives before the join is committed', async () => {
    const [second] = await makeSenders({});
    let all: Promise<unknown> | undefined;
    const transaction = db().tx(async (tx) => {
      // A second writer of this row waits for this transaction while it holds the lock on the pools.
      await tx.run(sql`
        insert into number_pool_members (account_id, sender_id, pool_id, create_date)
        values (${account()}, ${second!.sender_id}, ${gate.sender_id}, now())`);
      const update = putMembers([{ sender_id: second!.sender_id }]);
      await waitForBlocked(1);
      const entry = { number: `+${BRUNO}`, sender_id: second!.sender_id };
      all = Promise.all([update, receive(second!.code, 'STOP'), gate.api.post('/v1/stop_list', entry)]);
      await waitForBlocked(3);
      throw new Error('rolled back');
    });
    await expect(transaction).rejects.toThrow('rolled back');
    await all;
    expect(code(await gate.send({ to: ANNA, from: gate.sender_id }))).toBe(1530);
    expect(code(await gate.send({ to: BRUNO, from: gate.sender_id }))).toBe(1530);
  });
});

describe('a number pool as a fallback', () => {
  test('chooses the member when the step starts, based on the person’s last message', async () => {
    const viber = await makeChatSender(gate.world.kernel, account(), 'VIBER');
    const [second] = await makeSenders({});
    await putMembers([{ sender_id: second!.sender_id }]);
    const fallback = { channel: 'SMS', from: gate.code, text: 'By SMS', trigger: 'undelivered', wait_seconds: 60 };
    const sendMessage = async (to: string) => {
      const fields = { channel: 'VIBER', from: viber.code, to, text: 'By Viber', fallbacks: [fallback] };
      return (await gate.api.post('/v1/messages', fields)).body.data[0].id as string;
    };
    const rejectMessage = (message_id: string) =>
      db().tx((tx) =>
        applyStatuses(tx, [
          {
            ...{ account_id: account(), message_id, status: 'rejected', source: 'carrier', failure: 'rejected' },
            connection_id: viber.connection_id,
          },
        ]),
      );
    const findMember = async (id: string) => {
      const { data } = (await gate.api.get(`/v1/messages/${id}`)).body;
      const { address } = await db().one<{ address: string }>(
        sql`select sender_address as address from dispatch where account_id = ${account()} and message_id = ${id}`,
      );
      expect([data.channel, data.from, data.fallbacks[1].from]).toEqual(['SMS', address, address]);
      return address;
    };
    const stepSender = async (id: string) => (await gate.api.get(`/v1/messages/${id}`)).body.data.fallbacks[1].from;

    const [anna, bruno] = [await sendMessage(ANNA), await sendMessage(BRUNO)];
    const firstSender = await stepSender(anna);
    const other = firstSender === gate.code ? second!.code : gate.code;
    await receive(other);
    await rejectMessage(anna);
    expect(await findMember(anna)).toBe(other);
    expect(await sendTo(ANNA)).toBe(other);

    // Bruno's member leaves the pool, so he is assigned a different one.
    await db().run(sql`
      update number_pool_contacts set sender_id = ${second!.sender_id}
      where account_id = ${account()} and number = ${BRUNO}`);
    const countMessages = async () =>
      (await gate.api.get(`/v1/senders/${gate.sender_id}/members`)).body.data.map(
        (row: { messages_30_days: number }) => row.messages_30_days,
      );
    expect((await countMessages()).reduce((sum: number, n: number) => sum + n, 0)).toBe(2);
    await putMembers([]);
    await rejectMessage(bruno);
    expect(await findMember(bruno)).toBe(gate.code);
    await gate.expectSound();
  });
});

describe('campaigns', () => {
  const people = Array.from({ length: 60 }, (_, n) => ({ number: testNumber(n) }));
  const stage = async () => ({
    ...gate.company,
    caller: gate.api,
    sender_id: gate.sender_id,
    audience_id: await makeAudience(gate.world.kernel, account(), people),
  });
  const origins = async (campaign_id: string) =>
    new Map(
      (
        await db().rows<{ number: string; from: string }>(sql`
          select m.number, m."from" from messages m join dispatch d on d.account_id = m.account_id
            and d.message_id = m.id
          where m.account_id = ${account()} and m.campaign_id = ${campaign_id} and d.sender_address = m."from"`)
      ).map(({ number, from: sendTo }) => [number, sendTo]),
    );

  test('assign each person the same member when they run concurrently', async () => {
    const senders = await makeSenders({}, {}, {});
    await putMembers(senders.map(({ sender_id }) => ({ sender_id })));
    const setup = await stage();
    const audience_id = await makeAudience(gate.world.kernel, account(), people);
    const [campaign, otherCampaign] = [await startCampaign(setup), await startCampaign({ ...setup, audience_id })];
    // The pool changes while both campaigns run, so they read different members.
    await Promise.all([
      fanOutAll(gate.world, campaign, 7),
      fanOutAll(gate.world, otherCampaign, 11),
      putMembers([
        { sender_id: gate.sender_id, weight: 9 },
        ...senders.map(({ sender_id }) => ({ sender_id, weight: 50 })),
      ]),
    ]);
    const [first, second] = [await origins(campaign.id), await origins(otherCampaign.id)];
    expect(first.size).toBe(people.length);
    expect([...first].sort()).toEqual([...second].sort());
    expect(new Set(first.values()).size).toBeGreaterThan(1);
    const { data } = (await gate.api.get(`/v1/senders/${gate.sender_id}/members`)).body;
    const counts = data.map((row: { messages_30_days: number }) => row.messages_30_days);
    expect(counts.reduce((sum: number, n: number) => sum + n, 0)).toBe(2 * people.length);
    expect(data.reduce((sum: number, row: { share: number }) => sum + row.share, 0)).toBeCloseTo(1);
    await gate.expectSound();
  });

  test('stop using a removed or released member, and a removed one keeps its people when it returns', async () => {
    const [removed, released] = await makeSenders({}, {});
    await putMembers([removed!, released!].map(({ sender_id }) => ({ sender_id })));
    const setup = await stage();
    const campaign = await startCampaign(setup);
    await fanOut(gate.world.kernel, campaign, 20);
    const before = await origins(campaign.id);
    await putMembers([{ sender_id: released!.sender_id }]);
    await fanOut(gate.world.kernel, campaign, 20);
    const between = await origins(campaign.id);
    expect(between.size).toBe(40);
    for (const [number, sendTo] of between) if (!before.has(number)) expect(sendTo).not.toBe(removed!.code);

    expect((await gate.api.delete(`/v1/senders/${released!.sender_id}`)).status).toBe(204);
    expect((await gate.api.get(`/v1/senders/${gate.sender_id}/members`)).body.data).toEqual([]);
    await fanOutAll(gate.world, campaign, 20);
    const after = await origins(campaign.id);
    expect(after.size).toBe(60);
    for (const [number, sendTo] of after) if (!between.has(number)) expect(sendTo).toBe(gate.code);

    await putMembers([{ sender_id: removed!.sender_id }]);
    const secondRun = await startCampaign(setup);
    await fanOutAll(gate.world, secondRun);
    const last = await origins(secondRun.id);
    expect(new Set(last.values())).not.toContain(released!.code);
    // People keep a removed member once it is back in the pool.
    for (const [number, sendTo] of before) if (sendTo === removed!.code) expect(last.get(number)).toBe(removed!.code);
    await gate.expectSound();
  });

  test('run no pool statements without a pool, three per batch with one, and four when people are new', async () => {
    const [second] = await makeSenders({});
    const setup = await stage();
    const statements = async () => {
      const campaign = await startCampaign(setup);
      const all = await recordStatements(db(), 'select', () => fanOut(gate.world.kernel, campaign));
      expect((await origins(campaign.id)).size).toBe(people.length);
      return all.flat().filter((text) => /number_pool_(contacts|members|days)|n\.(number, p|country, s)/.test(text));
    };
    expect(await statements()).toEqual([]);
    await putMembers([{ sender_id: second!.sender_id }]);
    expect(await statements()).toHaveLength(4);
    expect(await statements()).toHaveLength(3);
  });
});

test('pool members become separate senders again when the pool’s sender is deleted', async () => {
  const [second] = await makeSenders({});
  await putMembers([{ sender_id: second!.sender_id }]);
  await sendTo(ANNA);
  expect((await gate.api.delete(`/v1/senders/${gate.sender_id}`)).status).toBe(204);
  expect(await db().rows(sql`select 1 from number_pool_contacts where account_id = ${account()}`)).toEqual([]);
  const { body } = await gate.api.get(`/v1/senders/${second!.sender_id}`);
  expect(body.data).toMatchObject({ pool_id: null, pool_name: null, members_count: 0 });
  expect((await gate.send({ from: second!.code, to: BRUNO })).status).toBe(200);
  await gate.expectSound();
});
