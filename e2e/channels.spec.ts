/**
 * WhatsApp and Viber in the inbox: messages of every kind in both directions, read receipts, and the limits of each
 * channel, which are shown before sending. The sandbox phones show the messages that arrived.
 */
import { findProblems } from './accessible/look.ts';
import { type Api, OWNER } from './api.ts';
import {
  type ChatChannel,
  type ChatMessage,
  type ChatPhone,
  chatPhone,
  expectRead,
  expectStatus,
  magicNumber,
  newNumber,
  uploadFile,
  viberTypes,
} from './chat_phones.ts';
import { conversationRows } from './inbox_team/conversation_rows.ts';
import { movie } from './movie.ts';
import { png } from './png.ts';
import type { Sandbox } from './sandbox.ts';
import { expect, type Page, test } from './test.ts';

const WHATSAPP = '4917139200900';
const VIBER = '30001';
const LINK = 'https://harbour.example/shop';
const newSuffix = () => Date.now().toString(36).slice(-6);

const row = (page: Page, text: string) => conversationRows(page).filter({ hasText: text });
const thread = (page: Page) => page.getByRole('region', { name: 'Messages' });
const bubble = (page: Page, text: string | RegExp) => thread(page).getByRole('article').filter({ hasText: text });
const tick = (page: Page, name: string | RegExp) => thread(page).getByRole('img', { name });
const reply = (page: Page) => page.getByLabel(/^Reply to/);
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });
const tool = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Sends a message from a phone and opens its conversation in the inbox. */
async function writtenBy(
  { openAs, sandbox }: { openAs: (email: string, options: { path: string }) => Promise<Page>; sandbox: Sandbox },
  channel: ChatChannel,
  name: string,
  text: string,
): Promise<{ page: Page; phone: ChatPhone }> {
  const phone = chatPhone(sandbox, newNumber());
  await phone.setProfile({ name, reads: 'by_hand' });
  const page = await openAs(OWNER, { path: '/inbox/unassigned' });
  await expect(page.getByRole('region', { name: 'Conversations' })).toBeVisible();
  await phone.write({ channel, to: channel === 'VIBER' ? VIBER : WHATSAPP, text });
  await row(page, text).click();
  await expect(bubble(page, text)).toBeVisible();
  return { page, phone };
}

interface Attached {
  type: 'Image' | 'Video' | 'Document';
  file: { name: string; mimeType: string; buffer: Buffer };
  text?: string;
  button?: { text: string; value: string };
}

async function attach(page: Page, { type, file, text, button }: Attached): Promise<void> {
  await tool(page, `Attach ${type}`).click();
  const dialog = page.getByRole('dialog', { name: `Attach ${type}` });
  await dialog.locator('input[type=file]').setInputFiles(file);
  await expect(dialog.getByRole('button', { name: 'Remove' })).toBeVisible();
  if (text) await dialog.getByLabel('Message').fill(text);
  if (button) {
    await dialog.getByRole('switch', { name: 'Button' }).focus();
    await page.keyboard.press('Space');
    await dialog.getByLabel('Button text').fill(button.text);
    await dialog.getByLabel('Button action URL').fill(button.value);
  }
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(dialog).toHaveCount(0);
}

const picture = { name: 'counter.png', mimeType: 'image/png', buffer: png(640, 400) };
const video = { name: 'roasting.mp4', mimeType: 'video/mp4', buffer: movie(12) };
const pdf = {
  name: 'menu.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from(
    '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\nxref\n0 1\ntrailer\n<< /Root 1 0 R >>\nstartxref\n9\n%%EOF\n',
  ),
};

/** Summarizes a message on the phone: kind, text, file, and buttons. */
const summarize = ({ content: { kind, text, caption, media, buttons } }: ChatMessage) =>
  [
    kind,
    caption || text || '',
    media ? [media.file_name, media.size].filter((detail) => detail !== null).join(' ') : '',
    ...(buttons ?? []).map((button) => button.text),
  ]
    .filter(Boolean)
    .join(' | ');
const expectOnPhone = (phone: ChatPhone, expected: string | RegExp) =>
  expect
    .poll(async () => (await phone.messages()).map(summarize), { timeout: 40_000 })
    .toContainEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));

/** Creates a template and waits until it is approved by the operator or by WhatsApp. */
async function template(api: Api, operator: Api | null, draft: Record<string, unknown>): Promise<string> {
  const { id } = await api.post<{ id: string }>('templates', draft);
  if (operator) await operator.put(`requests/${id}`, { decision: 'approve' });
  await expect
    .poll(async () => (await api.get<{ status: string }>(`templates/${id}`)).status, { timeout: 40_000 })
    .toBe('COMPLETED');
  return id;
}

