import { ActionIcon, Button, Textarea } from '@mantine/core';
import { segmentOptions } from '@parley/contract/channels/sms/profile.ts';
import { segment } from '@parley/contract/channels/sms/text.ts';
import { type Conversation, REPLY_MAX } from '@parley/contract/inbox/inbox.ts';
import { withSampleLinks } from '@parley/contract/links/inline.ts';
import { createMessage } from '@parley/contract/messages/messages.ts';
import { textLength } from '@parley/contract/text_length.ts';
import { IconChevronDown, IconSend2 } from '@tabler/icons-react';
import { type KeyboardEvent, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { CardTool } from '../../channels/cards/CardTool.tsx';
import { AttachTools, type Tool } from '../../channels/compose/AttachTools.tsx';
import { personName } from '../../channels/compose/person_name.ts';
import type { ReplyBody } from '../../channels/compose/reply_body.ts';
import { isCountedInSegments } from '../../channels/counter.ts';
import { useSegmentation } from '../../channels/sms/profile.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { useShortcuts } from '../../kernel/shortcuts.ts';
import { EmojiButton } from '../../ui/controls/emoji/EmojiButton.tsx';
import { formatCount, formatMoney, instant } from '../../ui/data/format.ts';
import { parsePhone } from '../../ui/data/phone.ts';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { Skeleton } from '../../ui/feedback/Skeletons.tsx';
import { Tooltip } from '../../ui/feedback/Tooltip.tsx';
import { growing } from '../../ui/form/growing.ts';
import { KeyHint } from '../../ui/layout/KeyHint.tsx';
import { Popup } from '../../ui/layout/Popup.tsx';
import styles from '../Inbox.module.css';
import { appendText, ResponseTool } from '../responses/ResponseTool.tsx';
import status from '../status/Status.module.css';
import { type SetText, useDraft } from './draft.ts';
import foot from './Foot.module.css';
import { useFiles } from './files.tsx';
import { useQuoting } from './QuoteLine.tsx';
import { useRestored } from './restore.ts';
import { sessionRules, useSessionOpen } from './session.ts';

const TemplateDialog = lazyPart(() => import('../../channels/compose/TemplateDialog.tsx'));
const ButtonsDialog = lazyPart(() => import('../../channels/compose/ButtonsDialog.tsx'));
const AssistTool = lazyPart(() => import('../../assistance/AssistTool.tsx'));
const SendTimes = lazyPart(() => import('./SendTimes.tsx'));
const AttachDialog = lazyPart(() => import('../../channels/compose/AttachDialog.tsx'));

const STOPPED_TEXT =
  'This person opted out. You can message them again after they send START, or after you remove them from the ' +
  'stop list.';

interface Props {
  conversation: Conversation;
  onSend: (body: ReplyBody, schedule?: Date) => void;
  guard?: (send: () => void) => void;
  onText?: (hasReply: boolean) => void;
}

const sendNow = (send: () => void) => send();

/** Writes and sends a reply. Ctrl+Enter or Cmd+Enter sends. */
export function ReplyBox({ conversation, guard = sendNow, onText, ...props }: Props) {
  const [text, setText] = useDraft('reply', conversation.id);
  const { line, onSend } = useQuoting(conversation.id, props.onSend);
  const [dialog, setDialog] = useState<Tool | null>(null);
  const [isChoosing, setChoosing] = useState(false);
  const [assistance, setAssistance] = useState<HTMLElement | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const permissionReason = useReason(createMessage.needs);
  const { isFreeForm, notice } = sessionRules(conversation, useSessionOpen(conversation));
  const closed = conversation.stopped ? STOPPED_TEXT : permissionReason;
  const blocked = closed ?? (isFreeForm ? null : notice);
  const body = text.trim();
  const tooLong = textLength(text) > REPLY_MAX;
  useUndone(conversation.id, setText);
  const send = (at?: Date) => {
    if (!body || tooLong || blocked) return;
    guard(() => {
      onSend({ text: body }, ...(at ? [at] : []));
      setText('');
      field.current?.focus();
    });
  };
  useEffect(() => onText?.(body !== ''), [body, onText]);
  useReplyKeys({
    reply: blocked === null ? () => field.current?.focus() : null,
    template: closed === null ? () => setDialog('template') : null,
  });
  const files = useFiles(conversation.channel, blocked, guard, onSend);
  const hint = conversation.stopped ? STOPPED_TEXT : notice;
  return (
    <>
      <form
        className={styles.reply}
        {...files.events}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        {hint && <p className={styles.closed}>{hint}</p>}
        <div ref={setAssistance} className={styles.assistance} />
        {line}
        <Textarea
          ref={field}
          data-reply
          aria-label={`Reply to ${personName(conversation) || parsePhone(conversation.number).text}`}
          placeholder={blocked ? '' : 'Write a reply'}
          {...growing(styles.growing)}
          value={text}
          disabled={blocked !== null}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => handleKey(event, () => send(), text === '' ? () => setChoosing(true) : null)}
          error={tooLong ? `A reply can have at most ${REPLY_MAX} characters` : null}
          dir="auto"
        />
        <div className={foot.foot}>
          <AttachTools channel={conversation.channel} reason={closed} freeReason={blocked} onPress={setDialog} />
          <TextTools
            {...{ text, setText, isChoosing, setChoosing }}
            {...{ conversation, reason: blocked, panel: assistance }}
            onSend={(reply) => guard(() => onSend(reply))}
          />
          <Counter text={text} conversation={conversation} />
          <SendButton reason={blocked} isEmpty={!body || tooLong} conversation={conversation} onLater={send} />
        </div>
      </form>
      {files.dialog}
      {/* Outside the form, so that sending from a dialog does not submit the form. */}
      <ReplyDialog
        tool={dialog}
        conversation={conversation}
        text={text}
        onSend={(reply) => guard(() => onSend(reply))}
        onTextSent={() => setText('')}
        onClose={() => setDialog(null)}
      />
    </>
  );
}

