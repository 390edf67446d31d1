import { expect, test } from 'vitest';
import { type Json, openBox, until } from '../test/box.ts';
import { openWhatsapp, type WhatsappBusiness } from '../test/whatsapp.ts';

const number = (last: string) => `4477009008${last}`;

async function start(last: string): Promise<{ business: WhatsappBusiness; phone: string }> {
  const business = await openWhatsapp(await openBox());
  const phone = number(last);
  await business.openWindow(phone);
  return { business, phone };
}

const text = { type: 'text', text: { body: 'Hello' } };

test.each([
  ['01', 131026],
  ['03', 131049],
  ['21', 130472],
  ['23', 131047],
])('a message to …9008%s is accepted and fails with %i', async (last, code) => {
  const { business, phone } = await start(last);
  const id = await business.sendText(phone);
  await until(() => business.hooks.statusesFor(id).length === 1);
  expect(business.hooks.statuses.at(-1)).toMatchObject({ status: 'failed', errors: [{ code }] });
  expect((await business.box.thread(phone))[1]).toMatchObject({ status: 'failed', error: { code } });
});

test.each([
  ['02', 400, 131026],
  ['12', 500, 131000],
  ['13', 400, 131056],
])('a message to …9008%s is always refused with HTTP %i and code %i', async (last, status, code) => {
  const { business, phone } = await start(last);
  for (let at = 0; at < 3; at += 1) expect(await business.refusal(phone, text)).toEqual([status, code]);
});

test.each([
  ['09', 130429, 2],
  ['20', 131016, 1],
])(
  'a message to …9008%s is refused with %i the first %i times for each text and then accepted',
  async (last, code, times) => {
    const { business, phone } = await start(last);
    for (let at = 0; at < times; at += 1) expect((await business.refusal(phone, text))[1]).toBe(code);
    expect(await business.refusal(phone, text)).toEqual([200, undefined]);
    expect((await business.refusal(phone, { text: { body: 'Other' } }))[1]).toBe(code);
  },
);

test('a marketing template to …900804 and a file to …900822 fail', async () => {
  const { business, phone } = await start('04');
  await business.createApproved('offer', [{ type: 'BODY', text: 'Ten percent off' }]);
  const offer = (await business.template(phone, 'offer')).body.messages[0].id;
  await until(() => business.hooks.statusesFor(offer).length === 1);
  expect(business.hooks.statuses.at(-1).errors[0].code).toBe(131050);
  const plain = await business.sendText(phone);
  await until(() => business.hooks.statusesFor(plain).includes('delivered'));
  const other = number('22');
  await business.openWindow(other);
  const upload = await fetch(`${business.origin}/api/files?name=a.png`, {
    method: 'POST',
    headers: { 'content-type': 'image/png' },
    body: 'x',
  });
  const { url } = (await upload.json()) as Json;
  const file = await business.send(other, { type: 'image', image: { link: business.origin + url } });
  await until(() => business.hooks.statusesFor(file).length === 1);
  expect(business.hooks.statuses.at(-1).errors[0].code).toBe(131053);
});

test('statuses are missing for …900805, end with "sent" for …900817, and are late for …900806', async () => {
  const { business, phone } = await start('05');
  const unreported = await business.sendText(phone);
  await business.openWindow(number('17'));
  await business.openWindow(number('06'));
  const sentOnly = await business.sendText(number('17'));
  const delayed = await business.sendText(number('06'));
  await until(
    () => business.hooks.statusesFor(sentOnly).length === 1 && business.hooks.statusesFor(delayed).length === 1,
  );
  await business.box.call('PUT', `phones/${number('17')}`, { state: 'on' });
  const [, message] = await business.box.thread(number('06'));
  const due = (status: string) => Date.parse(message.history.find((step: Json) => step.status === status).time);
  expect(due('delivered') - due('sent')).toBe(10_000);
  await until(async () => (await business.box.thread(phone))[1].status === 'read');
  expect([business.hooks.statusesFor(unreported), business.hooks.statusesFor(sentOnly)]).toEqual([[], ['sent']]);
});

