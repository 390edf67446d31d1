/** @vitest-environment happy-dom */
import type { MessageFallbackStep } from '@parley/contract/messages/details.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type Call, draw, refuse, respond, sessionStub, stubApi } from '../test/draw.tsx';
import { TestPage } from './TestPage.tsx';
import TryItNowPage from './TryItNowPage.tsx';
import { withMessage, withStepStatuses } from './test_messages.ts';

afterEach(() => vi.unstubAllGlobals());

const STATE = {
  id: 'SMS',
  numbers: [
    { number: '4917604069077', country: 'DE', mine: true },
    { number: '4917604069078', country: 'DE', mine: false },
  ],
  limit: 20,
  left: 12,
  senders: [
    { id: '0197a5f0-0000-7000-8000-0000000000a1', name: 'Harbour', code: '4917139200000', lent: false, countries: [] },
    { id: 'try-it-now', name: 'Try it now', code: 'Parley', lent: true, countries: [] },
  ],
  blockers: [],
  notes: [],
  phones_url: 'http://localhost:4100',
};
const PERMISSIONS = { MESSAGES: 15, TEMPLATES: 15, MEDIA: 15 };
const stub = (state: object, reply: (call: Call) => Response | undefined = () => undefined) =>
  stubApi((call) =>
    call.path.startsWith('/v1/try_it_now/')
      ? respond(state)
      : (reply(call) ?? sessionStub({ permissions: PERMISSIONS })(call)),
  );

test('the page offers the available channels and lists the planned ones', async () => {
  stubApi(sessionStub({ permissions: PERMISSIONS }));
  await draw(() => <TryItNowPage />);
  expect(screen.getAllByRole('link', { name: /^Try it: (SMS|WhatsApp|Viber)$/ })).toHaveLength(3);
  expect(screen.getAllByRole('link', { name: /^Contact us about/ })).toHaveLength(3);
  expect(screen.getAllByText('Coming soon')).toHaveLength(2);
});

test('a test message is sent with the test flag, and its API request is shown', async () => {
  const calls = stub(STATE, ({ method, path }) =>
    method === 'POST' && path === '/v1/messages'
      ? respond([
          {
            id: 'm1',
            channel: 'SMS',
            direction: 'MT',
            to: '4917604069077',
            from: 'x',
            text: 'Hi',
            status: 'enroute',
            content: null,
            create_date: '2030-01-01 10:00:00',
            status_details: null,
            source: 'test',
          },
        ])
      : undefined,
  );
  await draw(() => <TestPage channel="SMS" />);
  fireEvent.change(await screen.findByLabelText('Message'), { target: { value: "It's me" } });
  fireEvent.click(screen.getByRole('button', { name: 'Send test' }));
  await screen.findByText('API request');
  const request = calls.find(({ method }) => method === 'POST')!;
  expect(request.body).toEqual({
    from: STATE.senders[0]!.id,
    to: ['4917604069077'],
    channel: 'SMS',
    text: "It's me",
    test: true,
  });
  const code = screen.getByLabelText('API request').querySelector('pre')!.textContent!;
  expect(code).toContain('X-API-Key: YOUR_API_KEY');
  const json = code.slice(code.indexOf("-d '") + 4, code.lastIndexOf("'")).replaceAll("'\\''", "'");
  expect(JSON.parse(json)).toEqual({ data: request.body });
  fireEvent.click(screen.getByText('JavaScript (fetch)'));
  expect(screen.getByLabelText('API request').querySelector('pre')!.textContent).toContain('"test": true');
  expect(screen.getByRole('link', { name: /virtual phone/ }).getAttribute('href')).toBe(
    'http://localhost:4100/#/phones/4917604069077',
  );
});

test('an error appears below its field or, without a field, below the form', async () => {
  stub(STATE, ({ method }) =>
    method === 'POST'
      ? refuse(
          400,
          { code: 1523, message: 'Test messages can be sent only to your own verified phones: 1', field: 'to' },
          { code: 7909, message: 'Your balance is too low' },
        )
      : undefined,
  );
  await draw(() => <TestPage channel="SMS" />);
  fireEvent.click(await screen.findByRole('button', { name: 'Send test' }));
  expect(await screen.findByText(/own verified phones/)).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toBe('Your balance is too low');
});

