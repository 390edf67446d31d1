import { type ContactDeals as DealGroup, listContactDeals } from '@parley/contract/crm/deals.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient, queryKey } from '../../kernel/http/query.ts';
import { draw, refuse, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import ContactDeals from './ContactDeals.tsx';

beforeEach(() => queryClient.clear());
afterEach(() => vi.unstubAllGlobals());

const PATH = '/v1/conversations/c1/deals';
const GROUP: DealGroup = {
  ...{ provider: 'pipedrive', label: 'Pipedrive', has_more: false, problem: null },
  person: { id: '1', url: 'https://crm.example/person/1' },
  deals: [
    {
      ...{ id: '5', name: 'Espresso machine', stage: 'Offer sent', state: 'open' },
      ...{ value: 4200.5, currency: 'EUR', url: 'https://crm.example/deal/5' },
    },
    { id: '6', name: '', stage: '', state: 'won', value: 12_000, currency: null, url: null },
    { id: '7', name: 'Beans', stage: 'Closed', state: 'lost', value: null, currency: null, url: null },
  ],
};
const show = async (answers: (readonly DealGroup[] | null)[], permissions?: Record<string, number>) => {
  const left = [...answers];
  const calls = stubApi((call) => {
    if (call.path !== PATH) return sessionStub(permissions ? { permissions } : {})(call);
    const answer = left.length > 1 ? left.shift()! : left[0]!;
    return answer ? respond(answer) : refuse(404, { code: 1651, message: 'Conversation not found' });
  });
  await draw(() => <ContactDeals conversation_id="c1" />);
  return calls;
};
const section = async (name = 'Deals in Pipedrive') => within(await screen.findByRole('region', { name }));

test('a deal shows its name with a link, its stage, and its value', async () => {
  await show([[GROUP]]);
  const deals = await section();
  const rows = deals.getAllByRole('listitem').map((row) => row.textContent);
  expect(rows).toEqual([
    'Espresso machine (opens in a new tab)€4,200.50Offer sent',
    'Deal without a name12,000Won',
    'BeansClosedLost',
  ]);
  const link = deals.getByRole('link', { name: /^Espresso machine/ });
  expect(link.getAttribute('href')).toBe('https://crm.example/deal/5');
  expect(link.getAttribute('rel')).toBe('noopener noreferrer');
  expect(deals.getAllByRole('link')).toHaveLength(1);
});

test('the section links to the person in the CRM when there are more deals than it shows', async () => {
  await show([[{ ...GROUP, has_more: true }]]);
  const link = (await section()).getByRole('link', { name: /^All deals in Pipedrive/ });
  expect(link.getAttribute('href')).toBe('https://crm.example/person/1');
});

test('a person without deals and a number without a person say so', async () => {
  const hubspot: DealGroup = { ...GROUP, provider: 'hubspot', label: 'HubSpot', deals: [], person: null };
  await show([[{ ...GROUP, deals: [] }, hubspot]]);
  expect((await section()).getByText('No deals')).toBeTruthy();
  expect((await section('Deals in HubSpot')).getByText('No person in HubSpot has this number')).toBeTruthy();
});

test('a CRM that failed can be retried, and one that signed out links to the settings', async () => {
  const failed: DealGroup = { ...GROUP, deals: [], person: null, problem: 'unreachable' };
  const out: DealGroup = { ...failed, provider: 'hubspot', label: 'HubSpot', problem: 'signed_out' };
  await show([[failed, out], [GROUP]]);
  const hubspot = await section('Deals in HubSpot');
  expect(hubspot.getByText(/HubSpot no longer accepts the connection\./)).toBeTruthy();
  expect(hubspot.getByRole('link', { name: 'Connect again' }).getAttribute('href')).toBe('/settings/integrations');
  expect((await section()).getByText('Pipedrive did not respond')).toBeTruthy();
  fireEvent.click((await section()).getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('link', { name: /^Espresso machine/ })).toBeTruthy();
});

test('deals that could not be loaded can be retried', async () => {
  await show([null, [GROUP]]);
  const deals = await section('Deals');
  expect(deals.getByText('The deals could not be loaded')).toBeTruthy();
  fireEvent.click(deals.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('link', { name: /^Espresso machine/ })).toBeTruthy();
});

test('nothing is shown or asked for without the permission, and nothing without a CRM', async () => {
  const calls = await show([[GROUP]], { MESSAGES: 15, CONVERSATIONS: 15 });
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(calls.filter(({ path }) => path === PATH)).toEqual([]);
  expect(screen.queryByRole('region')).toBeNull();
});

test('nothing is shown while an account without a CRM loads, or afterward', async () => {
  const calls = await show([[]]);
  expect(screen.queryByRole('region')).toBeNull();
  await waitFor(() => expect(calls.filter(({ path }) => path === PATH)).toHaveLength(1));
  expect(screen.queryByRole('region')).toBeNull();
});

test('the place of the deals is kept while they load, once a CRM is known', async () => {
  stubApi((call) => (call.path === PATH ? new Promise(() => {}) : sessionStub()(call)));
  await draw(() => {
    useState(() => queryClient.setQueryData(queryKey(listContactDeals, { params: { id: 'c0' } }), { data: [GROUP] }));
    return <ContactDeals conversation_id="c1" />;
  });
  expect(await screen.findByRole('region', { name: 'Deals in Pipedrive' })).toBeTruthy();
  expect(screen.queryByRole('link')).toBeNull();
});
