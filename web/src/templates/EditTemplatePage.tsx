/** For each channel under an address of its own; whichever is opened, the template's own channel decides. */
import { Navigate, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { MessagePreview } from '../channels/preview/MessagePreview.tsx';
import { editTemplatePath, LIBRARY, linkTo } from '../paths.ts';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { type FormDraft, shownOf } from './draft.ts';
import styles from './Library.module.css';
import { Loaded, type LoadedTemplate } from './Loaded.tsx';
import { ReviewWords } from './ReviewWords.tsx';
import { TemplateEditor } from './TemplateEditor.tsx';
import { UsedIn } from './UsedIn.tsx';
import { lookOf } from './words.ts';

export default function EditTemplatePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  return (
    <>
      <Back to={LIBRARY}>Messages</Back>
      <Loaded key={id} id={id}>
        {(template, initial) => (
          // Once it has been decided the form begins with what stands now.
          <Edit key={`${template.status === 'IN_PROCESS'}`} template={template} initial={initial} />
        )}
      </Loaded>
    </>
  );
}

function Edit({ template, initial }: { template: LoadedTemplate; initial: FormDraft }) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  // As it stood when the page was opened: news about it do not write over what is being written.
  const [begun] = useState({ template, initial });
  const path = editTemplatePath(template);
  // The address is that of the next page already while this one is being left.
  const here = pathname.startsWith(`${LIBRARY}/`) && pathname.endsWith(template.id);
  if (here && pathname !== path) return <Navigate to={path} replace />;
  return (
    <>
      <PageHeader
        title={`Edit ${template.name}`}
        description={
          template.channel === 'SMS'
            ? 'It can be sent at once.'
            : 'What changes is looked at again before it can be sent.'
        }
        badge={<StatusBadge {...lookOf(template)} />}
      />
      <div className={styles.said}>
        <ReviewWords template={template} />
        <UsedIn template={template} />
      </div>
      {template.status === 'IN_PROCESS' ? (
        <Waiting template={template} />
      ) : (
        <TemplateEditor
          initial={begun.initial}
          template={begun.template}
          onSaved={(now) => {
            toast.success(now.status === 'COMPLETED' ? `${now.name} was saved` : `${now.name} was sent for review`);
            void navigate(linkTo(LIBRARY, { channel: now.channel, open: now.id }));
          }}
        />
      )}
    </>
  );
}

function Waiting({ template }: { template: LoadedTemplate }) {
  const filled = shownOf(template);
  return (
    <MessagePreview
      channel={template.channel}
      sender={template.wa_sender_code ? `+${template.wa_sender_code}` : 'Your company'}
      text={filled.text}
      content={filled.content}
    />
  );
}
