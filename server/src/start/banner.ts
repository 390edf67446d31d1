/** What a person reads when Parley is up. */
import { readFileSync } from 'node:fs';
import { type Config, sandboxPorts } from '../kernel/settings/config.ts';
import { LOG_INS, PASSWORD } from '../seed/log_ins.ts';
import { keyFile } from '../seed/seed.ts';

export function banner(config: Config, seconds: number): string {
  const rows = LOG_INS.map(({ email, what }) => `    ${email.padEnd(26)}${what}`);
  return [
    '',
    `  Parley is up after ${seconds.toFixed(1)} s`,
    '',
    `    App         ${config.PUBLIC_URL}`,
    `    Admin view  ${config.ADMIN_URL}`,
    `    Sandbox     http://localhost:${sandboxPorts(config).http}  (virtual phones, mailbox, authenticator, carrier)`,
    '',
    `  Log-ins, all with the password ${PASSWORD}`,
    ...rows,
    `    ${''.padEnd(26)}the code: http://localhost:${sandboxPorts(config).http}/#/authenticator`,
    '',
    `  API key for POST ${config.PUBLIC_URL}/v1/messages, in the header ${config.API_KEY_HEADERS[0]}`,
    `    ${readFileSync(keyFile(config), 'utf8')}`,
    '',
    `  Everything is kept in ${config.DATA_DIR}. Ctrl-C stops it.`,
    '',
  ].join('\n');
}
