import type { Template } from '@parley/contract/templates/templates.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import TemplatePicker from '../channels/compose/TemplatePicker.tsx';
import { type Call, draw, refuse, respond, type Stub, sessionStub, stubApi } from '../test/draw.tsx';
import CreateTemplatePage from './CreateTemplatePage.tsx';
import TemplatesPage from './TemplatesPage.tsx';

const ID = '0197a5f0-0000-7000-8000-0000000000a1';
const TEMPLATE: Template = {
  id: ID,
  account_id: '0197a5f0-0000-7000-8000-000000000001',
  channel: 'WHATSAPP',
  name: 'order_ready',
  text: 'Dear {first_name:friend}, your order is ready.',
  type: 'text',
  media_id: null,
  url: null,
  filename: null,
  header: null,
  footer: 'Harbour Coffee',
  buttons: [],
  button_type: null,
  button_text: null,
  button_value: null,
  wa_category: 'UTILITY',
  wa_sender_code: '447700900100',
  language: 'en',
  samples: ['Ann'],
  status: 'CANCELED',
  paused: false,
  disabled: false,
  quality: null,
  reason: { code: 'INVALID_FORMAT', text: 'The format is invalid.', advice: 'Check the placeholders.' },
  external_language: null,
  external_id: '77',
  create_date: '2026-11-01 10:00:00',
  update_date: '2026-11-01 10:00:00',
};
const PAGE = { number: 1, size: 10, total: 0, links: { first: '', current: '', previous: null, next: null } };

let calls: Call[] = [];
let rows: Template[] = [];
let save: Stub;
beforeEach(() => {
  rows = [];
  save = () => respond({ ...TEMPLATE, status: 'IN_PROCESS' });
  const session = sessionStub();
  calls = stubApi((call) => {
    if (call.path === '/v1/templates' && call.method === 'GET') return respond(rows, { ...PAGE, total: rows.length });
    if (call.path === `/v1/templates/${ID}` && call.method === 'GET')
      return respond({ ...TEMPLATE, used_in: [], sent_count: 3 });
    if (call.path.startsWith('/v1/templates')) return save(call);
    if (call.path === '/v1/senders')
      return respond([{ id: 's', name: 'Harbour', code: '447700900100', channel: 'WHATSAPP' }], PAGE);
    if (call.path === '/v1/rates')
      return respond(
        [
          {
            id: 'r',
            channel: 'WHATSAPP',
            country: 'AM',
            mccmnc: null,
            network: null,
            purpose: 'marketing',
            price_micros: 74_000,
            currency: 'USD',
            custom: false,
          },
          {
            id: 'q',
            channel: 'WHATSAPP',
            country: 'AM',
            mccmnc: null,
            network: null,
            purpose: null,
            price_micros: 20_000,
            currency: 'USD',
            custom: false,
          },
        ],
        PAGE,
      );
    return session(call);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name: label }), { target: { value } });
const posted = () => calls.filter(({ method, path }) => method !== 'GET' && path.startsWith('/v1/templates'));
const phone = () => within(screen.getByLabelText('Preview'));

test.each([
  ['/?channel=VIBER', 'You have not created any Viber Templates yet.'],
  ['/?channel=WHATSAPP', 'You have not created any WhatsApp Templates yet.'],
  ['/?search=spring', 'You have not created any template with the searched name'],
])('an empty list at %s shows the specified text', async (address, text) => {
  await draw(TemplatesPage, { address });
  expect(await screen.findByText(text)).toBeTruthy();
});

test('the list shows the category and status, and the search waits for a pause in typing', async () => {
  rows = [
    TEMPLATE,
    {
      ...TEMPLATE,
      id: 'b',
      name: 'Spring',
      channel: 'SMS',
      status: 'COMPLETED',
      wa_category: null,
      wa_sender_code: null,
      reason: null,
    },
  ];
  await draw(TemplatesPage);
  const row = await screen.findByRole('row', { name: /order_ready/ });
  expect(row.textContent).toContain('Utility');
  expect(within(row).getByLabelText('Rejected: The format is invalid.')).toBeTruthy();
  expect(within(screen.getByRole('row', { name: /Spring/ })).getByText('Available')).toBeTruthy();
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const before = calls.length;
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search by name' }), { target: { value: 'ord' } });
    await vi.advanceTimersByTimeAsync(600);
    expect(calls.length).toBe(before);
    await vi.advanceTimersByTimeAsync(200);
  } finally {
    vi.useRealTimers();
  }
  await waitFor(() => expect(calls.at(-1)?.query.get('filter[name]')).toBe('ord'));
});

