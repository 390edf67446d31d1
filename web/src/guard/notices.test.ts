/** @vitest-environment happy-dom */
import type { VerificationStop } from '@parley/contract/verifications/stops.ts';
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useNotices } from '../kernel/notices.ts';
import { reportWaiting } from '../layouts/frame/later_notices.ts';
import { reportAllowed, reportCodeStop, reportUnblocked } from './stop_notices.ts';

const STOP: VerificationStop = {
  id: 's1',
  kind: 'range',
  place: '447400',
  country: 'GB',
  signal: 'consecutive',
  evidence: { observed: 12, usual: null, sample: 12 },
  reason: 'Codes were requested for 12 numbers.',
  figures: [],
  refuses: true,
  sends: 12,
  usual: 0,
  stop_date: '2027-01-01 10:00:00',
  expire_date: null,
};

test('the bell shows stopped codes, opened countries, and held messages', () => {
  reportCodeStop(STOP);
  reportUnblocked({ id: 'a1', opened: [], blocked: ['FR'] });
  reportUnblocked({ id: 'a1', opened: ['AM', 'FR'] });
  reportAllowed();
  reportWaiting({ count: 2, campaign_id: 'c1', message_ids: ['m1', 'm2'] });
  reportWaiting({ count: 3, campaign_id: 'c1', message_ids: ['m3', 'm4', 'm5'] });
  const { result } = renderHook(() => useNotices());
  expect(result.current.map(({ title, text }) => [title, text])).toEqual([
    ['3 messages held for review', 'An operator reviews the content before it is sent.'],
    ['Allowed countries changed', 'See where your company can send messages.'],
    ['Countries unblocked', 'Messages to Armenia and France are no longer blocked.'],
    ['Codes to +447400…, United Kingdom stopped', 'Consecutive numbers: Codes were requested for 12 numbers.'],
  ]);
});