interface TextToolsProps {
  conversation: Conversation;
  onSend: (body: ReplyBody) => void;
  text: string;
  setText: SetText;
  reason: string | null;
  panel: HTMLElement | null;
  isChoosing: boolean;
  setChoosing: (isChoosing: boolean) => void;
}

/** Cards, and responses, emoji, and assistance, which change the text. */
function TextTools({ isChoosing, setChoosing, conversation, onSend, ...tool }: TextToolsProps) {
  return (
    <span className={foot.texts}>
      <CardTool
        {...{ conversation, onSend, reason: tool.reason, text: tool.text }}
        onTextSent={() => tool.setText('')}
      />
      <ResponseTool
        conversation_id={conversation.id}
        reason={tool.reason}
        isOpen={isChoosing}
        onOpen={() => setChoosing(true)}
        onClose={() => {
          setChoosing(false);
          focusReply();
        }}
        onInsert={(inserted) => tool.setText((old) => appendText(old, inserted))}
      />
      <EmojiButton reason={tool.reason} onPick={(emoji) => insertAtCaret(emoji, tool.setText)} />
      <Suspense>
        <AssistTool {...tool} conversation_id={conversation.id} onDone={focusReply} />
      </Suspense>
    </span>
  );
}

/** Puts the text of an undone reply above the text that was written since. */
const useUndone = (id: string, setText: SetText): void =>
  useRestored(
    id,
    useCallback((undone) => setText((old) => (old === '' ? undone : `${undone}\n${old}`)), [setText]),
  );

interface SendProps {
  reason: string | null;
  isEmpty: boolean;
  conversation: Conversation;
  onLater: (at: Date) => void;
}

