import type { MessageDetail, MessageFallbackStep, TimelineEntry } from '@parley/contract/messages/details.ts';
import { MESSAGE_STATUS } from '@parley/contract/messages/statuses.ts';
import { channelLabel } from '../channels/index.ts';
import { brandName } from '../ui/brand.ts';
import { formatDuration, instant } from '../ui/data/format.ts';
import { type TimelineEntry as DrawnEntry, Timeline } from '../ui/data/Timeline.tsx';
import styles from './Messages.module.css';
import { TIMELINE_SOURCES } from './words.ts';

/**
 * All timeline entries of a message, oldest first. Late entries are marked. Below them are the fallback steps that have
 * not started or are not needed.
 */
export function MessageTimeline({ message }: { message: Pick<MessageDetail, 'timeline' | 'fallbacks'> }) {
  const { timeline, fallbacks } = message;
  const entries = timeline.map((entry, index) => drawEntry(entry, index, timeline[index - 1]));
  // A skipped step already has an entry.
  const pending = fallbacks.filter(({ state, status }) => state === 'waiting' || (state === 'not_needed' && !status));
  return <Timeline label="Timeline" entries={[...entries, ...pending.map(drawPending)]} />;
}

function drawEntry(entry: TimelineEntry, index: number, previous: TimelineEntry | undefined): DrawnEntry {
  const { label, tone } = MESSAGE_STATUS[entry.status];
  const isOff = entry.late || (entry.leg_state && entry.leg_state !== 'in_effect');
  return {
    key: String(index),
    title: entryTitle(entry, index, label),
    at: entry.at,
    tone: isOff ? 'off' : tone,
    source: [
      entry.leg && !entry.leg_state && stepName(entry.leg, entry.channel),
      TIMELINE_SOURCES[entry.source] ?? brandName(),
      previous && timeSince(previous.at, entry.at),
      entry.late && 'arrived too late to change the status',
    ]
      .filter(Boolean)
      .join(' · '),
    detail: <EntryDetail entry={entry} />,
  };
}

const drawPending = (step: MessageFallbackStep): DrawnEntry => ({
  key: `step ${step.leg}`,
  title: `${stepName(step.leg, step.channel)} ${step.state === 'waiting' ? 'waiting' : 'not needed'}`,
  at: null,
  tone: step.state === 'waiting' ? 'wait' : 'off',
  detail: step.reason ?? triggerText(step),
});

/** "2. WhatsApp" */
const stepName = (number: number, channel: string | undefined) => `${number}. ${channelLabel(channel ?? '')}`;

/** Describes when a fallback step starts. */
function triggerText({ trigger, wait_seconds }: MessageFallbackStep): string {
  if (trigger === 'failed') return 'Used if the previous step fails';
  const seconds = wait_seconds ?? 0;
  const within = `within ${seconds % 60 === 0 ? formatDuration(seconds) : `${seconds} seconds`}`;
  return `Used if the previous step is not ${trigger === 'unread' ? 'read' : 'delivered'} ${within}`;
}

function entryTitle(entry: TimelineEntry, index: number, label: string): string {
  if (index === 0 && entry.source === 'gate')
    return entry.status === 'scheduled' ? 'Accepted and scheduled' : 'Accepted';
  if (entry.leg && entry.leg_state) return `${stepName(entry.leg, entry.channel)} ${STEP_STATE_WORDS[entry.leg_state]}`;
  return label;
}

const STEP_STATE_WORDS: Record<MessageFallbackStep['state'], string> = {
  waiting: 'waiting',
  in_effect: 'takes over',
  passed_on: 'handed over to the next step',
  skipped: 'skipped',
  not_needed: 'canceled',
};

/** The time since the previous entry. Null when the carrier's clock is behind ours. */
function timeSince(previous: string, at: string): string | null {
  const ms = instant(at).getTime() - instant(previous).getTime();
  if (Number.isNaN(ms) || ms < 0) return null;
  if (ms < 1_000) return `${ms} ms later`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s later`;
  return `${formatDuration(ms / 1_000)} later`;
}

function EntryDetail({ entry: { text, code, detail } }: { entry: TimelineEntry }) {
  const values = detail ? Object.entries(detail) : [];
  const showsCode = code !== undefined && code !== '' && !text?.includes(code);
  if (!text && !showsCode && values.length === 0) return null;
  return (
    <>
      {text && <div>{text}</div>}
      {showsCode && <div>Code {code}</div>}
      {values.length > 0 && (
        <p className={styles.values}>
          {values.map(([name, value]) => (
            <span key={name}>
              {name} <b>{plainText(value)}</b>
            </span>
          ))}
        </p>
      )}
    </>
  );
}

const plainText = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(plainText).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};
