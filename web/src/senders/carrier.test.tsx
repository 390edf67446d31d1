/** @vitest-environment happy-dom */
import { Registration, type SenderDetail } from '@parley/contract/registrations/registration.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, refuse, respond, sessionStub, stubApi } from '../test/draw.tsx';
import { CarrierCode } from './CarrierCode.tsx';
import EditSenderPage from './EditSenderPage.tsx';
import { SenderPanel } from './SenderPanel.tsx';

const ID = '01a1fd0a-dc6e-776b-9f75-00ea6b9cab21';
const DATE = '2030-01-01 10:00:00';
const form = Registration.parse({
  company: null,
  sms_campaign: null,
  signup_options: null,
  example_messages: null,
  compliance_keyword_responses: null,
  toll_free: null,
  tcr: null,
  whatsapp: { about: 'Fresh beans', business_address: 'Am Kai 4', category: 'restaurant' },
});
const detail = (change: Partial<SenderDetail> = {}): SenderDetail => ({
  id: ID,
  account_id: '0197a5f0-0000-7000-8000-000000000001',
  name: 'Harbour Coffee',
  code: '447700900123',
  channel: 'WHATSAPP',
  type: 'business',
  status: 'available',
  countries: ['DE'],
  two_way: true,
  brand: '',
  business_name: 'Harbour Coffee',
  carrier_state: { quality: 'RED', quality_event: 'FLAGGED', limit: 'TIER_250' },
  request_status: 'COMPLETED',
  rental: null,
  pool_id: null,
  pool_name: null,
  members_count: 0,
  kind: 'whatsapp',
  wish: null,
  registration: form,
  attachments: [],
  documents: ['logo_640x640'],
  verification: null,
  profile: null,
  reasons: [],
  note: '',
  asked: false,
  editable: false,
  expected_days: [5, 7],
  expected_date: null,
  timeline: [],
  campaigns: [],
  messages_30_days: 0,
  create_date: DATE,
  update_date: DATE,
  ...change,
});
const refusedProfile = {
  state: 'refused' as const,
  refusals: [
    { field: 'whatsapp.business_address', text: 'address may have at most 256 characters' },
    { field: 'attachments.logo_640x640', text: 'The picture is too small' },
  ],
  take_date: DATE,
};
const unverified = { verified: false, method: null, code_date: null, next_date: null, tries_left: 5 };

afterEach(() => vi.unstubAllGlobals());

test('a WhatsApp code is validated, a rejection appears at its field, and a new code can be sent by call', async () => {
  const calls = stubApi((call) => {
    if (!call.path.endsWith('/carrier_codes')) return sessionStub()(call);
    if (call.method === 'POST') return respond({ ...unverified, method: 'voice', code_date: DATE });
    return refuse(400, { code: 1492, message: 'WhatsApp: Incorrect code', field: 'code' });
  });
  const smsCode = { ...unverified, method: 'sms' as const, code_date: DATE, tries_left: 2 };
  const props = { of: 'request', channel: 'WHATSAPP', id: ID, number: '447700900123' } as const;
  await draw(() => <CarrierCode {...props} verification={smsCode} />);
  expect(screen.getByText(/The customer can also enter the code/)).toBeTruthy();
  expect(screen.getByText('Attempts left: 2')).toBeTruthy();
  const code = screen.getByRole('textbox', { name: 'WhatsApp code' });
  fireEvent.change(code, { target: { value: '12-34' } });
  fireEvent.click(screen.getByRole('button', { name: 'Verify number' }));
  expect(await screen.findByText('The code must have six digits')).toBeTruthy();
  expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
  fireEvent.change(code, { target: { value: '123-456' } });
  fireEvent.click(screen.getByRole('button', { name: 'Verify number' }));
  expect(await screen.findByText('WhatsApp: Incorrect code')).toBeTruthy();
  const update = calls.find(({ method }) => method === 'PUT')!;
  expect([update.path, update.body]).toEqual([`/v1/requests/${ID}/carrier_codes`, { code: '123456' }]);
  fireEvent.click(screen.getByRole('button', { name: 'Send code by call' }));
  await waitFor(() => expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ method: 'voice' }));
});

test('the sender panel explains that the number must be verified and can request a code by SMS', async () => {
  const calls = stubApi((call) => {
    if (call.path.endsWith('/carrier_codes'))
      return refuse(429, { code: 1493, message: 'You can request another code in 40 seconds', field: 'code' });
    if (call.path === `/v1/senders/${ID}`)
      return respond(detail({ status: 'pending', request_status: 'IN_PROCESS', verification: unverified }));
    return sessionStub()(call);
  });
  await draw(() => <SenderPanel id={ID} onClose={() => {}} onRemove={() => {}} verb={() => 'Delete'} />);
  expect(await screen.findByText(/WhatsApp must verify .* before it becomes a sender/)).toBeTruthy();
  expect(screen.queryByRole('textbox', { name: 'WhatsApp code' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Send code by SMS' }));
  await waitFor(() => expect(calls.some(({ path }) => path === `/v1/senders/${ID}/carrier_codes`)).toBe(true));
});

test('the profile form shows WhatsApp rejections at their fields and omits empty fields', async () => {
  const calls = stubApi((call) => {
    if (call.path === `/v1/senders/${ID}/profile`) return respond(form);
    if (call.path === `/v1/senders/${ID}`) return respond(detail({ profile: refusedProfile }));
    return sessionStub()(call);
  });
  await draw(EditSenderPage, { address: `/?id=${ID}` });
  expect(await screen.findByText('WhatsApp: address may have at most 256 characters')).toBeTruthy();
  expect(screen.getByText('WhatsApp: The picture is too small')).toBeTruthy();
  expect(screen.getByText(/WhatsApp rejected some changes/)).toBeTruthy();
  const address = screen.getByRole('textbox', { name: 'Address' });
  fireEvent.change(address, { target: { value: 'Am Kai 5' } });
  fireEvent.change(screen.getByRole('textbox', { name: 'About' }), { target: { value: '' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save profile' }));
  expect(await screen.findByText('WhatsApp does not let you clear this field')).toBeTruthy();
  fireEvent.change(screen.getByRole('textbox', { name: 'About' }), { target: { value: 'Open on Sundays' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save profile' }));
  await waitFor(() => expect(calls.find(({ path }) => path.endsWith('/profile'))?.body).toBeTruthy());
  expect(calls.find(({ path }) => path.endsWith('/profile'))!.body).toEqual({
    category: 'restaurant',
    about: 'Open on Sundays',
    business_address: 'Am Kai 5',
  });
});

test('the panel shows the quality, the limit, and rejected profile fields with a link to edit them', async () => {
  stubApi((call) =>
    call.path === `/v1/senders/${ID}` ? respond(detail({ profile: refusedProfile })) : sessionStub()(call),
  );
  await draw(() => <SenderPanel id={ID} onClose={() => {}} onRemove={() => {}} verb={() => 'Delete'} />);
  expect(await screen.findByText('WhatsApp rejected parts of the profile')).toBeTruthy();
  expect(screen.getByText('address may have at most 256 characters')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Edit profile' }).getAttribute('href')).toContain('edit-sender');
  expect(screen.getByText('Low quality.')).toBeTruthy();
  expect(screen.getByText('Low')).toBeTruthy();
  expect(screen.getByText('250')).toBeTruthy();
  expect(screen.queryByText('Flagged')).toBeNull();
});
