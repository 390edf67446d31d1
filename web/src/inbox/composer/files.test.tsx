/** @vitest-environment happy-dom */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import { fileType } from './FilesDialog.tsx';
import { useFiles } from './files.tsx';

let uploads = 0;
/** A request that accepts any file immediately. The upload itself has its own tests. */
class InstantUpload {
  readonly upload = {};
  readonly status = 200;
  readonly id = ++uploads;
  onload?: () => void;
  onloadend?: () => void;
  get responseText() {
    return JSON.stringify({ data: { id: `media-${this.id}`, type: 'image', file_name: 'a.png', bytes: 3 } });
  }
  open() {}
  setRequestHeader() {}
  abort() {}
  send() {
    queueMicrotask(() => {
      this.onload?.();
      this.onloadend?.();
    });
  }
}

afterEach(() => vi.unstubAllGlobals());

const ALL = { MESSAGES: 15, CONVERSATIONS: 15, MEDIA: 15 };

function Area({ blocked, onSend }: { blocked: string | null; onSend: (body: object) => void }) {
  const { events, dialog } = useFiles('WHATSAPP', blocked, (send) => send(), onSend);
  return (
    <>
      <section aria-label="Area" {...events} />
      {dialog}
    </>
  );
}
const drop = (...names: string[]) =>
  fireEvent.drop(screen.getByRole('region', { name: 'Area' }), {
    dataTransfer: { files: names.map((name) => new File(['abc'], name)), types: ['Files'] },
  });

test('a file gets the type that the channel accepts', () => {
  expect(['a.PNG', 'b.mp4', 'c.pdf', 'd.exe'].map((name) => fileType(name, 'WHATSAPP'))).toEqual([
    ...['image', 'video', 'document', 'document'],
  ]);
});

test('dropped files are uploaded one by one, and a file that is not accepted does not stop the others', async () => {
  vi.stubGlobal('XMLHttpRequest', InstantUpload);
  stubApi((call) =>
    call.path === '/v1/media/slots'
      ? respond({ id: 'slot', put_url: '/v1/media/uploads/1', content_type: 'image/png' })
      : sessionStub({ permissions: ALL })(call),
  );
  const onSend = vi.fn();
  await draw(() => <Area blocked={null} onSend={onSend} />);
  drop('one.png', 'two.exe', 'three.png');
  const dialog = within(await screen.findByRole('dialog', { name: 'Send files' }));
  expect(await dialog.findByText(/^two\.exe:/)).toBeTruthy();
  fireEvent.click(await dialog.findByRole('button', { name: 'Send 2 of 3 files' }));
  await waitFor(() => expect(onSend).toHaveBeenCalledTimes(2));
  const bodies = onSend.mock.calls.map(([body]) => body as { type: string; media_id: string });
  expect(bodies.map(({ type }) => type)).toEqual(['image', 'image']);
  expect(new Set(bodies.map(({ media_id }) => media_id)).size).toBe(2);
});

test('nothing is sent before all uploads have ended', async () => {
  vi.stubGlobal('XMLHttpRequest', InstantUpload);
  const waiting: (() => void)[] = [];
  const slot = () => respond({ id: 'slot', put_url: '/v1/media/uploads/1', content_type: 'image/png' });
  stubApi((call) => {
    if (call.path !== '/v1/media/slots') return sessionStub({ permissions: ALL })(call);
    if ((call.body as { file_name: string }).file_name === 'fast.png') return slot();
    return new Promise<Response>((resolve) => waiting.push(() => resolve(slot())));
  });
  const onSend = vi.fn();
  await draw(() => <Area blocked={null} onSend={onSend} />);
  drop('fast.png', 'slow.png');
  const dialog = within(await screen.findByRole('dialog', { name: 'Send files' }));
  expect(await dialog.findByText('fast.png')).toBeTruthy();
  const send = dialog.getByRole('button', { name: 'Send 2 files' }) as HTMLButtonElement;
  expect(send.disabled).toBe(true);
  waiting[0]!();
  await waitFor(() => expect(send.disabled).toBe(false));
  fireEvent.click(send);
  expect(onSend).toHaveBeenCalledTimes(2);
});

test('files are ignored while nothing can be sent', async () => {
  stubApi(sessionStub({ permissions: ALL }));
  await draw(() => <Area blocked="Closed" onSend={vi.fn()} />);
  drop('a.png');
  expect(screen.queryByRole('dialog')).toBeNull();
});
