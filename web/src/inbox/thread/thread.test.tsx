import type { Conversation, ConversationMessage } from '@parley/contract/inbox/inbox.ts';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ACCOUNT, draw, respond, sessionStub, stubApi } from '../../test/draw.tsx';
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
  respond(messages, { total: messages.length, links: { next: null, previous: null, first: '', current: '' } });

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

test('a response older than an event does not overwrite the event', async () => {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(streamController) {
      controller = streamController;
    },
  });
  const send = (event_type: string, data: unknown, seq: number) => {
    const event = { event_type, data, timestamp: `2030-01-01 10:00:00.00000${seq}`, seq, modules: [] };
    controller!.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
  };
  let requests = 0;
  let respond: ((response: Response) => void) | undefined;
  stubApi((call) => {
    if (call.path === '/v1/events') return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
    if (!call.path.endsWith('/messages')) return sessionStub()(call);
    requests += 1;
    if (requests === 1) return page(message(1, 'sent'));
    if (requests === 2) return new Promise<Response>((resolve) => (respond = resolve));
    return page(message(2, 'sent'), message(1, 'delivered'));
  });
  await draw(() => <Thread />);
  await screen.findByText('No 1 sent');
  // Another tab wrote a message, so the thread is refetched. Meanwhile the first message is delivered.
  send('conversation.updated', { ...CONVERSATION, last_message: message(2, 'sent') }, 1);
  await waitFor(() => expect(respond).toBeDefined());
  send('message.status_changed', message(1, 'delivered'), 2);
  await screen.findByText('No 1 delivered');
  respond!(page(message(2, 'sent'), message(1, 'sent')));
  await screen.findByText('No 2 sent');
  await screen.findByText('No 1 delivered');
  expect(requests).toBe(3);
});
