/** The wizard for one kind of request. `?id=` opens a draft or a rejected request. */
import { Button } from '@mantine/core';
import { getSender, type RequestKind, type SenderDetail } from '@parley/contract/registrations/registration.ts';
import { IconCards } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { RecordPage } from '../../kernel/record/RecordPage.tsx';
import { linkTo, SENDERS } from '../../paths.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { SkeletonFields } from '../../ui/feedback/Skeletons.tsx';
import styles from '../Registrations.module.css';
import type { FormKind } from './form_kind.ts';
import { RequestWizard } from './RequestWizard.tsx';

export function RequestPage({ kind }: { kind: FormKind }) {
  const { id } = useSearch({ strict: false }) as { id?: string };
  return id ? (
    <OpenRequest key={id} kind={kind} id={id} draw={(sender) => <RequestWizard kind={kind} sender={sender} />} />
  ) : (
    <RequestWizard kind={kind} sender={null} />
  );
}

interface OpenRequestProps {
  kind: RequestKind;
  id: string;
  draw: (sender: SenderDetail) => ReactNode;
}

/** Shows the wizard for an editable request, or explains why the request cannot be edited. */
export function OpenRequest({ kind, id, draw }: OpenRequestProps) {
  const query = useEndpoint(getSender, { params: { id } });
  const sender = query.data?.data;
  if (sender?.editable && sender.kind === kind) return draw(sender);
  return (
    <main className={styles.alone}>
      <RecordPage
        query={query}
        noun="sender"
        icon={IconCards}
        list={{ to: SENDERS, label: 'All senders' }}
        skeleton={<SkeletonFields count={4} />}
      >
        {(record) => <LockedRequest sender={record} />}
      </RecordPage>
    </main>
  );
}

function LockedRequest({ sender }: { sender: SenderDetail }) {
  return (
    <EmptyState
      heading
      icon={IconCards}
      title={`${sender.code || sender.name} cannot be edited now`}
      action={
        <Button variant="default" component={Link} {...linkTo(SENDERS, { open: sender.id })}>
          View sender
        </Button>
      }
    >
      {sender.status === 'pending'
        ? 'Our team is reviewing this request. We will email you the decision.'
        : 'No additional registration is required.'}
    </EmptyState>
  );
}
