/** @vitest-environment happy-dom */

import type { Data } from '@parley/contract/endpoint.ts';
import type { getSenderRequest } from '@parley/contract/sender_requests.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answer, type Call, draw, sessionStub, stubApi } from '../test/draw.tsx';
import { SenderDecision } from './SenderDecision.tsx';
import { TemplateDecision } from './TemplateDecision.tsx';
import type { TemplateReview } from './TemplateReviewsPage.tsx';

let calls: Call[];
beforeEach(() => {
  const session = sessionStub();
  calls = stubApi(async (call) => (call.method === 'PUT' ? answer({}) : session(call)));
});
afterEach(() => vi.unstubAllGlobals());
const sent = () => calls.filter(({ method }) => method === 'PUT').map(({ path, body }) => ({ path, body }));

const request = (asked: boolean) =>
  ({
    id: 'r1',
    kind: 'sender_id',
    name: 'Harbour',
    code: 'Harbour',
    asked,
    revision: 3,
    connections: [],
    connection_id: null,
    carrier_address: null,
  }) as unknown as Data<typeof getSenderRequest>;
const drawRequest = (asked: boolean) =>
  draw(() => <SenderDecision request={request(asked)} onDecided={() => {}} />, { address: '/' });

test('what is decided names the form that was looked at', async () => {
  await drawRequest(false);
  fireEvent.click(await screen.findByRole('button', { name: 'Approve sender' }));
  await waitFor(() =>
    expect(sent()).toEqual([{ path: '/v1/sender_requests/r1', body: { decision: 'approve', revision: 3 } }]),
  );
});

test('while the customer is asked nothing can be approved, and it is said why', async () => {
  await drawRequest(true);
  // Nobody approves by the first button they find.
  await screen.findByRole('button', { name: 'Ask the customer' });
  fireEvent.click(screen.getByRole('radio', { name: 'Approve' }));
  const button = await screen.findByRole('button', { name: 'Approve sender' });
  expect((button as HTMLButtonElement).disabled).toBe(true);
  expect(screen.getByText(/The customer’s answer is awaited/)).toBeTruthy();
  fireEvent.click(button);
  expect(sent()).toEqual([]);
});

test('of a template as well, its text', async () => {
  const review = { id: 't1', name: 'parcel', revision: 2 } as unknown as TemplateReview;
  await draw(() => <TemplateDecision review={review} onDecided={() => {}} />, { address: '/' });
  fireEvent.change(await screen.findByLabelText(/Provider’s id/), { target: { value: ' V-17 ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Approve template' }));
  await waitFor(() =>
    expect(sent()).toEqual([
      { path: '/v1/template_reviews/t1', body: { decision: 'approve', external_id: 'V-17', revision: 2 } },
    ]),
  );
});
