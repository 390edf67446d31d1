/**
 * Manages one upload in a form: requests a slot, sends the bytes, and reports the finished file. After a lost
 * connection it resumes from the last byte that the server received. The upload is canceled when the form unmounts or
 * the type or channel changes, because a file for one channel is not valid for another.
 */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { mediaRule } from '@parley/contract/media/channel_rules.ts';
import { createSlot, type Media, renewSlot, type UploadSlot } from '@parley/contract/media/media.ts';
import { type Dimensions, dimensionRefusal, fileRefusal } from '@parley/contract/media/rules.ts';
import type { MediaType } from '@parley/contract/media/types.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ApiError, call } from '../kernel/http/client.ts';
import { useReason } from '../kernel/session/session.tsx';
import { discardUpload, fetchProgress, putFile, type UploadProgress } from './transfer.ts';

export type UploadState =
  | { status: 'idle' }
  /** The file is being checked, and the upload link is being requested. */
  | { status: 'slot'; file: File }
  /** `waiting`: the connection is lost and the upload will retry. */
  | { status: 'uploading'; file: File; sent: number; waiting: boolean }
  | { status: 'ready'; media: Media }
  /** `resumable`: the server still has the bytes that it received. */
  | { status: 'failed'; file: File; message: string; resumable: boolean };

export interface Upload {
  state: UploadState;
  /** Why the user may not upload. */
  reason: string | null;
  start: (file: File) => void;
  /** Cancels the upload; deletes a finished one. */
  cancel: () => void;
  /** Restarts a failed upload, from where it stopped if possible. */
  retry: () => void;
}

interface UploadOptions {
  type: MediaType;
  channel: ChannelName | null;
  directory?: string;
  /** Exact dimensions that the image must have. */
  dimensions?: Dimensions;
  onReady?: (media: Media) => void;
}

interface UploadTarget {
  type: MediaType;
  channel: ChannelName | null;
  directory: string | undefined;
  dimensions: Dimensions | null;
}

interface Run {
  file: File;
  slot: UploadSlot | null;
  stop: AbortController;
  done: boolean;
}

const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 15_000];

export function useUpload({ type, channel, directory, dimensions, onReady }: UploadOptions): Upload {
  const [state, setState] = useState<UploadState>({ status: 'idle' });
  const reason = useReason(createSlot.needs);
  const run = useRef<Run | null>(null);
  const ready = useRef(onReady);
  ready.current = onReady;
  const { width, height } = dimensions ?? {};

  const end = useCallback((keepSlot = false) => {
    const current = run.current;
    run.current = null;
    if (!current) return;
    current.stop.abort();
    if (current.slot && !keepSlot) discardUpload(current.slot);
  }, []);

  const upload = useCallback(
    async (file: File, existing: UploadSlot | null) => {
      const current: Run = { file, slot: existing, stop: new AbortController(), done: false };
      run.current = current;
      const { signal } = current.stop;
      const show = (next: UploadState) => run.current === current && setState(next);
      try {
        if (!current.slot) {
          show({ status: 'slot', file });
          const target: UploadTarget = { type, channel, directory, dimensions: toDimensions(width, height) };
          const problem = await findFileProblem(file, target);
          if (problem) return show({ status: 'failed', file, message: problem, resumable: false });
          current.slot = await openSlot(file, target, signal);
        }
        const media = await sendBytes(current.slot, file, existing !== null, {
          signal,
          onSlot: (slot) => {
            current.slot = slot;
          },
          onSent: (sent, waiting) => show({ status: 'uploading', file, sent, waiting }),
        });
        if (run.current !== current) return;
        current.done = true;
        setState({ status: 'ready', media });
        ready.current?.(media);
      } catch (error) {
        if (signal.aborted) return;
        const resumable = current.slot !== null && isTransient(error);
        const message = error instanceof Error ? error.message : 'The file could not be uploaded.';
        show({ status: 'failed', file, message, resumable });
      }
    },
    [type, channel, directory, width, height],
  );

  const start = useCallback(
    (file: File) => {
      end();
      void upload(file, null);
    },
    [end, upload],
  );
  const cancel = useCallback(() => {
    end();
    setState({ status: 'idle' });
  }, [end]);
  const retry = useCallback(() => {
    if (state.status !== 'failed') return;
    const slot = state.resumable ? (run.current?.slot ?? null) : null;
    end(slot !== null);
    void upload(state.file, slot);
  }, [state, end, upload]);

  useTargetChange(`${type} ${channel}`, cancel);
  // Unmounting keeps a finished upload, because the form may have just saved it.
  useEffect(() => () => end(run.current?.done), [end]);

  return useMemo(() => ({ state, reason, start, cancel, retry }), [state, reason, start, cancel, retry]);
}

