/**
 * All tabs of a session share one stream: a browser opens six connections to a host and no more, so that with a stream in each the seventh tab
 * would never load. Whoever holds the lock holds the stream and passes on what it hears; the others wait for the lock and go on after the last
 * event they heard. Nothing is lost on the way: who comes late is told what was said since its own starting point, or asks for everything anew.
 */
import type { LiveEvent } from '@parley/contract/event.ts';
import { randomId } from '../random.ts';
import { type LiveState, SILENCE_MS } from './live_stream.ts';

/** A holder that says nothing for so long stands still (the system put it to sleep): its place is taken. It says something every ten seconds. */
const PATIENCE_MS = 1.5 * SILENCE_MS;
/** What the holder remembers for those who come late. */
const REMEMBERED = 500;

export interface Tab {
  last: () => string | null;
  /** What the holder knows, for a tab that has not heard anything yet. */
  goOn: (last: string) => void;
  take: (event: LiveEvent) => void;
  /** What was missed is not known: ask for everything. */
  missed: () => void;
  onState: (state: LiveState) => void;
  hold: (
    said: { onEvent: (event: LiveEvent) => void; onState: (state: LiveState) => void },
    stopping: AbortSignal,
  ) => Promise<'refused' | 'stopped'>;
  patience_ms?: number | undefined;
}

type Word =
  | { kind: 'holding' }
  | { kind: 'hello'; tab: string; since: string | null }
  | { kind: 'joined'; tab: string; events: LiveEvent[] | null; last: string | null; state: LiveState }
  | { kind: 'event'; event: LiveEvent }
  | { kind: 'state'; state: LiveState };
type Hello = Extract<Word, { kind: 'hello' }>;

const PASSING: ReadonlySet<string> = new Set(['heartbeat', 'resync']);

export async function shareStream(name: string, tab: Tab, stopping: AbortSignal): Promise<void> {
  const me = randomId();
  const channel = new BroadcastChannel(name);
  const say = (word: Word) => channel.postMessage(word);
  let answer: ((hello: Hello) => void) | null = null;
  // What is heard before the answer to one's hello comes after it.
  let early: LiveEvent[] | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lostPatience = () => {};
  const watch = () => {
    clearTimeout(timer);
    timer = setTimeout(() => lostPatience(), tab.patience_ms ?? PATIENCE_MS);
  };
  const greet = () => {
    early = [];
    say({ kind: 'hello', tab: me, since: tab.last() });
  };
  const hear = (event: LiveEvent) => {
    const last = tab.last();
    if (PASSING.has(event.event_type) || last === null || event.timestamp > last) tab.take(event);
  };

  channel.onmessage = ({ data: word }: MessageEvent<Word>) => {
    if (answer) {
      if (word.kind === 'hello') answer(word);
      return;
    }
    if (word.kind === 'hello' || (word.kind === 'joined' && word.tab !== me)) return;
    watch();
    if (word.kind === 'holding') greet();
    else if (word.kind === 'state') tab.onState(word.state);
    else if (word.kind === 'event') early ? early.push(word.event) : hear(word.event);
    else {
      const waiting = early ?? [];
      early = null;
      tab.onState(word.state);
      if (word.events === null) tab.missed();
      else word.events.forEach(hear);
      if (word.last !== null && word.last > (tab.last() ?? '')) tab.goOn(word.last);
      waiting.forEach(hear);
    }
  };

  const hold = async (leaving: AbortSignal): Promise<'refused' | 'stopped'> => {
    clearTimeout(timer);
    early = null;
    const told = remember(tab.last());
    let state: LiveState = 'connecting';
    // Nothing can be answered before it is known where the stream begins.
    let asked: Hello[] | null = told.begun() ? null : [];
    const tell = ({ tab: to, since }: Hello) =>
      say({ kind: 'joined', tab: to, events: told.since(since), last: tab.last(), state });
    answer = (hello) => (asked ? asked.push(hello) : tell(hello));
    say({ kind: 'holding' });
    return tab.hold(
      {
        onEvent: (event) => {
          told.add(event);
          tab.take(event);
          say({ kind: 'event', event });
          if (!asked || !told.begun()) return;
          asked.forEach(tell);
          asked = null;
        },
        onState: (now) => {
          state = now;
          tab.onState(now);
          say({ kind: 'state', state });
        },
      },
      leaving,
    );
  };

  let silent = false;
  try {
    while (!stopping.aborted) {
      const turn = new AbortController();
      const leaving = AbortSignal.any([stopping, turn.signal]);
      const options = silent ? { steal: true } : { signal: leaving };
      silent = false;
      lostPatience = () => {
        silent = true;
        turn.abort();
      };
      greet();
      watch();
      const end = await navigator.locks
        .request(name, options, () => hold(leaving))
        .catch((error: Error) => {
          // Waited no longer, or another tab has taken the place.
          if (error.name !== 'AbortError') throw error;
          return 'left';
        });
      turn.abort();
      answer = null;
      if (end === 'refused') return;
    }
  } finally {
    clearTimeout(timer);
    channel.close();
  }
}

/** The last events, and from when on they are all there. */
function remember(begin: string | null) {
  let from = begin;
  let events: LiveEvent[] = [];
  return {
    begun: () => from !== null,
    add(event: LiveEvent): void {
      if (event.event_type === 'heartbeat') return;
      if (event.event_type === 'resync') {
        events = [];
        from = event.timestamp;
        return;
      }
      from ??= event.timestamp;
      if (event.event_type === 'connection.ok') return;
      events.push(event);
      if (events.length > REMEMBERED) from = events.shift()!.timestamp;
    },
    /** Null: more happened since then than is remembered. */
    since(time: string | null): LiveEvent[] | null {
      if (time === null) return [];
      return from !== null && time >= from ? events.filter((event) => event.timestamp > time) : null;
    },
  };
}
