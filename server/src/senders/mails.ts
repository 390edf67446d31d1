/** Mails about senders, to the owner of the company. */
import type { Sender } from '@parley/contract/senders.ts';
import type { Config } from '../kernel/config.ts';
import { letter } from '../kernel/letter.ts';
import type { Mail } from '../kernel/mail.ts';

const KINDS: Record<Sender['type'], string> = {
  local: 'number',
  mobile: 'number',
  toll_free: 'toll-free number',
  short_code: 'short code',
  alphanumeric: 'name',
};

export function senderMail(
  config: Pick<Config, 'PUBLIC_URL'>,
  account_id: string,
  owner: { email: string; first_name: string; company_name: string },
  sender: Sender,
): Mail {
  const title = `Your sender ${sender.code} is ready`;
  const answers = sender.two_way
    ? 'People can answer it; what they write arrives in your inbox.'
    : 'It sends only: nobody can answer it.';
  return {
    to: owner.email,
    account_id,
    subject: title,
    dedupe_key: `sender-created ${sender.id}`,
    ...letter({
      brand: 'Parley',
      title,
      paragraphs: [
        `${owner.first_name ? `Hello ${owner.first_name}, ` : ''}${owner.company_name} has a new sender: the ${KINDS[sender.type]} ${sender.code}, called ${sender.name}.`,
        answers,
      ],
      action: { label: 'Open Parley', url: `${config.PUBLIC_URL}/` },
      footer: `You receive this because you own the account of ${owner.company_name}.`,
    }),
  };
}
