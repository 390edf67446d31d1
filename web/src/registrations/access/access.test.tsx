/** @vitest-environment happy-dom */
import { Registration, type SenderDetail } from '@parley/contract/registrations/registration.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import AddChannelPage from '../../senders/AddChannelPage.tsx';
import { carrierFields, carrierSummary, fieldLabel } from '../../senders/labels.ts';
import { OwnNumbers } from '../../senders/OwnNumbers.tsx';
import { centerWithin } from '../../senders/picture.ts';
import { type Call, draw, refuse, respond, type Stub, sessionStub, stubApi } from '../../test/draw.tsx';
import { AccessPage } from './AccessPage.tsx';
import { AccessWizard } from './AccessWizard.tsx';
import { accessStep } from './access_steps.ts';

const DATE = '2030-01-01 10:00:00';
const EMPTY = Registration.parse({
  company: null,
  sms_campaign: null,
  signup_options: null,
  example_messages: null,
  compliance_keyword_responses: null,
  toll_free: null,
  tcr: null,
});
const detail = (change: Partial<SenderDetail> = {}): SenderDetail => ({
  id: '01a1fd0a-dc6e-776b-9f75-00ea6b9cab11',
  account_id: '0197a5f0-0000-7000-8000-000000000001',
  name: 'Harbour Coffee',
  code: '',
  channel: 'WHATSAPP',
  type: 'business',
  status: 'unregistered',
  countries: ['DE'],
  two_way: false,
  brand: '',
  business_name: '',
  carrier_state: null,
  request_status: null,
  rental: null,
  pool_id: null,
  pool_name: null,
  members_count: 0,
  kind: 'whatsapp',
  wish: null,
  registration: EMPTY,
  attachments: [],
  documents: ['logo_640x640'],
  verification: null,
  profile: null,
  reasons: [],
  note: '',
  asked: false,
  editable: true,
  expected_days: [5, 7],
  expected_date: null,
  timeline: [],
  campaigns: [],
  messages_30_days: 0,
  create_date: DATE,
  update_date: DATE,
  ...change,
});
const page = (data: unknown[]) =>
  respond(data, {
    number: 1,
    size: 10,
    total: data.length,
    links: { first: '', current: '', previous: null, next: null },
  });
const stub =
  (handle: Stub, permissions?: Record<string, number>): Stub =>
  (call) =>
    handle(call) ?? sessionStub(permissions ? { permissions } : {})(call);
const card = async (channel: string) => {
  const heading = await screen.findByRole('heading', { name: new RegExp(channel) });
  return within(heading.closest('li')!);
};

afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

test('each channel shows its status and the next step', async () => {
  const rejected = detail({
    id: '01a1fd0a-dc6e-776b-9f75-00ea6b9cab12',
    channel: 'VIBER',
    kind: 'viber',
    status: 'rejected',
    request_status: 'CANCELED',
    business_name: 'Harbour Beans',
    reasons: [{ field: 'viber.sample_messages', text: 'The examples do not match the purpose.' }],
    note: 'See our guide.',
  });
  const moreInfo = detail({
    id: '01a1fd0a-dc6e-776b-9f75-00ea6b9cab13',
    status: 'pending',
    request_status: 'IN_PROCESS',
    business_name: 'Harbour Kiosk',
    asked: true,
    note: 'Which kiosk is it?',
  });
  const pending = detail({ status: 'pending', request_status: 'IN_PROCESS', expected_date: '2030-01-12 10:00:00' });
  stubApi(
    stub(({ path }) =>
      path === '/v1/senders'
        ? page([rejected, pending, moreInfo])
        : path.endsWith(rejected.id)
          ? respond(rejected)
          : path.endsWith(moreInfo.id)
            ? respond(moreInfo)
            : path.endsWith(pending.id)
              ? respond(pending)
              : undefined,
    ),
  );
  await draw(AddChannelPage);
  const viber = await card('Viber');
  expect(await viber.findByText('The examples do not match the purpose.')).toBeTruthy();
  expect(viber.getByText('Example messages')).toBeTruthy();
  expect(viber.getByText('See our guide.')).toBeTruthy();
  const edit = viber.getByRole('link', { name: 'Edit and resubmit' }).getAttribute('href')!;
  expect(edit).toContain('/add-channel/viber');
  expect(edit).toContain(`id=${rejected.id}`);
  const whatsapp = await card('WhatsApp');
  expect((await whatsapp.findByText(/usually takes 5-7 business days/)).textContent).toContain('12-01-2030');
  expect(await whatsapp.findByText(/Which kiosk is it/)).toBeTruthy();
  expect(whatsapp.getByRole('link', { name: 'Reply' }).getAttribute('href')).toContain(moreInfo.id);
  expect(whatsapp.getByRole('link', { name: 'Request another sender' }).getAttribute('href')).toContain('fresh=1');
});

