import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../sandbox.ts';
import { type Box, type Json, openBox, until } from '../test/box.ts';
import type { Chat, ChatChannel, ChatDraft } from './chat.ts';
import { fromUserId, toUserId } from './user_id.ts';

const phone = '447700123456';

/** Connects a channel that acknowledges every step, unless `acknowledges` is false. */
function connect({ world }: Sandbox, acknowledges = true): { notified: string[] } {
  const notified: string[] = [];
  const channel: ChatChannel = {
    notify(chat, n) {
      notified.push(`${chat.id} ${chat.steps[n]!.status}`);
      if (acknowledges) world.chats.acknowledge(chat, n);
    },
    stepsOnArrival: () => [{ status: 'delivered', due: Date.now() }],
    stepsOnRead: () => [{ status: 'read', due: Date.now() }],
    write: (digits, { text }) =>
      world.chats.accept({
        ...draft('reply', digits),
        direction: 'from_phone',
        content: { kind: 'text', text: text ?? '' },
        steps: [{ status: 'delivered', due: Date.now() }],
      }),
    reset() {},
  };
  world.chats.connect('VIBER', channel);
  return { notified };
}

const draft = (id: string, digits = phone, overrides: Partial<ChatDraft> = {}): ChatDraft => ({
  channel: 'VIBER',
  direction: 'to_phone',
  phone: digits,
  peer: 'Acme',
  business_id: '77',
  id,
  content: { kind: 'text', text: `Text ${id}` },
  reference: `ref-${id}`,
  reply_to: null,
  steps: [
    { status: 'sent', due: 0 },
    { status: 'delivered', due: 0 },
  ],
  ...overrides,
});

const thread = async (box: Box) => (await box.get(`phones/${phone}/messages`)).messages;