test('a blocker appears with a link to fix it and disables sending', async () => {
  stub({
    ...STATE,
    senders: [],
    blockers: [{ code: 1505, text: 'No Viber sender is available yet.', path: '/add-channel' }],
    phones_url: null,
  });
  await draw(() => <TestPage channel="VIBER" />);
  expect(await screen.findByText('No Viber sender is available yet.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Set it up' }).getAttribute('href')).toBe('/add-channel');
  expect(screen.getByRole('button', { name: 'Send test' }).getAttribute('aria-disabled')).toBe('true');
  await waitFor(() => expect(screen.queryByRole('link', { name: /virtual phone/ })).toBeNull());
});

test('a status never moves backward, and a late message is inserted in order', () => {
  const message = (id: string, status: string) => ({ id, status }) as Message;
  const messages = withMessage([message('2', 'sent')], message('1', 'received'));
  expect(messages.map(({ id }) => id)).toEqual(['1', '2']);
  expect(withMessage(messages, message('2', 'enroute'))).toBe(messages);
  expect(withMessage(messages, message('2', 'read'))[1]!.status).toBe('read');
});

test('fallback steps are validated, sent, and shown on the phones and in the timeline', async () => {
  const sender = (id: string) => [{ id, name: 'Harbour', code: '4917139200000', lent: false, countries: [] }];
  const IDS = { WHATSAPP: 'wa', VIBER: 'vi', SMS: 'sm' } as const;
  const base = {
    ...{ id: 'm1', direction: 'MT', to: '4917604069077', from: 'x', content: null, status_details: null },
    ...{ create_date: '2030-01-01 10:00:00', source: 'test' },
  };
  const step = (n: number, channel: string, state: string, overrides: object = {}) => ({
    ...{ leg: n, channel, from: 'Harbour', type: 'text', text: `By ${channel}`, trigger: null, wait_seconds: null },
    ...{ state, reason: null, status: null, price_micros: 0, ...overrides },
  });
  const rejection = { leg: 1, channel: 'WHATSAPP', text: 'Not on WhatsApp' };
  const message = {
    ...base,
    channel: 'VIBER',
    text: 'Hi',
    status: 'delivered',
    timeline: [
      { at: '2030-01-01 10:00:00.000', status: 'enroute', source: 'gate' },
      { at: '2030-01-01 10:00:01.000', status: 'rejected', source: 'carrier', ...rejection },
      {
        at: '2030-01-01 10:00:01.000',
        status: 'enroute',
        source: 'worker',
        leg: 2,
        channel: 'VIBER',
        leg_state: 'in_effect',
      },
    ],
    fallbacks: [
      step(1, 'WHATSAPP', 'passed_on', { status: 'rejected', reason: 'Not on WhatsApp' }),
      step(2, 'VIBER', 'in_effect', { status: 'delivered', trigger: 'undelivered', wait_seconds: 60 }),
      step(3, 'SMS', 'not_needed', { trigger: 'failed' }),
    ],
  };
  const calls = stubApi((call) => {
    const channel = call.path.match(/^\/v1\/try_it_now\/(\w+)/)?.[1]?.toUpperCase() as keyof typeof IDS | undefined;
    if (channel) return respond({ ...STATE, id: channel, senders: sender(IDS[channel]) });
    if (call.path === '/v1/messages/m1') return respond(message);
    if (call.method === 'POST' && call.path === '/v1/messages')
      return respond([{ ...base, channel: 'WHATSAPP', text: 'Hi', status: 'enroute' }]);
    return sessionStub({ permissions: PERMISSIONS })(call);
  });
  await draw(() => <TestPage channel="WHATSAPP" />);
  fireEvent.click(await screen.findByRole('button', { name: 'Write a text' }));
  fireEvent.change(await screen.findByLabelText('Message'), { target: { value: 'Hi' } });
  const steps = () =>
    within(screen.getByRole('group', { name: 'If the message is not delivered' })).queryAllByRole('listitem');
  for (const n of [0, 1]) {
    fireEvent.click(screen.getByRole('button', { name: 'Add fallback channel' }));
    // Focus moves to the new step.
    await waitFor(() => expect(steps()[n]!.contains(document.activeElement)).toBe(true));
  }
  expect(screen.queryByRole('button', { name: 'Add fallback channel' })).toBeNull();
  const [viber, sms] = steps();
  expect(within(viber!).getByText('Viber')).toBeTruthy();
  fireEvent.change(within(viber!).getByLabelText('Wait'), { target: { value: '10' } });
  fireEvent.click(screen.getByRole('button', { name: 'Send test' }));
  expect(await within(viber!).findByText('The wait must be 30 to 86,400 seconds')).toBeTruthy();
  expect(document.activeElement).toBe(within(viber!).getByLabelText('Wait'));
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  fireEvent.change(within(viber!).getByLabelText('Wait'), { target: { value: '60' } });
  fireEvent.click(within(sms!).getByText('Different text'));
  fireEvent.click(screen.getByRole('button', { name: 'Send test' }));
  expect(await within(sms!).findByText('Text is required')).toBeTruthy();
  fireEvent.change(within(sms!).getByLabelText('Message for SMS'), { target: { value: 'Short' } });
  fireEvent.click(screen.getByRole('button', { name: 'Send test' }));

  await screen.findByText('API request');
  const request = calls.find(({ method }) => method === 'POST')!;
  expect(request.body).toEqual({
    ...{ from: 'wa', to: ['4917604069077'], channel: 'WHATSAPP', text: 'Hi', test: true },
    fallbacks: [
      { channel: 'VIBER', from: 'vi', text: 'Hi', trigger: 'undelivered', wait_seconds: 60 },
      { channel: 'SMS', from: 'sm', text: 'Short', trigger: 'undelivered', wait_seconds: 30 },
    ],
  });
  const code = screen.getByLabelText('API request').querySelector('pre')!.textContent!;
  expect(code).toContain('"fallbacks": [');
  expect(await screen.findByText('2. Viber takes over')).toBeTruthy();
  const phones = screen.getByRole('radiogroup', { name: 'Phone by channel' });
  expect(
    within(phones)
      .getAllByRole('radio')
      .map((input) => (input as HTMLInputElement).value),
  ).toEqual(['WHATSAPP', 'VIBER', 'SMS']);
  expect((within(phones).getByRole('radio', { checked: true }) as HTMLInputElement).value).toBe('VIBER');
  for (const label of ['Passed on', 'Delivered', 'Not needed']) expect(within(phones).getByText(label)).toBeTruthy();
});

