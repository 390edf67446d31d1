/** A template with its file, once both are there: what a form begins with must not change under the hands. */
import type { Data } from '@parley/contract/endpoint.ts';
import { getMedia } from '@parley/contract/media/media.ts';
import { getTemplate } from '@parley/contract/templates/templates.ts';
import { IconTemplate } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useEndpoint } from '../kernel/http/query.ts';
import { useReason } from '../kernel/session/session.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { SkeletonFields } from '../ui/feedback/Skeletons.tsx';
import { draftFrom, type FormDraft } from './draft.ts';

export type LoadedTemplate = Data<typeof getTemplate>;

export interface LoadedProps {
  id: string;
  children: (template: LoadedTemplate, initial: FormDraft) => ReactNode;
}

export function Loaded({ id, children }: LoadedProps) {
  const answer = useEndpoint(getTemplate, { params: { id } });
  const template = answer.data?.data;
  const missing = useReason(getMedia.needs);
  const media_id = template?.media_id ?? null;
  const file = useEndpoint(
    getMedia,
    { params: { id: media_id ?? '' } },
    { enabled: media_id !== null && missing === null, staleTime: 30 * 60_000 },
  );
  if (answer.error?.status === 404 || answer.error?.status === 400)
    return <EmptyState icon={IconTemplate} title="There is no such template" />;
  if (answer.error && !template)
    return (
      <ErrorState
        title="The template could not be loaded"
        onRetry={() => void answer.refetch()}
        retrying={answer.isFetching}
      >
        {answer.error.message}
      </ErrorState>
    );
  if (!template || (media_id && missing === null && file.isPending)) return <SkeletonFields count={5} />;
  return children(template, draftFrom(template, file.data?.data ?? null));
}
