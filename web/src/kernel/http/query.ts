/**
 * Endpoints as queries and actions. The query key is [module, endpoint, input]: a live event can mark all queries of
 * its modules stale, and components that request the same input share a response.
 */
import { type AnyEndpoint, endpointModule } from '@parley/contract/endpoint.ts';
import {
  keepPreviousData,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useRef } from 'react';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { randomId } from '../random.ts';
import { ApiError, type ApiResponse, type CallInput, call } from './client.ts';
import { onConnection, readConnection } from './connection.ts';

const MAX_RETRIES = 3;
const FIRST_RETRY_MS = 400;
const LAST_RETRY_MS = 10_000;

/** Doubles with each attempt. The random half keeps many tabs from asking a restarted server at the same moment. */
export const retryDelay = (count: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** count, LAST_RETRY_MS) * (0.5 + Math.random() / 2);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: false,
      // An error response is final; a retry helps only if the server could not respond.
      retry: (count, error) =>
        count < MAX_RETRIES && error instanceof ApiError && (error.status === 0 || error.status >= 502),
      retryDelay,
    },
    // Offline, a change fails immediately and keeps its form; it is not sent later behind the user's back.
    mutations: { retry: false, networkMode: 'always' },
  },
});

export const queryKey = (endpoint: AnyEndpoint, input: unknown = {}): readonly unknown[] => [
  endpointModule(endpoint.id),
  endpoint.id,
  input,
];

export function useEndpoint<E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E> = {} as CallInput<E>,
  options: {
    enabled?: boolean;
    keepPrevious?: boolean;
    staleTime?: number | 'static';
    refetchInterval?: number | false;
  } = {},
): UseQueryResult<ApiResponse<E>, ApiError> {
  const { keepPrevious, ...rest } = options;
  return useQuery<ApiResponse<E>, ApiError>({
    queryKey: queryKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...rest,
  });
}

/** `useEndpoint` for an endpoint whose contract is loaded with the first call; `id` is the endpoint's ID. */
export function useLaterEndpoint<E extends AnyEndpoint>(
  id: E['id'],
  load: () => Promise<E>,
  { input = {} as CallInput<E>, ...options }: { enabled?: boolean; staleTime?: number; input?: CallInput<E> },
): UseQueryResult<ApiResponse<E>, ApiError> {
  return useQuery<ApiResponse<E>, ApiError>({
    queryKey: [endpointModule(id), id, input],
    queryFn: async ({ signal }) => call(await load(), input, { signal }),
    ...options,
  });
}

/**
 * An endpoint that changes data. On success, it marks the queries of its own module and of the `invalidates` modules as
 * stale. Errors become toasts unless `onError` handles them.
 */
export function useAction<E extends AnyEndpoint>(
  endpoint: E,
  options: {
    invalidates?: readonly string[];
    headers?: () => Readonly<Record<string, string>>;
    onSuccess?: (response: ApiResponse<E>, input: CallInput<E>) => void;
    onError?: (error: ApiError, input: CallInput<E>) => void;
  } = {},
): UseMutationResult<ApiResponse<E>, ApiError, CallInput<E>> {
  const client = useQueryClient();
  const keys = useRef(new IdempotencyKeys());
  return useMutation<ApiResponse<E>, ApiError, CallInput<E>>({
    mutationFn: (input) => {
      const headers = options.headers?.() ?? {};
      if (!endpoint.idempotent) return call(endpoint, input, { headers });
      return keys.current.use(input, (key) => call(endpoint, input, { idempotency_key: key, headers }));
    },
    onSuccess: (response, input) => {
      for (const module of [endpointModule(endpoint.id), ...(options.invalidates ?? [])])
        void client.invalidateQueries({ queryKey: [module] });
      options.onSuccess?.(response, input);
    },
    onError: options.onError ?? toastError,
  });
}

/** Shows a toast for each error of a response, unless the session has announced it or the call was canceled. */
export function toastError(error: unknown): void {
  if (error instanceof ApiError) {
    if (error.announced) return;
    const messages = error.errors.map((one) => one.message);
    for (const message of new Set(messages.length ? messages : [error.message])) toast.error(message);
  } else if (!(error instanceof DOMException && error.name === 'AbortError')) {
    toast.error(error instanceof Error ? error.message : String(error));
  }
}

/**
 * The idempotency keys of an action. While the outcome of the last attempt is unknown (no response, or a 5xx), the same
 * request reuses its key, so that a second click cannot send twice.
 */
class IdempotencyKeys {
  private key = '';
  private request = '';

  async use<T>(input: unknown, send: (key: string) => Promise<T>): Promise<T> {
    const request = JSON.stringify(input);
    if (!this.key || this.request !== request) {
      this.key = randomId();
      this.request = request;
    }
    try {
      const response = await send(this.key);
      this.key = '';
      return response;
    } catch (error) {
      if (error instanceof ApiError && error.status > 0 && error.status < 500) this.key = '';
      throw error;
    }
  }
}

/** Reloads queries that failed or were interrupted while the server could not be reached. */
onConnection(() => {
  if (readConnection() !== 'online') return;
  void queryClient.refetchQueries({
    type: 'active',
    predicate: ({ state }) => state.status === 'error' || state.fetchFailureCount > 0,
  });
});