test('a user without permission sees the requirements but cannot request access', async () => {
  const calls = stubApi(stub(() => undefined, { CHANNELS: 3 }));
  await draw(AddChannelPage);
  const whatsapp = await card('WhatsApp');
  expect(whatsapp.getByText(/The review takes 5-7 business days/)).toBeTruthy();
  expect(
    whatsapp.getByText('Get access').closest('[aria-disabled="true"],[data-disabled="true"],[disabled]'),
  ).toBeTruthy();
  expect(calls.some(({ path }) => path === '/v1/senders')).toBe(false);
});

test('an existing draft is resumed', async () => {
  const draft = detail();
  stubApi(
    stub(({ path }) => (path === '/v1/senders' ? page([draft]) : path.endsWith(draft.id) ? respond(draft) : undefined)),
  );
  const { router } = await draw(() => <AccessPage kind="whatsapp" />);
  await waitFor(() => expect(router.state.location.search).toMatchObject({ id: draft.id }));
});

test('the first step creates the draft only once and shows server errors', async () => {
  let free = false;
  const calls = stubApi(
    stub(({ path, method }) => {
      if (method === 'POST' && path === '/v1/senders') return respond(detail({ channel: 'VIBER', kind: 'viber' }));
      if (method === 'PUT')
        return free
          ? respond(EMPTY)
          : refuse(409, { code: 1446, message: 'This business name is already registered', field: 'business_name_en' });
      return undefined;
    }),
  );
  const { router } = await draw(() => <AccessWizard kind="viber" sender={null} />);
  const next = () => fireEvent.click(screen.getByRole('button', { name: 'Next' }));
  await screen.findByRole('textbox', { name: /Business name in English/ });
  next();
  expect((await screen.findAllByText('Business name in English is required!')).length).toBeGreaterThan(0);
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  const fill = (name: RegExp, value: string) =>
    fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } });
  fill(/^Business name in English/, 'Harbour Coffee');
  fill(/^Address/, 'Am Kai 4, Hamburg');
  fill(/^Website/, 'https://harbour.example');
  fill(/^Phone/, '+49 40 1234567');
  fill(/^Description/, 'Coffee roasters; customers get order updates.');
  next();
  expect((await screen.findAllByText('This business name is already registered')).length).toBeGreaterThan(0);
  free = true;
  fill(/^Business name in English/, 'Harbour Beans');
  next();
  await waitFor(() => expect(router.state.location.search).toMatchObject({ id: detail().id, step: 'account' }));
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
  expect((calls.find(({ method }) => method === 'POST') as Call).body).toEqual({ type: 'business', channel: 'VIBER' });
  const [update] = calls.filter(({ method }) => method === 'PUT').slice(-1);
  expect(update!.body).toMatchObject({ business_name_en: 'Harbour Beans', business_locations: ['AM'] });
});

