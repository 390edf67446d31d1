import type { ConversationMessage } from '@parley/contract/inbox/inbox.ts';
import { NO_CONTENT } from '@parley/contract/messages/content.ts';
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
  ...{ status: 'failed', passed_on: null, assignee_name: null, timestamp: '2026-01-01 10:00:00' },
  ...{ url: null, file_name: null, media_id: null, media_type: 'text', thumbnail_url: null },
  ...{ button_type: null, button_text: null, button_value: null },
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

test('a reply quotes the message it answers, or says that it is an earlier one', async () => {
  stubApi(sessionStub({}));
  const content = { ...NO_CONTENT, answers: '1' };
  const answer = { ...MESSAGE, id: '2', text: 'Great', content, direction: 'MO' as const, status: 'received' as const };
  await draw(() => (
    <>
      <Bubble row={{ ...ALONE, message: answer }} onSendAgain={null} quoted={MESSAGE} />
      <Bubble row={{ ...ALONE, message: answer }} onSendAgain={null} />
    </>
  ));
  expect(screen.getByText('Your table is ready')).toBeTruthy();
  expect(screen.getByText('Reply to an earlier message')).toBeTruthy();
});

test('a bubble shows edits, reactions, and the ad, but only a notice when the message is deleted', async () => {
  stubApi(sessionStub({}));
  const at = '2026-01-01 10:01:00';
  const marks = {
    edits: [{ text: 'Your table was ready', at }],
    reactions: [
      { by: 'contact' as const, emoji: '👍', at },
      { by: 'business' as const, emoji: '', at },
    ],
    referral: { source_type: 'ad', source_id: '1', headline: 'Summer menu', body: '', click_id: 'c' },
    unknown: { type: 'hologram', content: '{}' },
  };
  const ad = (source_url: string) => ({ ...marks, referral: { ...marks.referral, source_url } });
  const message = (fields: object) => ({ ...MESSAGE, status: 'sent' as const, ...fields });
  await draw(() => (
    <>
      <Bubble row={{ ...ALONE, message: message({ marks: ad('https://fb.me/1') }) }} onSendAgain={null} />
      <Bubble
        row={{ ...ALONE, message: message({ marks: { referral: ad('javascript:1').referral } }) }}
        onSendAgain={null}
      />
      <Bubble
        row={{ ...ALONE, message: message({ text: 'Deleted message', marks: { deleted: at } }) }}
        onSendAgain={null}
      />
    </>
  ));
  expect(screen.getAllByText('Edited')).toHaveLength(1);
  expect(screen.getByRole('img', { name: 'Contact reacted with 👍' })).toBeTruthy();
  expect(screen.queryByRole('img', { name: /Your company/ })).toBeNull();
  expect(screen.getAllByText(/From an ad: Summer menu/)).toHaveLength(2);
  expect(screen.getAllByRole('link', { name: 'View ad' })).toHaveLength(1);
  expect(screen.getByText('Message type: hologram')).toBeTruthy();
  expect(screen.getByText('Deleted message').tagName).toBe('EM');
});

test('a reaction of the company shows whether it was sent, and why not', async () => {
  stubApi(sessionStub({}));
  const at = '2026-01-01 10:01:00';
  const own = (fields: object) => ({ reactions: [{ by: 'business' as const, emoji: '🙏', at, ...fields }] });
  await draw(() => (
    <>
      {[{}, { waiting: true as const }, { refusal: 'The message is too old' }].map((fields) => (
        <Bubble
          key={JSON.stringify(fields)}
          row={{ ...ALONE, message: { ...MESSAGE, status: 'sent', marks: own(fields) } }}
          onSendAgain={null}
        />
      ))}
    </>
  ));
  for (const name of [
    'Your company reacted with 🙏',
    'Your company reacted with 🙏 (not sent yet)',
    'Your reaction 🙏 was not sent: The message is too old',
  ])
    expect(screen.getByRole('img', { name })).toBeTruthy();
});
