import type { MessageDetail, TimelineEntry } from '@parley/contract/messages.ts';
import { statusLook } from '../ui/status.ts';
import { Timeline } from '../ui/Timeline.tsx';
import styles from './Insights.module.css';
import { SAID_BY } from './words.ts';

/** Every word about the message in the order it came; what came too late says so. */
export function MessageTimeline({ message }: { message: Pick<MessageDetail, 'timeline'> }) {
  return (
    <Timeline
      label="What happened"
      entries={message.timeline.map((entry, index) => {
        const { label, tone } = statusLook(entry.status);
        return {
          key: String(index),
          title: titleOf(entry, index, label),
          at: entry.at,
          tone: entry.late ? 'off' : tone,
          source: entry.late ? `${saidBy(entry)} · came too late to count` : saidBy(entry),
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

function Said({ entry }: { entry: TimelineEntry }) {
  const { text, code, detail } = entry;
  const words = detail ? Object.entries(detail).map(([name, value]) => `${name}: ${plain(value)}`) : [];
  if (!text && !code && words.length === 0) return null;
  return (
    <>
      {text && <div>{text}</div>}
      {code && <div>Code {code}</div>}
      {words.length > 0 && <p className={styles.said}>{words.join('   ')}</p>}
    </>
  );
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
