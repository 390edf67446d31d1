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
import { useRef } from 'react';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { randomId } from '../random.ts';
import { ApiError, type ApiResponse, type CallInput, call } from './client.ts';

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

/** The same for an endpoint whose contract is loaded with its first call; `id` is the endpoint's own. */
export function useLaterEndpoint<E extends AnyEndpoint>(
  id: E['id'],
  load: () => Promise<E>,
  { input = {} as CallInput<E>, ...options }: { enabled?: boolean; staleTime?: number; input?: CallInput<E> },
): UseQueryResult<ApiResponse<E>, ApiError> {
  return useQuery<ApiResponse<E>, ApiError>({
    queryKey: [moduleOf(id), id, input],
    queryFn: async ({ signal }) => call(await load(), input, { signal }),
    ...options,
  });
}

/**
 * What an action changes is marked stale when it is done: its own module, and those named. Its errors become toasts unless `onError` places them.
 */
export function useAction<E extends AnyEndpoint>(
  endpoint: E,
  options: {
    invalidates?: readonly string[];
    headers?: () => Readonly<Record<string, string>>;
    onSuccess?: (answer: ApiResponse<E>, input: CallInput<E>) => void;
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
    onSuccess: (answer, input) => {
      for (const module of [moduleOf(endpoint.id), ...(options.invalidates ?? [])])
        void client.invalidateQueries({ queryKey: [module] });
      options.onSuccess?.(answer, input);
    },
    onError: options.onError ?? toastError,
  });
}

/** One toast per error of the answer; none for what the session has told already, or for a call that was canceled. */
export function toastError(error: unknown): void {
  if (error instanceof ApiError) {
    if (error.announced) return;
    const words = error.errors.map((one) => one.message);
    for (const message of new Set(words.length ? words : [error.message])) toast.error(message);
  } else if (!(error instanceof DOMException && error.name === 'AbortError')) {
    toast.error(error instanceof Error ? error.message : String(error));
  }
}

/**
 * While it is not known whether the last attempt was carried out (no answer, or a broken one), the same request goes out under the same key:
 * pressing the button again cannot send twice.
 */
export class IdempotencyKeys {
  private key = '';
  private request = '';

  async use<T>(input: unknown, send: (key: string) => Promise<T>): Promise<T> {
    const request = JSON.stringify(input);
    if (!this.key || this.request !== request) {
      this.key = randomId();
      this.request = request;
    }
    try {
      const answer = await send(this.key);
      this.key = '';
      return answer;
    } catch (error) {
      if (error instanceof ApiError && error.status > 0 && error.status < 500) this.key = '';
      throw error;
    }
  }
}
