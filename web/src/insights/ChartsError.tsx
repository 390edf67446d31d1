import type { UseQueryResult } from '@tanstack/react-query';
import type { ApiError } from '../kernel/http/client.ts';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';

export function ChartsError({ query }: { query: UseQueryResult<unknown, ApiError> }) {
  return (
    <ErrorState
      title="The figures could not be loaded"
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    >
      {query.error?.message}
    </ErrorState>
  );
}
