import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { allPermissions } from '@parley/contract/permission.ts';
import { describe, expect, it } from 'vitest';
import type { Session } from '../kernel/session/state.ts';
import { ACCOUNT, USER } from '../test/draw.tsx';
import { nextSteps } from './next_steps.ts';
import { openSteps } from './steps.ts';

const campaign = (overrides: Partial<Campaign>): Campaign =>
  ({
    id: 'c',
    channel: 'SMS',
    name: 'Autumn menu',
    status: 'completed',
    status_details: null,
    start_date: '2026-11-21 10:00:00',
    retryable: 0,
    safeguards: { canary: null, tripped: null },
    ...overrides,
  }) as Campaign;

describe('open steps', () => {
  it('list a stopped campaign with its reason first', () => {
    const steps = openSteps([
      campaign({ id: '1', status: 'in_complete', start_date: null }),
      campaign({ id: '2', status: 'paused', status_details: 'balance' }),
    ]);
    expect(steps.map(({ key }) => key)).toEqual(['stopped 2', 'draft 1']);
    expect(steps[0]?.text).toBe('Your balance is too low. Add funds, then resume.');
    expect(steps[0]?.href).toBe('/sms/my-campaigns/2');
  });

  it('offer a retry only when one is possible', () => {
    expect(openSteps([campaign({ retryable: 1 })])[0]?.title).toBe('You can retry 1 recipient in “Autumn menu”');
    expect(openSteps([campaign({ retryable: 14, status: 'in_progress' })])).toEqual([]);
    expect(openSteps([campaign({ retryable: 0 })])).toEqual([]);
  });

  it('are limited to four', () => {
    const drafts = Array.from({ length: 9 }, (_, n) => campaign({ id: String(n), status: 'in_complete' }));
    expect(openSteps(drafts)).toHaveLength(4);
  });
});

describe('next steps', () => {
  const session = (preference: Partial<Session['account']['preference']> = {}, verified = true): Session => ({
    account: { ...ACCOUNT, preference: { ...ACCOUNT.preference, ...preference }, verified },
    user: USER,
    permissions: allPermissions(),
    admin: false,
    live: 'open',
  });
  const all = () => true;
  const keys = (steps: ReturnType<typeof nextSteps>) => steps.map(({ key }) => key);

  it('include only existing pages that the user can open and has not dismissed', () => {
    expect(keys(nextSteps({}, session(), all))).toEqual([
      'phone',
      'verification_sent',
      'delivered',
      'sender',
      'contacts',
      'campaign',
      'replies',
      'team',
      'key',
      'examples',
    ]);
    expect(keys(nextSteps({}, session({ steps_closed: ['team'] }), (path) => path !== '/apis/keys/create'))).toEqual([
      'phone',
      'verification_sent',
      'delivered',
      'sender',
      'contacts',
      'campaign',
      'replies',
      'examples',
    ]);
    expect(keys(nextSteps({}, { ...session(), permissions: { MESSAGES: 1 } }, all))).toEqual([
      'phone',
      'replies',
      'examples',
    ]);
  });

  it('omit what an unverified account cannot do yet', () => {
    expect(keys(nextSteps({}, session({}, false), all))).toEqual(['phone', 'verification_sent', 'replies', 'examples']);
  });

  it('are marked as done based on the account’s data', () => {
    const steps = nextSteps({ phone: true, team: true }, session({ onboarding: { region: 'gb', total: 1 } }), all);
    expect(steps.filter(({ done }) => done).map(({ key }) => key)).toEqual(['phone', 'team', 'examples']);
  });
});
