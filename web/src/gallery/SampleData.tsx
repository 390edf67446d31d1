/** Gives the components inside a session and the responses of the server, so that the gallery can show each state. */
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { allPermissions } from '@parley/contract/permission.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../kernel/http/client.ts';
import { queryKey } from '../kernel/http/query.ts';
import { FixedSession } from '../kernel/session/session.tsx';
import type { Session } from '../kernel/session/state.ts';

interface SampleResponse {
  endpoint: AnyEndpoint;
  input: object;
  /** The response's data, or a state without data. */
  data: unknown;
}
export const LOADING = Symbol('loading');
export const FAILED = Symbol('failed');

const SESSION = {
  account: { timezone: 'UTC', currency: 'USD' },
  user: {},
  permissions: allPermissions(),
  admin: false,
  live: 'live',
} as unknown as Session;

const noAction = async () => {};
const CONTEXT = {
  state: { kind: 'in', session: SESSION } as const,
  signIn: () => Promise.reject(new Error('The gallery has no server')),
  begin: () => {},
  signOut: noAction,
  startImpersonation: () => {},
  endImpersonation: noAction,
};

export function SampleData({ responses, children }: { responses: readonly SampleResponse[]; children: ReactNode }) {
  const [client] = useState(() => createClient(responses));
  return (
    <FixedSession value={CONTEXT}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </FixedSession>
  );
}

function createClient(responses: readonly SampleResponse[]): QueryClient {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: 'static', gcTime: Number.POSITIVE_INFINITY, retryOnMount: false } },
  });
  for (const { endpoint, input, data } of responses) {
    const key = queryKey(endpoint, input);
    if (data === LOADING) void client.prefetchQuery({ queryKey: key, queryFn: () => new Promise(() => {}) });
    else if (data === FAILED) {
      const error = new ApiError(0, [], 'The server cannot be reached.');
      client.getQueryCache().build(client, { queryKey: key }).setState({ status: 'error', error, fetchStatus: 'idle' });
    } else client.setQueryData(key, { data });
  }
  return client;
}
