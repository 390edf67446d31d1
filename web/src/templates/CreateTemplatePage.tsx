import { updatePreference } from '@parley/contract/accounts/company.ts';
import { ALL_CHANNELS } from '@parley/contract/channels/index.ts';
import { DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import { useSearch } from '@tanstack/react-router';
import { useAction } from '../kernel/http/query.ts';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { LIBRARY } from '../paths.ts';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { copyName, emptyDraft, type FormDraft } from './draft.ts';
import { LoadTemplate } from './LoadTemplate.tsx';
import { ReviewNotice } from './ReviewNotice.tsx';
import { TemplateEditor } from './TemplateEditor.tsx';
import { useSavedTemplate } from './useSavedTemplate.ts';

const HEADER = <PageHeader title="Create template" description="Write a message once and send it often." />;

interface SearchParams {
  channel?: string;
  from?: string;
  text?: string;
  name?: string;
}

/**
 * The form for a new template. With `?from=` it starts as a copy of another template, for example a rejected one, with
 * `?text=` from a text with a `name`.
 */
export default function CreateTemplatePage() {
  const { channel: requested = '', from, text = '', name = '' } = useSearch({ strict: false }) as SearchParams;
  const kept = useSession().account.preference.templates.channel;
  const channel = ALL_CHANNELS.find(({ name }) => name === requested.toUpperCase())?.name ?? kept ?? DEFAULT_CHANNEL;
  if (!from)
    return (
      <>
        <Back to={LIBRARY}>Messages</Back>
        {HEADER}
        <Editor initial={{ ...emptyDraft(channel), name, text }} keepsChannel={requested === ''} />
      </>
    );
  return (
    <LoadTemplate id={from}>
      {(template, initial) => (
        <>
          {HEADER}
          {template.status === 'CANCELED' && <ReviewNotice template={template} />}
          <Editor key={template.id} initial={{ ...initial, name: copyName(template.name, template.channel) }} />
        </>
      )}
    </LoadTemplate>
  );
}

/** With `keepsChannel`, the next new template begins with the channel that was chosen here. */
function Editor({ initial, keepsChannel = false }: { initial: FormDraft; keepsChannel?: boolean }) {
  const onSaved = useSavedTemplate();
  const { account } = useSession();
  const canKeep = useReason(updatePreference) === null;
  const keep = useAction(updatePreference, { onError: () => {} });
  return (
    <TemplateEditor
      initial={initial}
      template={null}
      onSaved={(template) => {
        if (keepsChannel && canKeep && template.channel !== account.preference.templates.channel)
          keep.mutate({ body: { templates: { channel: template.channel } } });
        onSaved(template);
      }}
    />
  );
}