test('statuses are duplicated for …900807, reversed for …900808, and simultaneous for …900818', async () => {
  const { business, phone } = await start('07');
  const duplicated = await business.sendText(phone);
  await until(() => business.hooks.statusesFor(duplicated).length === 6);
  for (const status of ['sent', 'delivered', 'read'])
    expect(business.hooks.statusesFor(duplicated).filter((other) => other === status)).toHaveLength(2);
  await business.settings({ sent_delay_ms: 20, delivered_delay_ms: 60, read_delay_ms: 60 });
  await business.openWindow(number('08'));
  const reversed = await business.sendText(number('08'));
  await until(() => business.hooks.statusesFor(reversed).length === 3);
  const [, message] = await business.box.thread(number('08'));
  expect(message.history.map((step: Json) => step.status)).toEqual(['read', 'delivered', 'sent']);
  await business.openWindow(number('18'));
  const at_once = await business.sendText(number('18'));
  await until(() => business.hooks.statusesFor(at_once).length === 3);
  const moments = business.hooks.statuses.filter(({ id }) => id === at_once).map(({ timestamp }) => timestamp);
  expect(new Set(moments).size).toBeLessThanOrEqual(2);
});

test('a message without a response is accepted by …900810 but not by …900811', async () => {
  const { business, phone } = await start('10');
  await expect(business.message(phone, text)).rejects.toThrow();
  await until(() => business.hooks.statuses.some(({ status }) => status === 'delivered'));
  expect(await business.box.thread(phone)).toHaveLength(2);
  await business.openWindow(number('11'));
  await expect(business.message(number('11'), text)).rejects.toThrow();
  expect(await business.box.thread(number('11'))).toHaveLength(1);
  await business.settings({ answers_cut_percent: 100 });
  await business.openWindow('447700123456');
  await expect(business.message('447700123456', text)).rejects.toThrow();
  expect(await business.box.thread('447700123456')).toHaveLength(2);
});

test.each([
  ['14', 'STOP', 'text'],
  ['15', 'Thanks', 'text'],
  ['16', 'The view from here', 'image'],
])('the phone …9008%s automatically replies "%s"', async (last, text, type) => {
  const { business, phone } = await start(last);
  await business.sendText(phone);
  await until(() => business.hooks.messages.length === 2);
  const response = business.hooks.messages.find((message) => (message.text?.body ?? message.image?.caption) === text);
  expect(response.type).toBe(type);
  if (type !== 'image') return;
  const file = await business.callOk('GET', response.image.id);
  expect(file.mime_type).toBe('image/png');
});

test('the phone …900819 presses the first quick reply', async () => {
  const { business, phone } = await start('19');
  const buttons = { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }] };
  await business.createApproved('asks', [{ type: 'BODY', text: 'Shall we?' }, buttons]);
  await business.template(phone, 'asks', [
    { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [{ type: 'payload', payload: 'YES-1' }] },
  ]);
  await until(() => business.hooks.messages.some((message) => message.type === 'button'));
  const buttonReply = business.hooks.messages.find((message) => message.type === 'button');
  expect(buttonReply.button).toEqual({ payload: 'YES-1', text: 'Yes' });
});

test('a message to …900824 reports the sent status before the response', async () => {
  const { business, phone } = await start('24');
  const order: string[] = [];
  business.hooks.respond = ({ body }) => {
    // The message from the person may be in the same webhook.
    const statuses = body.entry[0].changes.flatMap(({ value }: Json) => value.statuses ?? []);
    if (statuses.some(({ status }: Json) => status === 'sent')) order.push('webhook');
    return 200;
  };
  await business.sendText(phone);
  order.push('response');
  expect(order).toEqual(['webhook', 'response']);
});

test('every magic ending and magic word is documented', async () => {
  const box = await openBox();
  const { whatsapp, template_words } = await box.get('magic');
  expect(whatsapp).toHaveLength(24);
  for (const { ending, what: description } of whatsapp) {
    expect(ending).toMatch(/^9008\d\d$/);
    expect(description.length).toBeGreaterThan(10);
  }
  expect(template_words.map(({ word }: Json) => word)).toContain('stay_pending');
  expect((await box.get(`phones/${number('01')}/messages`)).phone.magic).toBe('Not on WhatsApp');
});