const senderNamed = async (api: Api, name: string): Promise<string> =>
  (await api.get<{ id: string; name: string }[]>('senders?page_size=100')).find((sender) => sender.name === name)!.id;

const orderTemplate = (name: string) => ({
  channel: 'WHATSAPP',
  name,
  text: 'Dear {first_name:friend}, your order {order} is ready.',
  footer: 'Harbour Coffee',
  buttons: [
    { type: 'quick_reply', text: 'On my way' },
    { type: 'quick_reply', text: 'Later' },
  ],
  samples: ['Ann', '1204'],
  wa_category: 'UTILITY',
  wa_sender_code: WHATSAPP,
  language: 'en',
});

test('WhatsApp messages of every kind arrive on the phone, and replies appear in the inbox', async ({
  openAs,
  sandbox,
  api,
}) => {
  test.setTimeout(240_000);
  const name = `order_${newSuffix()}`;
  await template(await api(OWNER), null, orderTemplate(name));
  const who = `Ada ${newSuffix()}`;
  const { page, phone } = await writtenBy({ openAs, sandbox }, 'WHATSAPP', who, `This is ${who}. Are you open?`);
  await expect(page.getByRole('region', { name: 'Conversation', exact: true }).getByRole('heading')).toHaveText(who);

  await test.step('an agent sends text, an image, a video, and a document', async () => {
    await reply(page).fill('Until six today');
    await send(page).click();
    await expectOnPhone(phone, 'text | Until six today');
    await attach(page, { type: 'Image', file: picture, text: 'This is the counter' });
    await expectOnPhone(phone, /^image \| This is the counter/);
    await attach(page, { type: 'Video', file: video, text: 'And how we roast' });
    await expectOnPhone(phone, /^video \| And how we roast/);
    await attach(page, { type: 'Document', file: pdf });
    await expectOnPhone(phone, /^document.*menu\.pdf/);
    const messages = await phone.messages();
    expect(
      messages.flatMap(({ content }) => content.media?.size ?? []),
      'the files arrive complete',
    ).toEqual([picture.buffer.length, video.buffer.length, pdf.buffer.length]);
    await expect(bubble(page, 'This is the counter').getByRole('img', { name: 'counter.png' })).toBeVisible();
    await expect(thread(page).getByRole('link', { name: /^menu\.pdf/ })).toBeVisible();
    await expectStatus(thread(page), 'Delivered');
  });

  await test.step('an agent sends a template with a custom value', async () => {
    await tool(page, 'Reply from Template').click();
    const dialog = page.getByRole('dialog', { name: 'Reply from Template' });
    await dialog.getByRole('button', { name }).click();
    await expect(dialog.getByLabel('first_name, variable 1')).toHaveValue('Ada');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expect(dialog.getByRole('alert'), 'a variable without a fallback requires a value').toBeVisible();
    await dialog.getByLabel('order, variable 2').fill('1204');
    await expect(dialog.getByRole('img', { name: 'Message preview' })).toContainText(
      'Dear Ada, your order 1204 is ready.',
    );
    expect(await findProblems(page, 'reply from a template')).toEqual([]);
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expectOnPhone(phone, 'template | Dear Ada, your order 1204 is ready. | On my way | Later');
  });

  await test.step('an agent sends quick replies', async () => {
    await tool(page, 'Reply with Buttons').click();
    const dialog = page.getByRole('dialog', { name: 'Reply with Buttons' });
    await dialog.getByRole('textbox', { name: 'Message' }).fill('Should we keep it for you?');
    await dialog.getByRole('textbox', { name: 'Quick reply 1' }).fill('Please do');
    expect(await findProblems(page, 'reply with buttons')).toEqual([]);
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expectOnPhone(phone, /Should we keep it for you\? \| Please do$/);
  });

  await test.step('the thread shows read receipts, a quick reply, and a picture', async () => {
    await expectStatus(thread(page), 'Delivered');
    await expectRead(phone, thread(page));
    const templateMessage = (await phone.messages()).find(({ content }) => content.kind === 'template')!;
    await phone.write({ channel: 'WHATSAPP', press: { message_id: templateMessage.id, button: 'On my way' } });
    await expect(bubble(page, 'Pressed a button')).toContainText('On my way');
    const media_url = await uploadFile(sandbox, 'umbrella.png', png(320, 240), 'image/png');
    await phone.write({ channel: 'WHATSAPP', media_url, text: 'I left this at your shop' });
    const reply = bubble(page, 'I left this at your shop');
    await expect(reply.locator('img'), 'the image loads').toHaveJSProperty('naturalWidth', 320);
    expect(await findProblems(page, 'a WhatsApp conversation')).toEqual([]);

    await page.reload();
    await expect(bubble(page, 'This is the counter').getByRole('img', { name: 'counter.png' })).toHaveJSProperty(
      'naturalWidth',
      640,
    );
    await expect(reply.locator('img')).toHaveJSProperty('naturalWidth', 320);
    await expect(
      reply.getByText('I left this at your shop'),
      'the end stays in view when a message arrives',
    ).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Latest' })).toHaveCount(0);
  });
});

