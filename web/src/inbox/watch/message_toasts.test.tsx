import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import type { NotificationChoice } from '@parley/contract/inbox/view_notifications.ts';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../kernel/http/query.ts';
import { stubAudio } from '../../test/audio.ts';
import { draw, respond, sessionStub, stubApi, USER } from '../../test/draw.tsx';
import { useMessageToasts } from './message_toasts.ts';
import { SOUND_KEY } from './sound.ts';

const OTHERS = '0197a5f0-0000-7000-8000-0000000000b0';
const VIEW = '0197a5f0-0000-7000-8000-0000000000b1';
const ALL: NotificationChoice = { devices: true, toasts: true, sound: true, digest: true };
const NONE: NotificationChoice = { devices: false, toasts: false, sound: false, digest: false };

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
});

const timestamp = () => new Date().toISOString().slice(0, 19).replace('T', ' ');
let next = 0;
const newMessage = (assignee_id: string | null, contact_name: string): Conversation => {
  const id = `0197a5f0-0000-7000-8000-00000000${String(++next).padStart(4, '0')}`;
  return {
    ...{ id, account_id: USER.account_id, channel: 'SMS', sender_id: VIEW, sender: '4915700000001' },
    ...{ sender_name: 'Harbour', number: '4917604069014', country: 'DE', contact_name, profile_name: '', alias: null },
    ...{ assignee_id, assignee_name: null, status: 'open', unread_count: 1, timestamp: timestamp() },
    last_message: { id: `${id}-m`, direction: 'MO', type: 'text', text: `From ${contact_name}` },
  } as unknown as Conversation;
};

function Watch() {
  useMessageToasts();
  return <p>Campaigns</p>;
}

/** Draws a page that watches messages. `choice` is the answer of the server about every conversation. */
async function watch(views: number, choice: NotificationChoice | null) {
  localStorage.setItem(SOUND_KEY, 'true');
  const sounds = stubAudio();
  let stream: ReadableStreamDefaultController<Uint8Array> | null = null;
  const keepStream = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    stream = controller;
  };
  const calls = stubApi((call) => {
    if (call.path === '/v1/events')
      return new Response(new ReadableStream({ start: keepStream }), {
        headers: { 'content-type': 'text/event-stream' },
      });
    if (call.path === '/v1/inbox_view_notifications')
      return respond(Array.from({ length: views }, () => ({ view_id: VIEW, ...ALL })));
    if (call.path.endsWith('/notifications')) return respond(choice);
    return sessionStub()(call);
  });
  await draw(Watch);
  await waitFor(() => expect(stream).not.toBeNull());
  await waitFor(() => expect(calls.some(({ path }) => path === '/v1/inbox_view_notifications')).toBe(true));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  await act(async () => {});
  const receive = (data: Conversation) =>
    stream!.enqueue(
      new TextEncoder().encode(
        `data: ${JSON.stringify({ event_type: 'conversation.updated', timestamp: timestamp(), seq: 1, data })}\n\n`,
      ),
    );
  return { calls, receive, sounds };
}

test('without view settings, users are notified of their own and unassigned conversations', async () => {
  const { calls, receive, sounds } = await watch(0, null);
  receive(newMessage(OTHERS, 'Olga'));
  receive(newMessage(USER.id, 'Ada'));
  expect(await screen.findByText('Ada')).toBeTruthy();
  expect(screen.queryByText('Olga')).toBeNull();
  expect(sounds.played).toBe(1);
  expect(calls.some(({ path }) => path.endsWith('/notifications'))).toBe(false);
});

test('a view that turns toasts and sound off silences its conversations', async () => {
  const { calls, receive, sounds } = await watch(1, NONE);
  receive(newMessage(USER.id, 'Bela'));
  await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/notifications'))).toBe(true));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(screen.queryByText('Bela')).toBeNull();
  expect(sounds.played).toBe(0);
});

test('a view with notifications shows the conversations of other users', async () => {
  const { receive } = await watch(1, ALL);
  receive(newMessage(OTHERS, 'Cleo'));
  expect(await screen.findByText('Cleo')).toBeTruthy();
});
