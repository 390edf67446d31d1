/** Announces changes to a template: live to the account's sessions, and by email to its owner. */
import { channelRules } from '@parley/contract/channels/index.ts';
import { templateForm } from '@parley/contract/channels/names.ts';
import type { EventType } from '@parley/contract/event.ts';
import { type Template, templateUpdated } from '@parley/contract/templates/templates.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { emit } from '../kernel/live/events.ts';
import { letter } from '../kernel/mail/letter.ts';
import { sendMail } from '../kernel/mail/mail.ts';
import type { Config } from '../kernel/settings/config.ts';
import * as queries from './queries.ts';
import { hasQuestion } from './reasons.ts';

/** Announces and returns the current template. */
export async function announceTemplate(
  tx: Tx,
  account_id: string,
  id: string,
  type: EventType<typeof Template> = templateUpdated,
): Promise<Template> {
  const template = queries.toTemplate((await queries.findTemplate(tx, account_id, id))!);
  emit(tx, type, account_id, template);
  return template;
}

export const formPath = ({ channel, id }: Pick<Template, 'channel' | 'id'>): string =>
  `/library/${templateForm(channel)}/${id}`;

export const findOwner = (tx: Tx, account_id: string) =>
  tx.maybeOne<{ email: string; first_name: string; company_name: string }>(sql`
    select u.email, u.first_name, a.company_name from users u join accounts a on a.id = u.account_id
    where u.account_id = ${account_id} and u.is_owner and u.remove_date is null order by u.id limit 1`);

/** Sends one email for each decision on a `revision`. */
export async function mailDecision(
  tx: Tx,
  config: Pick<Config, 'PUBLIC_URL'>,
  template: Template,
  revision: number,
): Promise<void> {
  const owner = await findOwner(tx, template.account_id);
  if (!owner) return;
  const label = `${channelRules(template.channel).label} template ${template.name}`;
  const approved = template.status === 'COMPLETED';
  const { reason } = template;
  const isQuestion = hasQuestion(template);
  const title = approved
    ? `Approved: ${label}`
    : isQuestion
      ? `More information requested: ${label}`
      : `Rejected: ${label}`;
  const decision = isQuestion
    ? `We need more information to review the ${label}.`
    : `The ${label} ${approved ? 'is approved. You can send it now.' : 'was not approved.'}`;
  await sendMail(tx, {
    to: owner.email,
    account_id: template.account_id,
    subject: title,
    dedupe_key: `template-decided ${template.id} ${revision} ${template.status}`,
    ...letter({
      title,
      paragraphs: [
        owner.first_name ? `Hello ${owner.first_name},` : 'Hello,',
        decision,
        ...(approved || !reason ? [] : [reason.text, reason.advice]),
      ],
      action: approved
        ? { label: 'Open the templates', url: `${config.PUBLIC_URL}/library?open=${template.id}` }
        : { label: 'Edit the template', url: `${config.PUBLIC_URL}${formPath(template)}` },
      footer: `You received this email because you own the ${owner.company_name} account.`,
    }),
  });
}
