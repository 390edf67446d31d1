/** @vitest-environment happy-dom */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import SendingPage from './SendingPage.tsx';

afterEach(() => vi.unstubAllGlobals());

const north = {
  connection_id: '01a1fd0a-dc6e-776b-9f75-00ea6b9caa01',
  name: 'North',
  channel: 'SMS',
  message_count: 1_204,
  remaining: 1_200,
  oldest_date: '2030-01-01 09:00:00',
  waiting: 3,
  decision: null,
};
const hold = {
  state: 'held',
  cause: 'restore',
  change_date: '2030-01-01 12:00:00',
  data_date: '2030-01-01 10:00:00',
  connections: [north],
  paused_campaigns: 2,
};

test('the page shows that sending resumed when an operator sends held messages again', async () => {
  let current: object = hold;
  const session = sessionStub();
  const calls = stubApi(async (call) => {
    if (call.path.startsWith('/v1/sending_hold')) {
      if (call.method === 'POST') current = { ...hold, state: 'open', connections: [] };
      return respond(current);
    }
    return session(call);
  });
  await draw(SendingPage);
  await screen.findByText(/2 campaigns that may have reached more contacts are paused/);
  const row = await screen.findByRole('row', { name: /North/ });
  expect(row.textContent).toContain('1,200');
  fireEvent.click(within(row).getByRole('button', { name: 'Send again on North' }));
  const dialog = await screen.findByRole('dialog', { name: 'Send 1,200 messages on North again?' });
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Send again' }));
  await screen.findByText('Messages are being sent');
  const posts = calls.filter(({ method }) => method === 'POST');
  await waitFor(() => expect(posts.map(({ path }) => path)).toEqual(['/v1/sending_hold/decisions']));
});
