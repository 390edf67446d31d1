/** "Attach Image", "Attach Video", "Attach Document": the file or a link to it, what stands below it, and buttons where the channel has any. */
import { Button, Modal, Switch, Textarea, TextInput } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import { readMessage } from '@parley/contract/messages/rules.ts';
import { MAX_DOCUMENT_NAME } from '@parley/contract/templates/draft.ts';
import { fileNameFindings } from '@parley/contract/templates/fields.ts';
import { useState } from 'react';
import { attachmentFields, attachmentProblem, NO_ATTACHMENT } from '../../media/attachment.ts';
import { MediaPicker } from '../../media/MediaPicker.tsx';
import { useUpload } from '../../media/useUpload.ts';
import { useReturnToOpener } from '../../ui/feedback/opener.ts';
import type { ErrorOf } from '../field_errors.ts';
import { firstButtons, ReplyButtons, trimmed } from '../ReplyButtons.tsx';
import styles from './Dialogs.module.css';
import { promotes } from './promotes.ts';
import type { Attachable, ReplyBody } from './reply_body.ts';

interface Props {
  type: Attachable;
  conversation: Pick<Conversation, 'channel'>;
  onSend: (body: ReplyBody) => void;
  onClose: () => void;
}

const TITLES: Readonly<Record<Attachable, string>> = {
  image: 'Attach Image',
  video: 'Attach Video',
  document: 'Attach Document',
};

/** A name that may be given, out of the one the file has. */
const nameOf = (file_name: string): string =>
  file_name
    .replace(/\.[^.]*$/, '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/\W+/g, '_')
    .slice(0, MAX_DOCUMENT_NAME)
    .replace(/^_+|_+$/g, '');

export default function AttachDialog({ type, conversation, onSend, onClose }: Props) {
  useReturnToOpener();
  const { channel } = conversation;
  const { max_text } = channelRules(channel);
  const [file, setFile] = useState(NO_ATTACHMENT);
  const upload = useUpload({ type, channel, onReady: (media) => setFile((value) => ({ ...value, media })) });
  const [text, setText] = useState('');
  const [typed, setTyped] = useState<string | null>(null);
  const [withButton, setWithButton] = useState(false);
  const [buttons, setButtons] = useState(() => firstButtons(channel));
  const [tried, setTried] = useState(false);

  // A document carries nothing but itself.
  const captioned = type !== 'document';
  const { max_buttons } = channelRules(channel);
  const offersButton = captioned && max_buttons > 0;
  const pressed = offersButton && withButton;
  const named = type === 'document';
  const name = typed ?? nameOf(file.media?.file_name ?? '');
  const body = {
    type,
    text: captioned ? text.trim() : '',
    ...attachmentFields(file),
    ...(named ? { file_name: name.trim() } : {}),
    ...(pressed ? { buttons: trimmed(buttons) } : {}),
  };
  // The same reading as at the gate, so that nothing is refused after the dialog has closed; of the file the picker's own words are said.
  const { findings } = readMessage(channel, body);
  const about: ErrorOf = (field) => findings.find((one) => one.field === field)?.message ?? null;
  const wrong = {
    file: attachmentProblem(file, type, channel),
    name: named ? (fileNameFindings(name)[0]?.message ?? null) : null,
    text: text.length > max_text ? `Message can have at most ${max_text} characters` : about('text'),
    buttons: findings.find(({ field }) => field.startsWith('button'))?.message ?? null,
  };
  const shown = (words: string | null) => (tried ? words : null);
  const submit = () => {
    setTried(true);
    if (Object.values(wrong).some((words) => words !== null)) return;
    onSend(body);
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={TITLES[type]} size={560}>
      <form
        className={styles.body}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          submit();
        }}
      >
        <MediaPicker
          type={type}
          channel={channel}
          value={file}
          onChange={setFile}
          upload={upload}
          error={shown(wrong.file)}
        />
        {named && (
          <TextInput
            label="Document name"
            required
            maxLength={MAX_DOCUMENT_NAME + 10}
            value={name}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={shown(wrong.name)}
          />
        )}
        {captioned && (
          <Textarea
            label="Message"
            autosize
            minRows={2}
            maxRows={6}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={text.length > max_text ? wrong.text : shown(wrong.text)}
            description={`${text.length}/${max_text}`}
          />
        )}
        {offersButton && (
          <Switch
            label={max_buttons > 1 ? 'Buttons' : 'Button'}
            aria-label={max_buttons > 1 ? 'Buttons' : 'Button'}
            checked={withButton}
            onChange={(event) => setWithButton(event.currentTarget.checked)}
            error={pressed ? null : shown(about('button'))}
          />
        )}
        {pressed && (
          <ReplyButtons
            channel={channel}
            buttons={buttons}
            onChange={setButtons}
            errorOf={(field) => shown(about(field))}
          />
        )}
        {pressed && promotes(channel) && <p className={styles.hint}>{promotes(channel)}</p>}
        <div className={styles.feet}>
          <Button type="submit">Send</Button>
        </div>
      </form>
    </Modal>
  );
}
