/**
 * The text that a user writes in a conversation. The server keeps it, so that it is there on every device. Until the
 * server has it, this tab's storage keeps it too, so that a reload or a failed request loses nothing.
 */
import { type ConversationDraft, type DraftKind, getDraft, saveDraft } from '@parley/contract/inbox/drafts.ts';
import { NOTE_NEEDS } from '@parley/contract/inbox/notes.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../../kernel/http/client.ts';
import { queryClient, queryKey, useEndpoint } from '../../kernel/http/query.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';

const SAVE_AFTER_MS = 800;
/** The pause before a failed save is repeated. */
const RETRY_MS = 5_000;

export type SetText = (next: string | ((old: string) => string)) => void;

export function useDraft(kind: DraftKind, conversation_id: string): [string, SetText] {
  const key = `parley.${kind}.${useSession().user.id}.${conversation_id}`;
  const maySave = useReason(NOTE_NEEDS) === null;
  const stored = useEndpoint(getDraft, { params: { id: conversation_id } }, { enabled: maySave }).data?.data;
  const [saver] = useState(() => findSaver(kind, conversation_id, key));
  const [text, setShown] = useState(saver.unsaved ?? stored?.[kind] ?? '');
  const latest = useRef(text);
  const setText = useCallback<SetText>(
    (next) => {
      latest.current = typeof next === 'function' ? next(latest.current) : next;
      setShown(latest.current);
      saver.change(latest.current, maySave);
    },
    [saver, maySave],
  );
  // Another device may have changed the draft. Unsaved text on this device takes precedence.
  const known = stored?.[kind];
  useEffect(() => {
    if (known === undefined || saver.unsaved !== null || known === latest.current) return;
    latest.current = known;
    setShown(known);
  }, [known, saver]);
  useEffect(() => {
    if (maySave) saver.resume();
    const leave = () => saver.flush(true);
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      saver.flush(false);
    };
  }, [saver, maySave]);
  return [text, setText];
}

/** One for each draft, so that a retry never sends an older text than the one that was typed last. */
const savers = new Map<string, Saver>();

function findSaver(kind: DraftKind, id: string, key: string): Saver {
  const saver = savers.get(key) ?? new Saver(kind, id, key);
  savers.set(key, saver);
  saver.read();
  return saver;
}

/** Saves one draft: a moment after the last change, or immediately when the user leaves it or has sent it. */
class Saver {
  /** The text that the server does not have yet; null if it has the latest. */
  unsaved: string | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending = false;
  private readonly kind: DraftKind;
  private readonly id: string;
  private readonly key: string;

  constructor(kind: DraftKind, id: string, key: string) {
    this.kind = kind;
    this.id = id;
    this.key = key;
  }

  /** The storage is empty after the user has signed out, so that nothing is saved for the next user. */
  read(): void {
    this.unsaved = sessionStorage.getItem(this.key);
  }

  change(text: string, maySave: boolean): void {
    this.unsaved = text;
    sessionStorage.setItem(this.key, text);
    if (maySave) this.schedule(text === '' ? 0 : SAVE_AFTER_MS);
  }

  /** Saves drafts that an earlier page could not save. */
  resume(): void {
    if (this.unsaved !== null) this.schedule(0);
  }

  flush(keepalive: boolean): void {
    clearTimeout(this.timer);
    if (this.timer !== undefined) void this.save(keepalive);
  }

  private schedule(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(false), ms);
  }

  private async save(keepalive: boolean): Promise<void> {
    this.timer = undefined;
    this.read();
    const text = this.unsaved;
    if (text === null) return;
    // One save at a time, so that the saves arrive in order.
    if (this.sending && !keepalive) return this.schedule(SAVE_AFTER_MS);
    this.sending = true;
    try {
      const input = { params: { id: this.id }, body: { [this.kind]: text } };
      const { data } = await call(saveDraft, input, keepalive ? { keepalive } : {});
      if (this.unsaved === text) {
        this.unsaved = null;
        sessionStorage.removeItem(this.key);
      }
      const draft = queryKey(getDraft, { params: { id: this.id } });
      // A response that is on its way may be older than this save.
      await queryClient.cancelQueries({ queryKey: draft });
      queryClient.setQueryData<{ data: ConversationDraft }>(draft, { data });
      void queryClient.invalidateQueries({ queryKey: ['conversation_drafts', 'conversation_drafts.list'] });
    } catch {
      // The text stays in this tab. A refused text, such as one that is too long, is also retried: it may change.
      if (this.timer === undefined) this.schedule(RETRY_MS);
    } finally {
      this.sending = false;
    }
  }
}