function SendButton({ reason, isEmpty, conversation, onLater }: SendProps) {
  // On some channels, nothing can be sent after the session ends.
  const until = sessionRules(conversation, false).isFreeForm ? null : (conversation.session?.until ?? null);
  const isDisabled = reason !== null || isEmpty;
  return (
    <>
      <span className={foot.keys}>
        <KeyHint keys={['mod', 'Enter']} />
      </span>
      <span className={foot.sends}>
        <Allow needs={createMessage.needs} reason={reason}>
          <Button
            type="submit"
            size="sm"
            rightSection={<IconSend2 size={15} aria-hidden />}
            disabled={!reason && isEmpty}
          >
            Send
          </Button>
        </Allow>
        <Popup
          label="Send later"
          takesFocus
          className={status.box}
          target={(target) => (
            <Tooltip label="Send later">
              <ActionIcon
                {...target}
                variant="default"
                size={30}
                aria-label="Send later"
                data-disabled={isDisabled || undefined}
                aria-disabled={isDisabled || undefined}
                onClick={() => isDisabled || target.onClick()}
              >
                <IconChevronDown size={15} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
        >
          {(close) => (
            <Suspense fallback={<Skeleton height={180} />}>
              <SendTimes
                verb="Schedule"
                until={until === null ? null : instant(until)}
                onChoose={(at) => {
                  close();
                  onLater(at);
                }}
              />
            </Suspense>
          )}
        </Popup>
      </span>
    </>
  );
}

const findReply = () => document.querySelector<HTMLTextAreaElement>('textarea[data-reply]');

/** Focuses the reply field of the open conversation. */
export function focusReply(): void {
  findReply()?.focus();
}

/** Inserts a text where the caret was when the field lost the focus, and continues after it. */
function insertAtCaret(inserted: string, setText: SetText): void {
  const field = findReply();
  const { selectionStart = 0, selectionEnd = 0 } = field ?? {};
  setText((old) => old.slice(0, selectionStart) + inserted + old.slice(selectionEnd));
  requestAnimationFrame(() => {
    field?.focus();
    field?.setSelectionRange(selectionStart + inserted.length, selectionStart + inserted.length);
  });
}

/** A slash opens the responses in an empty field, where `chooseResponse` is set. */
function handleKey(
  event: KeyboardEvent<HTMLTextAreaElement>,
  send: () => void,
  chooseResponse: (() => void) | null,
): void {
  if (event.key === '/' && chooseResponse && !event.nativeEvent.isComposing) {
    event.preventDefault();
    chooseResponse();
  }
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    send();
  }
  // The first Esc leaves the field, the next one closes the conversation.
  if (event.key === 'Escape') event.currentTarget.blur();
}

/** A null action is not possible at the moment. */
function useReplyKeys({ reply, template }: Record<'reply' | 'template', (() => void) | null>): void {
  useShortcuts('Conversation', [
    { keys: 'R', label: 'Reply', run: () => reply?.(), when: () => reply !== null },
    { keys: '/', label: 'Reply from template', run: () => template?.(), when: () => template !== null },
  ]);
}

interface ReplyDialogProps extends Props {
  tool: Tool | null;
  text: string;
  /** Called after the dialog has sent the text from the reply box. */
  onTextSent: () => void;
  onClose: () => void;
}

function ReplyDialog({ tool, conversation, text, onSend, onTextSent, onClose }: ReplyDialogProps) {
  const props = { conversation, onClose };
  return (
    <Suspense>
      {tool === 'template' ? (
        <TemplateDialog {...props} onSend={onSend} />
      ) : tool === 'buttons' ? (
        <ButtonsDialog
          {...props}
          initial={text}
          onSend={(reply) => {
            onSend(reply);
            onTextSent();
          }}
        />
      ) : (
        tool && <AttachDialog {...props} type={tool} onSend={onSend} />
      )}
    </Suspense>
  );
}

function Counter({ text, conversation }: { text: string; conversation: Conversation }) {
  const isCounted = isCountedInSegments(conversation.channel);
  const profile = useSegmentation(conversation.number, isCounted);
  const body = withSampleLinks(text.trim(), profile.link_prefix);
  const parts = body && isCounted ? segment(body, segmentOptions(profile)) : null;
  const price = profile.segment_price_micros;
  return (
    <span className={foot.counter}>
      {textLength(text)}/{REPLY_MAX}
      {parts && ` - ${formatCount(parts.segments.length, 'segment')} - ${parts.encoding}`}
      {parts && price !== null && ` - ${formatMoney(price * parts.segments.length, profile.currency, { exact: true })}`}
    </span>
  );
}
