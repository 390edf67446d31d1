import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, respond, sessionStub, stubApi } from '../test/draw.tsx';
import CompareCampaigns from './CompareCampaigns.tsx';

afterEach(() => vi.unstubAllGlobals());

const NO_COUNTS = { delivered: 0, read: 0, failed: 0, rejected: 0, expired: 0, blocked: 0, unsubscribed: 0 };
const makeCampaign = (id: string, name: string, counts: object): Campaign =>
  ({
    ...{ id, name, channel: 'SMS', fanned_out: 200, cost_micros: 8_000_000, currency: 'USD' },
    counts: { ...NO_COUNTS, ...counts },
  }) as Campaign;
const CAMPAIGNS = [
  makeCampaign('c1', 'Spring', { delivered: 150, read: 30, failed: 20 }),
  makeCampaign('c2', 'Summer', { delivered: 200 }),
];
const RESULTS = {
  c1: { replies: 10, clicked: 50, opt_outs: 2 },
  c2: { replies: 0, clicked: null, opt_outs: 0 },
} as const;

test('the comparison has the delivery, the responses, and the cost of each campaign', async () => {
  const session = sessionStub();
  stubApi((call) => {
    const id = /campaigns\/(c\d)\/results/.exec(call.path)?.[1] as keyof typeof RESULTS | undefined;
    return id ? respond(RESULTS[id]) : session(call);
  });
  await draw(() => <CompareCampaigns campaigns={CAMPAIGNS} onClose={() => {}} />);
  const table = await screen.findByRole('table', { name: 'Compared campaigns' });
  await within(table).findByText('10 · 5%');
  const cells = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.querySelectorAll('td, th')].map((cell) => cell.textContent));
  const [spring, summer] = cells as [string[], string[]];
  expect(spring.slice(0, 9)).toEqual([
    ...['Spring', '200', '180 · 90%', '30 · 15%', '20 · 10%', '10 · 5%', '50 · 25%', '2 · 1%', '$8.00'],
  ]);
  expect(summer.slice(0, 9)).toEqual([
    ...['Summer', '200', '200 · 100%', '0 · 0%', '0 · 0%', '0 · 0%', '–', '0 · 0%', '$8.00'],
  ]);
});
