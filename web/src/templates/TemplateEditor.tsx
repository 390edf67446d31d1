/** A template's form and preview. The channel's rules determine which fields the form has. */
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { ALL_CHANNELS, channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Template } from '@parley/contract/templates/templates.ts';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { MessagePreview } from '../channels/preview/MessagePreview.tsx';
import { FilePlaceholder } from '../channels/preview/PreviewFile.tsx';
import { useUpload } from '../media/useUpload.ts';
import { LIBRARY } from '../paths.ts';
import { ErrorSummary } from '../ui/form/ErrorSummary.tsx';
import { SaveBar } from '../ui/form/SaveBar.tsx';
import { ButtonFields } from './ButtonFields.tsx';
import {
  draftType,
  type FormDraft,
  fixedText,
  hasButtons,
  hasFooter,
  hasHeader,
  isFileOnly,
  previewDraft,
  previewSender,
  toTemplateDraft,
} from './draft.ts';
import { FileFields, TextField, TypeField } from './MessageFields.tsx';
import { LineField, ReviewFields } from './ReviewFields.tsx';
import { SampleFields } from './SampleFields.tsx';
import styles from './Templates.module.css';
import { type TemplateForm, useTemplateForm } from './useTemplateForm.ts';

interface TemplateEditorProps {
  initial: FormDraft;
  /** Null for a new template. */
  template: Template | null;
  onSaved: (template: Template) => void;
}

export function TemplateEditor({ initial, template, onSaved }: TemplateEditorProps) {
  const form = useTemplateForm(initial, template, onSaved);
  const { draft, change } = form;
  const type = draftType(draft);
  const upload = useUpload({
    type: type === 'text' ? 'image' : type,
    channel: draft.channel,
    directory: 'templates',
    onReady: (media) => change({ attachment: { source: 'file', media, url: '' } }),
  });
  const isUploading = ['slot', 'uploading'].includes(upload.state.status);
  const { types, templates } = channelRules(draft.channel);
  const isSubmitted = templates.review === 'carrier' && template !== null && template.external_id !== null;
  /** Removes the file, because the new channel or type may not accept it. */
  const changeKind = (part: Partial<FormDraft>, url: string) => {
    upload.cancel();
    change({ ...part, attachment: { ...draft.attachment, media: null, url } });
  };
  return (
    <form className={styles.editor} aria-label="Template" onSubmit={form.onSubmit} onBlur={form.onBlur} noValidate>
      <div className={styles.fields}>
        <ErrorSummary issues={form.issues} isFixed={form.isFixed} />
        {template === null && (
          <ChannelField
            channel={draft.channel}
            onChannel={(channel) => changeKind({ channel }, draft.attachment.url)}
          />
        )}
        <NameField form={form} isSubmitted={isSubmitted} />
        <ReviewFields form={form} isSubmitted={isSubmitted} />
        {types.length > 1 && fixedText(draft) === null && (
          <TypeField form={form} onType={(next) => changeKind({ type: next }, '')} />
        )}
        {type !== 'text' && <FileFields form={form} type={type} upload={upload} />}
        {hasHeader(draft) && <LineField form={form} line="header" />}
        {!isFileOnly(draft) && <TextField form={form} />}
        {hasFooter(draft) && <LineField form={form} line="footer" />}
        {hasButtons(draft) && <ButtonFields form={form} />}
        <SampleFields form={form} />
        <EditorFooter form={form} template={template} isUploading={isUploading} />
      </div>
      <aside className={styles.phone} aria-label="Preview">
        <DraftPreview draft={draft} />
      </aside>
    </form>
  );
}

function ChannelField({ channel, onChannel }: { channel: ChannelName; onChannel: (channel: ChannelName) => void }) {
  return (
    <div className={styles.field}>
      <span className={styles.label} id="template-channel">
        Channel
      </span>
      <SegmentedControl
        aria-labelledby="template-channel"
        value={channel}
        onChange={(next) => onChannel(next as ChannelName)}
        data={ALL_CHANNELS.map(({ name, label }) => ({ value: name, label }))}
      />
    </div>
  );
}

function NameField({ form, isSubmitted }: { form: TemplateForm; isSubmitted: boolean }) {
  const { draft, change, fieldError } = form;
  const { label, templates } = channelRules(draft.channel);
  const hint = templates.name
    ? `${templates.name.rule}. Recipients never see it.`
    : 'For you and your team. Recipients never see it.';
  return (
    <div data-field="name">
      <TextInput
        label="Template name"
        description={isSubmitted ? `${label} does not allow renaming a template.` : hint}
        required
        disabled={isSubmitted}
        value={draft.name}
        error={fieldError('name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
    </div>
  );
}

interface EditorFooterProps {
  form: TemplateForm;
  template: Template | null;
  isUploading: boolean;
}

function EditorFooter({ form, template, isUploading }: EditorFooterProps) {
  const { label, templates } = channelRules(form.draft.channel);
  const isReviewed = templates.review !== 'none';
  const action = isReviewed ? 'Send for review' : 'Save template';
  const review = isReviewed && (
    <p className={styles.hint}>
      {templates.review === 'carrier' ? `${label} reviews` : 'We review'} the template before it can be sent. You will
      get the result by email and here.
    </p>
  );
  if (template)
    return (
      <>
        {review}
        <SaveBar
          isDirty={form.isChanged}
          sending={form.sending}
          problem={null}
          onDiscard={form.onDiscard}
          save={action}
          reason={isUploading ? 'Uploading the file' : null}
        />
      </>
    );
  return (
    <div className={styles.end}>
      <div className={styles.buttons}>
        <Button type="submit" loading={form.sending} disabled={isUploading}>
          {isUploading ? 'Uploading the file' : action}
        </Button>
        <Button variant="default" component={Link} to={LIBRARY}>
          Cancel
        </Button>
      </div>
      {review}
    </div>
  );
}

function DraftPreview({ draft }: { draft: FormDraft }) {
  const { text, content } = useMemo(() => previewDraft(draft), [draft]);
  const isText = draftType(draft) === 'text';
  return (
    <MessagePreview
      channel={draft.channel}
      sender={previewSender(toTemplateDraft(draft).wa_sender_code)}
      text={text}
      content={content}
      {...(isText ? {} : { media: <DraftFile draft={draft} /> })}
    />
  );
}

function DraftFile({ draft }: { draft: FormDraft }) {
  const { media, url, source } = draft.attachment;
  const type = draftType(draft);
  if (type === 'text') return null;
  const host = source === 'link' && URL.canParse(url) ? new URL(url).host : '';
  const picture = source === 'file' ? (media?.thumbnail_url ?? (type === 'image' ? media?.get_url : null)) : null;
  return (
    <FilePlaceholder
      type={type}
      name={type === 'document' ? draft.filename || (media?.file_name ?? '') : host}
      picture={picture ?? null}
    />
  );
}
