import { getConnection, updateConnection } from '@parley/contract/connections/connections.ts';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEndpoint } from '../../kernel/http/query.ts';
import { RecordPage } from '../../kernel/record/RecordPage.tsx';
import { CONNECTIONS } from '../../paths.ts';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { ConnectionForm } from './ConnectionForm.tsx';

export default function EditConnectionPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const navigate = useNavigate();
  // Never stale: a refetch must not replace what the operator is typing.
  const query = useEndpoint(getConnection, { params: { id } }, { staleTime: Number.POSITIVE_INFINITY });
  return (
    <RecordPage query={query} noun="connection" back={<Back to={CONNECTIONS}>Connections</Back>}>
      {(connection) => (
        <>
          <PageHeader
            title={connection.name}
            description="Saving reopens this connection’s binds. Messages in flight are not lost."
          />
          <ConnectionForm
            key={connection.id}
            adapter={connection.adapter}
            connection={connection}
            endpoint={updateConnection}
            onDone={() => void navigate({ to: CONNECTIONS, search: { open: id } as never })}
          />
        </>
      )}
    </RecordPage>
  );
}
