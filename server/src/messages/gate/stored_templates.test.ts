/** Messages from templates that Viber stores, and those from WhatsApp templates without a file. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatSender, makeChatSender } from '../../test/chat.ts';
import { ANNA, createGate, type Gate } from '../../test/gate.ts';
import { makeTemplate } from '../../test/templates.ts';

const STORED = { external_id: 'V-1', external_language: 'pt' };
let gate: Gate;
let viber: ChatSender;
beforeAll(async () => {
  gate = await createGate();
  await gate.renew(1_000_000);
  viber = await makeChatSender(gate.world.kernel, gate.company.account_id, 'VIBER');
});
afterAll(() => gate.world.stop());

const make = (fields: object) =>
  makeTemplate(gate.world.kernel, gate.company.account_id, {
    channel: 'VIBER',
    text: 'Your code is {code}.',
    ...fields,
  });
const send = async (template: string, code = '1234') => {
  const message = { channel: 'viber', from: viber.sender_id, to: ANNA, template, variables: [code] };
  return (await gate.api.post('/v1/messages', { ...message, type: 'TRANSACTIONAL' })).body;
};

test('a message of the type TRANSACTIONAL has the ID, language, and values of its template', async () => {
  expect((await send(await make(STORED))).data[0]).toMatchObject({
    text: 'Your code is 1234.',
    content: {
      purpose: 'transactional',
      template: { external_id: 'V-1', language: 'pt', body_names: ['code'], body_values: ['1234'] },
    },
  });
});

test.each([
  ['the value of the code is empty', STORED, ' ', 1541],
  ['the template has no text', { ...STORED, text: '' }, '1', 1537],
  ['Viber does not store the template', {}, '1', 1538],
  ['the template has no language at Viber', { external_id: 'V-2' }, '1', 1542],
])('a message of the type TRANSACTIONAL is refused when %s', async (_, fields, code, problem) => {
  expect((await send(await make(fields), code)).errors[0].code).toBe(problem);
});

test('a verification is refused when its stored Viber template has no placeholder for the code', async () => {
  const template = await make({ ...STORED, text: 'Order {order}' });
  const fields = { channel: 'viber', sender: viber.sender_id, phone: ANNA, code_length: 6, template };
  const { status, body } = await gate.api.post('/v1/verifications', fields);
  expect([status, body.errors[0].code, body.errors[0].field]).toEqual([400, 1540, 'template']);
});

test('a WhatsApp message is refused when it has an image and its template has no file', async () => {
  const whatsapp = await makeChatSender(gate.world.kernel, gate.company.account_id, 'WHATSAPP');
  const template = await make({ channel: 'WHATSAPP', text: 'Hi', sender_id: whatsapp.sender_id, external_id: 'W-1' });
  const file = { type: 'image', url: 'https://example.com/cat.png' };
  const message = { channel: 'whatsapp', from: whatsapp.sender_id, to: ANNA, template, ...file };
  expect((await gate.api.post('/v1/messages', message)).body.errors[0].code).toBe(1516);
});
