/** The OAuth calls of the server to a CRM, and the signed `state` of an authorization. */
import type { CrmName } from '@parley/contract/crm/crm.ts';
import { createOutbound, type GuardedResponse, type Outbound, OutboundError } from '../kernel/http/outbound.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Actor } from '../kernel/security/auth.ts';
import type { Config } from '../kernel/settings/config.ts';
import { provider, requireApp } from './apps.ts';
import { type App, CrmError, type Tokens } from './providers/provider.ts';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 4 * 1024 * 1024;
const STATE_MS = 600_000;
const PURPOSE = 'crm authorization';

const opened = new WeakMap<Config, Outbound>();

/** Requests never reach a private network, because the CRM names the address of its API. */
function outbound(config: Config): Outbound {
  const known = opened.get(config) ?? createOutbound(config);
  opened.set(config, known);
  return known;
}

/** Sends a request to a CRM. Throws CrmError if there is no response. */
export const send = (
  { config }: Pick<Kernel, 'config'>,
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string },
): Promise<GuardedResponse> =>
  outbound(config)
    .fetch(url, { ...(init as { method: 'GET' }), timeout_ms: TIMEOUT_MS, max_bytes: MAX_BYTES })
    .catch((error: unknown) => {
      if (error instanceof OutboundError) throw new CrmError('busy', error.message);
      throw error;
    });

async function post(
  kernel: Pick<Kernel, 'config'>,
  app: App,
  name: CrmName,
  path: string,
  fields: Record<string, string>,
): Promise<GuardedResponse> {
  const { client_id, client_secret } = app;
  const inHeader = provider(name).token.credentials === 'header';
  return send(kernel, app.url + path, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(inHeader
        ? { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` }
        : {}),
    },
    body: new URLSearchParams({ ...fields, ...(inHeader ? {} : { client_id, client_secret }) }).toString(),
  });
}

/** Exchanges a code or a refresh token. Throws CrmError with `signed_out` if the CRM does not accept it. */
export async function fetchTokens(
  kernel: Pick<Kernel, 'config'>,
  name: CrmName,
  fields: Record<string, string>,
): Promise<Tokens> {
  const app = requireApp(kernel, name);
  const { status, body } = await post(kernel, app, name, provider(name).token.path, fields);
  if (status >= 500 || status === 429) throw new CrmError('busy', `The CRM responded with status ${status}`);
  if (status !== 200) throw new CrmError('signed_out', `The CRM responded with status ${status}`);
  const response = parse(body);
  const { access_token, refresh_token, expires_in } = response;
  if (typeof access_token !== 'string' || typeof refresh_token !== 'string' || typeof expires_in !== 'number')
    throw new CrmError('refused', 'The CRM gave no tokens');
  return { access_token, refresh_token, expires_in, api_url: provider(name).apiUrl(app, response) };
}

/** Returns the CRM's response about the owner of a token, if a request is necessary. */
export async function fetchOwner(
  kernel: Pick<Kernel, 'config'>,
  name: CrmName,
  token: string,
): Promise<Record<string, unknown>> {
  const { introspect_path } = provider(name).token;
  if (!introspect_path) return {};
  const fields = { token, token_type_hint: 'access_token' };
  const { status, body } = await post(kernel, requireApp(kernel, name), name, introspect_path, fields);
  if (status !== 200) throw new CrmError(status >= 500 ? 'busy' : 'refused', `The CRM responded with status ${status}`);
  return parse(body);
}

/** Revokes the tokens in the CRM. A failure is not reported: the tokens are deleted anyway. */
export async function revokeTokens(kernel: Kernel, name: CrmName, refresh_token: string): Promise<void> {
  const { revoke_path } = provider(name);
  if (!revoke_path) return;
  await post(kernel, requireApp(kernel, name), name, revoke_path, {
    token: refresh_token,
    token_type_hint: 'refresh_token',
  }).catch((error: unknown) => kernel.log.warn({ err: error, crm: name }, 'revoking tokens'));
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    throw new CrmError('refused', 'The CRM gave no JSON');
  }
}

const stateText = ({ account_id, user_id }: Actor, name: CrmName, until: string) =>
  `${account_id} ${user_id} ${name} ${until}`;

/** Proves that this user started the authorization. */
export function createState({ seals, clock }: Kernel, actor: Actor, name: CrmName): string {
  const until = String(clock.now().getTime() + STATE_MS);
  return `${until}.${seals.mac(stateText(actor, name, until), PURPOSE).toString('base64url')}`;
}

export function isState({ seals, clock }: Kernel, actor: Actor, name: CrmName, state: string): boolean {
  const [until = '', signature = ''] = state.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  return (
    bytes.length === 32 &&
    seals.isMac(stateText(actor, name, until), PURPOSE, bytes) &&
    Number(until) > clock.now().getTime()
  );
}
