/**
 * One upload of a form: slot, bytes, ready. It survives a lost line (it goes on where the server stands) and ends by itself when the form goes or turns to
 * another type or channel: what was uploaded for the one is nothing for the other.
 */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { mediaRule } from '@parley/contract/media/channel_rules.ts';
import { createSlot, type Media, renewSlot, type UploadSlot } from '@parley/contract/media/media.ts';
import { type Dimensions, dimensionRefusal, fileRefusal, type MediaType } from '@parley/contract/media/rules.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ApiError, call } from '../kernel/http/client.ts';
import { useReason } from '../kernel/session/session.tsx';
import { askStanding, putFile, type Standing, takeBack } from './transfer.ts';

export type UploadState =
  | { status: 'idle' }
  /** Asking where to. */
  | { status: 'slot'; file: File }
  /** `waiting`: the line is lost, and it is tried again. */
  | { status: 'uploading'; file: File; sent: number; waiting: boolean }
  | { status: 'ready'; media: Media }
  /** `resumable`: what has arrived is still there. */
  | { status: 'failed'; file: File; message: string; resumable: boolean };

export interface Upload {
  state: UploadState;
  /** Why nobody may upload here. */
  reason: string | null;
  start: (file: File) => void;
  /** Also takes a finished file back. */
  cancel: () => void;
  /** After `failed`. */
  again: () => void;
}

export interface UploadOptions {
  type: MediaType;
  channel: ChannelName | null;
  directory?: string;
  /** What the image has to measure. */
  dimensions?: Dimensions;
  onReady?: (media: Media) => void;
}

interface Run {
  file: File;
  slot: UploadSlot | null;
  stop: AbortController;
  done: boolean;
}

const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000];

export function useUpload({ type, channel, directory, dimensions, onReady }: UploadOptions): Upload {
  const [state, setState] = useState<UploadState>({ status: 'idle' });
  const reason = useReason(createSlot.needs);
  const run = useRef<Run | null>(null);
  const ready = useRef(onReady);
  ready.current = onReady;
  const { width, height } = dimensions ?? {};

  const end = useCallback((keep = false) => {
    const current = run.current;
    run.current = null;
    if (!current) return;
    current.stop.abort();
    if (current.slot && !keep) takeBack(current.slot);
  }, []);

  const carry = useCallback(
    async (file: File, given: UploadSlot | null) => {
      const current: Run = { file, slot: given, stop: new AbortController(), done: false };
      run.current = current;
      const { signal } = current.stop;
      const show = (next: UploadState) => run.current === current && setState(next);
      try {
        if (!current.slot) {
          show({ status: 'slot', file });
          const wrong = await wrongBefore(file, type, channel, width && height ? { width, height } : null);
          if (wrong) return show({ status: 'failed', file, message: wrong, resumable: false });
          const body = {
            file_name: file.name,
            type,
            channel,
            bytes: file.size,
            ...(directory ? { directory } : {}),
            ...(width && height ? { width, height } : {}),
          };
          current.slot = (await call(createSlot, { body }, { signal })).data;
        }
        const media = await carryBytes(current.slot, file, given !== null, {
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
        const resumable = current.slot !== null && isTrouble(error);
        const message = error instanceof Error ? error.message : 'The file could not be uploaded.';
        show({ status: 'failed', file, message, resumable });
      }
    },
    [type, channel, directory, width, height],
  );

  const start = useCallback(
    (file: File) => {
      end();
      void carry(file, null);
    },
    [end, carry],
  );
  const cancel = useCallback(() => {
    end();
    setState({ status: 'idle' });
  }, [end]);
  const again = useCallback(() => {
    if (state.status !== 'failed') return;
    const slot = state.resumable ? (run.current?.slot ?? null) : null;
    end(slot !== null);
    void carry(state.file, slot);
  }, [state, end, carry]);

  const kind = `${type} ${channel}`;
  const before = useRef(kind);
  useEffect(() => {
    if (before.current === kind) return;
    before.current = kind;
    cancel();
  }, [kind, cancel]);
  // A form that goes leaves what is finished: it may just have been saved.
  useEffect(() => () => end(run.current?.done), [end]);

  return useMemo(() => ({ state, reason, start, cancel, again }), [state, reason, start, cancel, again]);
}

/** Of the line or of the server, not of the file. */
const isTrouble = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.name === 'UPLOAD_OFFSET_MISMATCH');

async function carryBytes(
  given: UploadSlot,
  file: File,
  begun: boolean,
  on: {
    signal: AbortSignal;
    onSlot: (slot: UploadSlot) => void;
    onSent: (sent: number, waiting: boolean) => void;
  },
): Promise<Media> {
  let slot = given;
  let at = 0;
  let ask = begun;
  let failures = 0;
  for (;;) {
    try {
      const standing: Standing = ask
        ? await askStanding(slot, on.signal)
        : await putFile(slot, file, at, { signal: on.signal, onSent: (sent) => on.onSent(sent, false) });
      if (standing.media) return standing.media;
      if (standing.received > at) failures = 0;
      // One byte at least is sent again: it is the last one that makes the server look.
      at = Math.min(standing.received, file.size - 1);
      ask = false;
      on.onSent(at, false);
    } catch (error) {
      if (on.signal.aborted) throw error;
      failures++;
      if (error instanceof ApiError && error.name === 'FILE_LINK_EXPIRED' && failures <= PAUSES_MS.length) {
        slot = (await call(renewSlot, { params: { id: slot.id } }, { signal: on.signal })).data;
        on.onSlot(slot);
      } else if (!isTrouble(error) || failures > PAUSES_MS.length) throw error;
      else {
        on.onSent(at, true);
        await pause(PAUSES_MS[failures - 1]!, on.signal);
      }
      ask = true;
    }
  }
}

/** Shorter when the browser says that the line is back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      window.removeEventListener('online', over);
      signal.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    window.addEventListener('online', over);
    signal.addEventListener('abort', over);
  });
}

/** What can be known before anything is sent. */
async function wrongBefore(
  file: File,
  type: MediaType,
  channel: ChannelName | null,
  wanted: Dimensions | null,
): Promise<string | null> {
  const wrong = fileRefusal(file, mediaRule(type, channel));
  if (wrong || !wanted || typeof createImageBitmap !== 'function') return wrong?.message ?? null;
  // What the browser cannot read the server judges.
  const found = await createImageBitmap(file).catch(() => null);
  const refused = found && dimensionRefusal(found, wanted);
  found?.close();
  return refused?.message ?? null;
}
