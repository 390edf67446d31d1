import { getConnection, updateConnection } from '@parley/contract/connections/connections.ts';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEndpoint } from '../../kernel/http/query.ts';
import { CONNECTIONS } from '../../paths.ts';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { PageSkeleton } from '../../ui/feedback/PageSkeleton.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { ConnectionForm } from './ConnectionForm.tsx';

export default function EditConnectionPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const navigate = useNavigate();
  // Asked once: what somebody is typing must not be replaced by what a later answer says.
  const answer = useEndpoint(getConnection, { params: { id } }, { staleTime: Number.POSITIVE_INFINITY });
  const connection = answer.data?.data;
  if (answer.error)
    return (
      <ErrorState
        title="The connection could not be loaded"
        onRetry={() => void answer.refetch()}
        retrying={answer.isFetching}
      >
        {answer.error.message}
      </ErrorState>
    );
  if (!connection) return <PageSkeleton />;
  return (
    <>
      <Back to={CONNECTIONS}>Connections</Back>
      <PageHeader
        title={connection.name}
        description="Saving closes its lines and opens them anew; nothing that is under way is lost."
      />
      <ConnectionForm
        key={connection.id}
        adapter={connection.adapter}
        connection={connection}
        endpoint={updateConnection}
        onDone={() => void navigate({ to: CONNECTIONS, search: { open: id } as never })}
      />
    </>
  );
}
