import { useNavigate, useSearch } from '@tanstack/react-router';
import { LIBRARY, linkTo } from '../paths.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { copyName, emptyDraft, type FormDraft } from './draft.ts';
import { Loaded } from './Loaded.tsx';
import { ReviewWords } from './ReviewWords.tsx';
import { TemplateEditor } from './TemplateEditor.tsx';
import { CHANNEL_TABS } from './words.ts';

/** Empty, or a copy of another (`?from=`): of a rejected one to mend it. */
export default function CreateTemplatePage() {
  const { channel: given = '', from } = useSearch({ strict: false }) as { channel?: string; from?: string };
  const channel = CHANNEL_TABS.find((one) => one === given.toUpperCase()) ?? 'SMS';
  return (
    <>
      <Back to={LIBRARY}>Messages</Back>
      <PageHeader title="Create template" description="Written once; sent as often as you like." />
      {from ? (
        <Loaded id={from}>
          {(template, initial) => (
            <>
              {template.status === 'CANCELED' && <ReviewWords template={template} />}
              <Editor key={template.id} initial={{ ...initial, name: copyName(template.name, template.channel) }} />
            </>
          )}
        </Loaded>
      ) : (
        <Editor initial={emptyDraft(channel)} />
      )}
    </>
  );
}

function Editor({ initial }: { initial: FormDraft }) {
  const navigate = useNavigate();
  return (
    <TemplateEditor
      initial={initial}
      template={null}
      onSaved={(template) => {
        toast.success(
          template.status === 'COMPLETED' ? `${template.name} was saved` : `${template.name} was sent for review`,
        );
        void navigate(linkTo(LIBRARY, { channel: template.channel, open: template.id }));
      }}
    />
  );
}
