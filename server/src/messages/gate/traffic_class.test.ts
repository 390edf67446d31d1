import { TRAFFIC_CLASSES, type TrafficClass } from '@parley/contract/messages/traffic_classes.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { idAt, newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { makeChatSender } from '../../test/chat.ts';
import { ANNA, BRUNO, createGate, type Gate } from '../../test/gate.ts';
import { makeKey } from '../../test/make.ts';
import { makeTemplate } from '../../test/templates.ts';
import type { Caller } from '../../test/world.ts';
import { accept } from '../messages.ts';
import { PRIORITY, trafficClass } from '../model/traffic_class.ts';

let gate: Gate;
beforeAll(async () => {
  gate = await createGate();
});
afterAll(() => gate?.world.stop());
beforeEach(() => gate.renew(100_000_000));

type Source = Parameters<typeof accept>[2]['source'];

/** Stores an inbound message from the person. */
const write = (number: string, hours_ago: number) =>
  gate.world.kernel.db.run(sql`
    insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country,
      text, segments_count, encoding, currency, source)
    values (${gate.company.account_id}, ${idAt(Date.now() - hours_ago * 3_600_000).slice(0, 24) + newId().slice(24)},
      'MO', 'SMS', 'received', ${gate.sender_id}, ${number}, ${gate.code}, ${number}, 'GB', 'Hi', 1, 'GSM-7', 'USD',
      'phone')`);

async function queuedClasses(): Promise<Record<string, TrafficClass>> {
  const rows = await gate.world.kernel.db.rows<{ number: string; priority: number }>(sql`
    select number, priority from dispatch where account_id = ${gate.company.account_id}`);
  return Object.fromEntries(rows.map(({ number, priority }) => [number, trafficClass(priority)]));
}

const acceptFrom = (source: Source, fields: { code?: string; text?: string } = {}) =>
  gate.world.kernel.db.tx((tx) =>
    accept(tx, gate.world.kernel, {
      account_id: gate.company.account_id,
      channel: 'SMS',
      from: gate.sender_id,
      recipients: [{ to: ANNA, text: fields.text ?? 'Hello' }],
      source,
      refusal: 'throw',
      ...(fields.code === undefined ? {} : { code: fields.code }),
    }),
  );

describe.each<[string, () => Promise<Caller> | Caller]>([
  ['a session', () => gate.api],
  ['an API key', async () => gate.world.as({ key: await makeKey(gate.world.kernel, gate.company.account_id) })],
])('a message sent with %s', (_, caller) => {
  const send = async (to: string | string[]) =>
    (await caller()).post('/v1/messages', { from: gate.code, to, channel: 'sms', text: 'Your order is ready' });

  test('is a single message when its recipient has not written', async () => {
    expect((await send(ANNA)).status).toBe(200);
    expect(await queuedClasses()).toEqual({ [ANNA]: 'single' });
  });

  test('is part of a conversation only for the recipients who wrote in the last day', async () => {
    await write(ANNA, 23);
    await write(BRUNO, 25);
    expect((await send([ANNA, BRUNO])).status).toBe(200);
    expect(await queuedClasses()).toEqual({ [ANNA]: 'conversation', [BRUNO]: 'single' });
  });

  test('is a code when its template is for authentication', async () => {
    const { kernel } = gate.world;
    const { account_id } = gate.company;
    const { sender_id } = await makeChatSender(kernel, account_id, 'WHATSAPP');
    const [code, news] = await Promise.all(
      ['AUTHENTICATION', 'MARKETING'].map((wa_category) =>
        makeTemplate(kernel, account_id, { channel: 'WHATSAPP', sender_id, wa_category, text: 'Your code: {code}' }),
      ),
    );
    const send = async (template: string | undefined, to: string) =>
      (await caller()).post('/v1/messages', {
        from: sender_id,
        to,
        channel: 'whatsapp',
        template,
        variables: ['471100'],
      });
    expect([(await send(code, ANNA)).status, (await send(news, BRUNO)).status]).toEqual([200, 200]);
    expect(await queuedClasses()).toEqual({ [ANNA]: 'code', [BRUNO]: 'single' });
  });
});

describe('the class', () => {
  test.each<[Source, { code?: string; text?: string }, TrafficClass]>([
    ['verification', { code: '123456', text: 'Your code is 123456' }, 'code'],
    ['verification', {}, 'single'],
    ['reply', {}, 'conversation'],
    ['campaign', {}, 'campaign'],
    ['api', {}, 'single'],
    ['inbox', {}, 'single'],
  ])('of a message from "%s" with %j is "%s"', async (source, fields, expected) => {
    await acceptFrom(source, fields);
    expect(await queuedClasses()).toEqual({ [ANNA]: expected });
  });

  test('is derived from the priority when a message is new or was throttled', () => {
    for (const name of TRAFFIC_CLASSES)
      expect([trafficClass(PRIORITY[name]), trafficClass(PRIORITY[name] - 1)]).toEqual([name, name]);
  });
});
