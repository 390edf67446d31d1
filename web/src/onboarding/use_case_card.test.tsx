/** @vitest-environment happy-dom */
import type { Permissions } from '@parley/contract/permission.ts';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { drawApp } from '../test/app.tsx';
import { ACCOUNT, draw, respond, sessionStub, stubApi } from '../test/draw.tsx';
import { UseCaseCard } from './UseCaseCard.tsx';
import { type UseCase, use } from './use_case.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
  window.history.replaceState(null, '', '/');
});

const OFFER = use('SMS', 'marketing', 'Autumn offer', 'Hi {first_name}, 20% off until Friday.', 'Weekdays');
const NAME = 'autumn_offer';
const drawCard = async (useCase: UseCase, permissions: Permissions = { CAMPAIGNS: 15, TEMPLATES: 15 }) => {
  stubApi(sessionStub({ permissions }));
  await draw(() => <UseCaseCard useCase={useCase} />);
  return screen.findByRole('link', { name: /^Use this text/ });
};

test.each([
  ['an SMS text', OFFER, '/sms/create-campaign'],
  ['a WhatsApp text', { ...OFFER, channel: 'WHATSAPP' as const }, '/library/create'],
  ['a code', { ...OFFER, kind: 'code' as const }, '/library/create'],
])('%s is used where it can be sent', async (_, useCase, path) => {
  const { pathname, searchParams } = new URL((await drawCard(useCase)).getAttribute('href')!, 'http://x');
  expect(pathname).toBe(path);
  expect(searchParams.get('text')).toBe(OFFER.text);
});

test('the button gives the reason when the user may not create campaigns', async () => {
  expect((await drawCard(OFFER, {})).getAttribute('aria-disabled')).toBe('true');
});

test('the campaign wizard starts with the name and the text', async () => {
  stubApi(sessionStub());
  drawApp(`/sms/create-campaign?${new URLSearchParams({ name: OFFER.title, text: OFFER.text })}`, { signedIn: true });
  expect(((await screen.findByLabelText(/Campaign name|^Name/)) as HTMLInputElement).value).toBe('Autumn offer');
});

test('the template form starts with the name and the text', async () => {
  stubApi(sessionStub());
  const search = new URLSearchParams({ channel: 'viber', name: 'autumn_offer', text: OFFER.text });
  drawApp(`/library/create?${search}`, { signedIn: true });
  expect((await screen.findByDisplayValue('autumn_offer')).tagName).toBe('INPUT');
});

test('one click creates the template and the audience, and lists the remaining steps', async () => {
  const session = sessionStub();
  const made: unknown[] = [];
  stubApi((sent) => {
    if (sent.method !== 'POST' || !['/v1/templates', '/v1/audiences'].includes(sent.path)) return session(sent);
    made.push([sent.path, sent.body]);
    return respond({ id: sent.path === '/v1/templates' ? 't1' : 'a1' });
  });
  await draw(() => <UseCaseCard useCase={OFFER} />);
  fireEvent.click(await screen.findByRole('button', { name: /^Set up/ }));
  const list = within(await screen.findByRole('region', { name: 'Checklist: Autumn offer' }));
  expect(made).toEqual([
    ['/v1/templates', { channel: 'SMS', name: 'autumn_offer', text: OFFER.text }],
    ['/v1/audiences', { channel: 'SMS', name: 'Autumn offer' }],
  ]);
  expect(list.getByText(/Phone number; First name/)).toBeTruthy();
  expect(list.getByText(/Record the consent/)).toBeTruthy();
  expect(list.getByRole('link', { name: 'Import contacts' }).getAttribute('href')).toContain('audience=a1');
  expect(list.getByRole('link', { name: 'Create the campaign' }).getAttribute('href')).toContain('audience=a1');
  fireEvent.click(list.getByRole('button', { name: /^Dismiss/ }));
  expect(screen.queryByRole('region', { name: /^Checklist/ })).toBeNull();
});

test('a use case that is set up shows its checklist again, and creates only the missing parts', async () => {
  const session = sessionStub();
  const account = { ...ACCOUNT, preference: { ...ACCOUNT.preference, onboarding: { total: 1, use_cases: [NAME] } } };
  const made: unknown[] = [];
  stubApi((sent) => {
    if (sent.method === 'GET' && sent.path === '/v1/templates')
      return respond([
        { id: 't0', name: `${NAME}_2` },
        { id: 't1', name: NAME },
      ]);
    if (sent.method === 'GET' && sent.path === '/v1/audiences') return respond([]);
    if (sent.path === '/v1/accounts/self') return respond(account);
    if (sent.method === 'GET') return session(sent);
    made.push(sent.path);
    return respond({ id: 'a2' });
  });
  await draw(() => <UseCaseCard useCase={OFFER} />);
  fireEvent.click(await screen.findByRole('button', { name: /^Show checklist/ }));
  const list = within(await screen.findByRole('region', { name: 'Checklist: Autumn offer' }));
  expect(made).toEqual(['/v1/audiences']);
  expect(list.getByRole('link', { name: 'Template' }).getAttribute('href')).toContain('t1');
  expect(list.getByRole('link', { name: 'Import contacts' }).getAttribute('href')).toContain('audience=a2');
});

const setUp = async (useCase: UseCase, senders: unknown[] = []) => {
  const session = sessionStub();
  const made: [string, unknown][] = [];
  stubApi((sent) => {
    if (sent.path.startsWith('/v1/senders')) return respond(senders);
    if (sent.method === 'GET') return session(sent);
    made.push([sent.path, sent.body]);
    return respond({ id: sent.path === '/v1/templates' ? 't1' : 'a1' });
  });
  await draw(() => <UseCaseCard useCase={useCase} />);
  await screen.findByRole('link', { name: /^Use this text/ });
  return made;
};

test('a WhatsApp use case makes a template for the company’s sender, which must be approved first', async () => {
  const made = await setUp({ ...OFFER, channel: 'WHATSAPP' }, [{ id: 's1', code: '447700900123' }]);
  fireEvent.click(await screen.findByRole('button', { name: /^Set up/ }));
  const list = within(await screen.findByRole('region', { name: 'Checklist: Autumn offer' }));
  const body = { channel: 'WHATSAPP', name: 'autumn_offer', text: OFFER.text };
  expect(made).toContainEqual([
    '/v1/templates',
    { ...body, wa_category: 'MARKETING', wa_sender_code: '447700900123', samples: ['Anna'] },
  ]);
  expect(list.getByText('Wait until the WhatsApp template is approved')).toBeTruthy();
  expect(made).toContainEqual(['/v1/accounts/self/preference', { onboarding: { use_cases: ['autumn_offer'] } }]);
});

test('a use case of a channel without a sender cannot be set up', async () => {
  await setUp({ ...OFFER, channel: 'VIBER' });
  expect(screen.queryByRole('button', { name: /^Set up/ })).toBeNull();
});

test('a use case for codes makes a template with the code, and no audience', async () => {
  const made = await setUp(use('SMS', 'code', 'Sign-in code', '{custom1} is your code.', 'Immediately'));
  fireEvent.click(await screen.findByRole('button', { name: /^Set up/ }));
  const list = within(await screen.findByRole('region', { name: 'Checklist: Sign-in code' }));
  expect(made.filter(([path]) => !path.includes('preference'))).toEqual([
    ['/v1/templates', { channel: 'SMS', name: 'sign_in_code', text: '{code} is your code.' }],
  ]);
  expect(list.getByText('POST /v1/verifications')).toBeTruthy();
});
