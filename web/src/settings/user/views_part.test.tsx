import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import { ViewsPart } from './ViewsPart.tsx';

afterEach(() => vi.unstubAllGlobals());

const SETTINGS = '/v1/inbox_view_notifications';

test('a saved view has its own notifications, none, or those of other conversations', async () => {
  let choice: object | null = null;
  const calls = stubApi((call) => {
    if (call.path === '/v1/views') return respond([{ id: 'v1', name: 'VIP' }]);
    if (call.path === SETTINGS) return respond(choice ? [{ view_id: 'v1', ...choice }] : []);
    if (call.path !== `${SETTINGS}/v1`) return sessionStub()(call);
    choice = call.method === 'DELETE' ? null : (call.body as object);
    return respond({ view_id: 'v1', ...choice });
  });
  await draw(() => <ViewsPart />);
  const select = (value: string) =>
    fireEvent.change(screen.getByRole('combobox', { name: 'VIP' }), { target: { value } });
  await screen.findByRole('combobox', { name: 'VIP' });
  expect(screen.queryByRole('checkbox')).toBeNull();
  select('own');
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Sound' }));
  await waitFor(() => expect(choice).toEqual({ devices: true, toasts: true, sound: false, digest: true }));
  await waitFor(() =>
    expect((screen.getByRole('checkbox', { name: 'Sound' }) as HTMLInputElement).checked).toBe(false),
  );
  select('off');
  await waitFor(() => expect(choice).toEqual({ devices: false, toasts: false, sound: false, digest: false }));
  await waitFor(() => expect(screen.queryByRole('checkbox')).toBeNull());
  select('general');
  await waitFor(() => expect(calls.some(({ method }) => method === 'DELETE')).toBe(true));
});

test('without saved views, the section explains how to create one', async () => {
  stubApi((call) => (call.path === '/v1/views' || call.path === SETTINGS ? respond([]) : sessionStub()(call)));
  await draw(() => <ViewsPart />);
  expect(await screen.findByText(/^Save a view in the inbox/)).toBeTruthy();
});
