/** Tests uploads in a form: progress, a connection that is lost and restored, and cancellation. */
import { createSlot, type Media, type UploadSlot } from '@parley/contract/media/media.ts';
import type { MediaType } from '@parley/contract/media/types.ts';
import { allPermissions, type Permissions } from '@parley/contract/permission.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Call, draw, refuse, respond, sessionStub, stubApi } from '../test/draw.tsx';
import { type AttachmentValue, attachmentFields, attachmentProblem, NO_ATTACHMENT } from './attachment.ts';
import { MediaPicker } from './MediaPicker.tsx';
import { useUpload } from './useUpload.ts';

const PUT_URL = 'http://parley.internal:4000/v1/media/uploads/7?account=a&signature=s';
const SLOT: UploadSlot = {
  id: '7',
  put_url: PUT_URL,
  get_url: 'http://parley.internal:4000/v1/media/files/a.mp4?id=7',
  thumbnail_url: null,
  content_type: 'video/mp4',
  max_bytes: 1_000_000,
  expire_date: '2026-11-21 12:00:00',
};
const MEDIA: Media = {
  id: '7',
  account_id: 'a',
  status: 'ready',
  type: 'video',
  channel: 'VIBER',
  file_name: 'a.mp4',
  content_type: 'video/mp4',
  directory: '',
  bytes: 1_000,
  sha256: 'x',
  width: 640,
  height: 360,
  get_url: SLOT.get_url,
  thumbnail_url: null,
  create_date: '2026-11-21 11:00:00',
};

