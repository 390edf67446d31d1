import { ActionIcon } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { Conversation, ConversationMessage } from '@parley/contract/inbox/inbox.ts';
import { setReaction } from '@parley/contract/inbox/reactions.ts';
import { IconArrowBackUp, IconMoodPlus, IconPlus } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { call } from '../../kernel/http/client.ts';
import { toastError } from '../../kernel/http/query.ts';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { Skeleton } from '../../ui/feedback/Skeletons.tsx';
import { Tooltip } from '../../ui/feedback/Tooltip.tsx';
import { Popup } from '../../ui/layout/Popup.tsx';
import { useQuote } from '../composer/quote.ts';
import { focusReply } from '../composer/ReplyBox.tsx';
import { useSessionOpen } from '../composer/session.ts';
import styles from './BubbleActions.module.css';

const EmojiPicker = lazyPart(() => import('../../ui/controls/emoji/EmojiPicker.tsx'));

const FREQUENT = ['👍', '❤️', '😂', '😮', '😢', '🙏'];

interface Props {
  message: ConversationMessage;
  conversation: Conversation;
}

/** Quotes a message in the reply, or reacts to it. A default export, because threads load first. */
export default function BubbleActions({ message, conversation }: Props) {
  const { id, channel } = conversation;
  const { quotes, reactions } = channelRules(channel);
  const [, setQuote] = useQuote(id);
  if (!useSessionOpen(conversation)) return null;
  return (
    <span className={styles.actions}>
      {quotes && (
        <Tooltip label="Quote this message">
          <ActionIcon
            variant="subtle"
            size={26}
            aria-label="Quote this message"
            onClick={() => {
              setQuote(message);
              focusReply();
            }}
          >
            <IconArrowBackUp size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      {reactions && <React message={message} conversation_id={id} />}
    </span>
  );
}

/** Removes the reaction if it is the same again. */
function React({ message, conversation_id }: { message: ConversationMessage; conversation_id: string }) {
  const own = message.marks?.reactions?.find(({ by }) => by === 'business');
  const shown = own && !own.refusal ? own.emoji : '';
  const react = (emoji: string) => {
    const body = { message_id: message.id, emoji: emoji === shown ? '' : emoji };
    call(setReaction, { params: { id: conversation_id }, body }).catch(toastError);
  };
  return (
    <Popup
      label="React"
      align={message.direction === 'MT' ? 'end' : 'start'}
      takesFocus
      target={(target) => (
        <Tooltip label="React">
          <ActionIcon {...target} variant="subtle" size={26} aria-label="React">
            <IconMoodPlus size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    >
      {(close) => (
        <Choices
          shown={shown}
          onPick={(emoji) => {
            close();
            react(emoji);
          }}
        />
      )}
    </Popup>
  );
}

function Choices({ shown, onPick }: { shown: string; onPick: (emoji: string) => void }) {
  const [all, setAll] = useState(false);
  if (all)
    return (
      <Suspense fallback={<Skeleton height={320} width={304} />}>
        <EmojiPicker onPick={onPick} />
      </Suspense>
    );
  const own = shown && !FREQUENT.includes(shown) ? [shown] : [];
  return (
    <div className={styles.choices}>
      {[...own, ...FREQUENT].map((emoji) => (
        <button
          key={emoji}
          type="button"
          className={styles.choice}
          aria-label={emoji === shown ? `Remove ${emoji}` : `React with ${emoji}`}
          aria-pressed={emoji === shown}
          onClick={() => onPick(emoji)}
        >
          {emoji}
        </button>
      ))}
      <button type="button" className={styles.choice} aria-label="More emoji" onClick={() => setAll(true)}>
        <IconPlus size={18} aria-hidden />
      </button>
    </div>
  );
}