/** Calls `onChange` when the type or channel of the upload changes. */
function useTargetChange(target: string, onChange: () => void): void {
  const previous = useRef(target);
  useEffect(() => {
    if (previous.current === target) return;
    previous.current = target;
    onChange();
  }, [target, onChange]);
}

const toDimensions = (width: number | undefined, height: number | undefined): Dimensions | null =>
  width && height ? { width, height } : null;

async function openSlot(file: File, target: UploadTarget, signal: AbortSignal): Promise<UploadSlot> {
  const { type, channel, directory, dimensions } = target;
  const body = {
    file_name: file.name,
    type,
    channel,
    bytes: file.size,
    ...(directory ? { directory } : {}),
    ...dimensions,
  };
  return (await call(createSlot, { body }, { signal })).data;
}

/** True if the connection or the server failed, not the file. The upload can then resume. */
const isTransient = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.name === 'UPLOAD_OFFSET_MISMATCH');

/** Sends the bytes, resumes after transient errors, and renews the upload link when it expires. */
async function sendBytes(
  initialSlot: UploadSlot,
  file: File,
  resumes: boolean,
  on: {
    signal: AbortSignal;
    onSlot: (slot: UploadSlot) => void;
    onSent: (sent: number, waiting: boolean) => void;
  },
): Promise<Media> {
  let slot = initialSlot;
  let offset = 0;
  let mustFetchProgress = resumes;
  let failures = 0;
  for (;;) {
    try {
      const progress: UploadProgress = mustFetchProgress
        ? await fetchProgress(slot, on.signal)
        : await putFile(slot, file, offset, { signal: on.signal, onSent: (sent) => on.onSent(sent, false) });
      if (progress.media) return progress.media;
      if (progress.received > offset) failures = 0;
      // At least the last byte is sent again, because it makes the server check the file.
      offset = Math.min(progress.received, file.size - 1);
      mustFetchProgress = false;
      on.onSent(offset, false);
    } catch (error) {
      if (on.signal.aborted) throw error;
      failures++;
      if (error instanceof ApiError && error.name === 'FILE_LINK_EXPIRED' && failures <= RETRY_DELAYS_MS.length) {
        slot = (await call(renewSlot, { params: { id: slot.id } }, { signal: on.signal })).data;
        on.onSlot(slot);
      } else if (!isTransient(error) || failures > RETRY_DELAYS_MS.length) throw error;
      else {
        on.onSent(offset, true);
        await delay(RETRY_DELAYS_MS[failures - 1]!, on.signal);
      }
      mustFetchProgress = true;
    }
  }
}

/** Waits. Ends early if the browser comes back online or the upload is aborted. */
function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}

/** Checks the file before anything is sent. */
async function findFileProblem(file: File, { type, channel, dimensions }: UploadTarget): Promise<string | null> {
  const problem = fileRefusal(file, mediaRule(type, channel));
  if (problem || !dimensions || typeof createImageBitmap !== 'function') return problem?.message ?? null;
  // The server checks images that the browser cannot read.
  const bitmap = await createImageBitmap(file).catch(() => null);
  const refused = bitmap && dimensionRefusal(bitmap, dimensions);
  bitmap?.close();
  return refused?.message ?? null;
}