/** A fake XMLHttpRequest whose progress and response the test controls. */
class FakeRequest {
  static all: FakeRequest[] = [];
  upload: { onprogress?: (event: { loaded: number }) => void; onload?: () => void } = {};
  headers: Record<string, string> = {};
  method = '';
  url = '';
  status = 0;
  responseText = '';
  sentBody: Blob | null = null;
  aborted = false;
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onloadend?: () => void;
  open(method: string, url: string) {
    Object.assign(this, { method, url });
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send(body: Blob) {
    this.sentBody = body;
    FakeRequest.all.push(this);
  }
  abort() {
    this.aborted = true;
    this.onabort?.();
    this.onloadend?.();
  }
  progress = (loaded: number) => act(async () => this.upload.onprogress?.({ loaded }));
  break = () =>
    act(async () => {
      this.onerror?.();
      this.onloadend?.();
    });
  respond = (status: number, body: unknown) =>
    act(async () => {
      Object.assign(this, { status, responseText: JSON.stringify(body) });
      this.onload?.();
      this.onloadend?.();
    });
}
const request = async (count: number): Promise<FakeRequest> => {
  await waitFor(() => expect(FakeRequest.all).toHaveLength(count));
  return FakeRequest.all[count - 1]!;
};

let calls: Call[];
let progress: (call: Call) => Response;
function connect(permissions: Permissions = allPermissions()) {
  const session = sessionStub({ permissions });
  calls = stubApi((call) => {
    if (call.path === createSlot.path) return respond(SLOT);
    if (call.path === '/v1/media/slots/7') return respond({ ...SLOT, put_url: `${PUT_URL}2` });
    if (call.path !== '/v1/media/uploads/7') return session(call);
    return call.method === 'DELETE' ? new Response(null, { status: 204 }) : progress(call);
  });
}
beforeEach(() => {
  FakeRequest.all = [];
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  progress = () => respond({ received: 0, media: null });
  connect();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const requests = (method: string, path: string) => calls.filter((call) => call.method === method && call.path === path);

let attachment: AttachmentValue;
let changeType: (type: MediaType) => void;
function Page() {
  const [type, setType] = useState<MediaType>('video');
  const [value, setValue] = useState<AttachmentValue>(NO_ATTACHMENT);
  const upload = useUpload({
    type,
    channel: 'VIBER',
    directory: 'templates',
    onReady: (media) => setValue({ source: 'file', media, url: '' }),
  });
  attachment = value;
  changeType = (next) => {
    setType(next);
    setValue(NO_ATTACHMENT);
  };
  return <MediaPicker type={type} channel="VIBER" value={value} onChange={setValue} upload={upload} />;
}

const FILE = new File([new Uint8Array(1_000)], 'a.mp4', { type: 'video/mp4' });
const choose = (file: File) =>
  act(async () => {
    const input = document.querySelector<HTMLInputElement>('input[type=file]')!;
    Object.defineProperty(input, 'files', { value: [file], configurable: true });
    fireEvent.change(input);
  });
const readProgress = () => screen.getByRole('progressbar').getAttribute('aria-valuenow');

test('an upload shows its progress and gives the form the file ID and same-origin paths', async () => {
  await draw(Page);
  await choose(FILE);
  const first = await request(1);
  expect(requests('POST', createSlot.path).map(({ body }) => body)).toEqual([
    { file_name: 'a.mp4', type: 'video', channel: 'VIBER', directory: 'templates', bytes: 1_000 },
  ]);
  expect([first.method, first.url, first.headers]).toEqual([
    'PUT',
    '/v1/media/uploads/7?account=a&signature=s',
    { 'content-type': 'video/mp4' },
  ]);
  expect(first.sentBody!.size).toBe(1_000);
  await first.progress(340);
  expect(readProgress()).toBe('34');
  expect(screen.getByText('340 B of 1000 B')).toBeTruthy();
  await first.progress(1_000);
  // The upload is ready only after the server has checked the file.
  expect(readProgress()).toBe('100');
  expect(screen.getAllByText('Checking the file')).toHaveLength(2);
  expect(attachment.media).toBeNull();
  await first.respond(200, { data: MEDIA });
  expect(attachmentFields(attachment)).toEqual({ media_id: '7' });
  expect(attachmentProblem(attachment, 'video', 'VIBER')).toBeNull();
  expect(screen.getByLabelText('a.mp4').getAttribute('src')).toBe('/v1/media/files/a.mp4?id=7');
});

test('an upload resumes from the server’s offset after the connection is lost', async () => {
  await draw(Page);
  await choose(FILE);
  const first = await request(1);
  await first.progress(700);
  progress = () => respond({ received: 640, media: null });
  await first.break();
  expect(screen.getByText('Connection lost. The upload will resume when you are back online.')).toBeTruthy();
  await act(async () => window.dispatchEvent(new Event('online')));
  const second = await request(2);
  expect([second.headers['content-range'], second.sentBody!.size]).toEqual(['bytes 640-999/1000', 360]);
  await second.progress(60);
  expect(readProgress()).toBe('70');
  // The last response was lost, but the server has the whole file.
  progress = () => respond({ received: 1_000, media: MEDIA });
  await second.break();
  await act(async () => window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(attachment.media?.id).toBe('7'));
  expect(FakeRequest.all).toHaveLength(2);
});

test('an upload renews its link when the link expires', async () => {
  await draw(Page);
  await choose(FILE);
  const first = await request(1);
  await first.progress(500);
  progress = ({ query }) =>
    query.get('signature') === 's2'
      ? respond({ received: 500, media: null })
      : refuse(403, { code: 1902, message: 'The link to this file has expired' });
  await first.break();
  await act(async () => window.dispatchEvent(new Event('online')));
  const second = await request(2);
  expect(requests('PUT', '/v1/media/slots/7')).toHaveLength(1);
  expect([second.url, second.headers['content-range']]).toEqual([
    '/v1/media/uploads/7?account=a&signature=s2',
    'bytes 500-999/1000',
  ]);
  await second.respond(200, { data: MEDIA });
  expect(attachment.media?.id).toBe('7');
});

test('a rejected upload shows the reason and lets the user choose another file', async () => {
  await draw(Page);
  await choose(FILE);
  await (await request(1)).respond(400, { errors: [{ code: 1908, message: 'The file is corrupted', field: 'file' }] });
  expect(screen.getByText(/The file is corrupted/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Choose another file' })));
  expect(screen.getByText('Drop a video here')).toBeTruthy();
});

test('an invalid file is rejected before any request', async () => {
  await draw(Page);
  await choose(new File(['x'], 'a.avi'));
  expect(screen.getByRole('alert').textContent).toBe('File extensions should be .3gpp, .m4v, .mov, or .mp4');
  await choose(new File([], 'a.mp4'));
  expect(screen.getByRole('alert').textContent).toBe('The file is empty');
  expect(requests('POST', createSlot.path)).toEqual([]);
});

test('canceling stops the upload and deletes the bytes already sent', async () => {
  await draw(Page);
  await choose(FILE);
  const first = await request(1);
  await first.progress(500);
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Cancel' })));
  expect(first.aborted).toBe(true);
  expect(requests('DELETE', '/v1/media/uploads/7')).toHaveLength(1);
  expect(screen.getByText('Drop a video here')).toBeTruthy();
  await first.respond(200, { data: MEDIA });
  expect(attachment.media).toBeNull();
});

test('an upload is canceled when the type changes', async () => {
  await draw(Page);
  await choose(FILE);
  const first = await request(1);
  await act(async () => changeType('image'));
  expect(first.aborted).toBe(true);
  expect(requests('DELETE', '/v1/media/uploads/7')).toHaveLength(1);
  expect(screen.getByText('Drop an image here')).toBeTruthy();
});

test('unmounting the form deletes an unfinished upload and keeps a finished one', async () => {
  const { view } = await draw(Page);
  await choose(FILE);
  await (await request(1)).respond(200, { data: MEDIA });
  view.unmount();
  expect(requests('DELETE', '/v1/media/uploads/7')).toEqual([]);
  const { view: other } = await draw(Page);
  await choose(FILE);
  const second = await request(2);
  other.unmount();
  expect(second.aborted).toBe(true);
  expect(requests('DELETE', '/v1/media/uploads/7')).toHaveLength(1);
});

test('a user without permission sees a disabled drop zone and which permission is missing', async () => {
  connect({ MEDIA: 1 });
  await draw(Page);
  expect(screen.getByRole('alert').textContent).toBe('You need Add Media permission.');
  expect((screen.getByText('Drop a video here').closest('button') as HTMLButtonElement).disabled).toBe(true);
});

test('a link must use https, an extension the channel allows, and at most 1,000 characters', async () => {
  await draw(Page);
  expect(attachmentProblem(attachment, 'video', 'VIBER')).toBe('File is a required field');
  await act(async () => fireEvent.click(screen.getByLabelText('Use a link')));
  const field = screen.getByLabelText('URL');
  const enter = async (url: string) => {
    await act(async () => {
      fireEvent.focus(field);
      fireEvent.change(field, { target: { value: url } });
      fireEvent.blur(field);
    });
    return attachmentProblem(attachment, 'video', 'VIBER');
  };
  expect(await enter('')).toBe('URL is required!');
  expect(await enter('http://shop.example.com/a.mp4')).toBe("URL should start with 'https'");
  expect(screen.getByText("URL should start with 'https'")).toBeTruthy();
  expect(await enter('https://shop.example.com/a.gif')).toBe('File extensions should be .3gpp, .m4v, .mov, or .mp4');
  expect(await enter(`https://shop.example.com/${'a'.repeat(1_000)}.mp4`)).toBe('URL can have at most 1000 characters');
  expect(await enter('https://shop.example.com/a.MP4?v=2')).toBeNull();
  expect(attachmentFields(attachment)).toEqual({ url: 'https://shop.example.com/a.MP4?v=2' });
});
