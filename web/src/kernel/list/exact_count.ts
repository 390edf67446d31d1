/** The exact number of rows of a list whose pages carry only a limited count, on request. */
import type { AnyEndpoint, Pagination } from '@parley/contract/endpoint.ts';
import { useState } from 'react';
import { type CallInput, call } from '../http/client.ts';
import { toastError } from '../http/query.ts';

interface ExactCount {
  /** The page's own pagination, with the exact total once it was counted. */
  pagination: Pagination | undefined;
  count: () => void;
  counting: boolean;
}

export function useExactCount<E extends AnyEndpoint & { list: true }>(
  endpoint: E,
  params: Record<string, string> | undefined,
  filter: Record<string, unknown>,
  pagination: Pagination | undefined,
): ExactCount {
  const scope = JSON.stringify([params, filter]);
  const [counted, setCounted] = useState<{ scope: string; total: number } | null>(null);
  const [counting, setCounting] = useState<string | null>(null);
  const count = async () => {
    setCounting(scope);
    try {
      const query = { page: 1, page_size: 10, filter, count: 'exact' };
      const answer = await call(endpoint, { ...(params ? { params } : {}), query } as unknown as CallInput<E>);
      const { total } = answer.pagination as Pagination;
      setCounted({ scope, total });
    } catch (error) {
      toastError(error);
    }
    setCounting((old) => (old === scope ? null : old));
  };
  const total = pagination?.total_is_estimate && counted?.scope === scope ? counted.total : null;
  return {
    pagination: pagination && total !== null ? { ...pagination, total, total_is_estimate: false } : pagination,
    count: () => void count(),
    counting: counting === scope,
  };
}
