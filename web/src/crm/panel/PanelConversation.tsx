import { CHANNEL_LABELS } from '@parley/contract/channels/names.ts';
import {
  listPipedriveMessages,
  type PanelCompany,
  type PanelMessage,
  type PanelPerson,
  type PanelSender,
} from '@parley/contract/crm/pipedrive.ts';
import { MESSAGE_STATUS } from '@parley/contract/messages/statuses.ts';
import { useEffect, useRef, useState } from 'react';
import { SmallSelect } from '../../ui/controls/SmallSelect.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { parsePhone, usePhone } from '../../ui/data/phone.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { LinkedText } from '../../ui/message/LinkedText.tsx';
import styles from './Panel.module.css';
import { PanelComposer } from './PanelComposer.tsx';
import { usePanelQuery } from './panel_call.ts';

const REFRESH_MS = 5_000;

interface PanelConversationProps {
  company: PanelCompany;
  /** Each has a number at least. */
  people: readonly PanelPerson[];
  senders: readonly PanelSender[];
}

/** A number of a person, with the person. */
const recipients = (people: readonly PanelPerson[]) =>
  people.flatMap((person) =>
    person.numbers.flatMap(({ number, label, stopped }) =>
      number === null ? [] : [{ person, number, label, stopped }],
    ),
  );

export function PanelConversation({ company, people, senders }: PanelConversationProps) {
  const all = recipients(people);
  const [number, setNumber] = useState(all[0]!.number);
  const [sender_id, setSender] = useState(
    () => senders.find(({ id }) => id === company.sender_id)?.id ?? senders[0]!.id,
  );
  // Formats the numbers once the rules for phone numbers are loaded.
  usePhone(number);
  const recipient = all.find((one) => one.number === number) ?? all[0]!;
  const sender = senders.find(({ id }) => id === sender_id) ?? senders[0]!;
  return (
    <>
      <div className={styles.head}>
        <SmallSelect
          aria-label="To"
          value={recipient.number}
          onChange={setNumber}
          data={all.map((one) => ({
            value: one.number,
            label: `${one.person.name} · ${parsePhone(one.number).text}`,
          }))}
        />
        <SmallSelect
          aria-label="From"
          value={sender.id}
          onChange={setSender}
          data={senders.map(({ id, name, channel }) => ({ value: id, label: `${name} · ${CHANNEL_LABELS[channel]}` }))}
        />
      </div>
      <Thread sender_id={sender.id} number={recipient.number} logs={company.logs_messages} />
      {recipient.stopped ? (
        <Notice tone="wait">This person opted out. They can get messages again after they send START.</Notice>
      ) : (
        <PanelComposer key={`${sender.id} ${recipient.number}`} sender={sender} recipient={recipient} />
      )}
    </>
  );
}

function Thread({ sender_id, number, logs }: { sender_id: string; number: string; logs: boolean }) {
  const query = usePanelQuery(listPipedriveMessages, { query: { sender_id, number } }, { refetchInterval: REFRESH_MS });
  const messages = query.data?.data;
  const end = useRef<HTMLLIElement>(null);
  const latest = messages?.[0]?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when there is a new message
  useEffect(() => {
    // Newer browsers return a promise, which must not become the effect's cleanup.
    void end.current?.scrollIntoView({ block: 'nearest' });
  }, [latest]);
  if (query.error && !messages)
    return (
      <ErrorState title="The messages could not be loaded" onRetry={() => void query.refetch()}>
        {query.error.message}
      </ErrorState>
    );
  if (!messages)
    return (
      <div className={styles.thread} role="status" aria-label="Loading">
        <SkeletonLines lines={4} />
      </div>
    );
  if (messages.length === 0)
    return (
      <div className={styles.thread}>
        <p className={styles.empty}>No messages yet.{logs && ' Messages and replies are logged as activities.'}</p>
      </div>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: people scroll it with the keyboard
    <section className={styles.thread} aria-label="Messages" tabIndex={0}>
      <ol className={styles.messages}>
        {messages.toReversed().map((message) => (
          <MessageItem key={message.id} message={message} />
        ))}
        <li ref={end} aria-hidden />
      </ol>
    </section>
  );
}

function MessageItem({ message }: { message: PanelMessage }) {
  const isOwn = message.direction === 'MT';
  return (
    <li className={styles.message} data-mine={isOwn || undefined}>
      <div className={styles.bubble} dir="auto">
        <LinkedText text={message.text} />
      </div>
      <span className={styles.meta}>
        <DateTime value={message.create_date} />
        {isOwn && <StatusBadge {...MESSAGE_STATUS[message.status]} />}
        {message.logged && <span>Logged</span>}
      </span>
    </li>
  );
}
