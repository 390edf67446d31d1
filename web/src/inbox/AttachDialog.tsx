/** "Attach Image", "Attach Video", "Attach Document": the file or a link to it, what stands below it, and a button where the channel has one. */
import { Button, Modal, Switch, Textarea, TextInput } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { Conversation } from '@parley/contract/inbox.ts';
import { readMessage } from '@parley/contract/message_rules.ts';
import { fileNameFindings, MAX_DOCUMENT_NAME } from '@parley/contract/template_rules.ts';
import { useState } from 'react';
import { attachmentFields, attachmentProblem, NO_ATTACHMENT } from '../media/attachment.ts';
import { MediaPicker } from '../media/MediaPicker.tsx';
import { useUpload } from '../media/useUpload.ts';
import styles from './Dialogs.module.css';
import { useReturnToOpener } from './opener.ts';
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
  const [button, setButton] = useState({ text: '', value: '' });
  const [tried, setTried] = useState(false);

  // A document carries nothing but itself.
  const captioned = type !== 'document';
  const offersButton = captioned && channel === 'VIBER';
  const pressed = offersButton && withButton;
  const named = type === 'document';
  const name = typed ?? nameOf(file.media?.file_name ?? '');
  const body = {
    type,
    text: captioned ? text.trim() : '',
    ...attachmentFields(file),
    ...(named ? { file_name: name.trim() } : {}),
    ...(pressed ? { button: { type: 'link', text: button.text.trim(), value: button.value.trim() } } : {}),
  };
  // The same reading as at the gate, so that nothing is refused after the dialog has closed; of the file the picker's own words are said.
  const { findings } = readMessage(channel, body);
  const about = (field: string) => findings.find((one) => one.field === field)?.message ?? null;
  const wrong = {
    file: attachmentProblem(file, type, channel),
    name: named ? (fileNameFindings(name)[0]?.message ?? null) : null,
    text: text.length > max_text ? `Message can have at most ${max_text} characters` : about('text'),
    button: about('button'),
    button_text: about('buttons.0.text'),
    button_value: about('buttons.0.value'),
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
            label="Button"
            aria-label="Button"
            checked={withButton}
            onChange={(event) => setWithButton(event.currentTarget.checked)}
            error={shown(wrong.button)}
          />
        )}
        {pressed && (
          <div className={styles.pair}>
            <TextInput
              label="Button text"
              required
              value={button.text}
              onChange={(event) => setButton({ ...button, text: event.currentTarget.value })}
              error={shown(wrong.button_text)}
            />
            <TextInput
              label="Button action URL"
              required
              type="url"
              value={button.value}
              onChange={(event) => setButton({ ...button, value: event.currentTarget.value })}
              error={shown(wrong.button_value)}
            />
          </div>
        )}
        <div className={styles.feet}>
          <Button type="submit">Send</Button>
        </div>
      </form>
    </Modal>
  );
}