describe('a chat app message', () => {
  test('reports its steps in order and appears in the thread with its content', async () => {
    const box = await openBox();
    const { notified } = connect(box.sandbox);
    const buttons = [{ type: 'url', text: 'Open', value: 'https://shop.example' }] as const;
    await box.sandbox.world.chats.accept(
      draft('one', phone, { content: { kind: 'interactive', text: 'Come', footer: 'Acme', buttons: [...buttons] } }),
    );
    await until(() => notified.length === 2);
    expect(notified).toEqual(['one sent', 'one delivered']);
    const [message] = await thread(box);
    expect(message).toMatchObject({
      channel: 'VIBER',
      direction: 'to_phone',
      from: 'Acme',
      to: phone,
      text: 'Come',
      status: 'delivered',
      message_ids: ['one'],
      reference: 'ref-one',
      content: { kind: 'interactive', footer: 'Acme', buttons },
    });
    expect(message.history.map((step: { acknowledged: boolean }) => step.acknowledged)).toEqual([true, true]);
    expect((await box.get('stats')).chats.VIBER).toEqual({ to_phone: 1, from_phone: 0, pending: 0 });
    expect((await box.get('phones')).phones[0].last_message).toMatchObject({ text: 'Come' });
  });

  test('waits for a phone that is off and can be marked as read once', async () => {
    const box = await openBox();
    connect(box.sandbox);
    await box.call('PUT', `phones/${phone}`, { state: 'off' });
    const { chats } = box.sandbox.world;
    await chats.accept(draft('one', phone, { steps: [{ status: 'sent', due: 0 }] }));
    expect((await box.get(`phones/${phone}/messages`)).phone.waiting).toBe(1);
    await box.call('PUT', `phones/${phone}`, { state: 'on' });
    await until(async () => (await thread(box))[0].status === 'delivered');
    expect((await box.call('POST', `phones/${phone}/read`, { channel: 'WHATSAPP' })).body).toEqual({ read: 0 });
    expect((await box.call('POST', `phones/${phone}/read`, { from: 'Acme' })).body).toEqual({ read: 1 });
    expect((await box.call('POST', `phones/${phone}/read`, {})).body).toEqual({ read: 0 });
    await until(async () => (await thread(box))[0].status === 'read');
  });

  test("survives a restart with its pending steps, pressed buttons, and the phone's profile", async () => {
    const box = await openBox();
    connect(box.sandbox, false);
    const { world } = box.sandbox;
    const chat: Chat = await world.chats.accept(draft('one'));
    world.chats.markPressed(chat, 2);
    world.facts.put('test:a', { kept: true });
    world.facts.put('test:b', 1);
    world.facts.remove('test:b');
    await box.call('PUT', `phones/${phone}`, { viber: false, name: 'Ann', number_hidden: true });
    const response = await box.call('POST', `phones/${phone}/messages`, { channel: 'VIBER', to: 'Acme', text: 'Hi' });
    expect([response.status, response.body.errors[0].code]).toEqual([409, 'phone_cannot_send']);
    await box.sandbox.close();

    const again = await openBox({}, box.data_dir);
    const { notified } = connect(again.sandbox);
    await until(() => notified.length === 2);
    const { phone: restored, messages } = await again.get(`phones/${phone}/messages`);
    expect(restored).toMatchObject({
      viber: false,
      whatsapp: true,
      name: 'Ann',
      number_hidden: true,
      reads: 'at_once',
    });
    expect(messages[0]).toMatchObject({ status: 'delivered', pressed: [2] });
    expect(again.sandbox.world.facts.list('test:')).toEqual([{ kept: true }]);
    await until(async () => (await again.get('stats')).chats.VIBER.pending === 0);
  });

  test('can be searched by number, text, and channel', async () => {
    const box = await openBox();
    connect(box.sandbox);
    for (const id of ['one', 'two', 'three']) await box.sandbox.world.chats.accept(draft(id));
    await box.sandbox.world.chats.accept(draft('other', '447700999999'));
    const ids = async (query: string) => (await box.get(`chats?${query}`)).chats.map((row: Chat) => row.reference);
    expect(await ids(`phone=%2B${phone}&channel=VIBER`)).toEqual(['ref-one', 'ref-two', 'ref-three']);
    expect(await ids('text=other')).toEqual(['ref-other']);
    expect(await ids('channel=WHATSAPP')).toEqual([]);
    const first = await box.get('chats?limit=2');
    expect(await ids(`since=${first.next}`)).toEqual(['ref-three', 'ref-other']);
  });
});

test('a user id hides the number but can be converted back to it', () => {
  for (const digits of ['447700123456', '12025550123', '0012', '999999999999999']) {
    expect(toUserId(digits)).toMatch(/^US\.\d{1,17}$/);
    expect(toUserId(digits)).not.toContain(digits);
    expect(fromUserId(toUserId(digits))).toBe(digits);
  }
  expect(fromUserId('US.1')).toBeUndefined();
  expect(fromUserId('447700123456')).toBeUndefined();
});

test('files are served by their hash and never as HTML pages', async () => {
  const box = await openBox();
  const base = `http://127.0.0.1:${box.sandbox.ports.http}`;
  const post = (type: string, bytes: string) =>
    fetch(`${base}/api/files?name=a%20b.png`, { method: 'POST', headers: { 'content-type': type }, body: bytes }).then(
      (response): Promise<Json> => response.json(),
    );
  const picture = await post('image/png', 'png bytes');
  expect(picture).toMatchObject({ mime: 'image/png', file_name: 'a b.png', size: 9 });
  const file = await fetch(base + picture.url);
  expect([file.headers.get('content-type'), await file.text()]).toEqual(['image/png', 'png bytes']);
  const page = await post('text/html', '<script>alert(1)</script>');
  const response = await fetch(base + page.url);
  expect(response.headers.get('content-type')).toBe('application/octet-stream');
  expect(response.headers.get('content-disposition')).toContain('attachment');
  expect((await fetch(`${base}/files/${'0'.repeat(64)}`)).status).toBe(404);
});
