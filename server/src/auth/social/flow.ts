/**
 * Implements sign-in with a provider: the authorization code flow with PKCE, state, and nonce. The expected values are
 * sealed in a cookie in the browser that started the flow, so that no browser is signed in with another person's
 * response. The result is a ticket that is valid only in that browser.
 */
import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import * as openid from 'openid-client';
import { secret } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { SignInProvider } from '../../kernel/settings/setting_kinds.ts';
import { hashToken } from '../people/tokens.ts';
import { cookieName, readCookie, setCookie } from './cookies.ts';
import { findProvider, loadConfiguration } from './providers.ts';
import { BROWSER_COOKIE, type SocialTicket, ticketToken } from './tickets.ts';

/** Each provider has its own URL, so that none can pass on another provider's response as its own. */
const callbackPath = (provider: string): string => `/v1/social_sign_ins/callback/${provider}`;
const FLOW_SECONDS = 600;
/** The time that the page has to make its first request with the ticket. */
const TICKET_SECONDS = 60;

type Purpose = 'sign_in' | 'connect';
interface Flow {
  provider: string;
  purpose: Purpose;
  state: string;
  nonce: string;
  verifier: string;
  return_url: string | null;
  /** The URL of the app that the browser started from and returns to. */
  base: string;
  until: number;
}

export async function startSocialSignIn(
  { kernel, headers, reply }: Pick<Ctx, 'kernel' | 'headers' | 'reply'>,
  body: { provider: string; purpose: Purpose; return_url?: string | undefined },
): Promise<{ url: string }> {
  const provider = findProvider(kernel, body.provider);
  const configuration = await loadConfiguration(kernel, provider);
  const flow: Flow = {
    provider: provider.id,
    purpose: body.purpose,
    state: openid.randomState(),
    nonce: openid.randomNonce(),
    verifier: openid.randomPKCECodeVerifier(),
    return_url: safePath(body.return_url, kernel.config.PUBLIC_URL),
    base: appUrl(kernel, headers),
    until: kernel.clock.now().getTime() + FLOW_SECONDS * 1000,
  };
  const url = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: flow.base + callbackPath(provider.id),
    scope: 'openid email profile',
    response_type: 'code',
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    // Lets people with several accounts at the provider choose one at every sign-in.
    prompt: 'select_account',
  });
  const name = flowCookie(kernel, flow.state);
  setCookie(reply, {
    name,
    value: kernel.seals.seal(JSON.stringify(flow), sealContext(name)),
    seconds: FLOW_SECONDS,
    same_site: 'Lax',
  });
  return { url: url.href };
}

// Each flow has its own cookie, since two tabs can be signing in at once.
const flowCookie = ({ config }: Pick<Kernel, 'config'>, state: string) =>
  cookieName(`parley-social-${state.slice(0, 12)}`, config);
const sealContext = (name: string) => ({ table: 'cookie', row: name });

/** `addressed` is the provider whose callback URL was called. */
export async function finishSocialSignIn(
  { kernel, headers, reply }: Pick<Ctx, 'kernel' | 'headers' | 'reply'>,
  addressed: string,
  request: FastifyRequest = reply.request,
): Promise<void> {
  const { search, searchParams } = new URL(request.url, 'http://callback');
  const name = flowCookie(kernel, searchParams.get('state') ?? '');
  const flow = readFlow(kernel, name, readCookie(headers, name));
  if (!flow) return redirectToApp(kernel, reply, null, { social_error: 'expired' });
  setCookie(reply, { name, value: '', seconds: 0, same_site: 'Lax' });
  try {
    if (addressed !== flow.provider) throw new Error(`the response came to the callback URL of ${addressed}`);
    const provider = findProvider(kernel, flow.provider);
    const identity = await exchangeCode(kernel, provider, flow, new URL(flow.base + callbackPath(addressed) + search));
    const browser = readBrowserId(kernel, headers) ?? randomBytes(24).toString('base64url');
    const ticket = secret();
    await insertTicket(kernel, ticketToken(ticket, browser), identity);
    setCookie(reply, {
      name: cookieName(BROWSER_COOKIE, kernel.config),
      value: browser,
      seconds: FLOW_SECONDS,
      same_site: 'Strict',
    });
    redirectToApp(kernel, reply, flow, { social_token: ticket });
  } catch (error) {
    const { code, error: response } = error as { code?: string; error?: string };
    kernel.log.warn({ provider: flow.provider, code, response }, 'provider sign-in failed');
    // The page receives errors that the provider reported to the person, but not the details of errors between the
    // provider and this server.
    const isReported = error instanceof openid.AuthorizationResponseError && /^[a-z_]{1,40}$/.test(error.error);
    redirectToApp(kernel, reply, flow, { social_error: isReported ? error.error : 'failed' });
  }
}

