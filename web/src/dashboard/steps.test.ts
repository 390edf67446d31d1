import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { allPermissions } from '@parley/contract/permission.ts';
import { describe, expect, it } from 'vitest';
import type { Session } from '../kernel/session/state.ts';
import { ACCOUNT, USER } from '../test/draw.tsx';
import { nextSteps } from './next_steps.ts';
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
  const done = (steps: Record<string, boolean>) => firstSteps(steps)?.map((step) => step.done);

  it('are open until each of them was taken', () => {
    expect(done({})).toEqual([false, false, false]);
    expect(done({ contacts: true })).toEqual([true, false, false]);
    expect(done({ contacts: true, replies: true })).toEqual([true, false, true]);
  });

  it('are gone with the first campaign', () => {
    expect(firstSteps({ campaign: true })).toBeNull();
  });
});

describe('the next steps', () => {
  const session = (preference: Session['account']['preference'] = {}, verified = true): Session => ({
    account: { ...ACCOUNT, preference, verified },
    user: USER,
    permissions: allPermissions(),
    admin: false,
    live: 'open',
  });
  const all = () => true;
  const keys = (steps: ReturnType<typeof nextSteps>) => steps.map(({ key }) => key);

  it('are those whose pages exist, this person may open, and nobody has put aside', () => {
    expect(keys(nextSteps({}, session(), all))).toEqual([
      'phone',
      'verification_sent',
      'delivered',
      'team',
      'key',
      'examples',
    ]);
    expect(keys(nextSteps({}, session({ steps_closed: ['team'] }), (path) => path !== '/apis/keys/create'))).toEqual([
      'phone',
      'verification_sent',
      'delivered',
      'examples',
    ]);
    expect(keys(nextSteps({}, { ...session(), permissions: { MESSAGES: 1 } }, all))).toEqual(['phone', 'examples']);
  });

  it('leave out what an account that is not verified cannot do yet', () => {
    expect(keys(nextSteps({}, session({}, false), all))).toEqual(['phone', 'verification_sent', 'examples']);
  });

  it('are done by what has happened', () => {
    const found = nextSteps({ phone: true, team: true }, session({ onboarding: { region: 'gb' } }), all);
    expect(found.filter(({ done }) => done).map(({ key }) => key)).toEqual(['phone', 'team', 'examples']);
  });
});
