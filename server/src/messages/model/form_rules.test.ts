/** The rules of the media message form, as the API applies them to messages on Viber and WhatsApp. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatSender, makeChatSender, makeIncoming, readConnection } from '../../test/chat.ts';
import { ANNA, createGate, type Gate } from '../../test/gate.ts';
import type { Reply } from '../../test/world.ts';
import { InboundIntake } from '../inbound/intake.ts';

let gate: Gate;
let whatsapp: ChatSender;
let viber: ChatSender;
beforeAll(async () => {
  gate = await createGate();
  await gate.renew();
  const { kernel } = gate.world;
  viber = await makeChatSender(kernel, gate.company.account_id, 'VIBER');
  whatsapp = await makeChatSender(kernel, gate.company.account_id, 'WHATSAPP');
  // Anna wrote, so free text is allowed on WhatsApp.
  const connection = await readConnection(kernel, whatsapp.connection_id);
  await new InboundIntake(kernel).add(connection, makeIncoming(whatsapp, ANNA, {}));
});
afterAll(() => gate.world.stop());

type Row = [code: number, field: string];
const send = (sender: ChatSender, channel: string, fields: object) =>
  gate.api.post('/v1/messages', { from: sender.sender_id, to: ANNA, channel, ...fields });
const errors = (reply: Reply): Row[] =>
  (reply.body.errors as { code: number; field: string }[]).map(({ code, field }) => [code, field]);
const countSent = async () => (await gate.api.get('/v1/messages?filter[direction]=MT')).body.pagination.total as number;
const site = (path: string) => `https://shop.example.com/${path}`;
const button = (text: string, value: string) => ({ text: 'Sale', button: { text, value } });

const VIBER: [string, object, Row][] = [
  ['no text', { text: ' ' }, [1508, 'text']],
  ['1,001 characters of text', { text: 'x'.repeat(1001) }, [1510, 'text']],
  ['an image without a file and a link', { type: 'image' }, [1532, 'url']],
  ['a link over http', { type: 'image', url: 'http://shop.example.com/a.png' }, [1266, 'url']],
  ['a link of more than 1,000 characters', { type: 'image', url: site(`${'a'.repeat(980)}.png`) }, [1265, 'url']],
  ['an image of another type', { type: 'image', url: site('a.tiff') }, [1278, 'url']],
  ['a video of another type', { type: 'video', url: site('a.avi') }, [1279, 'url']],
  ['a document of another type', { type: 'document', url: site('a.exe'), file_name: 'prices' }, [1280, 'url']],
  [
    'a document name of 26 characters',
    { type: 'document', url: site('a.pdf'), file_name: 'd'.repeat(26) },
    [1268, 'file_name'],
  ],
  [
    'a dot in the document name',
    { type: 'document', url: site('a.pdf'), file_name: 'prices.pdf' },
    [1269, 'file_name'],
  ],
  ['a button without text', button('', site('')), [1272, 'buttons.0.text']],
  ['a button text of 21 characters', button('b'.repeat(21), site('')), [1274, 'buttons.0.text']],
  ['a button without a URL', button('Shop', ''), [1273, 'buttons.0.value']],
  ['a button URL of more than 1,000 characters', button('Shop', site('x'.repeat(976))), [1273, 'buttons.0.value']],
];
const WHATSAPP: [string, object, Row][] = [
  ['no text', { text: ' ' }, [1508, 'text']],
  ['a reply of 1,001 characters', { text: 'x'.repeat(1001) }, [1510, 'text']],
  ['an image of another type', { type: 'image', url: site('a.gif') }, [1275, 'url']],
  ['a video of another type', { type: 'video', url: site('a.mov') }, [1276, 'url']],
  ['a document of another type', { type: 'document', url: site('a.docx'), file_name: 'prices' }, [1277, 'url']],
];

test.each(VIBER)('a Viber message is refused when it has %s', async (_, fields, expected) => {
  const reply = await send(viber, 'VIBER', fields);
  expect(errors(reply)).toContainEqual(expected);
  expect(reply.status).toBe(400);
  expect(await countSent()).toBe(0);
});

test.each(WHATSAPP)('a WhatsApp message is refused when it has %s', async (_, fields, expected) => {
  const reply = await send(whatsapp, 'WHATSAPP', fields);
  expect(errors(reply)).toContainEqual(expected);
  expect(reply.status).toBe(400);
  expect(await countSent()).toBe(0);
});

test('messages at the limits of the form are accepted', async () => {
  for (const fields of [
    { text: 'x'.repeat(1000) },
    { text: 'Sale', button: { text: 'b'.repeat(20), value: site('x'.repeat(975)) } },
    { type: 'image', url: site(`${'a'.repeat(971)}.png`) },
    { type: 'document', url: site('a.fods'), file_name: 'd'.repeat(25) },
  ]) {
    const reply = await send(viber, 'VIBER', fields);
    expect(reply.status, reply.text).toBe(200);
  }
  const reply = await send(whatsapp, 'WHATSAPP', { text: 'x'.repeat(1000) });
  expect(reply.status, reply.text).toBe(200);
  const sms = await gate.send({ text: 'x'.repeat(1000) });
  expect([sms.status, sms.body.data[0].segments_count]).toEqual([200, 7]);
});

test('recipients can be separated by commas, and there are at most ten', async () => {
  const numbers = Array.from({ length: 11 }, (_, at) => `4474001000${String(at).padStart(2, '0')}`);
  const reply = await gate.send({ to: numbers.slice(0, 10).join(', ') });
  expect([reply.status, reply.body.data.length]).toEqual([200, 10]);
  expect(errors(await gate.send({ to: numbers.join(',') }))).toEqual([[1507, 'to']]);
});
