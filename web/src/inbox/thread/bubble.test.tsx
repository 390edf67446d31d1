import type { ConversationMessage } from '@parley/contract/inbox/inbox.ts';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { draw, sessionStub, stubApi } from '../../test/draw.tsx';
import { Bubble } from './Bubble.tsx';

const MESSAGE: ConversationMessage = {
  ...{ id: '1', account_id: 'a', sender_id: 's', campaign_id: null, user_id: null, user_name: null, template_id: null },
  ...{
    text: 'Your table is ready',
    content: null,
    type: 'text',
    channel: 'WHATSAPP',
    direction: 'MT',
    source: 'inbox',
  },
  ...{ from: '4915700000001', to: '4917604069014', country: 'DE', mccmnc: null, segments_count: 1, encoding: 'UTF-8' },
  ...{ create_date: '2026-01-01 10:00:00', update_date: '2026-01-01 10:00:00', schedule: null, currency: 'EUR' },
  ...{ price: 0, price_micros: 0, charge: 'held', failure: null, carrier_code: null, status_details: null },
  ...{ status: 'failed', passed_on: null },
};
const ALONE = { continues: false, ends: true };

test('a message that used a fallback names the channel and reason and does not offer a retry', async () => {
  stubApi(sessionStub({}));
  const passed_on = { channel: 'VIBER' as const, reason: 'Not read within 30 seconds' };
  await draw(() => (
    <>
      <Bubble row={{ ...ALONE, message: { ...MESSAGE, passed_on } }} onSendAgain={vi.fn()} />
      <Bubble row={{ ...ALONE, message: MESSAGE }} onSendAgain={vi.fn()} />
    </>
  ));
  expect(screen.getByText('Fallback to Viber: not read within 30 seconds')).toBeTruthy();
  expect(screen.getAllByRole('button', { name: 'Retry' })).toHaveLength(1);
});
