import type { MessageDetail, MessageLeg, TimelineEntry } from '@parley/contract/messages/messages.ts';
import { channelLabel } from '../ui/data/ChannelMark.tsx';
import { formatDuration, instant } from '../ui/data/format.ts';
import { statusStyle } from '../ui/data/status.ts';
import { Timeline } from '../ui/data/Timeline.tsx';
import styles from './Messages.module.css';
import { TIMELINE_SOURCES } from './words.ts';

/** Every word about the message in the order it came; what came too late says so. Then the ways it may still go, and those it need not. */
export function MessageTimeline({ message }: { message: Pick<MessageDetail, 'timeline' | 'fallbacks'> }) {
  const { timeline, fallbacks } = message;
  const told = timeline.map((entry, index) => {
    const { label, tone } = statusStyle(entry.status);
    const before = timeline[index - 1];
    return {
      key: String(index),
      title: entryTitle(entry, index, label),
      at: entry.at,
      tone: entry.late || (entry.leg_state && entry.leg_state !== 'in_effect') ? ('off' as const) : tone,
      source: [
        entry.leg && !entry.leg_state && stepName(entry.leg, entry.channel),
        sourceLabel(entry),
        before && timeSince(before.at, entry.at),
        entry.late && 'came too late to count',
      ]
        .filter(Boolean)
        .join(' · '),
      detail: <EntryDetail entry={entry} />,
    };
  });
  const others = fallbacks.flatMap((leg) =>
    // What was left out stands among what happened.
    leg.state === 'waiting' || (leg.state === 'not_needed' && leg.status === null)
      ? [
          {
            key: `leg ${leg.leg}`,
            title: pendingTitle(leg),
            at: null,
            tone: pendingTone(leg),
            detail: leg.reason ?? triggerText(leg),
          },
        ]
      : [],
  );
  return <Timeline label="What happened" entries={[...told, ...others]} />;
}

const stepName = (leg: number, channel: string | undefined) => `${leg}. ${channelLabel(channel ?? '')}`;

const pendingTitle = ({ leg, channel, state }: MessageLeg) =>
  `${stepName(leg, channel)} ${state === 'waiting' ? 'waits' : 'is not needed'}`;

const pendingTone = ({ state }: MessageLeg) => (state === 'waiting' ? ('wait' as const) : ('off' as const));

function triggerText({ trigger, wait_seconds }: MessageLeg): string {
  if (trigger === 'failed') return 'Goes if the one before fails';
  const seconds = wait_seconds ?? 0;
  const within = `within ${seconds % 60 === 0 ? formatDuration(seconds) : `${seconds} seconds`}`;
  return trigger === 'unread'
    ? `Goes if the one before is not read ${within}`
    : `Goes if the one before is not delivered ${within}`;
}

const sourceLabel = ({ source }: TimelineEntry) => TIMELINE_SOURCES[source] ?? source;

function entryTitle(entry: TimelineEntry, index: number, label: string): string {
  if (index === 0 && entry.source === 'gate')
    return entry.status === 'scheduled' ? 'Accepted, to leave later' : 'Accepted';
  if (entry.leg && entry.leg_state) return `${stepName(entry.leg, entry.channel)} ${STEP_STATE_WORDS[entry.leg_state]}`;
  return label;
}

const STEP_STATE_WORDS: Record<MessageLeg['state'], string> = {
  waiting: 'waits',
  in_effect: 'takes over',
  passed_on: 'is passed on',
  skipped: 'is left out',
  not_needed: 'is taken back',
};

/** How long after the entry before; nothing when a carrier's clock runs behind ours. */
export function timeSince(before: string, at: string): string | null {
  const ms = instant(at).getTime() - instant(before).getTime();
  if (Number.isNaN(ms) || ms < 0) return null;
  if (ms < 1_000) return `${ms} ms later`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s later`;
  return `${formatDuration(ms / 1_000)} later`;
}

function EntryDetail({ entry }: { entry: TimelineEntry }) {
  const { text, code, detail } = entry;
  const words = detail ? Object.entries(detail) : [];
  const showsCode = code !== undefined && code !== '' && !text?.includes(code);
  if (!text && !showsCode && words.length === 0) return null;
  return (
    <>
      {text && <div>{text}</div>}
      {showsCode && <div>Code {code}</div>}
      {words.length > 0 && (
        <p className={styles.said}>
          {words.map(([name, value]) => (
            <span key={name}>
              {name} <b>{plain(value)}</b>
            </span>
          ))}
        </p>
      )}
    </>
  );
}

const plain = (value: unknown): string =>
  Array.isArray(value) ? value.map(plain).join(', ') : typeof value === 'string' ? value : JSON.stringify(value);