test('a code verifies a number, and a wrong code shows an error at its field', async () => {
  const draft = detail({ registration: { ...EMPTY, whatsapp: { number_from: 'own', phone_number: '4917612345678' } } });
  let verified = false;
  const calls = stubApi(
    stub(({ path, method, body }) => {
      if (path === '/v1/own_numbers')
        return respond(
          verified ? [{ number: '4917612345678', source: 'own', verify_date: DATE, sender_id: null }] : [],
        );
      if (method === 'POST') return respond({ id: 'v1', expire_date: DATE, resend_date: DATE });
      if (method === 'PUT' && path.includes('phone_verifications')) {
        if ((body as { code: string }).code !== '123456')
          return refuse(400, { code: 1125, message: 'The verification code is not valid', field: 'code' });
        verified = true;
        return respond({ number: '4917612345678', source: 'own', verify_date: DATE, sender_id: null });
      }
      return undefined;
    }),
  );
  await draw(() => <AccessWizard kind="whatsapp" sender={draft} />, { address: '/?step=account' });
  const send = await screen.findByRole('button', { name: 'Send code' });
  await waitFor(() => expect((send as HTMLButtonElement).disabled).toBe(false));
  fireEvent.click(send);
  const code = await screen.findByRole('textbox', { name: 'Code' });
  expect(calls.find(({ method }) => method === 'POST')!.body).toEqual({ phone_number: '+4917612345678' });
  fireEvent.change(code, { target: { value: '12' } });
  fireEvent.click(screen.getByRole('button', { name: 'Confirm number' }));
  expect(await screen.findByText('The code must have six digits')).toBeTruthy();
  fireEvent.change(code, { target: { value: '111111' } });
  fireEvent.click(screen.getByRole('button', { name: 'Confirm number' }));
  expect(await screen.findByText('The verification code is not valid')).toBeTruthy();
  fireEvent.change(code, { target: { value: '123456' } });
  fireEvent.click(screen.getByRole('button', { name: 'Confirm number' }));
  expect(await screen.findByText(/^You verified that /)).toBeTruthy();
});

test('a logo with wrong dimensions is rejected before the upload', async () => {
  vi.stubGlobal('createImageBitmap', async () => ({ width: 100, height: 100, close: () => {} }));
  const calls = stubApi(stub(({ path }) => (path === '/v1/own_numbers' ? respond([]) : undefined)));
  await draw(() => <AccessWizard kind="whatsapp" sender={detail()} />, { address: '/?step=profile' });
  await screen.findByRole('button', { name: 'Choose: Logo 640 x 640' });
  const choose = (name: string) => {
    const input = document.querySelector('input[aria-label="Logo 640 x 640"]')!;
    fireEvent.change(input, { target: { files: [new File(['x'], name)] } });
  };
  choose('logo.jpg');
  expect(await screen.findByText('File extension should be .png')).toBeTruthy();
  choose('logo.png');
  expect(await screen.findByText('Image dimensions should be 640 x 640 pixels')).toBeTruthy();
  expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
});

test('a picture is scaled to fit and centered', () => {
  expect(centerWithin({ width: 900, height: 300 }, { width: 360, height: 280 })).toEqual({
    x: 0,
    y: 80,
    width: 360,
    height: 120,
  });
  expect(centerWithin({ width: 10, height: 10 }, { width: 360, height: 280 })).toEqual({
    x: 40,
    y: 0,
    width: 280,
    height: 280,
  });
});

test('verified numbers from other providers link to their WhatsApp sender', async () => {
  stubApi(
    stub(({ path }) =>
      path === '/v1/own_numbers'
        ? respond([
            { number: '4917612345678', source: 'own', verify_date: DATE, sender_id: detail().id },
            { number: '447700900123', source: 'account', verify_date: null, sender_id: null },
          ])
        : undefined,
    ),
  );
  await draw(OwnNumbers);
  const list = await screen.findByRole('list');
  expect(within(list).getAllByRole('listitem')).toHaveLength(1);
  expect(list.textContent).toContain('Verified 01-01-2030');
  expect(within(list).getByRole('link', { name: 'WhatsApp sender' }).getAttribute('href')).toContain(detail().id);
});

test('each rejected field belongs to a step, and the carrier state has readable labels', () => {
  expect(accessStep('whatsapp.business_website', 'whatsapp')).toBe('business');
  expect(accessStep('whatsapp.phone_number', 'whatsapp')).toBe('account');
  expect(accessStep('whatsapp.category', 'whatsapp')).toBe('profile');
  expect(accessStep('attachments.logo_640x640', 'whatsapp')).toBe('profile');
  expect(accessStep('attachments', 'viber')).toBe('documents');
  expect(fieldLabel('viber.sample_messages.0')).toBe('Example messages');
  expect(fieldLabel('attachments.logo_50x50')).toBe('Logo 50 x 50');
  expect(
    carrierFields({
      number: '4917',
      name: 'Harbour coffee',
      quality: 'GREEN',
      limit: 'TIER_10K',
      name_status: 'APPROVED',
    }),
  ).toEqual([
    { label: 'Name at the carrier', value: 'Harbour coffee' },
    { label: 'Quality', value: 'High' },
    { label: 'Recipients per day', value: '10,000' },
    { label: 'Display name', value: 'Approved' },
  ]);
  expect(carrierSummary({ quality: 'YELLOW', limit: 'TIER_1K' })).toBe('Medium, 1,000 per day');
  expect(carrierSummary({ name_status: 'APPROVED' })).toBe('–');
  expect(carrierSummary(null)).toBe('–');
});