test('WhatsApp allows only templates until the recipient sends a message', async ({ openAs, sandbox, api }) => {
  const owner = await api(OWNER);
  const id = await template(owner, null, orderTemplate(`first_${newSuffix()}`));
  const phone = chatPhone(sandbox, newNumber());
  const order = newSuffix();
  const from = await senderNamed(owner, 'Harbour WhatsApp');
  await owner.post('messages', {
    from,
    to: [phone.digits],
    channel: 'WHATSAPP',
    template: id,
    variables: ['Bea', order],
  });
  const page = await openAs(OWNER, { path: '/inbox/unassigned' });
  await page.getByRole('searchbox', { name: 'Search the inbox' }).fill(phone.digits);
  await row(page, `your order ${order} is ready`).click();
  await expect(page.getByText(/^The WhatsApp session is closed: this person has not messaged you yet/)).toBeVisible();
  await expect(reply(page)).toBeDisabled();
  await expect(tool(page, 'Attach Image')).toHaveAttribute('aria-disabled', 'true');
  await expect(tool(page, 'Reply from Template')).not.toHaveAttribute('aria-disabled');
  expect(await findProblems(page, 'a WhatsApp conversation that is closed')).toEqual([]);
  await phone.write({ channel: 'WHATSAPP', text: 'Wonderful' });
  await expect(reply(page)).toBeEnabled();
  await expect(page.getByText(/^The WhatsApp session is closed/)).toHaveCount(0);
});

