/** The wizard for a new audience, for a file into an audience (`?audience=`), and for a file that waits for its columns (`?import=`). */
import { Button } from '@mantine/core';
import { getAudience } from '@parley/contract/audiences/audiences.ts';
import { getImport } from '@parley/contract/audiences/imports.ts';
import { IconFileUpload } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ApiError } from '../../kernel/http/client.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { AUDIENCES, IMPORTS, importPath } from '../../paths.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonFields } from '../../ui/feedback/Skeletons.tsx';
import styles from '../Audiences.module.css';
import { CreateWizard } from './CreateWizard.tsx';

export default function CreateAudiencePage() {
  const search = useSearch({ strict: false }) as { audience?: string; import?: string };
  if (search.import) return <Continue key={search.import} id={search.import} />;
  if (search.audience) return <Into key={search.audience} id={search.audience} />;
  return <CreateWizard audience={null} started={null} />;
}

function Into({ id }: { id: string }) {
  const answer = useEndpoint(getAudience, { params: { id } }, { staleTime: Number.POSITIVE_INFINITY });
  if (answer.data) return <CreateWizard audience={answer.data.data} started={null} />;
  return <Missing answer={answer} title="There is no such audience" back={AUDIENCES} />;
}

function Continue({ id }: { id: string }) {
  const answer = useEndpoint(getImport, { params: { id } }, { staleTime: Number.POSITIVE_INFINITY });
  const found = answer.data?.data;
  if (found?.status === 'mapping') return <CreateWizard audience={null} started={found} />;
  if (found)
    return (
      <Alone>
        <EmptyState
          icon={IconFileUpload}
          title="This file no longer waits for its columns"
          action={
            <Button component={Link} to={importPath(id)}>
              See what became of it
            </Button>
          }
        />
      </Alone>
    );
  return <Missing answer={answer} title="There is no such import" back={IMPORTS} />;
}

const Alone = ({ children }: { children: ReactNode }) => <main className={styles.alone}>{children}</main>;

function Missing(props: {
  answer: { error: ApiError | null; isFetching: boolean; refetch: () => unknown };
  title: string;
  back: string;
}) {
  const { answer, title, back } = props;
  const { error } = answer;
  return (
    <Alone>
      {error?.status === 404 || error?.status === 400 ? (
        <EmptyState
          icon={IconFileUpload}
          title={title}
          action={
            <Button variant="default" component={Link} to={back}>
              Back
            </Button>
          }
        />
      ) : error ? (
        <ErrorState title="This could not be loaded" onRetry={() => void answer.refetch()} retrying={answer.isFetching}>
          {error.message}
        </ErrorState>
      ) : (
        <SkeletonFields count={4} />
      )}
    </Alone>
  );
}
