import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, sessionStub, stubApi, USER } from '../../test/draw.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { useLosses } from './losses.ts';
import { useOpenConversation } from './open_conversations.ts';
import UnavailableDialog from './UnavailableDialog.tsx';

const warnings = vi.spyOn(toast, 'warning').mockImplementation(() => {});
const toasts = () => warnings.mock.calls.map(([text]) => text);

afterEach(() => {
  cleanup();
  warnings.mockClear();
  vi.unstubAllGlobals();
});

const OPEN = '0197a5f0-0000-7000-8000-0000000000c1';
const OTHER = '0197a5f0-0000-7000-8000-0000000000c2';
const ME = { id: USER.id, full_name: USER.full_name };
const ANN = { id: '0197a5f0-0000-7000-8000-0000000000a1', full_name: 'Ann' };

const close = vi.fn();
function Watch() {
  useOpenConversation(OPEN, close);
  const { loss, acknowledge } = useLosses();
  return (
    <>
      <p>Inbox</p>
      {loss && <UnavailableDialog loss={loss} onAcknowledge={acknowledge} />}
    </>
  );
}

/** Draws a page with an open conversation. The user may view only the conversations that are assigned to them. */
async function watch() {
  close.mockClear();
  let stream: ReadableStreamDefaultController<Uint8Array> | null = null;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      stream = controller;
    },
  });
  stubApi((call) =>
    call.path === '/v1/events'
      ? new Response(body, { headers: { 'content-type': 'text/event-stream' } })
      : sessionStub({ permissions: { MESSAGES: 3 } })(call),
  );
  await draw(Watch);
  await screen.findByText('Inbox');
  const receive = async (event_type: string, data: object) => {
    const event = { event_type, timestamp: '2030-01-01 10:00:00.000001', seq: 1, data };
    await act(async () => stream!.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`)));
  };
  return {
    assigned: (conversation_id: string, from: object | null, to: object | null, by: object | null = ANN) =>
      receive('conversation.assigned', { conversation_id, from, to, by, show_pop_up: by !== null }),
    deleted: (id: string, user_id: string) => receive('conversation.deleted', { id, user_id, show_pop_up: true }),
  };
}

test('an open conversation that is taken from the user closes with a popup', async () => {
  const { assigned } = await watch();
  await assigned(OPEN, ME, ANN);
  const dialog = await screen.findByRole('dialog', { name: 'Conversation unassigned' });
  expect(dialog.textContent).toContain('You can no longer read this conversation.');
  expect(close).toHaveBeenCalledOnce();
  fireEvent.click(screen.getByRole('button', { name: 'Acknowledge' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('an open conversation that another user deletes, or assigns to someone else, is unavailable', async () => {
  const { assigned, deleted } = await watch();
  await deleted(OPEN, ANN.id);
  const dialog = await screen.findByRole('dialog', { name: 'Conversation unavailable' });
  expect(dialog.textContent).toContain('You cannot access this conversation.');
  fireEvent.click(screen.getByRole('button', { name: 'Acknowledge' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await assigned(OPEN, null, ANN);
  expect(await screen.findByRole('dialog', { name: 'Conversation unavailable' })).toBeTruthy();
});

test('a conversation that is not open is reported in a toast', async () => {
  const { assigned, deleted } = await watch();
  await assigned(OTHER, ME, null);
  await deleted(OTHER, ANN.id);
  await waitFor(() =>
    expect(toasts()).toEqual([
      "You've been unassigned from a conversation.",
      'One of conversations is currently unavailable.',
    ]),
  );
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(close).not.toHaveBeenCalled();
});

test('the changes of the user close the view without a notice, and a rule causes only a toast', async () => {
  const { assigned, deleted } = await watch();
  await deleted(OPEN, USER.id);
  await waitFor(() => expect(close).toHaveBeenCalledOnce());
  await assigned(OPEN, ME, ANN, ME);
  await waitFor(() => expect(close).toHaveBeenCalledTimes(2));
  expect([screen.queryByRole('dialog'), toasts()]).toEqual([null, []]);
  await assigned(OPEN, ME, ANN, null);
  await waitFor(() => expect(toasts()).toEqual(["You've been unassigned from a conversation."]));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a conversation that moves to a part that the user may view stays open', async () => {
  const { assigned } = await watch();
  await assigned(OPEN, ANN, ME);
  expect(close).not.toHaveBeenCalled();
  expect(screen.queryByRole('dialog')).toBeNull();
});
