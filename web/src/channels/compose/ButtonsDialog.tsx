/** "Reply with Buttons": a text with quick replies or a link below it, on Viber with its one button, and the phone it will be read on. */
import { Button, Modal, Textarea } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import { NO_CONTENT } from '@parley/contract/messages/content.ts';
import { readMessage } from '@parley/contract/messages/rules.ts';
import { useState } from 'react';
import { useReturnToOpener } from '../../ui/feedback/opener.ts';
import { useFieldErrors } from '../field_errors.ts';
import { MessagePreview } from '../preview/MessagePreview.tsx';
import { firstButtons, ReplyButtons, trimmed } from '../ReplyButtons.tsx';
import styles from './Dialogs.module.css';
import { promotes } from './promotes.ts';
import type { ReplyBody } from './reply_body.ts';
import type { Addressee } from './TemplateDialog.tsx';

interface Props {
  conversation: Addressee;
  title?: string;
  /** What has been written already. */
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
  const [text, setText] = useState(initial);
  const [buttons, setButtons] = useState(() => firstButtons(channel));
  const body = { type: 'text', text: text.trim(), buttons: trimmed(buttons) };
  // The same reading as at the gate, so that nothing is refused after the dialog has closed.
  const { findings } = readMessage(channel, body);
  const tooLong = text.length > max_text ? `Message can have at most ${max_text} characters` : null;
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
          if (!form.demand()) return;
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
            error={tooLong ?? form.errorOf('text')}
            description={`${text.length}/${max_text}`}
            wrapperProps={{ 'data-field': 'text' }}
            data-autofocus
          />
          <ReplyButtons channel={channel} buttons={buttons} onChange={setButtons} errorOf={form.errorOf} />
          {promotes(channel) && <p className={styles.hint}>{promotes(channel)}</p>}
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
