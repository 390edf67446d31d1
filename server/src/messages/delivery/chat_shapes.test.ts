import { createMessage } from '@parley/contract/messages/messages.ts';
import { problemCode } from '@parley/contract/problem.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type ChatSender, makeChatSender, makeIncoming, makeMedia, readConnection } from '../../test/chat.ts';
import { ANNA, createGate, type Gate } from '../../test/gate.ts';
import { makeTemplate } from '../../test/templates.ts';
import { InboundIntake } from '../inbound/intake.ts';

// Any combination of fields is either accepted in full or rejected with a code from the contract.
let gate: Gate;
let senders: Record<'SMS' | 'WHATSAPP' | 'VIBER', string>;
let media: string[];
let templates: string[];
beforeAll(async () => {
  gate = await createGate();
  await gate.renew(1_000_000_000);
  const { kernel } = gate.world;
  const { account_id } = gate.company;
  const whatsapp: ChatSender = await makeChatSender(kernel, account_id, 'WHATSAPP');
  const viber = await makeChatSender(kernel, account_id, 'VIBER', { settings: { in_a_row: 3 } });
  senders = { SMS: gate.sender_id, WHATSAPP: whatsapp.sender_id, VIBER: viber.sender_id };
  for (const sender of [whatsapp, viber])
    await new InboundIntake(kernel).add(await readConnection(kernel, sender.connection_id), makeIncoming(sender, ANNA));
  media = [
    await makeMedia(kernel, account_id, { type: 'image', name: 'a.png', content_type: 'image/png' }),
    await makeMedia(kernel, account_id, { type: 'document', name: 'a.pdf', content_type: 'application/pdf' }),
    await makeMedia(kernel, account_id, { type: 'video', name: 'a.mp4', content_type: 'video/mp4' }),
  ];
  templates = [
    await makeTemplate(kernel, account_id),
    await makeTemplate(kernel, account_id, { channel: 'VIBER' }),
    await makeTemplate(kernel, account_id, { channel: 'WHATSAPP', sender_id: whatsapp.sender_id, external_id: '1' }),
  ];
});
afterAll(() => gate.world.stop());

const total = async () =>
  (
    await gate.world.kernel.db.one<{ n: number }>(sql`
      select (select count(*) from messages where account_id = ${gate.company.account_id} and direction = 'MT')
        + (select count(*) from dispatch where account_id = ${gate.company.account_id}) as n`)
  ).n;

test('any combination of fields is accepted in full or rejected with a documented code', async () => {
  // Most fields are left out, because few of them can be combined.
  const maybe = <T>(value: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(undefined, null) }, { weight: 1, arbitrary: value });
  const maybeFrom = <T>(...values: T[]) => maybe(fc.constantFrom(...values));
  const button = fc.record(
    {
      type: maybeFrom('quick_reply', 'link', 'LINK', 'PHONE_CALL', 'call_to_action', 'swipe'),
      text: maybeFrom('Yes', '', 'x'.repeat(21)),
      value: maybeFrom('https://example.com/s', '+4420', 'nowhere'),
    },
    { requiredKeys: [] },
  );
  const shape = fc.record(
    {
      type: maybeFrom('text', 'IMAGE', 'video', 'document', 'TRANSACTIONAL', 'audio'),
      text: fc.constantFrom(undefined, 'Hello', 'Hello', ' ', 'Ünïcode 👍'),
      template: maybeFrom(...templates),
      variables: maybeFrom<unknown>([], ['Anna'], ['x'.repeat(71)], [null], [7]),
      media_id: maybeFrom(...media),
      url: maybeFrom('https://example.com/a.jpg', 'https://example.com/a.pdf', 'http://example.com/a.jpg'),
      file_name: maybeFrom('Bill_1', 'Bill 1'),
      filename: maybeFrom('Bill_2'),
      button: maybe(button),
      buttons: maybe(fc.array(button, { maxLength: 4 })),
      button_type: maybeFrom('quick_reply', 'LINK'),
      button_text: maybeFrom('Yes'),
      purpose: maybeFrom('promotional', 'TRANSACTIONAL', 'fun'),
    },
    { requiredKeys: [] },
  );
  const outcomes = new Set<string>();
  const documented = new Set<number>([...createMessage.problems, 'VALUE_INVALID' as const].map(problemCode));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('SMS', 'WHATSAPP', 'VIBER'), shape, async (channel, fields) => {
      const before = await total();
      const reply = await gate.api.post('/v1/messages', { from: senders[channel], to: ANNA, channel, ...fields });
      if (reply.status === 200) {
        outcomes.add(`${channel} sent`);
        expect(await total()).toBe(before + 2);
      } else {
        const codes = reply.body.errors.map(({ code }: { code: number }) => code) as number[];
        for (const code of codes) expect(documented, `${code}: ${reply.text}`).toContain(code);
        outcomes.add(`${channel} refused`);
        expect(await total()).toBe(before);
      }
    }),
    { numRuns: 120, seed: 20_260_512 },
  );
  expect([...outcomes].sort()).toEqual(
    ['SMS', 'VIBER', 'WHATSAPP'].flatMap((channel) => [`${channel} refused`, `${channel} sent`]),
  );
  await gate.expectSound();
});