const readBrowserId = ({ config }: Kernel, headers: FastifyRequest['headers']): string | null => {
  const value = readCookie(headers, cookieName(BROWSER_COOKIE, config));
  return value && /^[\w-]{32}$/.test(value) ? value : null;
};

function readFlow(kernel: Kernel, name: string, sealed: string | null): Flow | null {
  if (!sealed) return null;
  try {
    const flow = JSON.parse(kernel.seals.open(sealed, sealContext(name))) as Flow;
    return flow.until > kernel.clock.now().getTime() ? flow : null;
  } catch {
    return null;
  }
}

/** Exchanges the code and checks state, issuer, nonce, audience, signature, and expiry. */
async function exchangeCode(
  kernel: Kernel,
  provider: SignInProvider,
  flow: Flow,
  callback: URL,
): Promise<SocialTicket> {
  const configuration = await loadConfiguration(kernel, provider);
  const tokens = await openid.authorizationCodeGrant(configuration, callback, {
    pkceCodeVerifier: flow.verifier,
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims()!;
  const more =
    claims.email === undefined && configuration.serverMetadata().userinfo_endpoint
      ? await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : {};
  const all: Record<string, unknown> = { ...claims, ...more };
  const email = text(all.email, 254).toLowerCase();
  const [first = '', ...rest] = text(all.name, 120).split(' ');
  return {
    provider: provider.id,
    issuer: claims.iss,
    subject: claims.sub,
    email: /^[^\s@]+@[^\s@]+$/.test(email) ? email : '',
    email_verified: all.email_verified === true || all.email_verified === 'true',
    first_name: text(all.given_name, 60) || first.slice(0, 60),
    last_name: text(all.family_name, 60) || rest.join(' ').slice(0, 60),
  };
}

const text = (value: unknown, max: number): string =>
  typeof value === 'string'
    ? value
        .toWellFormed()
        .replace(/[\p{Cc}\p{Cf}]/gu, '')
        .trim()
        .slice(0, max)
        .toWellFormed()
    : '';

const insertTicket = ({ db, clock }: Kernel, token: string, identity: SocialTicket) =>
  db.run(sql`
    with expired as (
      delete from social_tickets where ticket_hash in (
        select ticket_hash from social_tickets where expire_date < ${clock.now()}::timestamptz - interval '1 day'
        order by expire_date limit 20 for update skip locked))
    insert into social_tickets (ticket_hash, provider, issuer, subject, email, email_verified, first_name, last_name,
                                expire_date)
    values (${hashToken(token)}, ${identity.provider}, ${identity.issuer}, ${identity.subject}, ${identity.email},
            ${identity.email_verified}, ${identity.first_name}, ${identity.last_name},
            ${clock.now()}::timestamptz + make_interval(secs => ${TICKET_SECONDS}))`);

/** The result goes into the URL fragment, which browsers never send to a server, so that no log contains it. */
function redirectToApp(kernel: Kernel, reply: Ctx['reply'], flow: Flow | null, fragment: Record<string, string>): void {
  const page = flow?.purpose === 'connect' ? '/settings/security' : '/sign-in';
  const query = flow?.return_url ? `?${new URLSearchParams({ returnUrl: flow.return_url })}` : '';
  const base = flow?.base ?? kernel.config.PUBLIC_URL;
  reply.redirect(`${base}${page}${query}#${new URLSearchParams(fragment)}`, 303);
}

// Only the two configured URLs are used; any other Host header is ignored.
function appUrl({ config }: Kernel, headers: FastifyRequest['headers']): string {
  const admin = new URL(config.ADMIN_URL);
  return headers.origin === admin.origin || (!headers.origin && headers.host === admin.host)
    ? config.ADMIN_URL
    : config.PUBLIC_URL;
}

/** Returns the path if it is within the app, or null if it is not. */
export function safePath(path: string | undefined, base: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop them, and then `/\t/host` is another host
  if (!path || !/^\/(?![/\\])/.test(path) || /[\x00-\x1f\\]/.test(path)) return null;
  const url = new URL(path, base);
  return url.origin === new URL(base).origin ? url.pathname + url.search : null;
}
