/** Defines a setting and the types of values: how each value is parsed, and the error if it is invalid. */
import { isIP } from 'node:net';
import { z } from 'zod';

export interface Setting<T = unknown> {
  readonly schema: z.ZodType<T, string>;
  /** The default value. Null means that the setting stays empty. */
  readonly fallback: string | null;
  /** The default under `npm start`, which runs a demo on one machine. */
  readonly demo?: string;
  readonly meaning: string;
  readonly example: string;
  /** If set, the value is never printed. */
  readonly secret?: true;
  /** If true, the name in lower case is accepted too, as in other programs. */
  readonly lowercase?: true;
}

export const text = z.string();
export const port = text
  .regex(/^\d{1,5}$/, 'must be a port number from 1 to 65535')
  .transform(Number)
  .refine((value) => value >= 1 && value <= 65_535, 'must be a port number from 1 to 65535');
export const whole = (min: number, max: number) =>
  text
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);
export const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  text.pipe(z.enum(values, `must be one of ${values.join(', ')}`)) as z.ZodType<T[number], string>;
export const yesNo = text
  .regex(/^(yes|no|true|false|1|0)$/i, 'must be yes or no')
  .transform((value) => /^(yes|true|1)$/i.test(value));
export const list = <T>(item: (part: string) => T | null, wrong: string) =>
  text.transform((value, context) => {
    const parts = value.split(',').map((part) => part.trim());
    const items: T[] = [];
    for (const part of parts.filter(Boolean)) {
      const parsed = item(part);
      if (parsed === null) {
        context.addIssue({ code: 'custom', message: `${wrong}: ${part}` });
        return z.NEVER;
      }
      items.push(parsed);
    }
    return items as readonly T[];
  });
export const webAddress = text
  .refine((value) => /^https?:$/.test(urlProtocol(value)), 'must be a URL that begins with http:// or https://')
  .transform((value) => value.replace(/\/+$/, ''));

/** A page with reviews of the service. */
export interface ReviewLink {
  readonly label: string;
  readonly href: string;
}

export function reviewLink(part: string): ReviewLink | null {
  const [, label = '', href = ''] = /^([^=<>"]{1,40})=(.+)$/.exec(part) ?? [];
  return urlProtocol(href) === 'https:' ? { label: label.trim(), href } : null;
}

/** An OpenID Connect provider for sign-in. */
export interface SignInProvider {
  /** Part of URLs and stored rows, so it must never change. */
  readonly id: string;
  /** The label on the button. */
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: string;
}

function signInProvider(text: string): SignInProvider | null {
  const [id = '', name = '', issuer = '', client_id = '', ...rest] = text.split(',').map((part) => part.trim());
  const client_secret = rest.join(',');
  const is_valid = /^[a-z0-9_-]{1,40}$/.test(id) && /^https?:$/.test(urlProtocol(issuer)) && !/[?#]/.test(issuer);
  return is_valid && name && client_id && client_secret ? { id, name, issuer, client_id, client_secret } : null;
}

export const signInProviders = text.transform((value, context) => {
  const providers = value
    .split(';')
    .filter((part) => part.trim())
    .map(signInProvider);
  // The value contains secrets, so the error names only the entry.
  const wrong = providers.indexOf(null);
  const ids = new Set(providers.map((provider) => provider?.id));
  if (wrong >= 0 || ids.size < providers.length) {
    const message = wrong >= 0 ? `cannot be read in entry ${wrong + 1}` : 'contains an id twice';
    context.addIssue({ code: 'custom', message: `${message}: id,Name,https://issuer,client id,client secret; ...` });
    return z.NEVER;
  }
  return providers as readonly SignInProvider[];
});

/** The app that an operator has registered with a CRM. */
export interface CrmApp {
  /** The CRM. */
  readonly id: string;
  readonly client_id: string;
  readonly client_secret: string;
  /** Null: the usual address of the CRM. */
  readonly url: string | null;
}

function crmApp(text: string): CrmApp | null {
  const [id = '', client_id = '', client_secret = '', url = '', ...rest] = text.split(',').map((part) => part.trim());
  const is_valid = /^[a-z]{1,40}$/.test(id) && (url === '' || /^https?:$/.test(urlProtocol(url))) && rest.length === 0;
  return is_valid && client_id && client_secret
    ? { id, client_id, client_secret, url: url.replace(/\/+$/, '') || null }
    : null;
}

export const crmApps = text.transform((value, context) => {
  const apps = value
    .split(';')
    .filter((part) => part.trim())
    .map(crmApp);
  // The value contains secrets, so the error names only the entry.
  const wrong = apps.indexOf(null);
  if (wrong < 0 && new Set(apps.map((app) => app?.id)).size === apps.length) return apps as readonly CrmApp[];
  const message = wrong >= 0 ? `cannot be read in entry ${wrong + 1}` : 'contains a CRM twice';
  context.addIssue({ code: 'custom', message: `${message}: crm,client id,client secret; ...` });
  return z.NEVER;
});

export function urlProtocol(value: string): string {
  try {
    return new URL(value).protocol;
  } catch {
    return '';
  }
}

export function isCidr(value: string): boolean {
  const [address = '', bits = '', ...rest] = value.split('/');
  const family = isIP(address);
  return family !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

// Defines one setting, with the type that its schema returns.
export const setting = <T>(
  schema: z.ZodType<T, string>,
  detail: Omit<Setting<T>, 'schema' | 'fallback'>,
  fallback: string,
) => ({
  ...detail,
  schema,
  fallback,
});
export const optional = <T>(schema: z.ZodType<T, string>, detail: Omit<Setting<T>, 'schema' | 'fallback'>) => ({
  ...detail,
  schema: schema as z.ZodType<T | null, string>,
  fallback: null,
});
