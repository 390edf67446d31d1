import { createConnection } from '@parley/contract/admin.ts';
import { useNavigate } from '@tanstack/react-router';
import { PageHeader } from '../ui/PageHeader.tsx';
import { Back } from './Back.tsx';
import { ConnectionForm } from './ConnectionForm.tsx';
import { CONNECTIONS } from './links.ts';

export default function AddConnectionPage() {
  const navigate = useNavigate();
  return (
    <>
      <Back to={CONNECTIONS}>Connections</Back>
      <PageHeader
        title="Add connection"
        line="The carrier's data sheet has all of this. Its lines are opened as soon as it is saved."
      />
      <ConnectionForm
        connection={null}
        endpoint={createConnection}
        onDone={({ id }) => void navigate({ to: CONNECTIONS, search: { open: id } as never })}
      />
    </>
  );
}
