/** The wizard of one kind: new, or with `?id=` a draft and what was sent back. */
import { Button } from '@mantine/core';
import { getSender, type RequestKind, type SenderDetail } from '@parley/contract/registrations/registration.ts';
import { IconCards } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { linkTo, SENDERS } from '../../paths.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
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

export interface OpenedProps {
  kind: RequestKind;
  id: string;
  draw: (sender: SenderDetail) => ReactNode;
}

/** A draft, or what was sent back; what cannot be changed says so. */
export function OpenRequest({ kind, id, draw }: OpenedProps) {
  const answer = useEndpoint(getSender, { params: { id } });
  const sender = answer.data?.data;
  const back = (
    <Button variant="default" component={Link} {...linkTo(SENDERS, sender ? { open: id } : {})}>
      {sender ? 'Open it' : 'All senders'}
    </Button>
  );
  if (sender?.editable && sender.kind === kind) return draw(sender);
  return (
    <main className={styles.alone}>
      {sender ? (
        <EmptyState icon={IconCards} title={`${sender.code || sender.name} cannot be changed now`} action={back}>
          {sender.status === 'pending'
            ? 'Our team is looking at it. You are told by mail what is decided.'
            : 'Nothing has to be asked for it any more.'}
        </EmptyState>
      ) : answer.error?.status === 404 || answer.error?.status === 400 ? (
        <EmptyState icon={IconCards} title="There is no such sender" action={back} />
      ) : answer.error ? (
        <ErrorState
          title="The sender could not be loaded"
          onRetry={() => void answer.refetch()}
          retrying={answer.isFetching}
        >
          {answer.error.message}
        </ErrorState>
      ) : (
        <SkeletonFields count={4} />
      )}
    </main>
  );
}
