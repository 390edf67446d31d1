/**
 * Handles changes to a template after its approval: the carrier pauses, resumes, or disables it, or warns about its
 * quality. The owner gets an email for each change.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { Template } from '@parley/contract/templates/templates.ts';
import type { Tx } from '../kernel/db/db.ts';
import { letter } from '../kernel/mail/letter.ts';
import { sendMail } from '../kernel/mail/mail.ts';
import type { Config } from '../kernel/settings/config.ts';
import { findOwner } from './announce.ts';

export type Change = 'decided' | 'paused' | 'disabled' | 'resumed' | 'warned';

type Standing = Pick<Template, 'status' | 'paused' | 'disabled' | 'quality'>;

/** The most important change, or null if no email is needed. */
export function detectChange(before: Standing, now: Standing): Change | null {
  if (now.status === 'COMPLETED' && now.disabled && !before.disabled) return 'disabled';
  if (now.status === 'COMPLETED' && now.paused && !before.paused) return 'paused';
  if (before.status === 'IN_PROCESS' && now.status !== 'IN_PROCESS') return 'decided';
  if (now.status === 'COMPLETED' && before.paused && !now.paused) return 'resumed';
  return now.quality === 'RED' && before.quality !== 'RED' && !now.paused ? 'warned' : null;
}

const STILL: Readonly<Record<Change, (now: Standing) => boolean>> = {
  decided: ({ status }) => status !== 'IN_PROCESS',
  paused: ({ status, paused, disabled }) => status === 'COMPLETED' && paused && !disabled,
  disabled: ({ status, disabled }) => status === 'COMPLETED' && disabled,
  resumed: ({ status, paused }) => status === 'COMPLETED' && !paused,
  warned: ({ quality, paused }) => quality === 'RED' && !paused,
};
export const stillHolds = (now: Standing, change: Change): boolean => STILL[change](now);

const words = (
  carrier: string,
): Readonly<Record<Exclude<Change, 'decided'>, readonly [title: string, text: string]>> => ({
  paused: ['Paused', `cannot be sent right now, because ${carrier} has paused it.`],
  disabled: ['Disabled', `can no longer be sent, because ${carrier} has disabled it.`],
  resumed: ['Active again', 'can be sent again.'],
  warned: [
    'Low quality',
    `is being reported or blocked by many people. ${carrier} will pause it if this continues. ` +
      'Send it to fewer people, and only to those who expect it.',
  ],
});

export async function mailChange(
  tx: Tx,
  config: Pick<Config, 'PUBLIC_URL'>,
  template: Template,
  change: Exclude<Change, 'decided'>,
  key: string,
): Promise<void> {
  const owner = await findOwner(tx, template.account_id);
  if (!owner) return;
  const { label: carrier } = channelRules(template.channel);
  const [title, text] = words(carrier)[change];
  const { reason } = template;
  const label = `${carrier} template ${template.name}`;
  await sendMail(tx, {
    to: owner.email,
    account_id: template.account_id,
    subject: `${title}: ${label}`,
    dedupe_key: `template-changed ${key}`,
    ...letter({
      title: `${title}: ${label}`,
      paragraphs: [
        owner.first_name ? `Hello ${owner.first_name},` : 'Hello,',
        `The ${label} ${text}`,
        ...(reason && template.paused ? [reason.text, reason.advice] : []),
      ],
      action: { label: 'Open the template', url: `${config.PUBLIC_URL}/library?open=${template.id}` },
      footer: `You received this email because you own the ${owner.company_name} account.`,
    }),
  });
}
