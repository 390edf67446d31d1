/** Texts and types that people and their apps can send: everything is kept as it was sent. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ChatSender, makeChatSender, makeIncoming, readConnection } from '../../test/chat.ts';
import { ANNA, createGate, type Gate } from '../../test/gate.ts';
import { InboundIntake } from './intake.ts';

const TEXTS: readonly (readonly [string, string])[] = [
  ['a word of 10,000 characters', 'W'.repeat(10_000)],
  ['a right-to-left text', 'مرحبا بالعالم، كيف حالك؟ order 123'],
  ['marks of the writing direction', 'abc \u202etxt.exe\u202c \u2066isolate\u2069 \u200f'],
  ['50 emoji clusters', '👨‍👩‍👧‍👦'.repeat(50)],
  ['only zero-width characters', '\u200b\u200c\u200d\ufeff'],
  ['zero-width characters in a word', 'a\u200bb\u200dc\ufeffd'],
  ['300 combining marks', `z${'\u0300'.repeat(300)}`],
  ['markup', `<img src=x onerror=alert(1)>' or 1=1 -- \${7*7} {{7*7}}`],
];

let gate: Gate;
let intake: InboundIntake;
beforeAll(async () => {
  gate = await createGate();
  intake = new InboundIntake(gate.world.kernel);
});
afterAll(() => gate.world.stop());

describe.each(['WHATSAPP', 'VIBER'] as const)('on %s', (channel) => {
  let sender: ChatSender;
  beforeEach(async () => {
    await gate.renew();
    sender = await makeChatSender(gate.world.kernel, gate.company.account_id, channel);
  });
  const receive = async (fields: object) => {
    const connection = await readConnection(gate.world.kernel, sender.connection_id);
    await intake.add(connection, makeIncoming(sender, ANNA, fields));
  };
  const read = async (path: string) => (await gate.api.get(path)).body.data;

  test.each(TEXTS)('%s: the text stays unchanged in the thread, the list, and the log', async (_, text) => {
    await receive({ text });
    const [conversation] = await read('/v1/conversations');
    expect(conversation).toMatchObject({ number: ANNA, unread_count: 1 });
    expect(text.startsWith(conversation.last_message.text.replace(/…$/, ''))).toBe(true);
    const [message] = await read(`/v1/conversations/${conversation.id}/messages`);
    expect(message).toMatchObject({ text, marks: null });
    expect((await read(`/v1/messages/${message.id}`)).text).toBe(text);
  });

  test('a message of an unknown type is kept with its type', async () => {
    const unknown = { type: 'hologram', content: `{"a":"${'\u202e'.repeat(10)}"}` };
    await receive({ text: 'This message cannot be displayed here', unknown });
    const [conversation] = await read('/v1/conversations');
    const [message] = await read(`/v1/conversations/${conversation.id}/messages`);
    expect(message.marks).toMatchObject({ unknown: { type: 'hologram' } });
  });
});
