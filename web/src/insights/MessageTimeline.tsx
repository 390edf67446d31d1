import type { MessageDetail, TimelineEntry } from '@parley/contract/messages.ts';
import { formatDuration, instant } from '../ui/format.ts';
import { statusLook } from '../ui/status.ts';
import { Timeline } from '../ui/Timeline.tsx';
import styles from './Insights.module.css';
import { SAID_BY } from './words.ts';

/** Every word about the message in the order it came; what came too late says so. */
export function MessageTimeline({ message }: { message: Pick<MessageDetail, 'timeline'> }) {
  const { timeline } = message;
  return (
    <Timeline
      label="What happened"
      entries={timeline.map((entry, index) => {
        const { label, tone } = statusLook(entry.status);
        const before = timeline[index - 1];
        return {
          key: String(index),
          title: titleOf(entry, index, label),
          at: entry.at,
          tone: entry.late ? 'off' : tone,
          source: [saidBy(entry), before && laterBy(before.at, entry.at), entry.late && 'came too late to count']
            .filter(Boolean)
            .join(' · '),
          detail: <Said entry={entry} />,
        };
      })}
    />
  );
}

const saidBy = ({ source }: TimelineEntry) => SAID_BY[source] ?? source;

function titleOf(entry: TimelineEntry, index: number, label: string): string {
  if (index === 0 && entry.source === 'gate')
    return entry.status === 'scheduled' ? 'Accepted, to leave later' : 'Accepted';
  return label;
}

/** How long after the entry before; nothing when a carrier's clock runs behind ours. */
export function laterBy(before: string, at: string): string | null {
  const ms = instant(at).getTime() - instant(before).getTime();
  if (Number.isNaN(ms) || ms < 0) return null;
  if (ms < 1_000) return `${ms} ms later`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s later`;
  return `${formatDuration(ms / 1_000)} later`;
}

function Said({ entry }: { entry: TimelineEntry }) {
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
