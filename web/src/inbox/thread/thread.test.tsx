import type { Conversation, ConversationMessage } from '@parley/contract/inbox/inbox.ts';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ACCOUNT, answer, draw, sessionStub, stubApi } from '../../test/draw.tsx';
import { useThread } from './thread.ts';

afterEach(() => vi.unstubAllGlobals());

const CONVERSATION = {
  ...{ id: '0197a5f0-0000-7000-8000-0000000000aa', account_id: ACCOUNT.id, channel: 'SMS', number: '4917604069014' },
  ...{ sender_id: '0197a5f0-0000-7000-8000-0000000000ab', sender: '4915700000001', session: null },
} as Conversation;
const message = (n: number, status: string) =>
  ({
    ...{
      id: `0197a5f0-0000-7000-8000-00000000000${n}`,
      account_id: ACCOUNT.id,
      direction: 'MT',
      text: `No ${n}`,
      status,
    },
    ...{ sender_id: CONVERSATION.sender_id, from: CONVERSATION.sender, to: CONVERSATION.number, channel: 'SMS' },
  }) as ConversationMessage;
const page = (...messages: ConversationMessage[]) =>
  answer(messages, { total: messages.length, links: { next: null, previous: null, first: '', current: '' } });

function Thread() {
  const { messages } = useThread(CONVERSATION);
  return (
    <ul>
      {messages.map(({ id, text, status }) => (
        <li key={id}>{`${text} ${status}`}</li>
      ))}
    </ul>
  );
}

test('an answer that is older than an event does not stand over it', async () => {
  let said: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      said = controller;
    },
  });
  const say = (event_type: string, data: unknown, n: number) =>
    said!.enqueue(
      new TextEncoder().encode(
        `data: ${JSON.stringify({ event_type, data, timestamp: `2030-01-01 10:00:00.00000${n}`, seq: n, modules: [] })}\n\n`,
      ),
    );
  let asked = 0;
  let bring: ((response: Response) => void) | undefined;
  stubApi((call) => {
    if (call.path === '/v1/events') return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
    if (!call.path.endsWith('/messages')) return sessionStub()(call);
    asked += 1;
    if (asked === 1) return page(message(1, 'sent'));
    if (asked === 2) return new Promise<Response>((resolve) => (bring = resolve));
    return page(message(2, 'sent'), message(1, 'delivered'));
  });
  await draw(() => <Thread />);
  await screen.findByText('No 1 sent');
  // Somebody wrote elsewhere: the thread is read again, and while that is on its way the first message arrives.
  say('conversation.updated', { ...CONVERSATION, last_message: message(2, 'sent') }, 1);
  await waitFor(() => expect(bring).toBeDefined());
  say('message.status_changed', message(1, 'delivered'), 2);
  await screen.findByText('No 1 delivered');
  bring!(page(message(2, 'sent'), message(1, 'sent')));
  await screen.findByText('No 2 sent');
  await screen.findByText('No 1 delivered');
  expect(asked).toBe(3);
});
