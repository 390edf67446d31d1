import { MantineProvider } from '@mantine/core';
import type { MessageDetail, MessageLeg } from '@parley/contract/messages/messages.ts';
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { MessageTimeline } from './MessageTimeline.tsx';

afterEach(cleanup);

const leg = (more: Partial<MessageLeg>): MessageLeg => ({
  ...{ leg: 1, channel: 'VIBER', from: 'Harbour', type: 'text', text: 'Hi', trigger: null, wait_seconds: null },
  ...{ state: 'in_effect', reason: null, status: 'enroute', price_micros: 1 },
  ...more,
});
const at = '2026-11-21 10:00:00.000';

function told(message: Pick<MessageDetail, 'timeline' | 'fallbacks'>): (string | null)[] {
  render(
    <MantineProvider>
      <MessageTimeline message={message} />
    </MantineProvider>,
  );
  const list = screen.getByRole('list', { name: 'What happened' });
  return within(list)
    .getAllByRole('listitem')
    .map((item) => item.textContent);
}

test('each way says when it took over and why, and what is still to come stands at the end', () => {
  const legs = [
    leg({ state: 'passed_on', reason: 'The person does not use Viber', status: 'rejected' }),
    leg({ leg: 2, channel: 'WHATSAPP', state: 'skipped', trigger: 'failed', reason: 'Closed', status: null }),
    leg({ leg: 3, channel: 'SMS', trigger: 'undelivered', wait_seconds: 90 }),
    leg({ leg: 4, channel: 'TELEGRAM', trigger: 'unread', wait_seconds: 120, state: 'waiting', status: null }),
  ];
  const words = told({
    fallbacks: legs,
    timeline: [
      { at, status: 'enroute', source: 'gate' },
      { at, status: 'rejected', source: 'carrier', leg: 1, channel: 'VIBER', text: 'The person does not use Viber' },
      { at, status: 'enroute', source: 'worker', leg: 2, channel: 'WHATSAPP', leg_state: 'skipped', text: 'Closed' },
      { at, status: 'enroute', source: 'worker', leg: 3, channel: 'SMS', leg_state: 'in_effect', text: 'Not on Viber' },
    ],
  });
  expect(words).toEqual([
    expect.stringMatching(/^Accepted/),
    expect.stringMatching(/^Rejected.*1\. Viber · Carrier.*The person does not use Viber$/),
    expect.stringMatching(/^2\. WhatsApp is left out.*Closed$/),
    expect.stringMatching(/^3\. SMS takes over.*Not on Viber$/),
    expect.stringMatching(/^4\. Telegram waits.*Goes if the one before is not read within 2 min$/),
  ]);
});

test('what need not go says why; one way says nothing of ways', () => {
  const legs = [
    leg({ status: 'delivered' }),
    leg({ leg: 2, channel: 'SMS', trigger: 'failed', state: 'not_needed', reason: 'Delivered on Viber', status: null }),
  ];
  const delivered = [{ at, status: 'delivered' as const, source: 'carrier', leg: 1, channel: 'VIBER' }];
  expect(told({ fallbacks: legs, timeline: delivered }).at(-1)).toMatch(/^2\. SMS is not needed.*Delivered on Viber$/);
  cleanup();
  expect(told({ fallbacks: [], timeline: [{ at, status: 'sent', source: 'carrier' }] })).toEqual([
    expect.stringMatching(/^Sent.*Carrier$/),
  ]);
});
