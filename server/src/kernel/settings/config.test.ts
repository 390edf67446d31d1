import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, isSandbox, loadConfig, sandboxPorts, warnings } from './config.ts';

const listProblems = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
  return [];
};

test('npm start works without any settings', () => {
  const config = loadConfig({ MODE: 'demo' });
  expect(config).toMatchObject({
    PORT: 4000,
    HOST: '127.0.0.1',
    PUBLIC_URL: 'http://localhost:4000',
    ADMIN_URL: 'http://admin.localhost:4000',
    DATA_DIR: resolve('data'),
    DATABASE_URL: 'embedded',
    ROLE: 'all',
    SANDBOX_PORT: 4100,
    METRICS_PORT: null,
    METRICS_HOST: '127.0.0.1',
    SMTP_TLS: 'required',
    SMTP_URL: null,
    SECRET_KEY: null,
    TRUST_PROXY: false,
    API_KEY_HEADERS: ['X-API-Key'],
    OUTBOUND_ALLOW_CIDRS: ['127.0.0.0/8', '::1/128'],
  });
  expect(sandboxPorts(config)).toEqual({ http: 4100, smpp: 4101, smpps: 4102, smtp: 4103 });
});

test('an empty value is treated as missing, and spaces around a value are ignored', () => {
  const config = loadConfig({ MODE: 'demo', PORT: ' 8080 ', LOG_LEVEL: '', TRUST_PROXY: '10.0.0.0/8, ::1' });
  expect(config).toMatchObject({ PORT: 8080, PUBLIC_URL: 'http://localhost:8080', LOG_LEVEL: 'warn' });
  expect(config.TRUST_PROXY).toBe('10.0.0.0/8,::1');
  expect(loadConfig({ MODE: 'demo', PUBLIC_URL: 'https://m.example.com/' }).ADMIN_URL).toBe(
    'https://admin.m.example.com',
  );
});

test('each invalid setting is reported on one line, and secrets are not shown', () => {
  expect(
    listProblems({
      MODE: 'demo',
      PORT: '99999',
      ROLE: 'boss',
      DATABASE_URL: 'mysql://root:hunter2@db/x',
      SECRET_KEY: 'short',
      OUTBOUND_ALLOW_CIDRS: '10.0.0.0/33',
      SANDBOX_PORT: '65535',
      MAIL_FROM: 'a@b\r\nBcc: c@d',
    }),
  ).toEqual([
    'PORT must be a port number from 1 to 65535 (it is "99999")',
    'DATABASE_URL must look like postgresql://user:password@host:5432/database, or be "embedded"',
    'ROLE must be one of all, api, worker (it is "boss")',
    'SECRET_KEY must have at least 32 characters',
    'MAIL_FROM must be an email address, with or without a name (it is "a@b\r\nBcc: c@d")',
    'OUTBOUND_ALLOW_CIDRS is not a network: 10.0.0.0/33 (it is "10.0.0.0/33")',
    'SANDBOX_PORT must be at most 65532: the three ports after it are used too (it is "65535")',
  ]);
});

test('contradictory settings are rejected', () => {
  expect(listProblems({ MODE: 'demo', PORT: '4102' })).toEqual([
    'PORT and SANDBOX_PORT overlap: the sandbox uses 4100, 4101, 4102, 4103',
  ]);
  expect(listProblems({ MODE: 'production' })).toHaveLength(2);
  const production = { MODE: 'production', DATABASE_URL: 'embedded', PUBLIC_URL: 'https://m.example.com' };
  expect(listProblems({ ...production, PUBLIC_URL: '' })).toEqual([
    'PUBLIC_URL is required in production: the URL of the app in emails and links, such as https://...',
  ]);
  expect(listProblems(production)).toEqual([]);
  expect(listProblems({ ...production, OUTBOUND_ALLOW_CIDRS: '10.0.0.0/8' })[0]).toContain(
    'OUTBOUND_ALLOW_PRIVATE=yes',
  );
  expect(listProblems({ ...production, OUTBOUND_ALLOW_CIDRS: '10.0.0.0/8', OUTBOUND_ALLOW_PRIVATE: 'yes' })).toEqual(
    [],
  );
  expect(listProblems({ ...production, FAILPOINT: 'deliver.submitting' })).toHaveLength(1);
  expect(listProblems({ ...production, DKIM_SELECTOR: 's' })).toEqual([
    'DKIM_SELECTOR and DKIM_KEY_FILE require each other',
  ]);
  expect(listProblems({ ...production, DKIM_SELECTOR: 's', DKIM_KEY_FILE: '/nowhere/dkim.pem' })).toEqual([
    'DKIM_KEY_FILE does not exist: /nowhere/dkim.pem',
  ]);
  expect(listProblems({ ...production, METRICS_PORT: '4000' })).toEqual(['METRICS_PORT and PORT are the same']);
});

test('production warns in one line each about URLs without encryption and about missing mail', () => {
  const settings = { MODE: 'production', DATABASE_URL: 'embedded', PUBLIC_URL: 'http://m.example.com' };
  expect(warnings(loadConfig(settings))).toEqual([
    'PUBLIC_URL does not begin with https://: passwords and messages can be read in transit',
    'ADMIN_URL does not begin with https://: passwords and messages can be read in transit',
    'SMTP_URL is not set: emails wait in the outbox',
  ]);
  const safe = { PUBLIC_URL: 'https://m.example.com', SMTP_URL: 'smtps://mail.example.com' };
  expect(warnings(loadConfig({ ...settings, ...safe }))).toEqual([]);
});

test('the sandbox is recognized by every name for this machine, but only on its own ports', () => {
  const config = loadConfig({ MODE: 'demo' });
  for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]', 'smsc.localhost'])
    expect(isSandbox(config, host, 4101), host).toBe(true);
  expect(isSandbox(config, '127.0.0.1', 2775)).toBe(false);
  expect(isSandbox(config, 'smsc.example.com', 4101)).toBe(false);
});

test('a list of sign-in providers is read completely or rejected, and its secrets are not shown', () => {
  const google = 'google,Google,https://accounts.google.com,id,hunter2';
  expect(
    loadConfig({ MODE: 'demo', SIGN_IN_PROVIDERS: ` ${google} ; acme , Acme , http://localhost:9/x , a , b ;` })
      .SIGN_IN_PROVIDERS,
  ).toEqual([
    { id: 'google', name: 'Google', issuer: 'https://accounts.google.com', client_id: 'id', client_secret: 'hunter2' },
    { id: 'acme', name: 'Acme', issuer: 'http://localhost:9/x', client_id: 'a', client_secret: 'b' },
  ]);
  const shape = 'id,Name,https://issuer,client id,client secret; ...';
  expect(listProblems({ MODE: 'demo', SIGN_IN_PROVIDERS: `${google};Other,Other,https://x,id,hunter3` })).toEqual([
    `SIGN_IN_PROVIDERS cannot be read in entry 2: ${shape}`,
  ]);
  expect(listProblems({ MODE: 'demo', SIGN_IN_PROVIDERS: `${google};${google}` })).toEqual([
    `SIGN_IN_PROVIDERS contains an id twice: ${shape}`,
  ]);
  expect(
    listProblems({
      MODE: 'production',
      DATABASE_URL: 'embedded',
      PUBLIC_URL: 'https://m.example.com',
      SIGN_IN_PROVIDERS: 'acme,Acme,http://localhost:9,a,b',
    }),
  ).toEqual(['SIGN_IN_PROVIDERS: the issuer of acme must begin with https://']);
});
