import type { Conversation, ConversationMessage } from '@parley/contract/inbox/inbox.ts';
import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, sessionStub, stubApi } from '../../test/draw.tsx';
import { ThreadView } from './ThreadView.tsx';
import type { Thread } from './thread.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const COUNT = 5_000;
const ROW_PX = 60;
const messages = Array.from({ length: COUNT }, (_, n) => ({
  ...{ id: `m${String(n).padStart(5, '0')}`, text: `Line ${n}`, direction: 'MO', channel: 'SMS', status: 'received' },
  ...{ create_date: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString().slice(0, 19).replace('T', ' ') },
  ...{ content: null, status_details: null, passed_on: null },
})) as ConversationMessage[];

const THREAD: Thread = {
  ...{
    messages,
    assignments: [],
    entries: [],
    drafts: [],
    loading: false,
    error: null,
    hasOlder: false,
    loadingOlder: false,
  },
  ...{ retry: vi.fn(), loadOlder: vi.fn(), send: vi.fn(), resend: vi.fn(), sendAgain: vi.fn(), discard: vi.fn() },
};
const CONVERSATION = { id: 'c', unread_count: 0, last_read_timestamp: null, channel: 'SMS' } as Conversation;

test('a thread renders fewer than 200 bubbles when it has 5,000 messages', async () => {
  stubApi(sessionStub());
  // The test browser has no layout.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(ROW_PX);
  await draw(() => <ThreadView conversation={CONVERSATION} thread={THREAD} />);
  const bubbles = await screen.findAllByRole('article');
  expect(bubbles.length).toBeGreaterThan(10);
  expect(bubbles.length).toBeLessThan(200);
});
