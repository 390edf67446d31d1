/** Describes the client of an unauthenticated request: its IP address, its browser, and its name in the audit log. */

import type { Ctx } from '../../kernel/http/endpoint.ts';
import type { Acting } from '../../kernel/security/audit.ts';

export interface Client {
  address: string;
  agent: string;
  request_id?: string;
}

/** A request without a session. */
export type AnonymousRequest = Pick<Ctx, 'kernel' | 'address' | 'headers' | 'request_id'>;

export const readClient = ({
  address,
  headers,
  request_id,
}: Pick<Ctx, 'address' | 'headers' | 'request_id'>): Client => ({
  address,
  agent: headers['user-agent'] ?? '',
  request_id,
});

/** Identifies the client in the audit log when no session identifies the person. */
export const auditOrigin = ({ address, agent, request_id }: Client): Omit<Acting, 'actor'> => ({
  address,
  headers: { 'user-agent': agent },
  ...(request_id ? { request_id } : {}),
});

export const actingAs = (
  client: Client,
  { account_id, user_id }: Pick<Acting['actor'], 'account_id' | 'user_id'>,
): Acting => ({
  ...auditOrigin(client),
  actor: { account_id, user_id },
});
