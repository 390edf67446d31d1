/**
 * All settings in one table. It defines the validation at startup, the type `Config`, and the list in
 * docs/operations.md (a test compares them).
 */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { API_SETTINGS } from './api_settings.ts';
import { CODE_SETTINGS } from './code_settings.ts';
import { DATABASE_SETTINGS } from './database_settings.ts';
import { LOOKUP_SETTINGS } from './lookup_settings.ts';
import { NETWORK_SETTINGS } from './network_settings.ts';
import { PAYMENT_SETTINGS } from './payment_settings.ts';
import {
  choice,
  crmApps,
  isCidr,
  list,
  optional,
  port,
  reviewLink,
  type Setting,
  setting,
  signInProviders,
  text,
  urlProtocol,
  webAddress,
  whole,
  yesNo,
} from './setting_kinds.ts';
import { SMPP_SETTINGS } from './smpp_settings.ts';
import { STORAGE_SETTINGS } from './storage_settings.ts';

const host = text.regex(/^[\w.:-]{1,253}$/, 'must be an IP address or a host name');

export const SETTINGS = {
  PORT: setting(port, { meaning: 'Port of the app, the API, and the admin view.', example: '8080' }, '4000'),
  HOST: setting(
    host,
    {
      demo: '127.0.0.1',
      meaning: 'IP address to listen on. `npm start` listens on this machine only, production on all IP addresses.',
      example: '127.0.0.1',
    },
    '0.0.0.0',
  ),
  PUBLIC_URL: optional(webAddress, {
    meaning: 'Public URL of the app, used in emails and links. Required in production. Default: http://localhost:PORT.',
    example: 'https://messages.example.com',
  }),
  ADMIN_URL: optional(webAddress, {
    meaning: 'URL of the admin view. Default: PUBLIC_URL with `admin.` before its host name.',
    example: 'https://admin.messages.example.com',
  }),
  LINK_URL: optional(webAddress, {
    meaning: 'Start of short URLs, ideally a short domain that points to this app. Default: PUBLIC_URL.',
    example: 'https://go.example.com',
  }),
  LINK_BLOCKED_DOMAINS: setting(
    list(
      (part) => (/^([a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/i.test(part) ? part.toLowerCase() : null),
      'is not a domain',
    ),
    {
      meaning: 'Domains that short links cannot lead to, with their subdomains, separated by commas.',
      example: 'phishing.example,malware.example',
    },
    '',
  ),
  ...LOOKUP_SETTINGS,
  DATA_DIR: setting(
    text.transform((value) => resolve(value)),
    { meaning: 'Folder for uploaded files, generated secrets, and the embedded database.', example: '/var/lib/parley' },
    './data',
  ),
  ...DATABASE_SETTINGS,
  ROLE: setting(
    choice(['all', 'api', 'worker']),
    { meaning: 'What this process does. `--role=` on the command line takes precedence.', example: 'worker' },
    'all',
  ),
  SECRET_KEY: optional(text.min(32, 'must have at least 32 characters'), {
    secret: true,
    meaning:
      'Signs file links and seals secrets in the database. Default: generated in DATA_DIR. Same key ' +
      'on every machine.',
    example: '64 random characters',
  }),
  SECRET_KEY_PREVIOUS: optional(
    text
      .transform((value): readonly string[] => value.split(',').map((key) => key.trim()))
      .refine((keys) => keys.every((key) => key.length >= 32), 'must be keys of at least 32 characters'),
    {
      secret: true,
      meaning: 'Previous keys, separated by commas. See Replace the secret key.',
      example: 'the old key',
    },
  ),
  FILES_MB: setting(
    whole(1, 10_000_000),
    { meaning: 'File storage per company, in megabytes.', example: '100000' },
    '20000',
  ),
  FILES_UNVERIFIED_MB: setting(
    whole(1, 10_000_000),
    {
      meaning: 'File storage of a company before approval, in megabytes, including pending uploads.',
      example: '100',
    },
    '1000',
  ),
  ...STORAGE_SETTINGS,
  WATCHDOG_SECONDS: setting(
    whole(5, 600),
    { meaning: 'Seconds after which a server process that does not respond is killed and restarted.', example: '60' },
    '30',
  ),
  LOG_LEVEL: setting(
    choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    { demo: 'warn', meaning: 'Lowest level to log.', example: 'debug' },
    'info',
  ),
  METRICS_PORT: optional(port, {
    meaning: 'Port for Prometheus metrics (`/metrics`), on METRICS_HOST. Off by default.',
    example: '9464',
  }),
  METRICS_HOST: setting(
    host,
    { meaning: 'IP address for metrics. By default, only this machine can read them.', example: '10.0.0.5' },
    '127.0.0.1',
  ),
  SMTP_URL: optional(
    text.refine((value) => /^smtps?:$/.test(urlProtocol(value)), 'must begin with smtp:// or smtps://'),
    {
      secret: true,
      meaning: 'Mail server. Without it, emails wait in the outbox. `npm start` uses the sandbox’s mailbox.',
      example: 'smtps://user:password@mail.example.com:465',
    },
  ),
  SMTP_TLS: setting(
    choice(['required', 'optional']),
    {
      meaning:
        '`required`: no email goes to another machine without TLS. `optional` sends passwords and codes ' +
        'in clear text if the server offers no TLS.',
      example: 'optional',
    },
    'required',
  ),
  DKIM_SELECTOR: optional(text.regex(/^[\w.-]{1,63}$/, 'must be a DKIM selector'), {
    meaning: 'Signs emails with DKIM, for the domain of MAIL_FROM. Requires DKIM_KEY_FILE.',
    example: 'parley',
  }),
  DKIM_KEY_FILE: optional(
    text.transform((value) => resolve(value)),
    { meaning: 'File with the private key for DKIM, in PEM format.', example: '/etc/parley/dkim.pem' },
  ),
  MAIL_FROM: setting(
    text.regex(
      /^(?:[^<>\r\n]{1,100}<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
      'must be an email address, with or without a name',
    ),
    { meaning: 'From address for emails.', example: 'Parley <no-reply@example.com>' },
    'Parley <no-reply@parley.localhost>',
  ),
  SIGN_IN_PROVIDERS: setting(
    signInProviders,
    {
      secret: true,
      meaning:
        'OpenID Connect providers, separated by semicolons: `id,Name,issuer,client id,client secret`. ' +
        '`npm start` adds the sandbox’s provider.',
      example: 'google,Google,https://accounts.google.com,client-id,client-secret',
    },
    '',
  ),
  CRM_APPS: setting(
    crmApps,
    {
      secret: true,
      meaning:
        'Apps that you have registered with CRMs, separated by semicolons: `crm,client id,client secret`. ' +
        '`npm start` uses the sandbox.',
      example: 'pipedrive,client-id,client-secret',
    },
    '',
  ),
  ...PAYMENT_SETTINGS,
  LEGAL_LINKS: setting(
    list(reviewLink, 'is not a name and an https address'),
    {
      meaning:
        'Links below sign-in and sign-up, as `Name=https://...`. `Privacy policy`, `Terms of service`, and ' +
        '`Anti-spam policy` replace the built-in documents; other names are added.',
      example: 'Terms of service=https://example.com/terms,Imprint=https://example.com/imprint',
    },
    '',
  ),
  REVIEW_LINKS: setting(
    list(reviewLink, 'is not a name and an https address'),
    {
      meaning:
        'Review pages of this service, linked below sign-in and sign-up, as `Name=https://...`. None by default.',
      example: 'G2=https://www.g2.com/products/example/reviews',
    },
    '',
  ),
  API_KEY_HEADERS: setting(
    list((part) => (/^[A-Za-z0-9-]{1,60}$/.test(part) ? part : null), 'is not a header name'),
    { meaning: 'Request headers that can carry an API key, separated by commas.', example: 'X-API-Key,X-Auth-Key' },
    'X-API-Key',
  ),
  TRUST_PROXY: setting(
    list((part) => (isIP(part) || isCidr(part) ? part : null), 'is not an IP address or network').transform((all) =>
      all.length ? all.join(',') : false,
    ),
    {
      meaning: 'IP addresses or networks of reverse proxies whose X-Forwarded headers are trusted. None by default.',
      example: '10.0.0.0/8',
    },
    '',
  ),
  ...API_SETTINGS,
  ...SMPP_SETTINGS,
  REQUESTS_PER_SECOND: setting(
    whole(1, 1_000_000),
    {
      meaning: 'Rate limit per session or API key, in requests per second. Bursts can be three times as high.',
      example: '200',
    },
    '100',
  ),
  REQUESTS_IN_PROGRESS: setting(
    whole(1, 100_000),
    { meaning: 'Requests that a session or API key can have in progress at the same time.', example: '200' },
    '100',
  ),
  CONNECTIONS_PER_ADDRESS: setting(
    whole(1, 1_000_000),
    {
      meaning:
        'Connections, and requests in progress, per IP address (/64 for IPv6). Proxies in TRUST_PROXY are exempt.',
      example: '2000',
    },
    '1000',
  ),
  STREAMS_PER_USER: setting(
    whole(1, 1_000),
    { meaning: 'Live streams that a user or API key can have open in each process.', example: '50' },
    '20',
  ),
  SLOW_BODY_SECONDS: setting(
    whole(1, 600),
    { meaning: 'Seconds after which a request body must have arrived at 4 KB per second on average.', example: '60' },
    '20',
  ),
  ...CODE_SETTINGS,
  ...NETWORK_SETTINGS,
  TRIAL_CREDIT: setting(
    text
      .regex(/^\d{1,6}(\.\d{1,2})?$/, 'must be an amount such as 1 or 2.50')
      .transform((value) => Math.round(Number(value) * 1_000_000)),
    {
      meaning: 'One-time credit for a trial account on approval, in its own currency. 0 disables it.',
      example: '2.50',
    },
    '1',
  ),
  NEW_ACCOUNT_COUNTRIES: setting(
    choice(['all', 'home']),
    {
      meaning:
        'Where new customers may send at first: `all` countries, or only their `home` country until they allow more.',
      example: 'home',
    },
    'all',
  ),
  SANDBOX_PORT: setting(
    port.refine((value) => value <= 65_532, 'must be at most 65532: the three ports after it are used too'),
    {
      meaning: 'Port of the sandbox under `npm start`. SMPP, SMPP over TLS, and mail use the next three ports.',
      example: '5100',
    },
    '4100',
  ),
  DEMO_HISTORY: setting(
    yesNo,
    {
      meaning: 'Whether `npm start` gives the demo company three months of history in a new DATA_DIR.',
      example: 'no',
    },
    'yes',
  ),
  MODE: setting(
    choice(['demo', 'production', 'test']),
    {
      meaning:
        'Set by the command: `demo` by npm start, `production` by npm run serve. Production refuses the sandbox.',
      example: 'production',
    },
    'production',
  ),
  FAILPOINT: optional(text.regex(/^[\w.:@,-]{1,200}$/, 'is not a failpoint'), {
    meaning: 'For crash tests only: where the process kills itself. Not allowed in production.',
    example: 'after_submitting_commit:2',
  }),
} satisfies Record<string, Setting>;
