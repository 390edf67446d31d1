/**
 * All tabs of a session share one stream. Browsers open at most six connections per host, so if every tab had its own
 * stream, the seventh tab would never load. The tab that holds the lock keeps the stream open and forwards its events;
 * the other tabs wait for the lock and continue after the last event they received. No event is lost: a tab that joins
 * late gets the events since its own position, or refetches everything.
 */
import type { LiveEvent } from '@parley/contract/event.ts';
import { randomId } from '../random.ts';
import { type LiveState, SILENCE_MS } from './live_stream.ts';

export { holdStream } from './live_stream.ts';

/**
 * A holder that is silent for this long has been suspended by the system and loses the lock; an active holder sends a
 * message every ten seconds.
 */
const HOLDER_TIMEOUT_MS = 1.5 * SILENCE_MS;
/** The number of events that the holder keeps for tabs that join late. */
const HISTORY_SIZE = 500;

interface StreamHandlers {
  onEvent: (event: LiveEvent) => void;
  onState: (state: LiveState) => void;
}
type StreamEnd = 'rejected' | 'stopped';

interface Tab {
  last: () => string | null;
  /** Takes over the holder's position if the tab has received no event yet. */
  setPosition: (last: string) => void;
  receive: (event: LiveEvent) => void;
  /** Refetches everything if the missed events are unknown. */
  refetchAll: () => void;
  onState: (state: LiveState) => void;
  hold: (handlers: StreamHandlers, stopping: AbortSignal) => Promise<StreamEnd>;
  holder_timeout_ms?: number | undefined;
}

type TabMessage =
  | { kind: 'holding' }
  | { kind: 'hello'; tab: string; since: string | null }
  | { kind: 'joined'; tab: string; events: LiveEvent[] | null; last: string | null; state: LiveState }
  | { kind: 'event'; event: LiveEvent }
  | { kind: 'state'; state: LiveState };
type Hello = Extract<TabMessage, { kind: 'hello' }>;

/** Event types without a position; they are always forwarded. */
const UNORDERED_TYPES: ReadonlySet<string> = new Set(['heartbeat', 'resync']);

/** Participates in the shared stream until stopped, or until the server rejects the token. */
export async function shareStream(name: string, tab: Tab, stopping: AbortSignal): Promise<void> {
  const member = new Member(name, tab);
  let isHolderSilent = false;
  try {
    while (!stopping.aborted) {
      const turn = new AbortController();
      const leaving = AbortSignal.any([stopping, turn.signal]);
      const options = isHolderSilent ? { steal: true } : { signal: leaving };
      isHolderSilent = false;
      member.join(() => {
        isHolderSilent = true;
        turn.abort();
      });
      const end = await navigator.locks
        .request(name, options, () => member.hold(leaving))
        .catch((error: Error) => {
          // The tab stopped waiting, or another tab has stolen the lock.
          if (error.name !== 'AbortError') throw error;
          return 'left';
        });
      turn.abort();
      member.release();
      if (end === 'rejected') return;
    }
  } finally {
    member.close();
  }
}

/** This tab's role in the shared stream, as a listener or as the holder. */
class Member {
  private readonly id = randomId();
  private readonly channel: BroadcastChannel;
  private readonly tab: Tab;
  /** Set while this tab holds the stream. */
  private onHello: ((hello: Hello) => void) | null = null;
  /** Events that arrive before the response to this tab's hello; they are delivered after it. */
  private early: LiveEvent[] | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private onSilence = () => {};

  constructor(name: string, tab: Tab) {
    this.tab = tab;
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = ({ data }: MessageEvent<TabMessage>) => this.onMessage(data);
  }

  /** Greets the holder and listens to it; calls `onSilence` if the holder stays silent for too long. */
  join(onSilence: () => void): void {
    this.onSilence = onSilence;
    this.greet();
    this.restartTimer();
  }

  /** Holds the stream for all tabs. */
  async hold(leaving: AbortSignal): Promise<StreamEnd> {
    clearTimeout(this.timer);
    this.early = null;
    const history = createHistory(this.tab.last());
    let state: LiveState = 'connecting';
    // Hellos are queued until the stream's position is known.
    let waiting: Hello[] | null = history.hasBegun() ? null : [];
    const welcome = ({ tab, since }: Hello) =>
      this.post({ kind: 'joined', tab, events: history.since(since), last: this.tab.last(), state });
    this.onHello = (hello) => (waiting ? waiting.push(hello) : welcome(hello));
    this.post({ kind: 'holding' });
    return this.tab.hold(
      {
        onEvent: (event) => {
          history.add(event);
          this.tab.receive(event);
          this.post({ kind: 'event', event });
          if (!waiting || !history.hasBegun()) return;
          waiting.forEach(welcome);
          waiting = null;
        },
        onState: (next) => {
          state = next;
          this.tab.onState(next);
          this.post({ kind: 'state', state });
        },
      },
      leaving,
    );
  }

  release(): void {
    this.onHello = null;
  }

  close(): void {
    clearTimeout(this.timer);
    this.channel.close();
  }

  private post(message: TabMessage): void {
    this.channel.postMessage(message);
  }

  private greet(): void {
    this.early = [];
    this.post({ kind: 'hello', tab: this.id, since: this.tab.last() });
  }

  private restartTimer(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.onSilence(), this.tab.holder_timeout_ms ?? HOLDER_TIMEOUT_MS);
  }

  private onMessage(message: TabMessage): void {
    if (this.onHello) {
      if (message.kind === 'hello') this.onHello(message);
      return;
    }
    if (message.kind === 'hello' || (message.kind === 'joined' && message.tab !== this.id)) return;
    this.restartTimer();
    if (message.kind === 'holding') this.greet();
    else if (message.kind === 'state') this.tab.onState(message.state);
    else if (message.kind === 'event') this.early ? this.early.push(message.event) : this.receive(message.event);
    else this.catchUp(message);
  }

  /** Receives the events since this tab's position, then those that arrived early. */
  private catchUp({ events, last, state }: Extract<TabMessage, { kind: 'joined' }>): void {
    const early = this.early ?? [];
    this.early = null;
    this.tab.onState(state);
    if (events === null) this.tab.refetchAll();
    else for (const event of events) this.receive(event);
    if (last !== null && last > (this.tab.last() ?? '')) this.tab.setPosition(last);
    for (const event of early) this.receive(event);
  }

  private receive(event: LiveEvent): void {
    const last = this.tab.last();
    if (UNORDERED_TYPES.has(event.event_type) || last === null || event.timestamp > last) this.tab.receive(event);
  }
}

/** The most recent events, without gaps since `from`. */
function createHistory(begin: string | null) {
  let from = begin;
  let events: LiveEvent[] = [];
  return {
    hasBegun: () => from !== null,
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
      if (events.length > HISTORY_SIZE) from = events.shift()!.timestamp;
    },
    /** The events after `time`; null if the history does not go back that far. */
    since(time: string | null): LiveEvent[] | null {
      if (time === null) return [];
      return from !== null && time >= from ? events.filter((event) => event.timestamp > time) : null;
    },
  };
}