test('an agent replies with a WhatsApp template using only the keyboard', async ({ openAs, sandbox, api }) => {
  const name = `keys_${newSuffix()}`;
  await template(await api(OWNER), null, orderTemplate(name));
  const phone = chatPhone(sandbox, newNumber());
  await phone.setProfile({ name: 'Cleo Keys' });
  await phone.write({ channel: 'WHATSAPP', to: WHATSAPP, text: `Ready yet? ${name}` });
  const page = await openAs(OWNER, { path: '/inbox/unassigned' });
  await expect(conversationRows(page).first()).toContainText(name);
  await page.keyboard.press('j');
  await expect(thread(page)).toContainText(`Ready yet? ${name}`);
  await page.keyboard.press('r');
  await expect(reply(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(tool(page, 'Reply from Template')).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Reply from Template' });
  await expect(dialog.getByLabel('Search templates')).toBeFocused();
  await page.keyboard.type(name);
  await expect(dialog.getByRole('list').getByRole('button')).toHaveCount(1);
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('first_name, variable 1')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type('42');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expectOnPhone(phone, 'template | Dear Cleo, your order 42 is ready. | On my way | Later');
  await expect(tool(page, 'Reply from Template'), 'focus returns to the button that opened the dialog').toBeFocused();
});

test('Viber messages are sent within a session or as promotional messages', async ({ openAs, sandbox, api }) => {
  test.setTimeout(240_000);
  const owner = await api(OWNER);
  const phone = chatPhone(sandbox, newNumber());
  await phone.setProfile({ reads: 'by_hand' });
  const senders =
    await owner.get<{ id: string; channel: string; carrier_address?: string; name: string }[]>('senders?page_size=100');
  const from = senders.find(({ channel, name }) => channel === 'VIBER' && name === 'Harbour Viber')!.id;
  const first = `Twenty percent off ${newSuffix()}`;
  await owner.post('messages', { from, to: [phone.digits], channel: 'VIBER', text: first });
  const page = await openAs(OWNER, { path: '/inbox/unassigned' });
  await page.getByRole('searchbox', { name: 'Search the inbox' }).fill(phone.digits);
  await row(page, first).click();

  const notice = page.getByText('The Viber session is closed. Replies are now sent as promotional messages,');
  await test.step('without a session, the composer shows a notice and sends a promotional message', async () => {
    await expect(notice).toBeVisible();
    expect(await findProblems(page, 'a Viber conversation that is closed')).toEqual([]);
    await reply(page).fill('Only until Friday');
    await send(page).click();
    await expectOnPhone(phone, 'text | Only until Friday');
  });

  await test.step('a reply appears and opens a session', async () => {
    await expectStatus(thread(page), 'Delivered');
    await phone.write({ channel: 'VIBER', text: 'Do you deliver?' });
    await expect(bubble(page, 'Do you deliver?')).toBeVisible();
    await expect(notice).toHaveCount(0);
    await reply(page).fill('We do, tomorrow');
    await send(page).click();
    await expectOnPhone(phone, 'text | We do, tomorrow');
    expect(await viberTypes(sandbox, phone.digits)).toEqual([225, 225, 306]);
  });

  await test.step('an agent sends an image with text and a button, a video, and a document', async () => {
    await attach(page, {
      type: 'Image',
      file: picture,
      text: 'The new beans',
      button: { text: 'Shop now', value: LINK },
    });
    await expectOnPhone(phone, /^image \| The new beans .*\| Shop now$/);
    await attach(page, { type: 'Video', file: video });
    await expectOnPhone(phone, /^video/);
    await attach(page, { type: 'Document', file: pdf });
    await expectOnPhone(phone, /^document.*menu\.pdf/);
    await expect(bubble(page, 'The new beans').getByRole('list', { name: 'Buttons' })).toContainText('Shop now');
    await expect(thread(page).getByRole('link', { name: /^menu\.pdf/ })).toBeVisible();
  });

  await test.step('the thread shows that the recipient read the messages', async () => {
    await expectStatus(thread(page), 'Delivered', 60_000);
    await expectRead(phone, thread(page));
    expect(await findProblems(page, 'a Viber conversation')).toEqual([]);
  });
});

test('the thread and the message log show why a message failed', async ({ openAs, api }) => {
  test.setTimeout(240_000);
  const owner = await api(OWNER);
  const id = await template(owner, null, orderTemplate(`away_${newSuffix()}`));
  const whatsapp = await senderNamed(owner, 'Harbour WhatsApp');
  const viber = await senderNamed(owner, 'Harbour Viber');
  const text = `Come and see ${newSuffix()}`;
  const absent = magicNumber('900801');
  const blocker = magicNumber('900702');
  const tired = magicNumber('900804');
  const promotion = await template(owner, null, { ...orderTemplate(`news_${newSuffix()}`), wa_category: 'MARKETING' });
  await owner.post('messages', {
    from: whatsapp,
    to: [absent],
    channel: 'WHATSAPP',
    template: id,
    variables: ['Dora', '9'],
  });
  await owner.post('messages', {
    from: whatsapp,
    to: [tired],
    channel: 'WHATSAPP',
    template: promotion,
    variables: ['Finn', '9'],
  });
  await owner.post('messages', { from: viber, to: [blocker], channel: 'VIBER', text });
  const page = await openAs(OWNER, { path: '/inbox/unassigned' });
  for (const { number, reason, label } of [
    { number: absent, reason: /cannot be reached on WhatsApp/, label: 'The carrier or the phone rejected the message' },
    { number: tired, reason: /opted out of marketing/, label: 'The recipient opted out or blocked the sender' },
    { number: blocker, reason: /has blocked the sender/, label: 'The recipient opted out or blocked the sender' },
  ]) {
    await page.goto('/inbox/unassigned');
    await page.getByRole('searchbox', { name: 'Search the inbox' }).fill(number);
    await row(page, `+44 ${number.slice(2, 6)} ${number.slice(6)}`).click();
    const mark = tick(page, reason).last();
    await expect(mark).toHaveAccessibleName(/^Message cannot be sent\./);
    await mark.hover();
    await expect(page.getByRole('tooltip')).toContainText(reason);
    await page.goto(`/insights?search=${number}`);
    await page
      .getByRole('row', { name: new RegExp(number.slice(-6)) })
      .first()
      .click();
    const story = page.getByRole('complementary');
    await expect(story.getByText(label)).toBeVisible();
    await expect(story.getByText(reason).first()).toBeVisible();
  }
});

test('a recipient who sends STOP on WhatsApp receives no messages until they send START', async ({
  openAs,
  sandbox,
  api,
}) => {
  const owner = await api(OWNER);
  const { page, phone } = await writtenBy({ openAs, sandbox }, 'WHATSAPP', 'Emil', `Emil writes ${newSuffix()}`);
  await expect(reply(page)).toBeEnabled();
  await phone.write({ channel: 'WHATSAPP', text: 'STOP' });
  await expect(page.getByText('This person opted out.', { exact: false })).toBeVisible();
  await expect(reply(page)).toBeDisabled();
  await expect(tool(page, 'Reply from Template')).toHaveAttribute('aria-disabled', 'true');
  const from = await senderNamed(owner, 'Harbour WhatsApp');
  await expect(
    owner.post('messages', { from, to: [phone.digits], channel: 'WHATSAPP', text: 'Hello?' }),
  ).rejects.toThrow('1530');
  await phone.write({ channel: 'WHATSAPP', text: 'START' });
  await expect(reply(page)).toBeEnabled();
  expect((await phone.messages()).map(({ text }) => text)).not.toContain('Hello?');
});