test('the browser’s back button opens the previous step of the same draft', async () => {
  const { viber } = Registration.parse({ ...EMPTY, viber: { business_name: 'Harbour Coffee' } });
  let draft: SenderDetail | null = null;
  const calls = stubApi(
    stub(({ path, method }) => {
      if (path === '/v1/senders' && method === 'GET') return page([]);
      if (path === '/v1/senders') {
        draft = detail({ channel: 'VIBER', kind: 'viber', registration: { ...EMPTY, viber } });
        return respond(draft);
      }
      if (method === 'PUT') return respond(EMPTY);
      return draft && path.endsWith(draft.id) ? respond(draft) : undefined;
    }),
  );
  const { router } = await draw(() => <AccessPage kind="viber" />, {
    address: '/elsewhere',
    path: '/add-channel/viber',
  });
  await router.navigate({ to: '/add-channel/viber' as never });
  const fill = (name: RegExp, value: string) =>
    fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } });
  await screen.findByRole('textbox', { name: /Business name in English/ });
  fill(/^Business name in English/, 'Harbour Coffee');
  fill(/^Address/, 'Am Kai 4, Hamburg');
  fill(/^Website/, 'https://harbour.example');
  fill(/^Phone/, '+49 40 1234567');
  fill(/^Description/, 'Coffee roasters; customers get order updates.');
  fireEvent.click(screen.getByRole('button', { name: 'Next' }));
  expect(await screen.findByRole('heading', { name: 'Account details' })).toBeTruthy();
  expect(router.state.location.search).toMatchObject({ id: detail().id, step: 'account' });
  router.history.back();
  expect(await screen.findByRole('heading', { name: 'Business details' })).toBeTruthy();
  expect(router.state.location.search).toMatchObject({ id: detail().id, step: 'business' });
  router.history.back();
  expect(await screen.findByText('Elsewhere')).toBeTruthy();
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('unsaved input in a step survives a reload and is discarded after saving or leaving', async () => {
  const draft = detail({ channel: 'VIBER', kind: 'viber' });
  stubApi(stub(({ method }) => (method === 'PUT' ? respond(EMPTY) : undefined)));
  const open = () => draw(() => <AccessWizard kind="viber" sender={draft} />, { address: '/?step=account' });
  const example = (count: number) => screen.findByRole('textbox', { name: new RegExp(`Example ${count}`) });
  const first = await open();
  fireEvent.change(await example(1), { target: { value: 'Harbour: your order is here' } });
  fireEvent.click(screen.getByRole('button', { name: 'Add example' }));
  fireEvent.change(await example(2), { target: { value: 'Harbour: it is on its way' } });
  fireEvent.click(screen.getByRole('radio', { name: /One-way/ }));
  first.view.unmount();

  const second = await open();
  expect((await example(1)) as HTMLTextAreaElement).toHaveProperty('value', 'Harbour: your order is here');
  expect((await example(2)) as HTMLTextAreaElement).toHaveProperty('value', 'Harbour: it is on its way');
  expect(screen.getByRole('radio', { name: /One-way/ })).toHaveProperty('checked', true);
  // The input is still unsaved, so leaving asks for confirmation and discards it.
  const navigation = second.router.navigate({ to: '/elsewhere' as never });
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  await navigation;
  expect(await screen.findByText('Elsewhere')).toBeTruthy();
  second.view.unmount();

  const third = await open();
  const again = await example(1);
  expect(again).toHaveProperty('value', '');
  fireEvent.change(again, { target: { value: 'Harbour: your order is here' } });
  fireEvent.click(screen.getByRole('combobox', { name: /Traffic/ }));
  fireEvent.click((await screen.findAllByRole('option', { hidden: true }))[0]!);
  fireEvent.click(screen.getByRole('button', { name: 'Next' }));
  await waitFor(() => expect(third.router.state.location.search).toMatchObject({ step: 'documents' }));
  expect(Object.keys(sessionStorage).filter((key) => key.startsWith('parley.typed.'))).toEqual([]);
});
