/** "Reply with Buttons": a text with buttons, and its preview on a phone. */
import { Button, Modal, Textarea } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import { NO_CONTENT } from '@parley/contract/messages/content.ts';
import { readMessage } from '@parley/contract/messages/rules.ts';
import { textLength } from '@parley/contract/text_length.ts';
import { useState } from 'react';
import { useReturnToOpener } from '../../ui/feedback/opener.ts';
import { useFieldErrors } from '../field_errors.ts';
import { MessagePreview } from '../preview/MessagePreview.tsx';
import { buttonNotice } from './button_notice.ts';
import styles from './Dialogs.module.css';
import { firstButtons, ReplyButtons, trimButtons } from './ReplyButtons.tsx';
import type { ReplyBody } from './reply_body.ts';
import type { Addressee } from './TemplateDialog.tsx';

interface Props {
  conversation: Addressee;
  title?: string;
  /** The text entered so far. */
  initial?: string;
  onSend: (body: ReplyBody) => void;
  onClose: () => void;
}

export default function ButtonsDialog({
  conversation,
  title = 'Reply with Buttons',
  initial = '',
  onSend,
  onClose,
}: Props) {
  useReturnToOpener();
  const { channel, sender } = conversation;
  const { max_text } = channelRules(channel);
  const notice = buttonNotice(channel);
  const [text, setText] = useState(initial);
  const [buttons, setButtons] = useState(() => firstButtons(channel));
  const body = { type: 'text', text: text.trim(), buttons: trimButtons(buttons) };
  // The API applies the same rules, so it will accept the message after the dialog has closed.
  const { findings } = readMessage(channel, body);
  const tooLong = textLength(text) > max_text ? `Message can have at most ${max_text} characters` : null;
  const form = useFieldErrors<HTMLFormElement>(tooLong ? [{ field: 'text', message: tooLong }, ...findings] : findings);
  return (
    <Modal opened onClose={onClose} title={title} size={860}>
      <form
        ref={form.ref}
        className={styles.sides}
        noValidate
        onBlur={form.onBlur}
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          if (!form.validate()) return;
          onSend(body);
          onClose();
        }}
      >
        <div className={styles.body}>
          <Textarea
            label="Message"
            required
            autosize
            minRows={3}
            maxRows={8}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={tooLong ?? form.fieldError('text')}
            description={`${textLength(text)}/${max_text}`}
            wrapperProps={{ 'data-field': 'text' }}
            data-autofocus
          />
          <ReplyButtons channel={channel} buttons={buttons} onChange={setButtons} fieldError={form.fieldError} />
          {notice && <p className={styles.hint}>{notice}</p>}
          <div className={styles.feet}>
            <Button type="submit">Send</Button>
          </div>
        </div>
        <MessagePreview
          channel={channel}
          sender={sender}
          text={text}
          content={{ ...NO_CONTENT, buttons: [...buttons] }}
        />
      </form>
    </Modal>
  );
}
