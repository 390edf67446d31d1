/**
 * The bytes of an upload on their way to its slot. No token goes along: the link is the permission. A line that carries nothing for half a minute counts as
 * lost, and what is lost is asked for again where the server stands.
 */
import type { Media, UploadSlot } from '@parley/contract/media/media.ts';
import { ApiError, toApiError } from '../kernel/http/client.ts';
import { here } from './here.ts';

const SILENT_MS = 30_000;
/** When all is sent the server looks inside, which takes its time for large pictures. */
const LOOKING_MS = 120_000;

export interface Standing {
  received: number;
  media: Media | null;
}

const lost = () => new ApiError(0, [], 'The upload was interrupted. Check your connection and try again.');

export function putFile(
  slot: UploadSlot,
  file: File,
  from: number,
  { signal, onSent }: { signal: AbortSignal; onSent: (bytes: number) => void },
): Promise<Standing> {
  return new Promise((resolve, reject) => {
    const canceled = () => reject(new DOMException('Canceled', 'AbortError'));
    if (signal.aborted) return canceled();
    const xhr = new XMLHttpRequest();
    xhr.open('PUT', here(slot.put_url) ?? slot.put_url);
    xhr.setRequestHeader('content-type', slot.content_type);
    if (from > 0) xhr.setRequestHeader('content-range', `bytes ${from}-${file.size - 1}/${file.size}`);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        reject(lost());
        xhr.abort();
      }, ms);
    };
    const abort = () => xhr.abort();
    signal.addEventListener('abort', abort, { once: true });
    xhr.upload.onprogress = ({ loaded }) => {
      watch(SILENT_MS);
      onSent(from + loaded);
    };
    xhr.upload.onload = () => watch(LOOKING_MS);
    xhr.onerror = () => reject(lost());
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
    watch(SILENT_MS);
    xhr.send(from > 0 ? file.slice(from) : file);
  });
}

/** How far the server has come. */
export async function askStanding(slot: UploadSlot, signal: AbortSignal): Promise<Standing> {
  const response = await fetch(here(slot.put_url) ?? slot.put_url, { signal }).catch((error: unknown) => {
    throw signal.aborted ? error : lost();
  });
  if (!response.ok) throw await toApiError(response);
  return ((await response.json()) as { data: Standing }).data;
}

/** What was uploaded is not wanted. Nobody waits for it: what is left over goes by itself. */
export function takeBack(slot: UploadSlot): void {
  void fetch(here(slot.put_url) ?? slot.put_url, { method: 'DELETE', keepalive: true }).catch(() => {});
}
