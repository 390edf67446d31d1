/** A message without a template: its type, text, file, and buttons. */
import { SegmentedControl, Switch, TextInput } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { MessageType } from '@parley/contract/messages/content.ts';
import { MAX_DOCUMENT_NAME } from '@parley/contract/templates/draft.ts';
import { textLength } from '@parley/contract/text_length.ts';
import { fieldVariables, useContactFields } from '../../../audiences/people/contact_fields.ts';
import { firstButtons, ReplyButtons } from '../../../channels/compose/ReplyButtons.tsx';
import { NO_ATTACHMENT } from '../../../media/attachment.ts';
import { Composer } from '../../../ui/message/Composer.tsx';
import { VARIABLES } from '../../labels.ts';
import type { StepProps } from '../step.ts';
import styles from '../Wizard.module.css';
import { contentFindings } from './content.ts';
import type { ContentDraft } from './content_draft.ts';
import { FileField } from './FileField.tsx';

const TYPE_LABELS: Readonly<Record<MessageType, string>> = {
  text: 'Text',
  image: 'Image',
  video: 'Video',
  document: 'Document',
};

interface Props extends StepProps {
  setContent: (part: Partial<ContentDraft>) => void;
}

export function OwnFields({ channel, draft, change, errors, setContent }: Props) {
  const fields = useContactFields();
  const { types, max_text, max_buttons } = channelRules(channel);
  const { type, buttons, file_name } = draft.content;
  // Shown once the user has tried to continue.
  const findings = errors.fieldError('content') === undefined ? [] : contentFindings(channel, draft);
  const findError = (field: string) => findings.find((finding) => finding.field === field)?.message ?? null;
  const isNamed = type === 'document';
  return (
    <>
      <SegmentedControl
        aria-label="Type"
        data-path="content"
        value={type}
        data={types.map((value) => ({ value, label: TYPE_LABELS[value] }))}
        onChange={(next) => setContent({ type: next as MessageType, attachment: NO_ATTACHMENT })}
      />
      {type !== 'text' && (
        <FileField
          key={type}
          type={type}
          channel={channel}
          value={draft.content.attachment}
          onChange={(attachment) => setContent({ attachment })}
          error={findError('media_id')}
        />
      )}
      {isNamed ? (
        <TextInput
          label="Document name"
          required
          maxLength={MAX_DOCUMENT_NAME + 10}
          value={file_name}
          error={findError('file_name') ?? findError('filename')}
          onChange={(event) => setContent({ file_name: event.currentTarget.value })}
        />
      ) : (
        <Composer
          label="Text"
          value={draft.text}
          name="text"
          error={errors.fieldError('text') ?? findError('text') ?? undefined}
          onChange={(text) => change({ text })}
          counter={`${textLength(draft.text)}/${max_text}`}
          variables={[...VARIABLES, ...fieldVariables(fields)]}
          placeholder="Hello {first_name:there}, ..."
          minRows={5}
        />
      )}
      {!isNamed && max_buttons > 0 && (
        <Switch
          label="Button"
          checked={buttons.length > 0}
          error={buttons.length === 0 ? findError('button') : null}
          onChange={(event) => setContent({ buttons: event.currentTarget.checked ? firstButtons(channel) : [] })}
        />
      )}
      {!isNamed && buttons.length > 0 && (
        <ReplyButtons
          channel={channel}
          buttons={buttons}
          onChange={(next) => setContent({ buttons: next })}
          fieldError={findError}
        />
      )}
      {['purpose', 'template', 'type']
        .flatMap((field) => findError(field) ?? [])
        .map((message) => (
          <p key={message} className={styles.wrong} role="alert">
            {message}
          </p>
        ))}
    </>
  );
}
