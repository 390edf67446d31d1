/**
 * The way to a provider and back: authorization code with PKCE, state and nonce. What must come back is kept sealed in a cookie of the browser that
 * left, so nobody can be signed in with somebody else's answer. The end is a ticket, of use in that browser only.
 */
import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import * as openid from 'openid-client';
import { secret } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { SignInProvider } from '../kernel/settings/setting_kinds.ts';
import { readCookie, setCookie } from './cookies.ts';
import { configurationOf, providerOf } from './providers.ts';
import { BROWSER_COOKIE, BROWSER_PATH, type SocialTicket, ticketToken } from './social_tickets.ts';
import { hashToken } from './tokens.ts';

const CALLBACK = '/v1/social_sign_ins/callback';
const JOURNEY_SECONDS = 600;
/** Of a ticket on its way from the address bar to the first call. */
const TICKET_SECONDS = 60;

type Purpose = 'sign_in' | 'connect';
interface Journey {
  provider: string;
  purpose: Purpose;
  state: string;
  nonce: string;
  verifier: string;
  return_url: string | null;
  /** The host the browser left from; it comes back to the same. */
  base: string;
  until: number;
}

export async function startSocialSignIn(
  { kernel, headers, reply }: Pick<Ctx, 'kernel' | 'headers' | 'reply'>,
  body: { provider: string; purpose: Purpose; return_url?: string | undefined },
): Promise<{ url: string }> {
  const provider = providerOf(kernel, body.provider);
  const configuration = await configurationOf(kernel, provider);
  const journey: Journey = {
    provider: provider.id,
    purpose: body.purpose,
    state: openid.randomState(),
    nonce: openid.randomNonce(),
    verifier: openid.randomPKCECodeVerifier(),
    return_url: ownPath(body.return_url, kernel.config.PUBLIC_URL),
    base: hostOf(kernel, headers),
    until: kernel.clock.now().getTime() + JOURNEY_SECONDS * 1000,
  };
  const url = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: journey.base + CALLBACK,
    scope: 'openid email profile',
    response_type: 'code',
    state: journey.state,
    nonce: journey.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(journey.verifier),
    code_challenge_method: 'S256',
    // Whoever has several accounts there says which one each time.
    prompt: 'select_account',
  });
  const name = cookieOf(journey.state);
  setCookie(reply, {
    name,
    value: kernel.seals.seal(JSON.stringify(journey), placeOf(name)),
    path: CALLBACK,
    seconds: JOURNEY_SECONDS,
    secure: journey.base.startsWith('https:'),
    same_site: 'Lax',
  });
  return { url: url.href };
}

// One cookie for each journey: two tabs may be under way at once.
const cookieOf = (state: string) => `parley-social-${state.slice(0, 12)}`;
const placeOf = (name: string) => ({ table: 'cookie', row: name });

export async function finishSocialSignIn(
  { kernel, headers, reply }: Pick<Ctx, 'kernel' | 'headers' | 'reply'>,
  request: FastifyRequest = reply.request,
): Promise<void> {
  const { search, searchParams } = new URL(request.url, 'http://callback');
  const name = cookieOf(searchParams.get('state') ?? '');
  const journey = read(kernel, name, readCookie(headers, name));
  if (!journey) return lead(kernel, reply, null, { social_error: 'expired' });
  const secure = journey.base.startsWith('https:');
  setCookie(reply, { name, value: '', path: CALLBACK, seconds: 0, secure, same_site: 'Lax' });
  try {
    const said = await ask(
      kernel,
      providerOf(kernel, journey.provider),
      journey,
      new URL(journey.base + CALLBACK + search),
    );
    const browser = browserOf(headers) ?? randomBytes(24).toString('base64url');
    const ticket = secret();
    await keepTicket(kernel, ticketToken(ticket, browser), said);
    setCookie(reply, {
      name: BROWSER_COOKIE,
      value: browser,
      path: BROWSER_PATH,
      seconds: JOURNEY_SECONDS,
      secure,
      same_site: 'Strict',
    });
    lead(kernel, reply, journey, { social_token: ticket });
  } catch (error) {
    const { code, error: said } = error as { code?: string; error?: string };
    kernel.log.warn({ provider: journey.provider, code, said }, 'sign-in at a provider failed');
    // What the provider says to the person is passed on; what went wrong between it and us is not theirs to read.
    const refused = error instanceof openid.AuthorizationResponseError && /^[a-z_]{1,40}$/.test(error.error);
    lead(kernel, reply, journey, { social_error: refused ? error.error : 'failed' });
  }
}

