import { Button } from '@mantine/core';
import type { ConversationMessage } from '@parley/contract/inbox/inbox.ts';
import { type ContactCard, cardType, readCards } from '@parley/contract/messages/cards.ts';
import { NO_CONTENT } from '@parley/contract/messages/content.ts';
import { type Status, shownStatus, UNDELIVERED } from '@parley/contract/messages/statuses.ts';
import { IconAlertCircle, IconClock } from '@tabler/icons-react';
import { type ReactNode, Suspense } from 'react';
import { channelLabel, channelView } from '../../channels/index.ts';
import { ContentView } from '../../channels/preview/ContentView.tsx';
import { formatExact, formatTime } from '../../ui/data/format.ts';
import { STATUS_ICONS } from '../../ui/data/status.ts';
import { useZone } from '../../ui/data/zone.ts';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { Tooltip } from '../../ui/feedback/Tooltip.tsx';
import { LinkedText } from '../../ui/message/LinkedText.tsx';
import { quoteText } from '../composer/quote.ts';
import { AddPerson } from './AddPerson.tsx';
import type { Draft } from './drafts.ts';
import { MarksLine, ReferralLine } from './MarksLine.tsx';
import { MessageText } from './MessageText.tsx';
import { shownAt } from './order.ts';
import type { MessageRow } from './rows.ts';
import styles from './Thread.module.css';

const hasFailed = (status: Status): boolean => UNDELIVERED.includes(status);
/** A retry can succeed, except for recipients who opted out or are blocked. */
const canRetry = (status: Status): boolean => hasFailed(status) && status !== 'unsubscribed' && status !== 'blocked';
const canResend = ({ passed_on, source, status }: ConversationMessage): boolean =>
  !passed_on && source === 'inbox' && canRetry(status);
const FAILED_TEXT = "Message cannot be sent. Issue may originate from user's end.";

const ATTACHMENT_LABELS: Record<string, string> = { image: 'Image', video: 'Video', document: 'Document' };
const SOURCE_LABELS: Record<string, string> = {
  campaign: 'Campaign',
  api: 'API',
  smpp: 'SMPP',
  reply: 'Automatic reply',
  test: 'Test',
  phone_app: 'Phone app',
};

export interface BubbleProps {
  row: Pick<MessageRow, 'message' | 'continues' | 'ends'>;
  /** Null if the user cannot send. */
  onSendAgain: (() => void) | null;
  conversation_id?: string;
  /** The message that this one replies to, if the page has it. */
  quoted?: ConversationMessage | undefined;
  /** The actions for the message. */
  actions?: ReactNode;
}

const ScheduledFoot = lazyPart(() => import('./ScheduledFoot.tsx'));

const LinkPreview = lazyPart(() => import('./LinkPreview.tsx'));

const contactTool = (contact: ContactCard) => <AddPerson contact={contact} />;

const linked = (text: string) => <LinkedText text={text} />;

export function Bubble({ row, onSendAgain, conversation_id = '', quoted, actions }: BubbleProps) {
  const { message, continues, ends } = row;
  const zone = useZone();
  const at = shownAt(message);
  const isOutbound = message.direction === 'MT';
  const author = isOutbound ? [message.user_name, SOURCE_LABELS[message.source]].filter(Boolean).join(', ') : '';
  return (
    <article
      className={styles.row}
      data-mine={isOutbound || undefined}
      data-continues={continues || undefined}
      title={ends ? undefined : formatExact(at, zone)}
    >
      <div className={styles.line}>
        <div className={styles.bubble} data-channel={message.channel} dir="auto">
          {message.marks?.referral && <ReferralLine referral={message.marks.referral} />}
          {message.content?.answers && <QuoteLine text={quoted ? quoteText(quoted) : 'Reply to an earlier message'} />}
          <ContentView
            content={message.content}
            missing={isOutbound ? null : message.status_details}
            {...(isOutbound ? {} : { contactTool })}
          >
            {message.marks?.deleted ? (
              <em>{message.text}</em>
            ) : (
              message.text && (
                <MessageText text={message.text}>
                  {channelView(message.channel).formatText(message.text, linked)}
                </MessageText>
              )
            )}
          </ContentView>
          {message.marks?.unknown && <span className={styles.mark}>Message type: {message.marks.unknown.type}</span>}
        </div>
        {actions}
      </div>
      {message.text.includes('://') && !message.marks?.deleted && !message.content?.location && (
        <Suspense>
          <LinkPreview conversation_id={conversation_id} message_id={message.id} />
        </Suspense>
      )}
      {message.marks && <MarksLine marks={message.marks} />}
      {message.status === 'scheduled' && isOutbound ? (
        <Suspense fallback={<span className={styles.meta}>Scheduled</span>}>
          <ScheduledFoot message={message} conversation_id={conversation_id} canChange={onSendAgain !== null} />
        </Suspense>
      ) : (
        (ends || hasFailed(message.status)) && (
          <footer className={styles.meta}>
            {author && <bdi>{author}</bdi>}
            <Tooltip label={formatExact(at, zone)}>
              <time dateTime={at}>{formatTime(at, zone)}</time>
            </Tooltip>
            {isOutbound && <StatusIcon message={message} />}
            {isOutbound && onSendAgain && canResend(message) && (
              <Button size="compact-xs" variant="default" onClick={onSendAgain}>
                Retry
              </Button>
            )}
          </footer>
        )
      )}
      {message.passed_on && <p className={styles.meta}>{passedOnText(message.passed_on)}</p>}
    </article>
  );
}

const QuoteLine = ({ text }: { text: string }) => (
  <span className={styles.quote} dir="auto">
    {text}
  </span>
);

function passedOnText({ channel, reason }: NonNullable<ConversationMessage['passed_on']>): string {
  const why = reason === '' ? '' : `: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
  return `Fallback to ${channelLabel(channel)}${why}`;
}

function StatusIcon({ message }: { message: ConversationMessage }) {
  const { label, icon } = shownStatus(message);
  const Icon = STATUS_ICONS[icon];
  const failed = hasFailed(message.status);
  const text = failed ? `${FAILED_TEXT} ${message.status_details ?? ''}`.trim() : label;
  return (
    <Tooltip label={text}>
      <span className={styles.tick} data-status={failed ? 'failed' : message.status} role="img" aria-label={text}>
        <Icon size={14} aria-hidden />
        {failed && label}
      </span>
    </Tooltip>
  );
}

export function DraftBubble({
  draft,
  channel,
  quoted,
  onRetry,
  onDiscard,
}: {
  draft: Draft;
  channel: string;
  quoted: ConversationMessage | undefined;
  onRetry: () => void;
  onDiscard: () => void;
}) {
  const { buttons = [] } = draft.body;
  const read = readCards(draft.body);
  const cards = cardType(read) === null ? null : { ...read, contacts: read.contacts && [...read.contacts] };
  return (
    <article className={styles.row} data-mine data-draft>
      <div className={styles.bubble} data-channel={channel} dir="auto">
        {draft.body.reply_to && <QuoteLine text={quoted ? quoteText(quoted) : 'Reply to an earlier message'} />}
        {draft.body.type && !cards && (
          <span className={styles.attached}>{ATTACHMENT_LABELS[draft.body.type] ?? draft.body.type}</span>
        )}
        <ContentView content={cards || draft.body.buttons ? { ...NO_CONTENT, buttons, ...cards } : null}>
          {channelView(channel).formatText(draft.body.text ?? '', linked)}
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
