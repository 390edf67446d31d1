import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ACCOUNT, draw, respond, sessionStub, stubApi } from '../test/draw.tsx';
import { SessionClock } from './composer/SessionClock.tsx';
import { OtherConversations } from './OtherConversations.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const conversation = (n: number, more: Partial<Conversation> = {}): Conversation =>
  ({
    ...{
      id: `0197a5f0-0000-7000-8000-00000000000${n}`,
      account_id: ACCOUNT.id,
      channel: 'SMS',
      number: '4917604069014',
    },
    ...{ sender_name: `Sender ${n}`, business_name: null, business_name_en: null, assignee_id: null, session: null },
    ...{ timestamp: '2030-01-01 10:00:00', ...more },
  }) as Conversation;

test('the contact lists the conversations with the same number on other channels, and no others', async () => {
  const rows = [
    conversation(1),
    conversation(2, { channel: 'WHATSAPP' }),
    conversation(3, { number: '49176040690145' }),
  ];
  stubApi((call) => {
    if (call.path !== '/v1/conversations') return sessionStub()(call);
    expect(call.query.get('filter[search]')).toBe('4917604069014');
    return respond(rows, { total: 3, links: { next: null, previous: null, first: '', current: '' } });
  });
  await draw(() => <OtherConversations conversation={conversation(1)} />);
  const link = await screen.findByRole('link', { name: /Sender 2/ });
  expect(link.getAttribute('href')).toBe(`/inbox/unassigned?conversation=${conversation(2).id}`);
  expect(screen.getAllByRole('link')).toHaveLength(1);
});

test('the composer counts down the session of its channel', async () => {
  vi.useFakeTimers({ now: new Date('2030-01-01T10:00:00Z'), toFake: ['Date'] });
  stubApi(sessionStub());
  const shown = async (session: Conversation['session'], channel: Conversation['channel'] = 'WHATSAPP') => {
    await draw(() => (
      <p data-testid="clock">
        <SessionClock conversation={conversation(1, { channel, session })} />
      </p>
    ));
    const text = (await screen.findByTestId('clock')).textContent;
    cleanup();
    return text;
  };
  expect(await shown({ open: true, until: '2030-01-01 15:12:30', limit_reached: false })).toBe('5 h 12 min left');
  expect(await shown({ open: true, until: '2030-01-01 10:00:30', limit_reached: false })).toBe('under a minute left');
  expect(await shown({ open: false, until: '2030-01-01 09:00:00', limit_reached: false })).toBe('');
  expect(await shown(null, 'SMS')).toBe('');
});