test('an error about a fallback step appears at that step', async () => {
  stub(STATE, ({ method }) =>
    method === 'POST'
      ? refuse(400, { code: 1505, message: 'This sender is not there', field: 'fallbacks.0.from' })
      : undefined,
  );
  await draw(() => <TestPage channel="SMS" />);
  fireEvent.click(await screen.findByRole('button', { name: 'Add fallback channel' }));
  fireEvent.click(screen.getByRole('button', { name: 'Send test' }));
  const [step] = within(screen.getByRole('group', { name: 'If the message is not delivered' })).getAllByRole(
    'listitem',
  );
  expect(await within(step!).findByText('This sender is not there')).toBeTruthy();
  fireEvent.click(within(step!).getByRole('button', { name: 'Remove WhatsApp' }));
  expect(screen.queryByText('This sender is not there')).toBeNull();
});

test('a message stays on the phone of each channel it reached, with its status there', () => {
  const message = (channel: string, status: string) => ({ id: '1', channel, status }) as Message;
  const messages = withMessage([message('WHATSAPP', 'sent')], message('VIBER', 'sent'));
  expect(messages.map(({ channel }) => channel)).toEqual(['WHATSAPP', 'VIBER']);
  const steps = [
    { channel: 'WHATSAPP', status: null },
    { channel: 'VIBER', status: 'read' },
  ] as MessageFallbackStep[];
  expect(withStepStatuses(messages, new Map([['1', steps]]))).toEqual([message('VIBER', 'read')]);
});

