import type { Conversation } from '@parley/contract/inbox.ts';
import { act, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ACCOUNT, draw, sessionStub, stubApi } from '../test/draw.tsx';
import { ReplyBox } from './ReplyBox.tsx';

afterEach(() => vi.unstubAllGlobals());

const CONVERSATION: Conversation = {
  id: '0197a5f0-0000-7000-8000-0000000000aa',
  account_id: ACCOUNT.id,
  channel: 'SMS',
  sender_id: '0197a5f0-0000-7000-8000-0000000000ab',
  sender: '4915700000001',
  sender_name: 'Harbour',
  number: '4917604069014',
  country: 'DE',
  contact_name: 'Ada',
  assignee_id: null,
  assignee_name: null,
  unread_count: 0,
  last_read_timestamp: null,
  timestamp: '2026-01-01 00:00:00',
  last_message: null,
  stopped: false,
};

test('whoever may not add messages reads why there is no reply', async () => {
  stubApi(sessionStub({ permissions: { MESSAGES: 1, CONVERSATIONS: 15 } }));
  await draw(() => <ReplyBox conversation={CONVERSATION} onSend={vi.fn()} />);
  expect((screen.getByLabelText('Reply to Ada') as HTMLTextAreaElement).disabled).toBe(true);
  act(() => screen.getByRole('button', { name: 'Send' }).focus());
  expect(await screen.findByText('You need Add Message permission.')).toBeTruthy();
});
