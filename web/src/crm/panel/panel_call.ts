/** Calls with the access token of the panel, which is kept in memory only. */
import { openPipedrivePanel } from '@parley/contract/crm/pipedrive.ts';
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { type ApiError, type ApiResponse, type CallInput, call } from '../../kernel/http/client.ts';
import { queryKey } from '../../kernel/http/query.ts';
import { readSignedToken } from './host.ts';

export interface PanelSession {
  access_token: string;
  company_id: string;
}

/** Access tokens are valid for an hour. */
const RENEW_MS = 50 * 60_000;

export const PanelContext = createContext<PanelSession | null>(null);

export function usePanelSession(): PanelSession {
  const session = useContext(PanelContext);
  if (!session) throw new Error('usePanelSession requires a panel');
  return session;
}

export const panelHeaders = ({ access_token }: PanelSession) => ({ authorization: `Bearer ${access_token}` });

/** Exchanges the token in the address. Later, the CRM signs new ones. */
export function useOpenPanel(token: string): UseQueryResult<PanelSession, ApiError> {
  return useQuery<PanelSession, ApiError>({
    queryKey: queryKey(openPipedrivePanel, token),
    queryFn: async ({ client }) => {
      const isFirst = client.getQueryData(queryKey(openPipedrivePanel, token)) === undefined;
      const current = isFirst ? token : await readSignedToken();
      return (await call(openPipedrivePanel, { body: { token: current } })).data;
    },
    staleTime: RENEW_MS,
    refetchInterval: RENEW_MS,
    refetchIntervalInBackground: true,
  });
}

export function usePanelQuery<E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: { enabled?: boolean; refetchInterval?: number } = {},
): UseQueryResult<ApiResponse<E>, ApiError> {
  const session = usePanelSession();
  return useQuery<ApiResponse<E>, ApiError>({
    queryKey: queryKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal, headers: panelHeaders(session) }),
    ...options,
  });
}
