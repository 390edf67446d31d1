/** A template's message: its type, file, and text. */
import { SegmentedControl, Switch, Textarea, TextInput } from '@mantine/core';
import type { ContactField } from '@parley/contract/audiences/contact_fields.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { MediaType } from '@parley/contract/media/types.ts';
import type { MessageType } from '@parley/contract/messages/content.ts';
import { MAX_DOCUMENT_NAME, MAX_TEMPLATE_TEXT } from '@parley/contract/templates/draft.ts';
import { isKnownTag } from '@parley/contract/templates/placeholders.ts';
import { textLength } from '@parley/contract/text_length.ts';
import { fieldVariables, useContactFields } from '../audiences/people/contact_fields.ts';
import { SmsComposer } from '../channels/sms/SmsComposer.tsx';
import { MediaPicker } from '../media/MediaPicker.tsx';
import type { Upload } from '../media/useUpload.ts';
import { Composer } from '../ui/message/Composer.tsx';
import { draftPlaceholders, endsWithOptOut, fixedText, previewDraft, withOptOut } from './draft.ts';
import styles from './Templates.module.css';
import type { TemplateForm } from './useTemplateForm.ts';
import { LINK_TAG, OPT_OUT_TAG, TAGS, TYPE_LABELS } from './words.ts';

interface FieldProps {
  form: TemplateForm;
}

export function TypeField({ form, onType }: FieldProps & { onType: (type: MessageType) => void }) {
  return (
    <div className={styles.field} data-field="type">
      <span className={styles.label} id="template-type">
        Message type
      </span>
      <SegmentedControl
        aria-labelledby="template-type"
        value={form.draft.type}
        onChange={(next) => onType(next as MessageType)}
        data={channelRules(form.draft.channel).types.map((value) => ({ value, label: TYPE_LABELS[value] }))}
      />
    </div>
  );
}

export function FileFields({ form, type, upload }: FieldProps & { type: MediaType; upload: Upload }) {
  const { draft, change, fieldError } = form;
  return (
    <>
      <div className={styles.field} data-field="attachment">
        <span className={styles.label}>{TYPE_LABELS[type]}</span>
        <MediaPicker
          type={type}
          channel={draft.channel}
          value={draft.attachment}
          onChange={(attachment) => change({ attachment })}
          upload={upload}
          error={fieldError('attachment')}
        />
      </div>
      {type === 'document' && (
        <div data-field="filename">
          <TextInput
            label="Document name"
            description={`Shown to recipients. Letters, numbers, and (_), at most ${MAX_DOCUMENT_NAME} characters.`}
            required
            value={draft.filename}
            error={fieldError('filename')}
            onChange={(event) => change({ filename: event.currentTarget.value })}
          />
        </div>
      )}
    </>
  );
}

/** The counters count the text as written, including its placeholders and the opt-out footer. */
export function TextField({ form }: FieldProps) {
  const { draft } = form;
  const fixed = fixedText(draft);
  const { counts, label } = channelRules(draft.channel);
  return (
    <div className={styles.field} data-field="text">
      {fixed !== null ? (
        <Textarea
          label="Message"
          description={`${label} provides this text in the template’s language. You supply {code} with each message.`}
          value={fixed}
          readOnly
          autosize
          error={form.fieldError('text')}
        />
      ) : counts === 'segments' ? (
        <SegmentedText form={form} />
      ) : (
        <PlainText form={form} />
      )}
    </div>
  );
}

const PLACEHOLDER = 'Hello {first_name:there}, ...';

/** The names of placeholders that no contact has. */
function ownPlaceholders(draft: FieldProps['form']['draft'], contactFields: readonly ContactField[]): string[] {
  const fields = contactFields.map(({ key }) => key);
  const names = [...new Set(draftPlaceholders(draft).map(({ name }) => name))];
  return names.filter((name) => !isKnownTag(name, fields) && !TAGS.some(({ key }) => key === name));
}

const OwnPlaceholders = ({ names }: { names: readonly string[] }) =>
  names.length > 0 && (
    <p className={styles.hint}>
      {names.map((name) => `{${name}}`).join(', ')}: your own placeholders. Supply their values with each message;
      otherwise, their defaults are used.
    </p>
  );

function SegmentedText({ form }: FieldProps) {
  const { draft, change, fieldError } = form;
  const { text } = draft;
  const fields = useContactFields();
  return (
    <>
      <SmsComposer
        label="Message"
        value={text}
        filled={previewDraft(draft).text}
        onChange={(next) => change({ text: next })}
        max={MAX_TEMPLATE_TEXT}
        variables={[...TAGS, ...fieldVariables(fields), OPT_OUT_TAG, LINK_TAG]}
        placeholder={PLACEHOLDER}
        minRows={6}
        error={fieldError('text')}
      />
      <OwnPlaceholders names={ownPlaceholders(draft, fields)} />
      <Switch
        label="Opt-out footer"
        description="Adds a last line that tells recipients how to opt out. It counts toward the length."
        checked={endsWithOptOut(text)}
        onChange={(event) => change({ text: withOptOut(text, event.currentTarget.checked) })}
      />
    </>
  );
}

function PlainText({ form }: FieldProps) {
  const { draft, change, fieldError } = form;
  const { text } = draft;
  const fields = useContactFields();
  const ownNames = ownPlaceholders(draft, fields);
  return (
    <Composer
      label="Message"
      value={text}
      onChange={(next) => change({ text: next })}
      variables={[...TAGS, ...fieldVariables(fields), ...ownNames.map((name) => ({ key: name, label: name }))]}
      placeholder={PLACEHOLDER}
      minRows={6}
      counter={
        <span className={styles.counter} data-over={textLength(text) > MAX_TEMPLATE_TEXT || undefined}>
          {textLength(text)}/{MAX_TEMPLATE_TEXT}
        </span>
      }
      error={fieldError('text')}
      notice={<OwnPlaceholders names={ownNames} />}
    />
  );
}
