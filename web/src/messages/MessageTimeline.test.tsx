import { MantineProvider } from '@mantine/core';
import type { MessageDetail, MessageFallbackStep } from '@parley/contract/messages/details.ts';
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { MessageTimeline } from './MessageTimeline.tsx';

afterEach(cleanup);

const step = (changes: Partial<MessageFallbackStep>): MessageFallbackStep => ({
  ...{ leg: 1, channel: 'VIBER', from: 'Harbour', type: 'text', text: 'Hi', trigger: null, wait_seconds: null },
  ...{ state: 'in_effect', reason: null, status: 'enroute', price_micros: 1 },
  ...changes,
});
const at = '2026-11-21 10:00:00.000';

/** Renders the timeline and returns the text of each entry. */
function drawTimeline(message: Pick<MessageDetail, 'timeline' | 'fallbacks'>): (string | null)[] {
  render(
    <MantineProvider>
      <MessageTimeline message={message} />
    </MantineProvider>,
  );
  return within(screen.getByRole('list', { name: 'Timeline' }))
    .getAllByRole('listitem')
    .map((item) => item.textContent);
}

test('the timeline shows when and why each fallback step started, followed by the waiting steps', () => {
  const fallbacks = [
    step({ state: 'passed_on', reason: 'The recipient does not use Viber', status: 'rejected' }),
    step({ leg: 2, channel: 'WHATSAPP', state: 'skipped', trigger: 'failed', reason: 'Closed', status: null }),
    step({ leg: 3, channel: 'SMS', trigger: 'undelivered', wait_seconds: 90 }),
    step({ leg: 4, channel: 'TELEGRAM', trigger: 'unread', wait_seconds: 120, state: 'waiting', status: null }),
  ];
  const texts = drawTimeline({
    fallbacks,
    timeline: [
      { at, status: 'enroute', source: 'gate' },
      { at, status: 'rejected', source: 'carrier', leg: 1, channel: 'VIBER', text: 'The recipient does not use Viber' },
      { at, status: 'enroute', source: 'worker', leg: 2, channel: 'WHATSAPP', leg_state: 'skipped', text: 'Closed' },
      { at, status: 'enroute', source: 'worker', leg: 3, channel: 'SMS', leg_state: 'in_effect', text: 'Not on Viber' },
    ],
  });
  expect(texts).toEqual([
    expect.stringMatching(/^Accepted/),
    expect.stringMatching(/^Rejected.*1\. Viber · Carrier.*The recipient does not use Viber$/),
    expect.stringMatching(/^2\. WhatsApp skipped.*Closed$/),
    expect.stringMatching(/^3\. SMS takes over.*Not on Viber$/),
    expect.stringMatching(/^4\. Telegram waiting.*Used if the previous step is not read within 2 min$/),
  ]);
});

test('the timeline shows steps that were not needed, and no steps for a message without fallbacks', () => {
  const fallbacks = [
    step({ status: 'delivered' }),
    step({
      leg: 2,
      channel: 'SMS',
      trigger: 'failed',
      state: 'not_needed',
      reason: 'Delivered on Viber',
      status: null,
    }),
  ];
  const delivered = [{ at, status: 'delivered' as const, source: 'carrier', leg: 1, channel: 'VIBER' }];
  expect(drawTimeline({ fallbacks, timeline: delivered }).at(-1)).toMatch(/^2\. SMS not needed.*Delivered on Viber$/);
  cleanup();
  expect(drawTimeline({ fallbacks: [], timeline: [{ at, status: 'sent', source: 'carrier' }] })).toEqual([
    expect.stringMatching(/^Sent.*Carrier$/),
  ]);
});
