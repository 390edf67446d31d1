/** Loads the audience a page is about, and says what to do when it is not there. */
import { Button } from '@mantine/core';
import { type Audience, getAudience } from '@parley/contract/audiences/audiences.ts';
import { IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEndpoint } from '../kernel/http/query.ts';
import { AUDIENCES } from '../paths.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { SkeletonFields, SkeletonLines } from '../ui/feedback/Skeletons.tsx';
import styles from './Audiences.module.css';

export function OfAudience({ id, children }: { id: string; children: (audience: Audience) => ReactNode }) {
  const answer = useEndpoint(getAudience, { params: { id } });
  if (answer.data) return children(answer.data.data);
  if (answer.error?.status === 404 || answer.error?.status === 400) {
    return (
      <EmptyState
        icon={IconUsers}
        title="There is no such audience"
        action={
          <Button variant="default" component={Link} to={AUDIENCES}>
            All audiences
          </Button>
        }
      >
        It was deleted, or the link belongs to another account.
      </EmptyState>
    );
  }
  if (answer.error) {
    return (
      <ErrorState
        title="The audience could not be loaded"
        onRetry={() => void answer.refetch()}
        retrying={answer.isFetching}
      >
        {answer.error.message}
      </ErrorState>
    );
  }
  return (
    <div role="status" aria-label="Loading" className={styles.bones}>
      <SkeletonLines lines={2} />
      <SkeletonFields count={4} />
    </div>
  );
}
