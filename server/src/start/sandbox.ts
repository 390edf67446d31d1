/**
 * The sandbox under `npm start`: its process, the server settings that point to it, and the operator's authenticator.
 */
import { join } from 'node:path';
import { type Config, sandboxPorts } from '../kernel/settings/config.ts';
import { VIBER_CONNECTION } from '../seed/connection_ids.ts';
import { OPERATOR, OPERATOR_TOTP_SECRET } from '../seed/demo_users.ts';
import { StartError } from './folder.ts';
import type { Running, StartContext } from './part.ts';
import { ROOT, startProgram } from './program.ts';

export function launchSandbox(
  config: Config,
  reporter: { log(part: string, line: string): void },
  context: StartContext,
): Promise<Running> {
  const ports = sandboxPorts(config);
  const program = {
    args: [join(ROOT, 'sandbox/src/main.ts')],
    env: {
      SANDBOX_PORT: String(ports.http),
      SANDBOX_SMPP_PORT: String(ports.smpp),
      SANDBOX_SMPP_TLS_PORT: String(ports.smpps),
      SANDBOX_SMTP_PORT: String(ports.smtp),
      SANDBOX_DATA_DIR: join(config.DATA_DIR, 'sandbox'),
      STRIPE_WEBHOOK_URL: `http://127.0.0.1:${config.PORT}/callbacks/payments/stripe`,
      PIPEDRIVE_CALLBACK_URL: `${config.PUBLIC_URL}/pipedrive`,
      HUBSPOT_CALLBACK_URL: `${config.PUBLIC_URL}/crm/hubspot`,
      HUBSPOT_WEBHOOK_URL: `${config.PUBLIC_URL}/callbacks/crm/hubspot`,
      VIBER_CALLBACK_URL: `http://127.0.0.1:${config.PORT}/callbacks/${VIBER_CONNECTION}`,
    },
    line: (text: string) => {
      const isReady = text.startsWith('{"ready":true');
      if (!isReady) reporter.log('sandbox', text);
      return isReady;
    },
    stop_ms: 8_000,
  };
  return startProgram(program, context);
}

/** Returns settings that use the sandbox for email, sign-in, and cards, unless others are configured. */
export function sandboxSettings(config: Config): Record<string, string> {
  const { http, smtp } = sandboxPorts(config);
  return {
    ...(config.SMTP_URL ? {} : { SMTP_URL: `smtp://127.0.0.1:${smtp}` }),
    ...(config.VIES_URL ? {} : { VIES_URL: `http://127.0.0.1:${http}/vies` }),
    ...(config.STRIPE_SECRET_KEY
      ? {}
      : {
          STRIPE_SECRET_KEY: 'sk_test_sandbox',
          STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
          STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
          STRIPE_API_URL: `http://127.0.0.1:${http}`,
          STRIPE_SCRIPT_URL: `http://localhost:${http}/stripe/stripe.js`,
        }),
    ...(config.LOOKUP_PROVIDER === 'none'
      ? { LOOKUP_PROVIDER: 'infobip', LOOKUP_URL: `http://127.0.0.1:${http}/infobip`, LOOKUP_SECRET: 'sandbox' }
      : {}),
    ...(config.CRM_APPS.length > 0
      ? {}
      : {
          CRM_APPS:
            `pipedrive,parley,sandbox-pipedrive-secret,http://localhost:${http}/pipedrive;` +
            `hubspot,parley,sandbox-hubspot-secret,http://localhost:${http}/hubspot`,
        }),
    ...(config.SIGN_IN_PROVIDERS.length > 0
      ? {}
      : { SIGN_IN_PROVIDERS: `google,Google,http://localhost:${http}/google,parley,sandbox` }),
  };
}

/** Runs at every start, so that the operator can sign in even if the sandbox folder was emptied. */
export async function fillAuthenticator(config: Config): Promise<void> {
  const { http } = sandboxPorts(config);
  const response = await fetch(`http://127.0.0.1:${http}/api/authenticators/${OPERATOR}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret: OPERATOR_TOTP_SECRET }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new StartError(`The sandbox rejected the secret for its authenticator (${response.status})`);
}
