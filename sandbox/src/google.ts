// "Google": a real OpenID Connect provider (code flow with PKCE) whose account chooser lets one be anybody, confirmed address or not. Lives under
// /google of the page's own server. Any application on this machine may use it with the client below.
import { createHash, generateKeyPair, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import type { Configuration, default as Provider } from 'oidc-provider';
import { chooserPage, failurePage, showPage } from './google_page.ts';
import { Shelf } from './google_shelf.ts';

export const googleClient = { id: 'parley', secret: 'sandbox' };
const mount = '/google';
const minutes = 60;

export interface GooglePerson {
  email: string;
  name: string;
  email_verified: boolean;
}

const known: readonly GooglePerson[] = [
  { email: 'robin.vale@mail.localhost', name: 'Robin Vale', email_verified: true },
];
const mostPeople = 8;

export class Google {
  private readonly people = new Map<string, GooglePerson>(known.map((person) => [subjectOf(person.email), person]));
  private provider: Promise<Provider> | null = null;
  private port = 0;

  /** The issuer holds the port, which is known once the server listens. */
  open(port: number): void {
    this.port = port;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Made for the first one who asks: most runs never do.
    this.provider ??= this.make();
    const provider = await this.provider;
    forgetSession(request);
    const choosing = /^\/google\/choose\/[\w-]+(?:\?|$)/.test(request.url ?? '');
    if (choosing) return this.choose(provider, request, response);
    // As a mounted application is told where it is.
    Object.assign(request, { originalUrl: request.url });
    request.url = request.url!.slice(mount.length) || '/';
    await provider.callback()(request, response);
  }

  private async make(): Promise<Provider> {
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
    // Applications come with ports of their own.
    provider.Client.prototype.redirectUriAllowed = (uri: string) => isOnThisMachine(uri);
    provider.on('server_error', (_context, error) => process.stderr.write(`sandbox: ${error.stack}\n`));
    return provider;
  }

  private async choose(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { params } = await provider.interactionDetails(request, response);
      if (request.method !== 'POST') {
        const people = [...this.people.values()].slice(-mostPeople).reverse();
        return showPage(response, 200, chooserPage(people));
      }
      const form = await formOf(request);
      if (form.get('choice') === 'cancel') {
        const refusal = { error: 'access_denied', error_description: 'The person does not want to' };
        return await provider.interactionFinished(request, response, refusal);
      }
      const person = personOf(form);
      if (!person) return showPage(response, 400, failurePage('Type an address, for example sam@mail.localhost.'));
      const accountId = this.meet(person);
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
        showPage(response, 400, failurePage('This page has expired. Go back and begin again.'));
    }
  }

  /** The same address is the same person, also after a restart. */
  private meet(person: GooglePerson): string {
    const id = subjectOf(person.email);
    this.people.delete(id);
    this.people.set(id, person);
    return id;
  }

  private configuration(): Configuration {
    return {
      adapter: Shelf,
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
      // Google puts the claims into the ID token too.
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
        return person && { accountId: id, claims: () => claimsOf(id, person) };
      },
      renderError: (context, out) => {
        context.type = 'html';
        context.body = failurePage(`${out.error}: ${out.error_description ?? ''}`);
      },
    };
  }
}

function claimsOf(sub: string, { email, email_verified, name }: GooglePerson) {
  const [given_name = '', ...rest] = name.split(' ');
  return { sub, email, email_verified, name, given_name, family_name: rest.join(' ') };
}

/** 21 digits, as the real one has them. */
const subjectOf = (email: string): string =>
  BigInt(`0x${createHash('sha256').update(email.toLowerCase()).digest('hex')}`)
    .toString()
    .slice(0, 21);

function personOf(form: URLSearchParams): GooglePerson | null {
  const email = form.get('email')?.trim() ?? '';
  if (!/^[^\s@]{1,64}@[^\s@]{1,180}$/.test(email)) return null;
  const name = form.get('name')?.trim().slice(0, 100) || email.split('@')[0]!;
  return { email, name, email_verified: form.get('email_verified') === 'yes' };
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
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

// Nobody stays signed in here: the chooser comes every time, and whoever was chosen last does not matter.
function forgetSession(request: IncomingMessage): void {
  const kept = (request.headers.cookie ?? '').split('; ').filter((cookie) => !/^_session(\.|=)/.test(cookie));
  request.headers.cookie = kept.join('; ');
}
