/**
 * Endpoints as queries and actions. The key is [module, endpoint, input], so a live event can mark everything of its modules stale, and two
 * components that ask the same thing share one answer.
 */
import { type AnyEndpoint, moduleOf } from '@parley/contract/endpoint.ts';
import {
  keepPreviousData,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { type Answer, ApiError, type CallInput, call } from './client.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: false,
      // The API says what is wrong; asking again only helps when nothing was said.
      retry: (count, error) => count < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 502),
    },
    mutations: { retry: false },
  },
});

export const queryKey = (endpoint: AnyEndpoint, input: unknown = {}): readonly unknown[] => [
  moduleOf(endpoint.id),
  endpoint.id,
  input,
];

export function useEndpoint<E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E> = {} as CallInput<E>,
  options: { enabled?: boolean; keepPrevious?: boolean; staleTime?: number; refetchInterval?: number | false } = {},
): UseQueryResult<Answer<E>, ApiError> {
  const { keepPrevious, ...rest } = options;
  return useQuery<Answer<E>, ApiError>({
    queryKey: queryKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...rest,
  });
}

/** What an action changes is marked stale when it is done: its own module, and those named. */
export function useAction<E extends AnyEndpoint>(
  endpoint: E,
  options: {
    invalidates?: readonly string[];
    onSuccess?: (answer: Answer<E>, input: CallInput<E>) => void;
    onError?: (error: ApiError, input: CallInput<E>) => void;
  } = {},
): UseMutationResult<Answer<E>, ApiError, CallInput<E>> {
  const client = useQueryClient();
  return useMutation<Answer<E>, ApiError, CallInput<E>>({
    // One key for the act, so that a repetition by the network cannot do it twice.
    mutationFn: (input) => call(endpoint, input, endpoint.idempotent ? { idempotency_key: crypto.randomUUID() } : {}),
    onSuccess: (answer, input) => {
      for (const module of [moduleOf(endpoint.id), ...(options.invalidates ?? [])])
        void client.invalidateQueries({ queryKey: [module] });
      options.onSuccess?.(answer, input);
    },
    ...(options.onError ? { onError: options.onError } : {}),
  });
}