const browserOf = (headers: FastifyRequest['headers']): string | null => {
  const value = readCookie(headers, BROWSER_COOKIE);
  return value && /^[\w-]{32}$/.test(value) ? value : null;
};

function read(kernel: Kernel, name: string, sealed: string | null): Journey | null {
  if (!sealed) return null;
  try {
    const journey = JSON.parse(kernel.seals.open(sealed, placeOf(name))) as Journey;
    return journey.until > kernel.clock.now().getTime() ? journey : null;
  } catch {
    return null;
  }
}

/** State, issuer, nonce, audience, signature and expiry are checked on the way. */
async function ask(kernel: Kernel, provider: SignInProvider, journey: Journey, answer: URL): Promise<SocialTicket> {
  const configuration = await configurationOf(kernel, provider);
  const tokens = await openid.authorizationCodeGrant(configuration, answer, {
    pkceCodeVerifier: journey.verifier,
    expectedState: journey.state,
    expectedNonce: journey.nonce,
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

const text = (value: unknown, most: number): string =>
  typeof value === 'string'
    ? value
        .toWellFormed()
        .replace(/[\p{Cc}\p{Cf}]/gu, '')
        .trim()
        .slice(0, most)
        .toWellFormed()
    : '';

const keepTicket = ({ db, clock }: Kernel, token: string, said: SocialTicket) =>
  db.run(sql`
    with gone as (
      delete from social_tickets where ticket_hash in (
        select ticket_hash from social_tickets where expire_date < ${clock.now()}::timestamptz - interval '1 day'
        order by expire_date limit 20 for update skip locked))
    insert into social_tickets (ticket_hash, provider, issuer, subject, email, email_verified, first_name, last_name, expire_date)
    values (${hashToken(token)}, ${said.provider}, ${said.issuer}, ${said.subject}, ${said.email}, ${said.email_verified}, ${said.first_name},
            ${said.last_name}, ${clock.now()}::timestamptz + make_interval(secs => ${TICKET_SECONDS}))`);

/** Back into the app. The fragment is not sent to any server, nor kept in its logs. */
function lead(kernel: Kernel, reply: Ctx['reply'], journey: Journey | null, fragment: Record<string, string>): void {
  const page = journey?.purpose === 'connect' ? '/settings/security' : '/sign-in';
  const query = journey?.return_url ? `?${new URLSearchParams({ returnUrl: journey.return_url })}` : '';
  const base = journey?.base ?? kernel.config.PUBLIC_URL;
  reply.redirect(`${base}${page}${query}#${new URLSearchParams(fragment)}`, 303);
}

// Only two names are ours; whatever else a Host header says is not repeated.
function hostOf({ config }: Kernel, headers: FastifyRequest['headers']): string {
  const admin = new URL(config.ADMIN_URL);
  return headers.origin === admin.origin || (!headers.origin && headers.host === admin.host)
    ? config.ADMIN_URL
    : config.PUBLIC_URL;
}

/** A page of ours, or nothing. */
export function ownPath(path: string | undefined, base: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop them, and then `/\t/host` is another host
  if (!path || !/^\/(?![/\\])/.test(path) || /[\x00-\x1f\\]/.test(path)) return null;
  const url = new URL(path, base);
  return url.origin === new URL(base).origin ? url.pathname + url.search : null;
}
