/**
 * The setup checklist: the remaining steps before a customer can send a message. Every step is read from the settings
 * and the database, so that it is also correct after a change by another operator or on the command line.
 */
import type { Setup, SetupStep } from '@parley/contract/admin/setup.ts';
import type { Queryable } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { findCodeSender } from '../../verify/verify.ts';
import * as queries from './setup_queries.ts';

type Step = Omit<Setup['steps'][number], 'name'>;

export async function getSetup({ config }: Kernel, db: Queryable): Promise<Setup> {
  const facts = await queries.readFacts(db);
  const found: Record<SetupStep, Step> = {
    operator: checkOperators(facts),
    address: checkAddress(config),
    mail: checkMail(config.SMTP_URL, facts),
    currency: done(
      `New accounts use ${facts.default_currency}` +
        (facts.enabled_currencies > 1 ? `, or one of ${facts.enabled_currencies - 1} other currencies.` : '.'),
    ),
    networks: checkNetworks(facts),
    prices: checkPrices(facts),
    connection: checkConnections(facts),
    route: facts.routes > 0 ? done(count(facts.routes, 'route')) : missing('No route leads to an enabled connection.'),
    code_sender: checkCodeSender(facts, (await findCodeSender(db)) !== null),
  };
  const steps = (Object.keys(found) as SetupStep[]).map((name) => ({ name, ...found[name] }));
  return { complete: steps.every(({ status }) => status === 'done'), steps };
}

const done = (detail: string): Step => ({ status: 'done', detail });
const attention = (detail: string): Step => ({ status: 'attention', detail });
const missing = (detail: string): Step => ({ status: 'missing', detail });
const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;

const checkOperators = ({ operators, operators_waiting }: queries.Facts): Step =>
  done(
    `${count(operators, 'operator')} with 2FA` +
      (operators_waiting > 0 ? `, ${operators_waiting} more without: the link is not used, or 2FA is missing` : ''),
  );

/** The demo runs on one machine, so no one else can read its traffic. */
const checkAddress = ({ MODE, PUBLIC_URL: url }: Kernel['config']): Step =>
  MODE === 'demo' || url.startsWith('https://')
    ? done(url)
    : attention(`${url} does not begin with https://. Passwords and messages can be read in transit.`);

function checkMail(smtp_url: string | null, { mail_error, mails_waiting }: queries.Facts): Step {
  const waiting = mails_waiting === 0 ? '' : ` ${count(mails_waiting, 'email')} waiting.`;
  if (smtp_url === null) return missing(`SMTP_URL is not set, so no emails are sent.${waiting}`);
  if (mail_error !== null) return attention(`The mail server refused an email: ${mail_error}.${waiting}`);
  return done(`Emails are sent through ${new URL(smtp_url).host}.`);
}

const checkNetworks = ({ networks, prefixes }: queries.Facts): Step =>
  prefixes > 0
    ? done(`${count(networks, 'network')} with ${count(prefixes, 'prefix').replace(/prefixs$/, 'prefixes')}`)
    : missing('Without a numbering plan, prices by network have no effect.');

function checkPrices({ prices, codes_currency, codes_prices }: queries.Facts): Step {
  if (prices === 0) return missing('Messages without a price are refused. Import a price list.');
  if (codes_prices === 0)
    return attention(`No prices in ${codes_currency}, the currency that pays for verification codes.`);
  return done(count(prices, 'price'));
}

function checkConnections({ connections, connections_up, connection_detail }: queries.Facts): Step {
  if (connections === 0) return missing('No connection to a carrier is enabled.');
  const detail = `${connections_up} of ${count(connections, 'connection')} up. ${connection_detail ?? ''}`.trim();
  return connections_up === 0 ? attention(detail) : done(detail);
}

function checkCodeSender({ codes_funds }: queries.Facts, usable: boolean): Step {
  if (!usable) return missing('Customers cannot confirm their phone numbers, because no sender can send the codes.');
  if (codes_funds <= 0) return attention('The operators’ account has no funds left to pay for codes.');
  return done('Verification codes can be sent.');
}
