/**
 * "Google": a real OpenID Connect provider (code flow with PKCE) at /google on the HTTP server. Its account chooser
 * signs in any person, whether or not their email address is verified. Any application on this machine can use the
 * provider with the client below.
 */
import { generateKeyPair, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import type { Configuration, default as Provider } from 'oidc-provider';
import { chooserPage, failurePage, showPage } from './google_page.ts';
import { type GooglePerson, readPerson, toClaims, toSubject } from './google_person.ts';
import { OidcStore } from './oidc_store.ts';

const googleClient = { id: 'parley', secret: 'sandbox' };
const mount = '/google';
const minutes = 60;

const presetPeople: readonly GooglePerson[] = [
  { email: 'robin.vale@mail.localhost', name: 'Robin Vale', email_verified: true },
];
const maxPeople = 8;

export class Google {
  private readonly people = new Map<string, GooglePerson>(
    presetPeople.map((person) => [toSubject(person.email), person]),
  );
  private provider: Promise<Provider> | null = null;
  private port = 0;

  /** Sets the issuer's port, which is known only once the server is listening. */
  open(port: number): void {
    this.port = port;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Created on the first request, because most runs never need it.
    this.provider ??= this.createProvider();
    const provider = await this.provider;
    forgetSession(request);
    const choosing = /^\/google\/choose\/[\w-]+(?:\?|$)/.test(request.url ?? '');
    if (choosing) return this.choose(provider, request, response);
    // The provider reads its mount path from originalUrl.
    Object.assign(request, { originalUrl: request.url });
    request.url = request.url!.slice(mount.length) || '/';
    await provider.callback()(request, response);
  }

  private async createProvider(): Promise<Provider> {
    const { default: OpenIdProvider, interactionPolicy } = await import('oidc-provider');
    const policy = interactionPolicy.base();
    policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
    const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
    const key = {
      ...privateKey.export({ format: 'jwk' }),
      use: 'sig',
      alg: 'RS256',
      kid: randomBytes(6).toString('hex'),
    };
    const provider = new OpenIdProvider(`http://localhost:${this.port}${mount}`, {
      ...this.configuration(),
      jwks: { keys: [key] } as NonNullable<Configuration['jwks']>,
      interactions: { policy, url: (_context, { uid }) => `${mount}/choose/${uid}` },
    });
    // Applications may use any port.
    provider.Client.prototype.redirectUriAllowed = (uri: string) => isOnThisMachine(uri);
    provider.on('server_error', (_context, error) => process.stderr.write(`sandbox: ${error.stack}\n`));
    return provider;
  }

  private async choose(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { params } = await provider.interactionDetails(request, response);
      if (request.method !== 'POST') {
        const people = [...this.people.values()].slice(-maxPeople).reverse();
        return showPage(response, 200, chooserPage(people));
      }
      const form = await readForm(request);
      if (form.get('choice') === 'cancel') {
        const refusal = { error: 'access_denied', error_description: 'The user canceled the sign-in' };
        return await provider.interactionFinished(request, response, refusal);
      }
      const person = readPerson(form);
      if (!person)
        return showPage(response, 400, failurePage('Enter an email address, for example sam@mail.localhost.'));
      const accountId = this.remember(person);
      const grant = new provider.Grant({ accountId, clientId: String(params.client_id) });
      grant.addOIDCScope('openid email profile');
      const grantId = await grant.save();
      await provider.interactionFinished(request, response, {
        select_account: {},
        login: { accountId, remember: false },
        consent: { grantId },
      });
    } catch {
      if (!response.headersSent)
        showPage(response, 400, failurePage('This page has expired. Go back and start again.'));
    }
  }

  /** Returns the account ID. The same email address always gets the same ID, even after a restart. */
  private remember(person: GooglePerson): string {
    const id = toSubject(person.email);
    this.people.delete(id);
    this.people.set(id, person);
    return id;
  }

  private configuration(): Configuration {
    return {
      adapter: OidcStore,
      clients: [
        {
          client_id: googleClient.id,
          client_secret: googleClient.secret,
          redirect_uris: ['http://localhost/any'],
          grant_types: ['authorization_code'],
          response_types: ['code'],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      cookies: { keys: [randomBytes(32).toString('hex')] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name'] },
      // Like the real provider, this one includes the claims in the ID token as well.
      conformIdTokenClaims: false,
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      ttl: {
        AccessToken: 5 * minutes,
        AuthorizationCode: minutes,
        Grant: 10 * minutes,
        IdToken: 5 * minutes,
        Interaction: 10 * minutes,
        Session: 10 * minutes,
      },
      findAccount: (_context, id) => {
        const person = this.people.get(id);
        return person && { accountId: id, claims: () => toClaims(id, person) };
      },
      renderError: (context, out) => {
        context.type = 'html';
        context.body = failurePage(`${out.error}: ${out.error_description ?? ''}`);
      },
    };
  }
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > 10_000) break;
  }
  return new URLSearchParams(text);
}

function isOnThisMachine(uri: string): boolean {
  try {
    return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(uri).hostname);
  } catch {
    return false;
  }
}

/** Drops the session, so that the account chooser appears every time. */
function forgetSession(request: IncomingMessage): void {
  const cookies = (request.headers.cookie ?? '').split('; ').filter((cookie) => !/^_session(\.|=)/.test(cookie));
  request.headers.cookie = cookies.join('; ');
}
