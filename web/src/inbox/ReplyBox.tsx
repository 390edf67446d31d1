import { Button, Textarea } from '@mantine/core';
import { segment } from '@parley/contract/channels/sms.ts';
import { type Conversation, REPLY_MAX } from '@parley/contract/inbox.ts';
import { createMessage } from '@parley/contract/messages.ts';
import { IconSend2 } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Allow } from '../kernel/allow.tsx';
import { useReason, useSession } from '../kernel/session.tsx';
import { formatCount } from '../ui/format.ts';
import { KeyHint } from '../ui/KeyHint.tsx';
import styles from './Inbox.module.css';

/** Of the conversation that is open; there is one at most. */
export function focusReply(): void {
  document.querySelector<HTMLTextAreaElement>('textarea[data-reply]')?.focus();
}

/** What is written and not sent stays with its conversation. Ctrl or Cmd with Enter sends. */
export function ReplyBox({ conversation, onSend }: { conversation: Conversation; onSend: (text: string) => void }) {
  const key = `parley.reply.${useSession().user.id}.${conversation.id}`;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '');
  const field = useRef<HTMLTextAreaElement>(null);
  const missing = useReason(createMessage.needs);
  const closed = conversation.stopped
    ? 'This person asked not to be messaged. They can be messaged again once they write START, or you take them off the stop list.'
    : missing;
  useEffect(() => {
    if (text) sessionStorage.setItem(key, text);
    else sessionStorage.removeItem(key);
  }, [key, text]);

  const body = text.trim();
  const tooLong = text.length > REPLY_MAX;
  const parts = body ? segment(body) : null;
  const send = () => {
    if (!body || tooLong || closed) return;
    onSend(body);
    setText('');
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    }
  };
  return (
    <form
      className={styles.reply}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {conversation.stopped && <p className={styles.closed}>{closed}</p>}
      <Textarea
        ref={field}
        aria-label={`Reply to ${conversation.contact_name || conversation.number}`}
        placeholder={closed ? '' : 'Write a reply'}
        autosize
        minRows={2}
        maxRows={8}
        value={text}
        disabled={closed !== null}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        error={tooLong ? `A reply can have at most ${REPLY_MAX} characters` : null}
        data-reply
      />
      <div className={styles.replyFoot}>
        <span className={styles.counter}>
          {text.length}/{REPLY_MAX}
          {parts && ` - ${formatCount(parts.segments.length, 'segment')} - ${parts.encoding}`}
        </span>
        <span className={styles.sendKeys}>
          <KeyHint keys={['mod', 'Enter']} />
        </span>
        <Allow needs={createMessage.needs} reason={conversation.stopped ? closed : null}>
          <Button
            type="submit"
            size="sm"
            rightSection={<IconSend2 size={15} aria-hidden />}
            disabled={!closed && (!body || tooLong)}
          >
            Send
          </Button>
        </Allow>
      </div>
    </form>
  );
}
