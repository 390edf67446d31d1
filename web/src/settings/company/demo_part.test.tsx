import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { drawApp } from '../../test/app.tsx';
import { respond, sessionStub, stubApi } from '../../test/draw.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  document.querySelector('meta[name=demo]')?.remove();
  window.history.replaceState(null, '', '/');
});

test('servers other than the demo get no request for its state', async () => {
  const session = sessionStub();
  const paths: string[] = [];
  stubApi((sent) => {
    paths.push(sent.path);
    return session(sent);
  });
  drawApp('/settings/account', { signedIn: true });
  await screen.findAllByText('Close account');
  expect(paths).not.toContain('/v1/demo');
  expect(screen.queryByText('Demo company')).toBeNull();
});

/** The lists of countries on this page make repeated searches for elements slow. */
const untilShown = (text: string) => waitFor(() => expect(document.body.textContent).toContain(text));

test('the owner of the demo confirms with the name, and sees the progress', async () => {
  const meta = document.head.appendChild(document.createElement('meta'));
  meta.name = 'demo';
  const session = sessionStub();
  const sent: unknown[] = [];
  let change: unknown = null;
  stubApi((request) => {
    if (request.path === '/v1/demo') return respond({ change });
    if (request.path !== '/v1/demo/changes') return session(request);
    sent.push(request.body);
    change = { kind: 'empty', step: 'company', error: null, update_date: '2026-11-29 10:00:00' };
    return respond({ change });
  });
  drawApp('/settings/account', { signedIn: true });
  await untilShown('Empty it');
  fireEvent.click(screen.getByText('Empty it'));
  await untilShown('Empty the demo company?');
  const title = screen.getByText('Empty the demo company?');
  const dialog = within(title.closest<HTMLElement>('[role=dialog]')!);
  fireEvent.change(dialog.getByLabelText(/^Company name/), { target: { value: 'Harbour Coffee' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Empty it' }));
  await waitFor(() => expect(sent).toEqual([{ kind: 'empty', company_name: 'Harbour Coffee' }]));
  await untilShown('Emptying the demo company: creating the company');
  expect(screen.getByText('Fill again').closest('button')!.disabled).toBe(true);
});
