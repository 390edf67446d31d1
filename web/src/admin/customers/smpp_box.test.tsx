/** @vitest-environment happy-dom */
import type { Customer } from '@parley/contract/admin/customers.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import { SmppBox } from './SmppBox.tsx';

afterEach(() => vi.unstubAllGlobals());

const ID = '01a1fd0a-dc6e-776b-9f75-00ea6b9caa01';
const customer = { id: ID, company_name: 'Harbour Coffee', closed: false } as Customer;

test('the box shows what a company uses, and saves limits, where empty means none', async () => {
  const caps = { account_id: ID, max_accounts: 5, max_binds: null, throughput: 100, accounts_count: 2, bound_count: 3 };
  let current: object = caps;
  const session = sessionStub();
  const calls = stubApi(async (call) => {
    if (!call.path.endsWith('/smpp_caps')) return session(call);
    if (call.method === 'PUT') current = { ...caps, max_accounts: null, max_binds: 8 };
    return respond(current);
  });
  await draw(() => <SmppBox customer={customer} />);
  const box = await screen.findByRole('region', { name: 'SMPP' });
  await within(box).findByText('2 of 5');
  expect(box.textContent).toContain('At most 100');
  fireEvent.click(within(box).getByRole('button', { name: 'Edit limits' }));
  const panel = await screen.findByRole('dialog', { name: 'Edit SMPP limits' });
  fireEvent.change(within(panel).getByLabelText(/^Accounts/), { target: { value: '' } });
  fireEvent.change(within(panel).getByLabelText(/^Bound sessions/), { target: { value: '8' } });
  fireEvent.click(within(panel).getByRole('button', { name: 'Save limits' }));
  await within(box).findByText('3 of 8');
  const puts = calls.filter(({ method }) => method === 'PUT');
  await waitFor(() => expect(puts).toHaveLength(1));
  expect(puts[0]!.body).toEqual({ max_accounts: null, max_binds: 8, throughput: 100 });
});
