/**
 * The page for editing a template. Each channel has its own path; the page redirects to the path for the template's
 * channel.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import { Navigate, useLocation, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { MessagePreview } from '../channels/preview/MessagePreview.tsx';
import { editTemplatePath, LIBRARY } from '../paths.ts';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { type FormDraft, previewSender, previewTemplate } from './draft.ts';
import { type LoadedTemplate, LoadTemplate } from './LoadTemplate.tsx';
import { ReviewNotice } from './ReviewNotice.tsx';
import { TemplateEditor } from './TemplateEditor.tsx';
import styles from './Templates.module.css';
import { UsedIn } from './UsedIn.tsx';
import { useSavedTemplate } from './useSavedTemplate.ts';
import { statusBadge } from './words.ts';

export default function EditTemplatePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  return (
    <LoadTemplate key={id} id={id}>
      {(template, initial) => (
        // When a review ends, the form restarts with the current values.
        <Edit key={`${template.status === 'IN_PROCESS'}`} template={template} initial={initial} />
      )}
    </LoadTemplate>
  );
}

function Edit({ template, initial }: { template: LoadedTemplate; initial: FormDraft }) {
  const { pathname } = useLocation();
  const onSaved = useSavedTemplate();
  // The values from when the page was opened, so that live updates do not overwrite the user's input.
  const [start] = useState({ template, initial });
  const path = editTemplatePath(template);
  // While the user is leaving the page, the location is already that of the next page.
  const isHere = pathname.startsWith(`${LIBRARY}/`) && pathname.endsWith(template.id);
  if (isHere && pathname !== path) return <Navigate to={path} replace />;
  const { review } = channelRules(template.channel).templates;
  return (
    <>
      <PageHeader
        title={`Edit ${template.name}`}
        description={
          review === 'none'
            ? 'Changes apply to new messages immediately.'
            : 'Changes are reviewed before the template can be sent again.'
        }
        badge={<StatusBadge {...statusBadge(template)} />}
      />
      <div className={styles.notices}>
        <ReviewNotice template={template} />
        <UsedIn template={template} />
      </div>
      {template.status === 'IN_PROCESS' ? (
        <Preview template={template} />
      ) : (
        <TemplateEditor initial={start.initial} template={start.template} onSaved={onSaved} />
      )}
    </>
  );
}

function Preview({ template }: { template: LoadedTemplate }) {
  const { text, content } = previewTemplate(template);
  return (
    <MessagePreview
      channel={template.channel}
      sender={previewSender(template.wa_sender_code)}
      text={text}
      content={content}
    />
  );
}
