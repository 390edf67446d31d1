/** The text printed once Parley is up. */
import { readFileSync } from 'node:fs';
import { type Config, sandboxPorts } from '../kernel/settings/config.ts';
import { DEMO_USERS, PASSWORD } from '../seed/demo_users.ts';
import { keyFile } from '../seed/seed.ts';

export function banner(config: Config, seconds: number): string {
  const sandbox = `http://localhost:${sandboxPorts(config).http}`;
  const users = DEMO_USERS.map(({ email, description }) => `    ${email.padEnd(26)}${description}`);
  return [
    '',
    `  Parley is up after ${seconds.toFixed(1)} s`,
    '',
    `    App         ${config.PUBLIC_URL}`,
    `    Admin view  ${config.ADMIN_URL}`,
    `    Sandbox     ${sandbox}  (virtual phones, mailbox, authenticator, carrier)`,
    `    SMPP        localhost:${config.SMPP_PORT}  (for customers' programs; accounts under APIs, SMPP)`,
    '',
    `  Demo users (password: ${PASSWORD})`,
    ...users,
    `    ${''.padEnd(26)}from ${sandbox}/#/authenticator`,
    '',
    `  API key for POST ${config.PUBLIC_URL}/v1/messages (header ${config.API_KEY_HEADERS[0]})`,
    `    ${readFileSync(keyFile(config), 'utf8')}`,
    '',
    `  Data is stored in ${config.DATA_DIR}. Press Ctrl-C to stop.`,
    '',
  ].join('\n');
}
