/** Loads a template together with its file, so that a form starts with complete values. */
import type { Data } from '@parley/contract/endpoint.ts';
import { getMedia } from '@parley/contract/media/media.ts';
import { getTemplate } from '@parley/contract/templates/templates.ts';
import { IconTemplate } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useEndpoint } from '../kernel/http/query.ts';
import { RecordPage } from '../kernel/record/RecordPage.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { LIBRARY } from '../paths.ts';
import { SkeletonFields } from '../ui/feedback/Skeletons.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { draftFrom, type FormDraft } from './draft.ts';

export type LoadedTemplate = Data<typeof getTemplate>;

type Draw = (template: LoadedTemplate, initial: FormDraft) => ReactNode;

export function LoadTemplate({ id, children }: { id: string; children: Draw }) {
  const query = useEndpoint(getTemplate, { params: { id } });
  return (
    <RecordPage
      query={query}
      noun="template"
      icon={IconTemplate}
      list={{ to: LIBRARY, label: 'All templates' }}
      back={<Back to={LIBRARY}>Messages</Back>}
      skeleton={<SkeletonFields count={5} />}
    >
      {(template) => <WithFile template={template}>{children}</WithFile>}
    </RecordPage>
  );
}

function WithFile({ template, children }: { template: LoadedTemplate; children: Draw }) {
  const reason = useReason(getMedia.needs);
  const { media_id } = template;
  const isReadable = media_id !== null && reason === null;
  const query = useEndpoint(
    getMedia,
    { params: { id: media_id ?? '' } },
    { enabled: isReadable, staleTime: 30 * 60_000 },
  );
  if (isReadable && query.isPending) return <SkeletonFields count={5} />;
  return children(template, draftFrom(template, query.data?.data ?? null));
}
