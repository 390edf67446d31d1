/**
 * Sends the bytes of an upload to its slot. The link itself grants access, so no token is sent. A connection that
 * transfers nothing for 30 seconds counts as lost; the upload then resumes from the offset that the server reports.
 */
import type { Media, UploadSlot } from '@parley/contract/media/media.ts';
import { ApiError, toApiError } from '../kernel/http/client.ts';
import { mediaPath } from './media_path.ts';

const IDLE_TIMEOUT_MS = 30_000;
/** After the last byte, the server checks the file, which takes a while for large images. */
const CHECK_TIMEOUT_MS = 120_000;

export interface UploadProgress {
  received: number;
  media: Media | null;
}

const connectionLost = () => new ApiError(0, [], 'The upload was interrupted. Check your connection and try again.');

export function putFile(
  slot: UploadSlot,
  file: File,
  from: number,
  { signal, onSent }: { signal: AbortSignal; onSent: (bytes: number) => void },
): Promise<UploadProgress> {
  return new Promise((resolve, reject) => {
    const canceled = () => reject(new DOMException('Canceled', 'AbortError'));
    if (signal.aborted) return canceled();
    const xhr = new XMLHttpRequest();
    xhr.open('PUT', mediaPath(slot.put_url) ?? slot.put_url);
    xhr.setRequestHeader('content-type', slot.content_type);
    if (from > 0) xhr.setRequestHeader('content-range', `bytes ${from}-${file.size - 1}/${file.size}`);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        reject(connectionLost());
        xhr.abort();
      }, ms);
    };
    const abort = () => xhr.abort();
    signal.addEventListener('abort', abort, { once: true });
    xhr.upload.onprogress = ({ loaded }) => {
      watch(IDLE_TIMEOUT_MS);
      onSent(from + loaded);
    };
    xhr.upload.onload = () => watch(CHECK_TIMEOUT_MS);
    xhr.onerror = () => reject(connectionLost());
    xhr.onabort = canceled;
    xhr.onloadend = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    xhr.onload = () => {
      const response = new Response(xhr.responseText, { status: xhr.status });
      if (!response.ok) return void toApiError(response).then(reject, reject);
      const { data } = JSON.parse(xhr.responseText) as { data: Media | { received: number } };
      resolve('received' in data ? { received: data.received, media: null } : { received: file.size, media: data });
    };
    watch(IDLE_TIMEOUT_MS);
    xhr.send(from > 0 ? file.slice(from) : file);
  });
}

/** Returns how many bytes the server has received. */
export async function fetchProgress(slot: UploadSlot, signal: AbortSignal): Promise<UploadProgress> {
  const response = await fetch(mediaPath(slot.put_url) ?? slot.put_url, { signal }).catch((error: unknown) => {
    throw signal.aborted ? error : connectionLost();
  });
  if (!response.ok) throw await toApiError(response);
  return ((await response.json()) as { data: UploadProgress }).data;
}

/** Deletes an upload in the background. If the request fails, the server removes the file when its slot expires. */
export function discardUpload(slot: UploadSlot): void {
  void fetch(mediaPath(slot.put_url) ?? slot.put_url, { method: 'DELETE', keepalive: true }).catch(() => {});
}
