/** Reads the credential of a request and finds its caller. */
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { FastifyRequest } from 'fastify';
import type { Kernel } from '../kernel.ts';
import type { Actor, Gate } from '../security/auth.ts';
import type { RateLimiter } from './rate.ts';

export async function authenticate(
  kernel: Kernel,
  gate: Gate,
  request: FastifyRequest,
  endpoint: AnyEndpoint,
  limit: RateLimiter,
): Promise<Actor> {
  const credential = readCredential(kernel, request);
  if (!credential)
    throw new Problem('TOKEN_INVALID', {
      message: `Send an API key in the header ${kernel.config.API_KEY_HEADERS[0]}, or sign in`,
    });
  const report = limit.beginLookup(credential.text, request.ip);
  let actor: Actor | null = null;
  try {
    actor = await findActor(gate, credential, request.ip, endpoint);
  } finally {
    // An attempt by a blocked user counts as failed.
    report(actor !== null);
  }
  if (!actor)
    throw new Problem(
      'TOKEN_INVALID',
      credential.kind === 'key' ? { message: 'The API key is invalid or deleted' } : {},
    );
  return actor;
}

/** Throws unless callers of this kind may call the endpoint. */
export function requireAudience(actor: Actor, endpoint: AnyEndpoint): void {
  if (endpoint.audience === 'operator' && !actor.operator) throw new Problem('OPERATOR_ONLY');
  if ((endpoint.audience === 'session' || endpoint.audience === 'person') && actor.kind !== 'user')
    throw new Problem('PERMISSION_REQUIRED', { message: 'API keys cannot call this endpoint' });
  if (actor.test && !endpoint.test_keys) throw new Problem('TEST_KEY_NOT_ALLOWED');
  if ((actor.spend_limit_micros != null || actor.approval) && endpoint.uncounted_spend)
    throw new Problem('API_KEY_SPEND_NOT_COUNTED');
  if (endpoint.audience === 'person' && actor.real_user_id) throw new Problem('IMPERSONATION_NOT_ALLOWED');
}

interface Credential {
  kind: 'key' | 'token';
  text: string;
}

/** Endpoints for panels accept only tokens of panels, and no other endpoint accepts them. */
async function findActor(
  gate: Gate,
  { kind, text }: Credential,
  address: string,
  endpoint: AnyEndpoint,
): Promise<Actor | null> {
  if (endpoint.audience === 'panel') return (kind === 'token' && (await gate.panel?.(text))) || null;
  return kind === 'key' ? gate.key(text, address) : gate.bearer(text, endpoint);
}

/** An API key takes precedence over a token. */
export function readCredential(kernel: Kernel, request: FastifyRequest): Credential | null {
  for (const name of kernel.config.API_KEY_HEADERS) {
    const value = request.headers[name.toLowerCase()];
    if (typeof value === 'string' && value) return { kind: 'key', text: value };
  }
  const token = /^Bearer ([\w.~+/-]{16,200}=*)$/i.exec(request.headers.authorization ?? '')?.[1];
  return token ? { kind: 'token', text: token } : null;
}
