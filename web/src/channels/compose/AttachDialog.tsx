/** "Attach Image", "Attach Video", "Attach Document": a file or a link, with a caption and buttons if allowed. */
import { Button, Modal, Switch, Textarea, TextInput } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import { readMessage } from '@parley/contract/messages/rules.ts';
import { MAX_DOCUMENT_NAME } from '@parley/contract/templates/draft.ts';
import { fileNameFindings } from '@parley/contract/templates/fields.ts';
import { textLength } from '@parley/contract/text_length.ts';
import { useState } from 'react';
import { attachmentFields, attachmentProblem, NO_ATTACHMENT } from '../../media/attachment.ts';
import { MediaPicker } from '../../media/MediaPicker.tsx';
import { useUpload } from '../../media/useUpload.ts';
import { useReturnToOpener } from '../../ui/feedback/opener.ts';
import type { FieldError } from '../field_errors.ts';
import { buttonNotice } from './button_notice.ts';
import styles from './Dialogs.module.css';
import { firstButtons, ReplyButtons, trimButtons } from './ReplyButtons.tsx';
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

export default function AttachDialog({ type, conversation, onSend, onClose }: Props) {
  useReturnToOpener();
  const { channel } = conversation;
  const attachment = useAttachment(type, channel);
  const { body, problems } = attachment;
  const [isTried, setTried] = useState(false);
  const ifTried = (problem: string | null) => (isTried ? problem : null);
  const submit = () => {
    setTried(true);
    if (Object.values(problems).some((problem) => problem !== null)) return;
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
          value={attachment.file}
          onChange={attachment.setFile}
          upload={attachment.upload}
          error={ifTried(problems.file)}
        />
        {attachment.isNamed ? (
          <TextInput
            label="Document name"
            required
            maxLength={MAX_DOCUMENT_NAME + 10}
            value={attachment.name}
            onChange={(event) => attachment.setName(event.currentTarget.value)}
            error={ifTried(problems.name)}
          />
        ) : (
          <Textarea
            label="Message"
            autosize
            minRows={2}
            maxRows={6}
            value={attachment.text}
            onChange={(event) => attachment.setText(event.currentTarget.value)}
            error={attachment.isTooLong ? problems.text : ifTried(problems.text)}
            description={`${textLength(attachment.text)}/${attachment.max_text}`}
          />
        )}
        <ButtonFields channel={channel} attachment={attachment} ifTried={ifTried} />
        <div className={styles.feet}>
          <Button type="submit">Send</Button>
        </div>
      </form>
    </Modal>
  );
}

interface ButtonFieldsProps {
  channel: ChannelName;
  attachment: Attachment;
  ifTried: (problem: string | null) => string | null;
}

function ButtonFields({ channel, attachment, ifTried }: ButtonFieldsProps) {
  const { canHaveButtons, hasButtons, findProblem } = attachment;
  const { max_buttons } = channelRules(channel);
  if (!canHaveButtons) return null;
  const label = max_buttons > 1 ? 'Buttons' : 'Button';
  const notice = buttonNotice(channel);
  return (
    <>
      <Switch
        label={label}
        aria-label={label}
        checked={hasButtons}
        onChange={(event) => attachment.setHasButtons(event.currentTarget.checked)}
        error={hasButtons ? null : ifTried(findProblem('button'))}
      />
      {hasButtons && (
        <ReplyButtons
          channel={channel}
          buttons={attachment.buttons}
          onChange={attachment.setButtons}
          fieldError={(field) => ifTried(findProblem(field))}
        />
      )}
      {hasButtons && notice && <p className={styles.hint}>{notice}</p>}
    </>
  );
}

type Attachment = ReturnType<typeof useAttachment>;

/** The dialog's values, the message they produce, and its problems. */
function useAttachment(type: Attachable, channel: ChannelName) {
  const { max_text, max_buttons } = channelRules(channel);
  const [file, setFile] = useState(NO_ATTACHMENT);
  const upload = useUpload({ type, channel, onReady: (media) => setFile((value) => ({ ...value, media })) });
  const [text, setText] = useState('');
  const [ownName, setName] = useState<string | null>(null);
  const [withButtons, setHasButtons] = useState(false);
  const [buttons, setButtons] = useState(() => firstButtons(channel));
  // A document has a name, and neither text nor buttons.
  const isNamed = type === 'document';
  const canHaveButtons = !isNamed && max_buttons > 0;
  const hasButtons = canHaveButtons && withButtons;
  const name = ownName ?? toDocumentName(file.media?.file_name ?? '');
  const body = {
    type,
    text: isNamed ? '' : text.trim(),
    ...attachmentFields(file),
    ...(isNamed ? { file_name: name.trim() } : {}),
    ...(hasButtons ? { buttons: trimButtons(buttons) } : {}),
  };
  // The API applies the same rules, so it will accept the message after the dialog has closed. File problems have their
  // own texts.
  const { findings } = readMessage(channel, body);
  const findProblem: FieldError = (field) => findings.find((finding) => finding.field === field)?.message ?? null;
  const isTooLong = textLength(text) > max_text;
  const problems = {
    file: attachmentProblem(file, type, channel),
    name: isNamed ? (fileNameFindings(name)[0]?.message ?? null) : null,
    text: isTooLong ? `Message can have at most ${max_text} characters` : findProblem('text'),
    buttons: findings.find(({ field }) => field.startsWith('button'))?.message ?? null,
  };
  return {
    ...{ file, setFile, upload, text, setText, name, setName, buttons, setButtons, hasButtons, setHasButtons },
    ...{ isNamed, canHaveButtons, isTooLong, max_text, body, problems, findProblem },
  };
}

/** Derives a valid document name from the file's name. */
export const toDocumentName = (file_name: string): string =>
  file_name
    .replace(/\.[^.]*$/, '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/\W+/g, '_')
    .slice(0, MAX_DOCUMENT_NAME)
    .replace(/^_+|_+$/g, '');
