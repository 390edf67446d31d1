import { Button, Tooltip } from '@mantine/core';
import type { ConversationMessage } from '@parley/contract/inbox/inbox.ts';
import { NO_CONTENT } from '@parley/contract/messages/content.ts';
import { FAILED_STATUSES, type Status } from '@parley/contract/messages/messages.ts';
import { IconAlertCircle, IconClock } from '@tabler/icons-react';
import { channelLabel, channelView } from '../../channels/index.ts';
import { ContentView } from '../../channels/preview/ContentView.tsx';
import { formatExact, formatTime } from '../../ui/data/format.ts';
import { statusStyle } from '../../ui/data/status.ts';
import { useZone } from '../../ui/data/zone.ts';
import type { Draft } from './drafts.ts';
import styles from './Thread.module.css';

const hasFailed = (status: Status): boolean => (FAILED_STATUSES as readonly Status[]).includes(status);
/** Sending the same again can change it; whoever wants nothing has to say otherwise first. */
const mayRetry = (status: Status): boolean => hasFailed(status) && status !== 'unsubscribed' && status !== 'blocked';
const FAILED_WORDS = "Message cannot be sent. Issue may originate from user's end.";

const ATTACHED: Record<string, string> = { image: 'Image', video: 'Video', document: 'Document' };
const SOURCES: Record<string, string> = { campaign: 'Campaign', api: 'API', reply: 'Automatic answer', test: 'Test' };

export interface BubbleProps {
  message: ConversationMessage;
  /** Null when nothing may be sent. */
  onSendAgain: (() => void) | null;
}

export function Bubble({ message, onSendAgain }: BubbleProps) {
  const zone = useZone();
  const mine = message.direction === 'MT';
  const who = mine ? [message.user_name, SOURCES[message.source]].filter(Boolean).join(', ') : '';
  return (
    <article className={styles.row} data-mine={mine || undefined}>
      <div className={styles.bubble} data-channel={message.channel}>
        <ContentView content={message.content} missing={mine ? null : message.status_details}>
          {channelView(message.channel).formatText(message.text)}
        </ContentView>
      </div>
      <footer className={styles.meta}>
        {who && <span>{who}</span>}
        <Tooltip label={formatExact(message.create_date, zone)}>
          <time dateTime={message.create_date}>{formatTime(message.create_date, zone)}</time>
        </Tooltip>
        {mine && <Tick message={message} />}
        {mine && onSendAgain && !message.passed_on && message.source === 'inbox' && mayRetry(message.status) && (
          <Button size="compact-xs" variant="default" onClick={onSendAgain}>
            Retry
          </Button>
        )}
      </footer>
      {message.passed_on && <p className={styles.meta}>{passedOnWords(message.passed_on)}</p>}
    </article>
  );
}

function passedOnWords({ channel, reason }: NonNullable<ConversationMessage['passed_on']>): string {
  const why = reason === '' ? '' : `: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
  return `Passed on to ${channelLabel(channel)}${why}`;
}

function Tick({ message }: { message: ConversationMessage }) {
  const { label, icon: Icon } = statusStyle(message.status);
  const failed = hasFailed(message.status);
  const words = failed ? `${FAILED_WORDS} ${message.status_details ?? ''}`.trim() : label;
  return (
    <Tooltip label={words} multiline maw={280}>
      <span className={styles.tick} data-status={failed ? 'failed' : message.status} role="img" aria-label={words}>
        <Icon size={14} aria-hidden />
        {failed && label}
      </span>
    </Tooltip>
  );
}

export function DraftBubble({
  draft,
  channel,
  onRetry,
  onDiscard,
}: {
  draft: Draft;
  channel: string;
  onRetry: () => void;
  onDiscard: () => void;
}) {
  return (
    <article className={styles.row} data-mine data-draft>
      <div className={styles.bubble} data-channel={channel}>
        {draft.body.type && <span className={styles.attached}>{ATTACHED[draft.body.type] ?? draft.body.type}</span>}
        <ContentView content={draft.body.buttons ? { ...NO_CONTENT, buttons: draft.body.buttons } : null}>
          {channelView(channel).formatText(draft.body.text ?? '')}
        </ContentView>
      </div>
      {draft.problem ? (
        <div className={styles.refused} role="alert">
          <IconAlertCircle size={14} aria-hidden />
          <span>{draft.problem}</span>
          <Button size="compact-xs" variant="default" onClick={onRetry}>
            Retry
          </Button>
          <Button size="compact-xs" variant="subtle" onClick={onDiscard}>
            Discard
          </Button>
        </div>
      ) : (
        <footer className={styles.meta}>
          <IconClock size={13} aria-hidden /> Sending
        </footer>
      )}
    </article>
  );
}
