/** Several numbers behind one sender, from the choice of a number to the answer that comes back to it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { fanOut } from '../campaigns/fanout/fanout.ts';
import { sql } from '../kernel/db/db.ts';
import { fanOutAll, startCampaign } from '../test/campaigns.ts';
import { makeChatSender } from '../test/chat.ts';
import { ANNA, BRUNO, createGate, type Gate } from '../test/gate.ts';
import { type Company, makeAudience, makeCompany, makeSender, testNumber } from '../test/make.ts';
import { statementsOf } from '../test/statements.ts';
import type { Reply } from '../test/world.ts';
import { receive } from './inbound.ts';
import { applyStatuses } from './messages.ts';
import { chooser } from './pool.ts';

let gate: Gate;
beforeAll(async () => {
  gate = await createGate();
});
afterAll(() => gate?.world.stop());
beforeEach(() => gate.renew(100_000_000));

const db = () => gate.world.kernel.db;
const account = () => gate.company.account_id;
const behind = async (...options: Parameters<typeof makeSender>[2][]) => {
  const made = [];
  for (const one of options) made.push(await makeSender(gate.world.kernel, account(), one));
  return made;
};
const put = (members: { sender_id: string; weight?: number }[], id = gate.sender_id) =>
  gate.api.put(`/v1/senders/${id}/members`, { members });
const code = (reply: Reply) => reply.body.errors?.[0].code;
const from = async (to: string): Promise<string> => {
  const reply = await gate.send({ to, from: gate.sender_id });
  expect(reply.status).toBe(200);
  const [message] = reply.body.data;
  expect(message.sender_id).toBe(gate.sender_id);
  const row = await db().one<{ from: string; address: string }>(sql`
    select m."from", d.sender_address as address from messages m join dispatch d on d.account_id = m.account_id and d.message_id = m.id
    where m.account_id = ${account()} and m.id = ${message.id}`);
  expect(row).toEqual({ from: message.from, address: message.from });
  return message.from;
};
const writes = async (to: string, text = 'Hello') => {
  const { connection_id } = await connection();
  const one = { connection_id, channel: 'SMS', from: ANNA, to, text, parts: 1, told: {} };
  return db().tx((tx) => receive(tx, [one]));
};
const connection = () => db().one<{ connection_id: string }>(sql`select id as connection_id from connections limit 1`);

describe('who may stand behind a sender', () => {
  test('numbers of the account in use; each one that may not is told with its reason, and nothing changes', async () => {
    const other: Company = await makeCompany(gate.world.kernel);
    const foreign = await makeSender(gate.world.kernel, other.account_id);
    const [name, draft, good] = await behind(
      { type: 'alphanumeric', code: 'Harbour', status: 'approved', two_way: false },
      { status: 'unregistered' },
      {},
    );
    const refused = await put([foreign, name!, draft!, good!].map(({ sender_id }) => ({ sender_id })));
    expect(refused.status).toBe(404);
    expect(refused.body.errors.map((one: { code: number }) => one.code)).toEqual([1402, 1487, 1488]);
    expect(refused.text).not.toContain(foreign.code);
    expect((await gate.api.get(`/v1/senders/${gate.sender_id}/members`)).body.data).toEqual([]);
    expect(code(await put([{ sender_id: good!.sender_id, weight: 101 }]))).toBe(1705);
    expect(code(await put([], foreign.sender_id))).toBe(1402);
    expect(code(await gate.api.get(`/v1/senders/${foreign.sender_id}/members`))).toBe(1402);
    expect(code(await put([{ sender_id: good!.sender_id }], name!.sender_id))).toBe(1487);
  });

  test('a number stands behind one sender, is only used through it, and no pool stands behind another', async () => {
    const [one, two] = await behind({ name: 'Second' }, {});
    const done = await put([{ sender_id: one!.sender_id, weight: 3 }]);
    expect(done.body.data).toMatchObject([
      { sender_id: gate.sender_id, own: true, weight: 1, share: 0, messages_30_days: 0 },
      { sender_id: one!.sender_id, own: false, weight: 3, code: one!.code },
    ]);
    const { data } = (await gate.api.get('/v1/senders')).body;
    const listed = new Map(data.map((sender: { id: string }) => [sender.id, sender]));
    expect(listed.get(gate.sender_id)).toMatchObject({ members_count: 1, pool_id: gate.sender_id, pool_name: null });
    expect(listed.get(one!.sender_id)).toMatchObject({ members_count: 0, pool_id: gate.sender_id });
    expect(listed.get(two!.sender_id)).toMatchObject({ members_count: 0, pool_id: null, pool_name: null });

    const byName = await gate.send({ from: 'Second' });
    expect(code(byName)).toBe(1504);
    expect(byName.body.errors[0].message).toContain(`Sender ${gate.code}`);
    expect(code(await put([{ sender_id: one!.sender_id }], two!.sender_id))).toBe(1489);
    expect(code(await put([{ sender_id: gate.sender_id }], two!.sender_id))).toBe(1490);
    expect(code(await put([{ sender_id: two!.sender_id }], one!.sender_id))).toBe(1489);

    const events = await db().rows<{ id: string }>(sql`
      select payload->>'id' as id from events where account_id = ${account()} and type = 'sender.updated' order by seq`);
    expect(events.map(({ id }) => id)).toEqual([gate.sender_id, one!.sender_id]);
    expect((await put([])).body.data).toEqual([]);
    expect((await gate.send({ from: 'Second' })).status).toBe(200);
    await gate.sound();
  });
});

describe('which number a person gets', () => {
  const member = (sender_id: string, country: string | null, more = {}) => ({
    sender_id,
    code: sender_id,
    country,
    countries: [] as string[],
    weight: 1,
    ...more,
  });

  test('one of their country, then of their calling code, then any; never one that may not be used there', () => {
    const { by, fits } = chooser([
      member('gb', 'GB'),
      member('us', 'US', { countries: ['US', 'CA'] }),
      member('de', 'DE'),
    ]);
    expect(by({ number: '447400000001', country: 'GB' }).code).toBe('gb');
    expect(by({ number: '15145550100', country: 'CA' }).code).toBe('us');
    expect(by({ number: '447700300001', country: 'JE' }).code).toBe('gb');
    expect(['gb', 'de']).toContain(by({ number: '37491000001', country: 'AM' }).code);
    expect(fits('us', 'AM')).toBe(false);
    expect(fits('gone', 'GB')).toBe(false);
  });

  test('by weight among equals, evenly spread, and always the same for the same person', () => {
    const { by } = chooser([member('a', 'GB', { weight: 3 }), member('b', 'GB')]);
    const people = Array.from({ length: 4_000 }, (_, n) => ({ number: testNumber(n), country: 'GB' }));
    const got = people.map((person) => by(person).code);
    const share = got.filter((one) => one === 'a').length / got.length;
    expect(share).toBeGreaterThan(0.72);
    expect(share).toBeLessThan(0.78);
    expect(people.map((person) => by(person).code)).toEqual(got);
  });

  test('a message leaves from it, and the person keeps it while it is there', async () => {
    const [us] = await behind({ code: '12025550143', type: 'local', countries: ['US'] });
    await put([{ sender_id: us!.sender_id }]);
    expect(await from('12025550199')).toBe(us!.code);
    expect(await from(ANNA)).toBe(gate.code);
    // One that would suit better comes later: who is known stays where they are.
    const [second] = await behind({ code: '12025550144', type: 'local', countries: ['US'] });
    await put([{ sender_id: us!.sender_id }, { sender_id: second!.sender_id, weight: 100 }]);
    expect(await from('12025550199')).toBe(us!.code);
    const taken = await put([{ sender_id: second!.sender_id }]);
    expect(taken.body.data).toMatchObject([
      { own: true, messages_30_days: 1 },
      { sender_id: second!.sender_id, messages_30_days: 0 },
    ]);
    expect(await from('12025550199')).toBe(second!.code);
    await gate.sound();
  });

  test('where only one of the others is used, the sender reaches that country too', async () => {
    await db().run(
      sql`update senders set countries = '{GB}' where account_id = ${account()} and id = ${gate.sender_id}`,
    );
    expect(code(await gate.send({ to: '12025550199' }))).toBe(1543);
    const [us] = await behind({ code: '12025550145', type: 'local', countries: ['US', 'CA'] });
    await put([{ sender_id: us!.sender_id }]);
    expect((await gate.api.get(`/v1/senders/${gate.sender_id}`)).body.data.countries).toEqual(['CA', 'GB', 'US']);
    expect(await from('12025550199')).toBe(us!.code);
    expect(await from(BRUNO)).toBe(gate.code);
  });
});

describe('answers', () => {
  test('to any of the numbers come to one conversation, and move the person to that number', async () => {
    const [second] = await behind({});
    await put([{ sender_id: second!.sender_id }]);
    const first = await from(ANNA);
    const other = first === gate.code ? second!.code : gate.code;
    await writes(other);
    await writes(first);
    await writes(other, 'And again');
    const { data } = (await gate.api.get('/v1/conversations')).body;
    expect(data).toMatchObject([{ number: ANNA, sender_id: gate.sender_id, unread_count: 3 }]);
    const rows = await db().rows(sql`
      select "to", sender_id from messages where account_id = ${account()} and direction = 'MO' order by id`);
    expect(rows).toEqual([other, first, other].map((to) => ({ to, sender_id: gate.sender_id })));
    expect(await from(ANNA)).toBe(other);
    await gate.sound();
  });

  test('STOP to one of them stops all; a number brings its stops along, and takes them with it', async () => {
    const [second, third] = await behind({}, {});
    await writes(second!.code, 'STOP');
    await put([{ sender_id: second!.sender_id }]);
    expect(code(await gate.send({ from: gate.sender_id }))).toBe(1530);
    await writes(second!.code, 'START');
    expect((await gate.send({ from: gate.sender_id })).status).toBe(200);
    await put([{ sender_id: second!.sender_id }, { sender_id: third!.sender_id }]);
    await writes(second!.code, 'STOP');
    await put([{ sender_id: second!.sender_id }]);
    expect(code(await gate.send({ from: third!.code }))).toBe(1530);
  });

  /** Until as many as that wait for somebody else to commit. */
  const standing = (count: number) =>
    vi.waitFor(
      async () => {
        const rows = await db().rows(sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
        expect(rows).toHaveLength(count);
      },
      { timeout: 30_000, interval: 20 },
    );

  test('STOP that is being stored while its number is put behind a sender is a stop of that sender', async () => {
    const [second] = await behind({});
    let added: Promise<Reply> | undefined;
    const { connection_id } = await connection();
    const stop = { connection_id, channel: 'SMS', from: ANNA, to: second!.code, text: 'STOP', parts: 1, told: {} };
    await db().tx(async (tx) => {
      await receive(tx, [stop]);
      added = put([{ sender_id: second!.sender_id }]);
      await standing(1);
    });
    expect((await added!).status).toBe(200);
    expect(code(await gate.send({ from: gate.sender_id }))).toBe(1530);
  });

  test('so is one that comes while that is not committed yet, by a word or by hand', async () => {
    const [second] = await behind({});
    let all: Promise<unknown> | undefined;
    const undone = db().tx(async (tx) => {
      // Whoever writes the same row waits for this one, and has the lock of the pools by then.
      await tx.run(sql`
        insert into sender_members (account_id, sender_id, pool_id, create_date)
        values (${account()}, ${second!.sender_id}, ${gate.sender_id}, now())`);
      const added = put([{ sender_id: second!.sender_id }]);
      await standing(1);
      const entry = { number: `+${BRUNO}`, sender_id: second!.sender_id };
      all = Promise.all([added, writes(second!.code, 'STOP'), gate.api.post('/v1/stop_list', entry)]);
      await standing(3);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await all;
    expect(code(await gate.send({ to: ANNA, from: gate.sender_id }))).toBe(1530);
    expect(code(await gate.send({ to: BRUNO, from: gate.sender_id }))).toBe(1530);
  });
});

describe('as another way of a message', () => {
  test('it picks the number when its turn comes: the one they wrote to last, or another where that has left', async () => {
    const viber = await makeChatSender(gate.world.kernel, account(), 'VIBER');
    const [second] = await behind({});
    await put([{ sender_id: second!.sender_id }]);
    const fallback = { channel: 'SMS', from: gate.code, text: 'By SMS', trigger: 'undelivered', wait_seconds: 60 };
    const sent = async (to: string) => {
      const fields = { channel: 'VIBER', from: viber.code, to, text: 'By Viber', fallbacks: [fallback] };
      return (await gate.api.post('/v1/messages', fields)).body.data[0].id as string;
    };
    const refuse = (message_id: string) =>
      db().tx((tx) =>
        applyStatuses(tx, [
          {
            ...{ account_id: account(), message_id, status: 'rejected', source: 'carrier', failure: 'rejected' },
            connection_id: viber.connection_id,
          },
        ]),
      );
    const goes = async (id: string) => {
      const { data } = (await gate.api.get(`/v1/messages/${id}`)).body;
      const { address } = await db().one<{ address: string }>(
        sql`select sender_address as address from dispatch where account_id = ${account()} and message_id = ${id}`,
      );
      expect([data.channel, data.from, data.fallbacks[1].from]).toEqual(['SMS', address, address]);
      return address;
    };
    const shown = async (id: string) => (await gate.api.get(`/v1/messages/${id}`)).body.data.fallbacks[1].from;

    const [anna, bruno] = [await sent(ANNA), await sent(BRUNO)];
    const usual = await shown(anna);
    const other = usual === gate.code ? second!.code : gate.code;
    await writes(other);
    await refuse(anna);
    expect(await goes(anna)).toBe(other);
    expect(await from(ANNA)).toBe(other);

    // Bruno knows the number that leaves, so he gets another.
    await db().run(sql`
      update sender_pairs set sender_id = ${second!.sender_id} where account_id = ${account()} and number = ${BRUNO}`);
    const counted = async () =>
      (await gate.api.get(`/v1/senders/${gate.sender_id}/members`)).body.data.map(
        (row: { messages_30_days: number }) => row.messages_30_days,
      );
    expect((await counted()).reduce((sum: number, n: number) => sum + n, 0)).toBe(2);
    await put([]);
    await refuse(bruno);
    expect(await goes(bruno)).toBe(gate.code);
    await gate.sound();
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
          select m.number, m."from" from messages m join dispatch d on d.account_id = m.account_id and d.message_id = m.id
          where m.account_id = ${account()} and m.campaign_id = ${campaign_id} and d.sender_address = m."from"`)
      ).map(({ number, from }) => [number, from]),
    );

  test('two at once give each person the same number', async () => {
    const made = await behind({}, {}, {});
    await put(made.map(({ sender_id }) => ({ sender_id })));
    const here = await stage();
    const one = await startCampaign(here);
    const two = await startCampaign({ ...here, audience_id: await makeAudience(gate.world.kernel, account(), people) });
    // The numbers change while both are under way: what each has read of them differs.
    await Promise.all([
      fanOutAll(gate.world, one, 7),
      fanOutAll(gate.world, two, 11),
      put([{ sender_id: gate.sender_id, weight: 9 }, ...made.map(({ sender_id }) => ({ sender_id, weight: 50 }))]),
    ]);
    const [first, second] = [await origins(one.id), await origins(two.id)];
    expect(first.size).toBe(people.length);
    expect([...first].sort()).toEqual([...second].sort());
    expect(new Set(first.values()).size).toBeGreaterThan(1);
    const { data } = (await gate.api.get(`/v1/senders/${gate.sender_id}/members`)).body;
    const counts = data.map((row: { messages_30_days: number }) => row.messages_30_days);
    expect(counts.reduce((sum: number, n: number) => sum + n, 0)).toBe(2 * people.length);
    expect(data.reduce((sum: number, row: { share: number }) => sum + row.share, 0)).toBeCloseTo(1);
    await gate.sound();
  }, 60_000);

  test('a number that leaves, or is given back, gets no one any more; its people get another one and keep it', async () => {
    const [gone, released] = await behind({}, {});
    await put([gone!, released!].map(({ sender_id }) => ({ sender_id })));
    const here = await stage();
    const campaign = await startCampaign(here);
    await fanOut(gate.world.kernel, campaign, 20);
    const before = await origins(campaign.id);
    await put([{ sender_id: released!.sender_id }]);
    await fanOut(gate.world.kernel, campaign, 20);
    const between = await origins(campaign.id);
    expect(between.size).toBe(40);
    for (const [number, from] of between) if (!before.has(number)) expect(from).not.toBe(gone!.code);

    expect((await gate.api.delete(`/v1/senders/${released!.sender_id}`)).status).toBe(204);
    expect((await gate.api.get(`/v1/senders/${gate.sender_id}/members`)).body.data).toEqual([]);
    await fanOutAll(gate.world, campaign, 20);
    const after = await origins(campaign.id);
    expect(after.size).toBe(60);
    for (const [number, from] of after) if (!between.has(number)) expect(from).toBe(gate.code);

    await put([{ sender_id: gone!.sender_id }]);
    const again = await startCampaign(here);
    await fanOutAll(gate.world, again);
    const last = await origins(again.id);
    expect(new Set(last.values())).not.toContain(released!.code);
    // Who had a number that is still there has it again.
    for (const [number, from] of before) if (from === gone!.code) expect(last.get(number)).toBe(gone!.code);
    await gate.sound();
  }, 60_000);

  test('a portion costs three statements more, four where somebody is new, and nothing where the sender stands alone', async () => {
    const [second] = await behind({});
    const here = await stage();
    const asked = async () => {
      const campaign = await startCampaign(here);
      const all = await statementsOf(db(), 'select', () => fanOut(gate.world.kernel, campaign));
      expect((await origins(campaign.id)).size).toBe(people.length);
      return all.flat().filter((text) => /sender_pairs|sender_member|n\.country, s\.countries/.test(text));
    };
    expect(await asked()).toEqual([]);
    await put([{ sender_id: second!.sender_id }]);
    expect(await asked()).toHaveLength(4);
    expect(await asked()).toHaveLength(3);
  });

  test('when the sender itself goes, the others stand by themselves again', async () => {
    const [second] = await behind({});
    await put([{ sender_id: second!.sender_id }]);
    await from(ANNA);
    expect((await gate.api.delete(`/v1/senders/${gate.sender_id}`)).status).toBe(204);
    expect(await db().rows(sql`select 1 from sender_pairs where account_id = ${account()}`)).toEqual([]);
    const { body } = await gate.api.get(`/v1/senders/${second!.sender_id}`);
    expect(body.data).toMatchObject({ pool_id: null, pool_name: null, members_count: 0 });
    expect((await gate.send({ from: second!.code, to: BRUNO })).status).toBe(200);
    await gate.sound();
  });
});
