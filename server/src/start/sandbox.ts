/** The world outside under `npm start`: the sandbox as a part, what the server is told of it, and the operator's authenticator in it. */
import { join } from 'node:path';
import { type Config, sandboxPorts } from '../kernel/settings/config.ts';
import { VIBER_CONNECTION } from '../seed/connection_ids.ts';
import { OPERATOR, OPERATOR_TOTP_SECRET } from '../seed/log_ins.ts';
import { StartError } from './folder.ts';
import type { Running, Starting } from './part.ts';
import { ROOT, startProgram } from './program.ts';

export function launchSandbox(
  config: Config,
  told: { log(part: string, line: string): void },
  starting: Starting,
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
      VIBER_CALLBACK_URL: `http://127.0.0.1:${config.PORT}/callbacks/${VIBER_CONNECTION}`,
    },
    line: (text: string) => {
      const ready = text.startsWith('{"ready":true');
      if (!ready) told.log('sandbox', text);
      return ready;
    },
    stop_ms: 8_000,
  };
  return startProgram(program, starting);
}

/** Mail and sign-in provider, unless others were given. */
export function sandboxSettings(config: Config): Record<string, string> {
  const { http, smtp } = sandboxPorts(config);
  return {
    ...(config.SMTP_URL ? {} : { SMTP_URL: `smtp://127.0.0.1:${smtp}` }),
    ...(config.SIGN_IN_PROVIDERS.length > 0
      ? {}
      : { SIGN_IN_PROVIDERS: `google,Google,http://localhost:${http}/google,parley,sandbox` }),
  };
}

/** At every start, so that an emptied folder of the sandbox locks nobody out. */
export async function fillAuthenticator(config: Config): Promise<void> {
  const { http } = sandboxPorts(config);
  const answer = await fetch(`http://127.0.0.1:${http}/api/authenticators/${OPERATOR}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret: OPERATOR_TOTP_SECRET }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new StartError(`The sandbox took no secret for its authenticator (${answer.status})`);
}
