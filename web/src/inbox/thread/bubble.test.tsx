import type { ConversationMessage } from '@parley/contract/inbox/inbox.ts';
import { NO_CONTENT } from '@parley/contract/messages/content.ts';
import { fireEvent, screen, within } from '@testing-library/react';
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

test('hostile texts stay inside their bubble, and long ones are cut until they are opened', async () => {
  stubApi(sessionStub({}));
  const texts = {
    long: `start https://example.com/${'p'.repeat(10_000)}`,
    lines: 'line\n'.repeat(40),
    marks: `z${'\u0300'.repeat(300)}`,
    invisible: '\u200b\u202e\u2066 \ufeff',
    emoji: '👨‍👩‍👧‍👦'.repeat(50),
    bidi: 'abc \u202etxt.exe\u202c مرحبا',
    markup: '<img src=x onerror=alert(1)>',
  };
  await draw(() =>
    Object.entries(texts).map(([id, text]) => (
      <Bubble
        key={id}
        row={{ ...ALONE, message: { ...MESSAGE, id, text, channel: 'SMS', direction: 'MO', status: 'received' } }}
        onSendAgain={null}
      />
    )),
  );
  const bubbles = screen.getAllByRole('article').map((row) => row.firstElementChild!.firstElementChild!);
  expect(bubbles.every((bubble) => bubble.getAttribute('dir') === 'auto')).toBe(true);
  const [long, lines, marks, invisible, emoji, bidi, markup] = bubbles.map((bubble) => bubble.firstElementChild!);
  expect([long, lines, marks].map((text) => text!.hasAttribute('data-cut'))).toEqual([true, true, false]);
  expect(long!.textContent).toBe(texts.long);
  expect(
    within(long as HTMLElement)
      .getByRole('link')
      .getAttribute('href'),
  ).toBe(texts.long.slice(6));
  expect(invisible!.textContent).toBe('No visible characters');
  expect([emoji!.textContent, bidi!.textContent]).toEqual([texts.emoji, texts.bidi]);
  expect([markup!.textContent, document.querySelector('img')]).toEqual([texts.markup, null]);

  const [open] = screen.getAllByRole('button', { name: 'Show full message' });
  fireEvent.click(open!);
  expect(long!.hasAttribute('data-cut')).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: 'Show less' }));
  expect(long!.hasAttribute('data-cut')).toBe(true);
});

test('a failed message says that the issue may originate from the user, and why', async () => {
  stubApi(sessionStub({}));
  await draw(() => (
    <>
      <Bubble row={{ ...ALONE, message: MESSAGE }} onSendAgain={null} />
      <Bubble
        row={{ ...ALONE, message: { ...MESSAGE, id: '2', status_details: 'Absent subscriber' } }}
        onSendAgain={null}
      />
    </>
  ));
  const text = "Message cannot be sent. Issue may originate from user's end.";
  expect(screen.getByRole('img', { name: text })).toBeTruthy();
  expect(screen.getByRole('img', { name: `${text} Absent subscriber` })).toBeTruthy();
});
