/** @vitest-environment happy-dom */
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../kernel/http/query.ts';
import { draw, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import EditLimitPage from './EditLimitPage.tsx';

afterEach(() => vi.unstubAllGlobals());

const LIMIT = {
  ...{ id: 'l1', account_id: 'a1', type: 'messages', channels: ['SMS'], countries: [], prefixes: [], limit: 10 },
  ...{ interval: 'day', block_traffic: true, enabled: true, sub_accounts: 'none', inherited_from: null, warn_at: [] },
  ...{ state: 'active', warning: null, used: 0, blocked: 0, reset_date: '2027-01-02 00:00:00' },
  ...{ create_date: '2027-01-01 10:00:00', update_date: '2027-01-01 10:00:00' },
};

test('an open form shows a change made in another tab, and keeps the input of the user', async () => {
  let saved = LIMIT;
  const session = sessionStub();
  stubApi((sent) => {
    if (sent.path === '/v1/limits/l1') return respond(saved);
    if (sent.path === '/v1/violations') return respond([]);
    return session(sent);
  });
  await draw(EditLimitPage, { address: '/settings/sms-limits/l1', path: '/settings/sms-limits/$id' });
  const field = async () => (await screen.findByRole('textbox', { name: 'Limit' })) as HTMLInputElement;
  const changeElsewhere = async (limit: number) => {
    saved = { ...LIMIT, limit };
    await act(() => queryClient.invalidateQueries({ queryKey: ['limits'] }));
  };
  expect((await field()).value).toBe('10');
  await changeElsewhere(20);
  await waitFor(async () => expect((await field()).value).toBe('20'));

  fireEvent.change(await field(), { target: { value: '25' } });
  await screen.findByRole('button', { name: 'Discard' });
  await changeElsewhere(30);
  expect(await screen.findByText(/was changed while you edited it/)).toBeTruthy();
  expect((await field()).value).toBe('25');
  fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
  await waitFor(async () => expect((await field()).value).toBe('30'));
  expect(screen.queryByText(/was changed while you edited it/)).toBeNull();
});
