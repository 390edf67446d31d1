/** Who stands at the door before anybody knows them: where they come from, and what the log says of them. */

import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Acting } from '../kernel/security/audit.ts';

export { networkOf } from '../kernel/http/network.ts';

export interface Visitor {
  address: string;
  agent: string;
  request_id?: string;
}

export const visitorOf = ({
  address,
  headers,
  request_id,
}: Pick<Ctx, 'address' | 'headers' | 'request_id'>): Visitor => ({
  address,
  agent: headers['user-agent'] ?? '',
  request_id,
});

/** For the audit log, where no session speaks for the person yet. */
export const acting = ({ address, agent, request_id }: Visitor): Omit<Acting, 'actor'> => ({
  address,
  headers: { 'user-agent': agent },
  ...(request_id ? { request_id } : {}),
});

export const actingAs = (
  visitor: Visitor,
  { account_id, user_id }: Pick<Acting['actor'], 'account_id' | 'user_id'>,
): Acting => ({
  ...acting(visitor),
  actor: { account_id, user_id },
});

export const wireTime = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ');
