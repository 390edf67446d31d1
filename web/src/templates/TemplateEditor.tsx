/** A template being written: form left, phone right. One editor for every channel; what a channel has more or less of is in its own fields. */
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Template } from '@parley/contract/templates/templates.ts';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { MessagePreview } from '../channels/preview/MessagePreview.tsx';
import { FilePlace } from '../channels/preview/PreviewFile.tsx';
import { useUpload } from '../media/useUpload.ts';
import { LIBRARY, linkTo } from '../paths.ts';
import { ButtonFields } from './ButtonFields.tsx';
import { type FormDraft, isAlone, isOneTime, previewOf, sampledNames } from './draft.ts';
import styles from './Library.module.css';
import { FileFields, TextField, TypeField } from './MessageFields.tsx';
import { SampleFields } from './SampleFields.tsx';
import { focusField, type TemplateForm, useTemplateForm } from './useTemplateForm.ts';
import { WhatsAppFields, WhatsAppLines } from './WhatsAppFields.tsx';
import { CHANNEL_TABS, CHANNEL_WORDS } from './words.ts';

export interface TemplateEditorProps {
  initial: FormDraft;
  /** Null: a new one. */
  template: Template | null;
  onSaved: (template: Template) => void;
}

export function TemplateEditor({ initial, template, onSaved }: TemplateEditorProps) {
  const form = useTemplateForm(initial, template, onSaved);
  const { draft, change, errorOf } = form;
  const { channel } = draft;
  const whatsapp = channel === 'WHATSAPP';
  const one_time = isOneTime(draft);
  const type = channel === 'SMS' || one_time ? 'text' : draft.type;
  const upload = useUpload({
    type: type === 'text' ? 'image' : type,
    channel,
    directory: 'templates',
    onReady: (media) => change({ attachment: { source: 'file', media, url: '' } }),
  });
  const uploading = ['slot', 'uploading'].includes(upload.state.status);
  const kept = template !== null && whatsapp && template.external_id !== null;
  const filled = useMemo(() => previewOf(draft), [draft]);
  const { media, url, source } = draft.attachment;

  const choose = (next: ChannelName) => {
    upload.cancel();
    change({ channel: next, attachment: { source, media: null, url } });
  };
  return (
    <form className={styles.editor} aria-label="Template" onSubmit={form.onSubmit} onBlur={form.onBlur} noValidate>
      <div className={styles.fields}>
        {template === null && (
          <div className={styles.field}>
            <span className={styles.label} id="template-channel">
              Channel
            </span>
            <SegmentedControl
              aria-labelledby="template-channel"
              value={channel}
              onChange={(next) => choose(next as ChannelName)}
              data={CHANNEL_TABS.map((value) => ({ value, label: CHANNEL_WORDS[value] }))}
            />
          </div>
        )}
        <div data-field="name">
          <TextInput
            label="Template name"
            description={
              whatsapp
                ? kept
                  ? 'WhatsApp keeps the name a template was sent with.'
                  : 'Lowercase letters, numbers, and (_). People never see it.'
                : 'For you and your colleagues; people never see it.'
            }
            required
            disabled={kept}
            value={draft.name}
            error={errorOf('name')}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
        </div>
        {whatsapp && <WhatsAppFields form={form} kept={kept} onCategory={(wa_category) => change({ wa_category })} />}
        {channel !== 'SMS' && !one_time && (
          <TypeField
            form={form}
            onType={(next) => {
              upload.cancel();
              change({ type: next, attachment: { ...draft.attachment, media: null, url: '' } });
            }}
          />
        )}
        {type !== 'text' && <FileFields form={form} type={type} upload={upload} />}
        {whatsapp && !one_time && type === 'text' && <WhatsAppLines form={form} line="header" />}
        {!isAlone(draft) && <TextField form={form} />}
        {whatsapp && !one_time && <WhatsAppLines form={form} line="footer" />}
        {channel !== 'SMS' && !one_time && !isAlone(draft) && <ButtonFields form={form} />}
        {whatsapp && sampledNames(draft).length > 0 && <SampleFields form={form} />}
        <div className={styles.end}>
          {(form.begun || form.tried) && <Missing form={form} />}
          <div className={styles.buttons}>
            <Button type="submit" loading={form.sending} disabled={uploading}>
              {uploading ? 'The file is being uploaded' : channel === 'SMS' ? 'Save template' : 'Send for review'}
            </Button>
            <Button variant="default" component={Link} {...linkTo(LIBRARY, template ? { open: template.id } : {})}>
              Cancel
            </Button>
          </div>
          {channel !== 'SMS' && (
            <p className={styles.hint}>
              {whatsapp
                ? 'WhatsApp looks at it before it can be sent. You are told by mail and here.'
                : 'We look at it before it can be sent. You are told by mail and here.'}
            </p>
          )}
        </div>
      </div>
      <aside className={styles.phone} aria-label="Preview">
        <MessagePreview
          channel={channel}
          sender={senderShown(draft)}
          text={filled.text}
          content={filled.content}
          {...(type === 'text'
            ? {}
            : {
                media: (
                  <FilePlace
                    type={type}
                    name={
                      type === 'document'
                        ? draft.filename || (media?.file_name ?? '')
                        : source === 'link'
                          ? hostOf(url)
                          : ''
                    }
                    picture={
                      source === 'file'
                        ? (media?.thumbnail_url ?? (type === 'image' ? (media?.get_url ?? null) : null))
                        : null
                    }
                  />
                ),
              })}
        />
      </aside>
    </form>
  );
}

/** What is in the way, each a way to its field. */
function Missing({ form }: { form: TemplateForm }) {
  if (form.findings.length === 0) return null;
  return (
    <section className={styles.missing} aria-label="Before it can be saved">
      <p className={styles.label}>Before it can be saved</p>
      <ul>
        {form.findings.map(({ field, message }) => (
          <li key={field}>
            <button type="button" className={styles.way} onClick={() => focusField(field)}>
              {message}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const senderShown = ({ channel, wa_sender_code }: FormDraft): string =>
  channel === 'WHATSAPP' && wa_sender_code ? `+${wa_sender_code}` : 'Your company';

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');
