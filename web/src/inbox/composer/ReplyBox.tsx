import { Button, Textarea } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import { segment } from '@parley/contract/channels/sms/text.ts';
import { type Conversation, REPLY_MAX } from '@parley/contract/inbox/inbox.ts';
import { createMessage } from '@parley/contract/messages/messages.ts';
import { IconSend2 } from '@tabler/icons-react';
import { type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { AttachTools, type Tool } from '../../channels/compose/AttachTools.tsx';
import { personName } from '../../channels/compose/person_name.ts';
import type { ReplyBody } from '../../channels/compose/reply_body.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { formatCount } from '../../ui/data/format.ts';
import { KeyHint } from '../../ui/layout/KeyHint.tsx';
import styles from '../Inbox.module.css';
import { freedomOf, useSessionOpen } from './session.ts';

const TemplateDialog = lazy(() => import('../../channels/compose/TemplateDialog.tsx'));
const ButtonsDialog = lazy(() => import('../../channels/compose/ButtonsDialog.tsx'));
const AttachDialog = lazy(() => import('../../channels/compose/AttachDialog.tsx'));

/** Of the conversation that is open; there is one at most. */
export function focusReply(): void {
  document.querySelector<HTMLTextAreaElement>('textarea[data-reply]')?.focus();
}

const STOPPED =
  'This person asked not to be messaged. They can be messaged again once they write START, or you take them off the stop list.';

interface Props {
  conversation: Conversation;
  onSend: (body: ReplyBody) => void;
}

/** What is written and not sent stays with its conversation. Ctrl or Cmd with Enter sends. */
export function ReplyBox({ conversation, onSend }: Props) {
  const key = `parley.reply.${useSession().user.id}.${conversation.id}`;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '');
  const [dialog, setDialog] = useState<Tool | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const missing = useReason(createMessage.needs);
  const { free, notice } = freedomOf(conversation, useSessionOpen(conversation));
  const closed = conversation.stopped ? STOPPED : missing;
  const mute = closed ?? (free ? null : notice);
  useEffect(() => {
    if (text) sessionStorage.setItem(key, text);
    else sessionStorage.removeItem(key);
  }, [key, text]);

  const body = text.trim();
  const tooLong = text.length > REPLY_MAX;
  const parts = body && channelRules(conversation.channel).counts === 'segments' ? segment(body) : null;
  const send = () => {
    if (!body || tooLong || mute) return;
    onSend({ text: body });
    setText('');
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    }
  };
  const close = () => setDialog(null);
  const said = conversation.stopped ? STOPPED : notice;
  return (
    <>
      <form
        className={styles.reply}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        {said && <p className={styles.closed}>{said}</p>}
        <Textarea
          ref={field}
          aria-label={`Reply to ${personName(conversation) || conversation.number}`}
          placeholder={mute ? '' : 'Write a reply'}
          autosize
          minRows={2}
          maxRows={8}
          value={text}
          disabled={mute !== null}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          error={tooLong ? `A reply can have at most ${REPLY_MAX} characters` : null}
          data-reply
        />
        <div className={styles.replyFoot}>
          <AttachTools channel={conversation.channel} reason={closed} freeReason={mute} onPress={setDialog} />
          <span className={styles.counter}>
            {text.length}/{REPLY_MAX}
            {parts && ` - ${formatCount(parts.segments.length, 'segment')} - ${parts.encoding}`}
          </span>
          <span className={styles.sendKeys}>
            <KeyHint keys={['mod', 'Enter']} />
          </span>
          <Allow needs={createMessage.needs} reason={mute}>
            <Button
              type="submit"
              size="sm"
              rightSection={<IconSend2 size={15} aria-hidden />}
              disabled={!mute && (!body || tooLong)}
            >
              Send
            </Button>
          </Allow>
        </div>
      </form>
      {/* Beside the form: what is sent in a dialog must not send what stands in the box. */}
      <Suspense>
        {dialog === 'template' ? (
          <TemplateDialog conversation={conversation} onSend={onSend} onClose={close} />
        ) : dialog === 'buttons' ? (
          <ButtonsDialog
            conversation={conversation}
            initial={text}
            onSend={(reply) => {
              onSend(reply);
              setText('');
            }}
            onClose={close}
          />
        ) : (
          dialog && <AttachDialog type={dialog} conversation={conversation} onSend={onSend} onClose={close} />
        )}
      </Suspense>
    </>
  );
}
