/**
 * `npm run operator -- create EMAIL`: prints the link with which a person becomes an operator. A second run changes
 * nothing, unless `--new-link` replaces a link that was not used. The exit code is 1 if no link was created.
 */
import { z } from 'zod';
import { Db } from '../kernel/db/db.ts';
import { migrate } from '../kernel/db/migrate.ts';
import { ConfigError, loadConfig } from '../kernel/settings/config.ts';
import { type CreatedOperator, createOperator, invitationPath } from '../team/team.ts';

const USAGE = 'Usage: npm run operator -- create EMAIL [--new-link]';

/** Explains why no link was created. */
const REFUSALS: Readonly<Record<'waiting' | 'active' | 'blocked', (email: string) => string>> = {
  waiting: (email) =>
    `${email} was created before and has not opened the link. Nothing was changed.\n` +
    `For a new link, which replaces the old one: npm run operator -- create ${email} --new-link`,
  active: (email) =>
    `${email} is an operator and can sign in. Nothing was changed.\n` +
    'For a new password, choose "Forgot password?" on the sign-in page.',
  blocked: (email) => `${email} is an operator, but blocked. Nothing was changed. Another operator can unblock them.`,
};

const OUTCOMES = { created: 'is now an operator', renewed: 'has a new link; the old one no longer works' };

const describe = (result: CreatedOperator, email: string, admin_url: string): string =>
  'token' in result
    ? [
        `${email} ${OUTCOMES[result.outcome]}.`,
        `Open this link within ${result.days * 24} hours. It works once:`,
        '',
        `  ${admin_url}${invitationPath(result.token)}`,
        '',
        'There you choose a password and set up two-factor authentication.',
      ].join('\n')
    : REFUSALS[result.outcome](email);

async function main(args: readonly string[]): Promise<number> {
  const renew = args.includes('--new-link');
  const [command, address = '', ...rest] = args.filter((arg) => arg !== '--new-link');
  const email = z.email().max(254).safeParse(address.trim().toLowerCase());
  if (command !== 'create' || rest.length > 0 || address === '') {
    console.error(USAGE);
    return 2;
  }
  if (!email.success) {
    console.error(`"${address}" is not an email address. ${USAGE}`);
    return 2;
  }
  const config = loadConfig(process.env);
  const url = config.DATABASE_URL!;
  await migrate(url);
  const db = new Db({ url, max: 2, application_name: 'parley operator' });
  try {
    const result = await db.tx((tx) => createOperator(tx, email.data, { renew }));
    const print = 'token' in result ? console.log : console.error;
    print(describe(result, email.data, config.ADMIN_URL));
    return 'token' in result ? 0 : 1;
  } finally {
    await db.close();
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const lines = error instanceof ConfigError ? error.lines : [`no operator was created: ${(error as Error).message}`];
  for (const line of lines) console.error(line);
  process.exitCode = 2;
}