test('an SMS template shows a live preview and counts its text with the opt-out footer', async () => {
  await draw(CreateTemplatePage);
  type('Message', 'Hello {first_name:there}');
  expect(phone().getByText('Hello there')).toBeTruthy();
  expect(screen.getByText('24/1000 - 1 segment - GSM-7')).toBeTruthy();
  fireEvent.click(screen.getByRole('switch', { name: /Opt-out footer/ }));
  expect(screen.getByText('38/1000 - 1 segment - GSM-7')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Save template' }));
  expect(document.activeElement === screen.getByRole('textbox', { name: /Template name/ })).toBe(true);
  // A link of the summary focuses its field.
  screen.getByRole('textbox', { name: 'Message' }).focus();
  fireEvent.click(screen.getByRole('link', { name: 'Template name' }));
  expect(document.activeElement === screen.getByRole('textbox', { name: /Template name/ })).toBe(true);
  expect(posted()).toHaveLength(0);
  type(/Template name/, 'Welcome');
  fireEvent.click(screen.getByRole('button', { name: 'Save template' }));
  await waitFor(() => expect(posted()).toHaveLength(1));
  expect(posted()[0]?.body).toMatchObject({
    channel: 'SMS',
    name: 'Welcome',
    text: 'Hello {first_name:there}\n{sms_opt_out}',
    type: 'text',
    buttons: [],
  });
});

test('a Viber template with an image and text requires a button and an https link', async () => {
  await draw(CreateTemplatePage, { address: '/?channel=viber' });
  type(/Template name/, 'Sale');
  type('Message', 'Twenty percent off');
  fireEvent.click(screen.getByRole('radio', { name: 'Image' }));
  fireEvent.click(screen.getByRole('button', { name: 'Send for review' }));
  expect(screen.getByText('File is a required field')).toBeTruthy();
  fireEvent.click(screen.getByRole('radio', { name: 'Use a link' }));
  type('URL', 'http://a.example/x.png');
  fireEvent.click(screen.getByRole('button', { name: 'Send for review' }));
  expect(await screen.findByText("URL should start with 'https'")).toBeTruthy();
  type('URL', 'https://a.example/x.webp');
  fireEvent.click(screen.getByRole('button', { name: 'Send for review' }));
  expect(screen.getByText('A Viber message with an image and text needs a button')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Add button' }));
  type(/Button text/, 'Shop now');
  type(/Button action URL/, 'https://a.example/shop');
  expect(screen.queryByRole('button', { name: 'Add button' })).toBeNull();
  expect(phone().getByText('Shop now')).toBeTruthy();
  expect(phone().getByText('a.example')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Send for review' }));
  await waitFor(() => expect(posted()).toHaveLength(1));
  expect(posted()[0]?.body).toMatchObject({
    channel: 'VIBER',
    url: 'https://a.example/x.webp',
    buttons: [{ type: 'link', text: 'Shop now', value: 'https://a.example/shop' }],
  });
});

test('a WhatsApp template has a sender, a priced category, a header, a footer, buttons, and examples', async () => {
  await draw(CreateTemplatePage, { address: '/?channel=WHATSAPP' });
  await waitFor(() => expect(document.body.textContent).toMatch(/\$0\.07.* per message to Armenia/));
  fireEvent.click(screen.getByRole('radio', { name: 'Utility' }));
  await waitFor(() => expect(document.body.textContent).toMatch(/\$0\.02.* per message to Armenia/));
  type(/Template name/, 'Order');
  fireEvent.click(screen.getByRole('combobox', { name: /WhatsApp sender/ }));
  fireEvent.click(await screen.findByRole('option', { name: /^Harbour/, hidden: true }));
  type(/^Header/, 'Order {order}');
  type('Message', 'Dear {first_name:friend}, order {order} is ready.');
  type(/^Footer/, 'Harbour Coffee');
  for (const text of ['Yes', 'No']) {
    fireEvent.click(screen.getByRole('button', { name: 'Add button' }));
    fireEvent.change(screen.getAllByRole('textbox', { name: /Button text/ }).at(-1)!, { target: { value: text } });
  }
  type('Example for order', '17');
  expect(phone().getByText('Dear friend, order 17 is ready.')).toBeTruthy();
  expect(phone().getByText('Order 17')).toBeTruthy();
  expect(phone().getByText('Harbour Coffee')).toBeTruthy();
  expect(within(phone().getByRole('list', { name: 'Buttons' })).getAllByRole('listitem')).toHaveLength(2);
  fireEvent.click(screen.getByRole('button', { name: 'Send for review' }));
  // The summary links to the fields, and only the fields state the errors.
  const summary = within(screen.getByRole('region', { name: 'Errors in this form' }));
  expect(summary.getAllByRole('link').map((link) => link.textContent)).toEqual([
    'Template name',
    'Example for first_name',
  ]);
  expect(screen.getByText('Only lowercase letters, numbers, and (_) are allowed')).toBeTruthy();
  expect(screen.getByText('An example for {first_name} is required!')).toBeTruthy();
  type(/Template name/, 'order');
  type('Example for first_name', 'Ann');
  // A server error appears below its field.
  save = () => refuse(409, { code: 1258, message: 'A template with this name already exists', field: 'name' });
  fireEvent.click(screen.getByRole('button', { name: 'Send for review' }));
  expect((await screen.findAllByText('A template with this name already exists')).length).toBeGreaterThan(0);
  expect(posted()[0]?.body).toMatchObject({
    channel: 'WHATSAPP',
    wa_category: 'UTILITY',
    wa_sender_code: '447700900100',
    header: 'Order {order}',
    footer: 'Harbour Coffee',
    samples: ['17', 'Ann', '17'],
    buttons: [
      { type: 'quick_reply', text: 'Yes', value: '' },
      { type: 'quick_reply', text: 'No', value: '' },
    ],
  });
});

test('switching channels keeps the text without asking for confirmation', async () => {
  await draw(CreateTemplatePage);
  type('Message', 'Hello there');
  fireEvent.click(screen.getByRole('radio', { name: 'Viber' }));
  expect((screen.getByRole('textbox', { name: 'Message' }) as HTMLTextAreaElement).value).toBe('Hello there');
  expect(screen.getByRole('button', { name: 'Send for review' })).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.click(screen.getByRole('radio', { name: 'Document' }));
  // A Viber document has no text.
  expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull();
  fireEvent.click(screen.getByRole('radio', { name: 'SMS' }));
  expect((screen.getByRole('textbox', { name: 'Message' }) as HTMLTextAreaElement).value).toBe('Hello there');
});

test('an authentication template has fixed text and no other content', async () => {
  await draw(CreateTemplatePage, { address: '/?channel=WHATSAPP' });
  fireEvent.change(screen.getByRole('textbox', { name: 'Message' }), { target: { value: 'Your order is here' } });
  fireEvent.click(screen.getByRole('radio', { name: 'Authentication' }));
  const message = () => screen.getByRole('textbox', { name: 'Message' }) as HTMLTextAreaElement;
  expect(message().value).toBe('{code} is your verification code. For your security, do not share this code.');
  expect(message().readOnly).toBe(true);
  expect(screen.queryByRole('textbox', { name: /^Footer/ })).toBeNull();
  expect(screen.queryByRole('radio', { name: 'Image' })).toBeNull();
  expect(phone().getByText('Copy code')).toBeTruthy();
  // The text from the other category is back.
  fireEvent.click(screen.getByRole('radio', { name: 'Utility' }));
  expect(message().value).toBe('Your order is here');
});

test('a rejected template shows the reason and advice and offers to copy and fix it', async () => {
  rows = [TEMPLATE];
  await draw(TemplatesPage, { address: `/?open=${ID}` });
  const panel = await screen.findByRole('dialog');
  expect(await within(panel).findByText(/The format is invalid\./)).toBeTruthy();
  expect(within(panel).getByText(/Check the placeholders\./)).toBeTruthy();
  expect(within(panel).getByRole('link', { name: 'Copy and fix' }).getAttribute('href')).toBe(
    `/library/create?from=${ID}`,
  );
});

test('a copy has the values of the original and a new name', async () => {
  await draw(CreateTemplatePage, { address: `/?from=${ID}` });
  expect(((await screen.findByRole('textbox', { name: /Template name/ })) as HTMLInputElement).value).toBe(
    'order_ready_copy',
  );
  expect(screen.getByText(/Check the placeholders\./)).toBeTruthy();
  expect((screen.getByRole('textbox', { name: /^Footer/ }) as HTMLInputElement).value).toBe('Harbour Coffee');
  expect((screen.getByRole('textbox', { name: 'Example for first_name' }) as HTMLInputElement).value).toBe('Ann');
});

test('the picker offers the channel’s approved templates but does not allow paused ones', async () => {
  const sms = { ...TEMPLATE, channel: 'SMS' as const, status: 'COMPLETED' as const };
  rows = [
    sms,
    {
      ...sms,
      id: 'b',
      name: 'paused',
      paused: true,
      reason: { code: 'PAUSED', text: 'People reported it.', advice: '' },
    },
  ];
  const templates: Template[] = [];
  await draw(() => <TemplatePicker channel="SMS" onPick={(template) => templates.push(template)} onClose={() => {}} />);
  const paused = await screen.findByRole('button', { name: /^paused Paused: .* People reported it\.$/ });
  expect(paused.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(paused);
  expect(templates).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: /^order_ready/ }));
  expect(templates).toEqual([sms]);
  expect(calls.find(({ path }) => path === '/v1/templates')?.query.get('filter[status]')).toBe('COMPLETED');
});

const REASON = { code: 'FIRST_PAUSE', text: 'It is paused for three hours.', advice: 'Send it to fewer people.' };
test.each<[string, Partial<Template>, RegExp]>([
  ['Low', { quality: 'RED' }, /^Low quality/],
  ['Paused', { quality: 'RED', paused: true, reason: REASON }, /^It cannot be sent now/],
  ['Disabled', { paused: true, disabled: true, reason: REASON }, /^It can no longer be sent/],
])('the panel of an approved template explains the label "%s"', async (label, change, text) => {
  const template: Template = { ...TEMPLATE, status: 'COMPLETED', reason: null, ...change };
  stubApi((call) => {
    if (call.path === '/v1/templates') return respond([template], { ...PAGE, total: 1 });
    if (call.path === `/v1/templates/${ID}`) return respond({ ...template, used_in: [], sent_count: 3 });
    return sessionStub()(call);
  });
  await draw(TemplatesPage, { address: `/?open=${ID}` });
  const panel = within(await screen.findByRole('dialog'));
  expect(await panel.findByText(text)).toBeTruthy();
  expect(panel.getByText(label)).toBeTruthy();
});

test('a draft survives a reload until it is saved and is restored only on its own channel', async () => {
  save = () => respond({ ...TEMPLATE, channel: 'SMS', status: 'COMPLETED' });
  const open = (address: string) => draw(CreateTemplatePage, { address });
  const field = (name: string) => screen.findByRole('textbox', { name });
  const first = await open('/?channel=SMS');
  fireEvent.change(await field('Template name'), { target: { value: 'Order ready' } });
  fireEvent.change(await field('Message'), { target: { value: 'Your order is here' } });
  first.view.unmount();
  const other = await open('/?channel=VIBER');
  expect(await field('Message')).toHaveProperty('value', '');
  other.view.unmount();
  await open('/?channel=SMS');
  expect(await field('Template name')).toHaveProperty('value', 'Order ready');
  expect(await field('Message')).toHaveProperty('value', 'Your order is here');
  fireEvent.click(screen.getByRole('button', { name: 'Save template' }));
  await waitFor(() => expect(posted()).toHaveLength(1));
  await waitFor(() => expect(Object.keys(sessionStorage).filter((key) => key.startsWith('parley.typed.'))).toEqual([]));
});
