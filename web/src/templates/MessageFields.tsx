/** The message itself: its kind, its file, its text. */
import { SegmentedControl, Switch, Textarea, TextInput } from '@mantine/core';
import { AUTHENTICATION_TEXT } from '@parley/contract/channels/whatsapp/authentication.ts';
import type { MediaType } from '@parley/contract/media/rules.ts';
import type { MessageType } from '@parley/contract/messages/content.ts';
import { MAX_DOCUMENT_NAME, MAX_TEMPLATE_TEXT } from '@parley/contract/templates/draft.ts';
import { isKnownTag } from '@parley/contract/templates/placeholders.ts';
import { SmsComposer } from '../channels/sms/SmsComposer.tsx';
import { MediaPicker } from '../media/MediaPicker.tsx';
import type { Upload } from '../media/useUpload.ts';
import { Composer } from '../ui/message/Composer.tsx';
import { endsWithOptOut, isOneTime, placesOf, previewOf, withOptOut } from './draft.ts';
import styles from './Library.module.css';
import type { TemplateForm } from './useTemplateForm.ts';
import { OPT_OUT_TAG, TAG_WORDS, TYPE_WORDS } from './words.ts';

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
        data={Object.entries(TYPE_WORDS).map(([value, label]) => ({ value, label }))}
      />
    </div>
  );
}

export function FileFields({ form, type, upload }: FieldProps & { type: MediaType; upload: Upload }) {
  const { draft, change, errorOf } = form;
  const rule = { image: 'Image', video: 'Video', document: 'Document' }[type];
  return (
    <>
      <div className={styles.field} data-field="attachment">
        <span className={styles.label}>{rule}</span>
        <MediaPicker
          type={type}
          channel={draft.channel}
          value={draft.attachment}
          onChange={(attachment) => change({ attachment })}
          upload={upload}
          error={errorOf('attachment')}
        />
      </div>
      {type === 'document' && (
        <div data-field="filename">
          <TextInput
            label="Document name"
            description={`What people see: letters, numbers, and (_), at most ${MAX_DOCUMENT_NAME} characters.`}
            required
            value={draft.filename}
            error={errorOf('filename')}
            onChange={(event) => change({ filename: event.currentTarget.value })}
          />
        </div>
      )}
    </>
  );
}

/** The counter counts the text as it is written: tags at the length of their places, the opt-out footer with the rest. */
export function TextField({ form }: FieldProps) {
  const { draft, change, errorOf } = form;
  const { channel, text } = draft;
  const over = text.length > MAX_TEMPLATE_TEXT;
  const error = errorOf('text');
  const onChange = (next: string) => change({ text: next });
  if (channel === 'SMS')
    return (
      <div className={styles.field} data-field="text">
        <SmsComposer
          label="Message"
          value={text}
          read={previewOf(draft).text}
          onChange={onChange}
          max={MAX_TEMPLATE_TEXT}
          variables={[...TAG_WORDS, OPT_OUT_TAG]}
          placeholder="Hello {first_name:there}, ..."
          minRows={6}
          error={error}
        />
        <Switch
          label="Opt-out footer"
          description="Ends the message with the line that tells people how to stop it. It counts like the rest."
          checked={endsWithOptOut(text)}
          onChange={(event) => onChange(withOptOut(text, event.currentTarget.checked))}
        />
      </div>
    );
  if (isOneTime(draft))
    return (
      <div className={styles.field} data-field="text">
        <Textarea
          label="Message"
          description="WhatsApp writes it itself, in the language of the template. {code} is what you give with each message."
          value={AUTHENTICATION_TEXT}
          readOnly
          autosize
          error={error}
        />
      </div>
    );
  const own = [...new Set(placesOf(draft).map(({ name }) => name))].filter((name) => !isKnownTag(name));
  const others = own.filter((name) => !TAG_WORDS.some(({ key }) => key === name));
  return (
    <div className={styles.field} data-field="text">
      <Composer
        label="Message"
        value={text}
        onChange={onChange}
        variables={[...TAG_WORDS, ...others.map((name) => ({ key: name, label: name }))]}
        placeholder="Hello {first_name:there}, ..."
        minRows={6}
        counter={
          <span className={styles.counter} data-over={over || undefined}>
            {text.length}/{MAX_TEMPLATE_TEXT}
          </span>
        }
        error={error}
        notice={
          others.length > 0 && (
            <p className={styles.hint}>
              {others.map((name) => `{${name}}`).join(', ')}: a place of your own. Its value is given with each message,
              or by its fallback.
            </p>
          )
        }
      />
    </div>
  );
}
