/** @vitest-environment happy-dom */
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draw, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import { useDraft } from './draft.ts';

/** Each test has its own conversation. */
let id = '';
let count = 10;

let saved: { reply: string; note: string };
let puts: unknown[];
let isDown: boolean;

beforeEach(() => {
  sessionStorage.clear();
  id = `0197a5f0-0000-7000-8000-0000000000${count++}`;
  [saved, puts, isDown] = [{ reply: '', note: '' }, [], false];
  const session = sessionStub({ permissions: { MESSAGES: 15, CONVERSATIONS: 15 } });
  stubApi(async (call) => {
    if (call.path !== `/v1/conversations/${id}/draft`) return session(call);
    if (call.method === 'PUT') {
      if (isDown) return new Response('', { status: 503 });
      puts.push(call.body);
      saved = { ...saved, ...(call.body as object) };
    }
    return respond(saved);
  });
});
afterEach(() => vi.unstubAllGlobals());

function Field() {
  const [text, setText] = useDraft('reply', id);
  return <textarea aria-label="Text" value={text} onChange={(event) => setText(event.currentTarget.value)} />;
}

const field = () => screen.findByLabelText<HTMLTextAreaElement>('Text');
const type = async (value: string) => fireEvent.change(await field(), { target: { value } });

test('a draft is saved a moment after the last key, once for all keys', async () => {
  await draw(() => <Field />);
  await type('H');
  await type('Hello');
  await waitFor(() => expect(puts).toEqual([{ reply: 'Hello' }]), { timeout: 4_000 });
  await waitFor(() => expect(sessionStorage.length).toBe(0));
});

test('a draft from another device is shown, unless the user has typed here', async () => {
  saved = { reply: 'From my phone', note: '' };
  await draw(() => <Field />);
  await waitFor(async () => expect((await field()).value).toBe('From my phone'));
  await type('Typed here');
  expect((await field()).value).toBe('Typed here');
});

test('a draft that the server could not save is still there after a reload, and is saved then', async () => {
  isDown = true;
  await draw(() => <Field />);
  await type('Not lost');
  act(() => void window.dispatchEvent(new Event('pagehide')));
  cleanup();
  isDown = false;
  await draw(() => <Field />);
  expect((await field()).value).toBe('Not lost');
  await waitFor(() => expect(saved.reply).toBe('Not lost'), { timeout: 4_000 });
});

test('leaving the conversation saves the draft immediately', async () => {
  await draw(() => <Field />);
  await type('On my way');
  cleanup();
  await waitFor(() => expect(puts).toEqual([{ reply: 'On my way' }]), { timeout: 500 });
});
