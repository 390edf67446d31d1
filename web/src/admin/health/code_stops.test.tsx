/** @vitest-environment happy-dom */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import { CodeStops } from './CodeStops.tsx';

afterEach(() => vi.unstubAllGlobals());

const stop = {
  id: '01a1fd0a-dc6e-776b-9f75-00ea6b9caa01',
  kind: 'range',
  place: '447400',
  country: 'GB',
  sends: 31,
  usual: 2,
  stop_date: '2030-01-01 10:00:00',
};

test('a code stop names its range and disappears once the operator allows codes again', async () => {
  let stops = [stop];
  const session = sessionStub();
  const calls = stubApi(async (call) => {
    if (call.method === 'DELETE') {
      stops = [];
      return new Response(null, { status: 204 });
    }
    return call.path === '/v1/code_stops' ? respond(stops) : session(call);
  });
  await draw(CodeStops);
  const row = await screen.findByRole('row', { name: /\+447400…, United Kingdom/ });
  expect(row.textContent).toContain('31');
  fireEvent.click(within(row).getByRole('button', { name: 'Allow codes to +447400…, United Kingdom' }));
  const dialog = await screen.findByRole('dialog', { name: 'Allow codes to +447400…, United Kingdom?' });
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Allow codes' }));
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Code stops' })).toBeNull());
  expect(calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual([
    `/v1/code_stops/${stop.id}`,
  ]);
});
