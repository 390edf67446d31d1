/**
 * The page of one record. It shows a skeleton while the record loads, and then the content. If the record cannot be
 * shown, it shows "not found" or an error with a Retry button.
 */
import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { PageSkeleton } from '../../ui/feedback/PageSkeleton.tsx';
import type { ApiError } from '../http/client.ts';

interface RecordPageProps<T> {
  /** The query that loads the record, such as `useEndpoint(getCampaign, { params: { id } })`. */
  query: Pick<UseQueryResult<{ data: T }, ApiError>, 'data' | 'error' | 'isFetching' | 'refetch'>;
  /** The singular noun in lowercase, such as "campaign". */
  noun: string;
  icon?: ComponentProps<typeof EmptyState>['icon'];
  /** The list that the record belongs to; offered when the record is not found. */
  list?: { to: string; label: string };
  /** Why the record may be missing. */
  missing?: ReactNode;
  /** Shown above the skeleton, errors, and content: the link back to the list. */
  back?: ReactNode;
  /** Replaces the full-page skeleton. */
  skeleton?: ReactNode;
  children: (record: T) => ReactNode;
}

export function RecordPage<T>({ back, ...rest }: RecordPageProps<T>) {
  return (
    <>
      {back}
      <RecordContent {...rest} />
    </>
  );
}

function RecordContent<T>(props: Omit<RecordPageProps<T>, 'back'>) {
  const { query, noun, icon, list, missing, skeleton = <PageSkeleton />, children } = props;
  const { data, error } = query;
  // A failed refetch keeps the content on screen, because the user may be typing.
  if (data) return children(data.data);
  if (!error) return skeleton;
  if (isNotFound(error))
    return (
      <EmptyState
        heading
        {...(icon ? { icon } : {})}
        title={`${noun.charAt(0).toUpperCase()}${noun.slice(1)} not found`}
        action={
          list && (
            <Button variant="default" component={Link} to={list.to}>
              {list.label}
            </Button>
          )
        }
      >
        {missing ?? 'It was deleted, or the link belongs to another account.'}
      </EmptyState>
    );
  return (
    <ErrorState
      title={`The ${noun} could not be loaded`}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    >
      {error.message}
    </ErrorState>
  );
}

/** The server rejects a malformed ID as invalid (400). To the user, this also means that the record does not exist. */
const isNotFound = (error: ApiError): boolean => error.status === 404 || error.status === 400;
