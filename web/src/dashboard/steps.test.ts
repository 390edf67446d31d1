import type { Campaign } from '@parley/contract/campaigns.ts';
import { describe, expect, it } from 'vitest';
import { firstSteps, openSteps } from './steps.ts';

const campaign = (over: Partial<Campaign>): Campaign =>
  ({
    id: 'c',
    channel: 'SMS',
    name: 'Autumn menu',
    status: 'completed',
    status_details: null,
    start_date: '2026-11-21 10:00:00',
    retryable: 0,
    ...over,
  }) as Campaign;

describe('what only a person can move on', () => {
  it('tells why a campaign stands still, before anything else', () => {
    const steps = openSteps([
      campaign({ id: '1', status: 'in_complete', start_date: null }),
      campaign({ id: '2', status: 'paused', status_details: 'balance' }),
    ]);
    expect(steps.map(({ key }) => key)).toEqual(['stands 2', 'draft 1']);
    expect(steps[0]?.text).toBe('The balance is not enough. Add funds, then resume.');
    expect(steps[0]?.href).toBe('/sms/my-campaigns/2');
  });

  it('offers to try again only where that can be done', () => {
    expect(openSteps([campaign({ retryable: 1 })])[0]?.title).toBe('1 person of “Autumn menu” can be tried again');
    expect(openSteps([campaign({ retryable: 14, status: 'in_progress' })])).toEqual([]);
    expect(openSteps([campaign({ retryable: 0 })])).toEqual([]);
  });

  it('never floods the page', () => {
    const drafts = Array.from({ length: 9 }, (_, n) => campaign({ id: String(n), status: 'in_complete' }));
    expect(openSteps(drafts)).toHaveLength(4);
  });
});

describe('the first steps', () => {
  const none = { campaigns: [], people: 0, conversations: 0, unread: 0 };
  const done = (facts: Parameters<typeof firstSteps>[0]) => firstSteps(facts)?.map((step) => step.done);

  it('are open until each of them was taken', () => {
    expect(done(none)).toEqual([false, false, false]);
    expect(done({ ...none, people: 24, conversations: 1, unread: 1 })).toEqual([true, false, false]);
    expect(done({ ...none, people: 24, conversations: 1 })).toEqual([true, false, true]);
  });

  it('stay while there are only drafts and are gone with the first campaign', () => {
    expect(firstSteps({ ...none, campaigns: [campaign({ status: 'in_complete', start_date: null })] })).not.toBeNull();
    expect(firstSteps({ ...none, campaigns: [campaign({})] })).toBeNull();
  });
});