test('senders are found by name or number, numbers are formatted, and characters are counted', async () => {
  const olderSender = {
    ...{ id: '0197a5f0-0000-7000-8000-0000000000b2', name: '+4917139200029', code: '4917139200029', channel: 'SMS' },
    ...{ type: 'local', pool_id: null },
  };
  const page = { number: 1, size: 50, total: 1, links: { first: '', current: '', previous: null, next: null } };
  const calls = stub(STATE, ({ method, path, query }) => {
    if (path === '/v1/senders')
      return respond(query.get('filter[name]') === '4917139200029' ? [olderSender] : [], { ...page, total: 300 });
    return method === 'POST' ? refuse(409, { code: 7909, message: 'Your balance is too low' }) : undefined;
  });
  await draw(() => <TestPage channel="SMS" />);
  const from = (await screen.findByRole('combobox', { name: 'From' })) as HTMLInputElement;
  await waitFor(() => expect(from.value).toBe('Harbour (+49 171 39200000)'));
  await waitFor(() => expect((screen.getByLabelText('To') as HTMLInputElement).value).toBe('+49 176 04069077'));
  fireEvent.click(from);
  from.focus();
  fireEvent.input(from, { target: { value: '+49 171 39200029' } });
  fireEvent.click(await screen.findByRole('option', { name: '+49 171 39200029', hidden: true }));
  fireEvent.change(screen.getByLabelText('Message'), { target: { value: 'x'.repeat(1_001) } });
  const send = () => screen.getByRole('button', { name: 'Send test' });
  expect(screen.getByText('At most 1,000 characters')).toBeTruthy();
  expect(send().getAttribute('aria-disabled')).toBe('true');
  fireEvent.change(screen.getByLabelText('Message'), { target: { value: 'Your order is here \u{1F600}' } });
  expect(screen.getByText('20/1000 - 1 segment - UCS-2')).toBeTruthy();
  fireEvent.click(send());
  await waitFor(() => expect(calls.some(({ method }) => method === 'POST')).toBe(true));
  const request = calls.find(({ method }) => method === 'POST')!.body;
  expect(request).toMatchObject({ from: olderSender.id, to: ['4917604069077'] });
});

const TEMPLATE = {
  ...{ id: 't1', channel: 'WHATSAPP', name: 'order_shipped', status: 'COMPLETED', paused: false, disabled: false },
  ...{ text: 'Dear {first_name}, order {number} is on its way.', samples: ['Ann', '4711'], buttons: [], header: null },
  ...{ footer: null, media: null, media_type: null, wa_category: 'UTILITY', reason: null, type: 'text' },
};
const whatsApp = (templates: object[], senders: object[] = STATE.senders.slice(0, 1)) =>
  stub({ ...STATE, id: 'WHATSAPP', senders }, ({ path, method }) =>
    path === '/v1/templates'
      ? respond(templates, { number: 1, size: 20, total: templates.length, links: { first: '', current: '' } })
      : method === 'POST' && path === '/v1/messages'
        ? respond([{ ...TEMPLATE, id: 'm1', direction: 'MT', status: 'enroute', content: null, to: '1', from: '2' }])
        : undefined,
  );

test('a channel that requires a template begins with an approved one, and its first click sends it', async () => {
  const calls = whatsApp([{ ...TEMPLATE, id: 't0', paused: true }, TEMPLATE]);
  await draw(() => <TestPage channel="WHATSAPP" />);
  await screen.findByText(/Approved template “order_shipped”/);
  const message = screen.getByLabelText('Message') as HTMLTextAreaElement;
  expect(message.readOnly).toBe(true);
  expect(message.value).toMatch(/^Dear \w+, order 4711 is on its way\.$/);
  fireEvent.click(screen.getByRole('button', { name: 'Send test' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'POST')).toBe(true));
  const { body } = calls.find(({ method }) => method === 'POST')!;
  expect(body).toMatchObject({ channel: 'WHATSAPP', template: 't1', variables: [expect.any(String), '4711'] });
  expect(body).not.toHaveProperty('text');
});

test('a user whose phone has replied before can write a text instead of the template', async () => {
  whatsApp([TEMPLATE]);
  await draw(() => <TestPage channel="WHATSAPP" />);
  await screen.findByText(/Approved template/);
  fireEvent.click(screen.getByRole('button', { name: 'Write a text' }));
  expect((screen.getByLabelText('Message') as HTMLTextAreaElement).readOnly).toBe(false);
});

test('a sender without an approved template links to creating one and cannot send', async () => {
  whatsApp([]);
  await draw(() => <TestPage channel="WHATSAPP" />);
  const link = await screen.findByRole('link', { name: 'Create template' });
  expect(link.getAttribute('href')).toBe('/library/create');
  expect(screen.getByRole('button', { name: /^Send test/ }).getAttribute('aria-disabled')).toBe('true');
});

test('the shared sender of a channel that requires a template asks the user to send the first message', async () => {
  whatsApp([TEMPLATE], STATE.senders.slice(1));
  await draw(() => <TestPage channel="WHATSAPP" />);
  expect(await screen.findByText(/send any message from your phone to/)).toBeTruthy();
});
