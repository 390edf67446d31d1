/**
 * Writes to the contact from another sender or on another channel. A sender that already has a conversation with the
 * contact opens it. A default export, because it loads when it opens.
 */
import { Button, Modal, Textarea } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import { type Conversation, conversationBucket, listConversations, REPLY_MAX } from '@parley/contract/inbox/inbox.ts';
import { createMessage } from '@parley/contract/messages/messages.ts';
import { listSenders, type Sender } from '@parley/contract/senders/senders.ts';
import { textLength } from '@parley/contract/text_length.ts';
import { IconMessages } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { ChannelMark } from '../../channels/ChannelMark.tsx';
import { callBody, type ReplyBody } from '../../channels/compose/reply_body.ts';
import { channelLabel } from '../../channels/index.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { BUCKET_PATHS, conversationPath, linkToAddress } from '../../paths.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import styles from './WriteFrom.module.css';

const TemplateDialog = lazyPart(() => import('../../channels/compose/TemplateDialog.tsx'));

const SHOWN = 300;
/** The conversations of one number, one for each sender. */
const CONVERSATIONS = 100;

interface Props {
  conversation: Conversation;
  onClose: () => void;
}

export default function WriteFrom({ conversation, onClose }: Props) {
  const [sender, setSender] = useState<Sender | null>(null);
  const { user } = useSession();
  const navigate = useNavigate();
  const { number } = conversation;
  const own = useEndpoint(listConversations, { query: { page_size: CONVERSATIONS, filter: { search: number } } });
  const open = (id: string, assignee_id: string | null) => {
    onClose();
    void navigate(linkToAddress(conversationPath(BUCKET_PATHS[conversationBucket(assignee_id, user.id)], id)));
  };
  const choose = (chosen: Sender) => {
    const known = own.data?.data.find((one) => one.number === number && one.sender_id === chosen.id);
    if (known) open(known.id, known.assignee_id);
    else setSender(chosen);
  };
  const send = useAction(createMessage, {
    invalidates: ['conversations', 'conversation_badges'],
    onSuccess: ({ data: [message] }) => {
      toast.success('The message was sent');
      if (message?.conversation_id) open(message.conversation_id, null);
      else onClose();
    },
  });
  const submit = (body: ReplyBody) => {
    if (!sender || send.isPending) return;
    send.mutate({ body: { from: sender.id, to: [number], channel: sender.channel, ...callBody(body) } });
  };
  if (!sender)
    return send.isPending ? null : <Senders conversation={conversation} onChoose={choose} onClose={onClose} />;
  const title = `Write from ${sender.name}`;
  // No conversation means no session, in which some channels deliver only templates.
  if (channelRules(sender.channel).session?.outside === 'templates')
    return (
      <Suspense>
        <TemplateDialog
          conversation={{ ...conversation, channel: sender.channel, sender: sender.code }}
          title={title}
          onSend={submit}
          onClose={() => setSender(null)}
        />
      </Suspense>
    );
  return <Text title={title} isSending={send.isPending} onSend={submit} onClose={onClose} />;
}

interface SendersProps extends Props {
  onChoose: (sender: Sender) => void;
}

/** The senders that reach the country of the contact and that people can reply to, except for the current one. */
function Senders({ conversation: { sender_id, country }, onChoose, onClose }: SendersProps) {
  const query = { page_size: SHOWN, filter: { statuses: 'approved,available' } };
  const senders = useEndpoint(listSenders, { query }, { staleTime: 60_000 });
  // Pool members are used only through their pool.
  const others = senders.data?.data.filter(
    ({ id, two_way, pool_id, countries }) =>
      two_way &&
      id !== sender_id &&
      (pool_id === null || pool_id === id) &&
      (countries.length === 0 || !country || countries.includes(country)),
  );
  return (
    <Modal opened onClose={onClose} title="Write from another sender" size={440}>
      {senders.error ? (
        <ErrorState title="The senders could not be loaded" onRetry={() => void senders.refetch()}>
          {senders.error.message}
        </ErrorState>
      ) : !others ? (
        <SkeletonLines lines={4} />
      ) : others.length === 0 ? (
        <EmptyState icon={IconMessages} title="No other senders">
          Only senders that reach the contact’s country, and that people can reply to, are listed.
        </EmptyState>
      ) : (
        <ul className={styles.senders}>
          {others.map((sender) => (
            <li key={sender.id}>
              <button type="button" className={styles.sender} onClick={() => onChoose(sender)}>
                <ChannelMark channel={sender.channel} iconOnly />
                <bdi>{sender.name}</bdi>
                <span className={styles.channel}>{channelLabel(sender.channel)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Modal>
  );
}

interface TextProps {
  title: string;
  isSending: boolean;
  onSend: (body: ReplyBody) => void;
  onClose: () => void;
}

function Text({ title, isSending, onSend, onClose }: TextProps) {
  const [text, setText] = useState('');
  const body = text.trim();
  const length = textLength(text);
  return (
    <Modal opened onClose={onClose} title={title} size={480}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (body && length <= REPLY_MAX) onSend({ text: body });
        }}
      >
        <Textarea
          label="Message"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={4}
          maxRows={12}
          data-autofocus
          dir="auto"
          error={length > REPLY_MAX ? `Shorten the message to ${REPLY_MAX} characters` : undefined}
        />
        <div className={styles.foot}>
          <span className={styles.channel}>
            {length}/{REPLY_MAX}
          </span>
          <Button type="submit" loading={isSending} disabled={!body || length > REPLY_MAX}>
            Send message
          </Button>
        </div>
      </form>
    </Modal>
  );
}
