/** Sends the message of a campaign to phones of the team, with the values of one contact, before it goes to anyone. */
import type { CampaignTestPhones, sendCampaignTest } from '@parley/contract/campaigns/test_sends.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { TESTS_PER_DAY } from '@parley/contract/messages/try_it_now.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { accept, countTestsLeft, requireTestsLeft } from '../../messages/messages.ts';
import { readContent, requireCampaignTemplate } from '../draft/content.ts';
import { requireCampaignSender } from '../draft/sender.ts';
import { loadWriter } from '../draft/writer.ts';
import { findAudience } from '../model/queries.ts';
import { type Contact, draftReach, listContactsFrom } from '../model/reach.ts';

/** Limits the response size for large teams. */
const MAX_PHONES = 50;
const END_DIGITS = 3;

interface TeamPhone {
  user_id: string;
  full_name: string;
  number: string;
}

/** The verified phones of users who are not blocked, the caller's first. */
const listTeamPhones = (db: Queryable, { account_id, user_id }: Pick<Actor, 'account_id' | 'user_id'>) =>
  db.rows<TeamPhone>(sql`
    select u.id as user_id, trim(u.first_name || ' ' || u.last_name) as full_name, l.phone_number as number
    from users u join logins l on l.id = u.login_id
    where u.account_id = ${account_id} and not u.blocked and l.status = 'PHONE_VERIFIED' and l.phone_number is not null
    order by u.id = ${user_id} desc, full_name, u.id limit ${MAX_PHONES}`);

export async function readTestPhones(db: Queryable, actor: Actor, now: Date): Promise<CampaignTestPhones> {
  const phones = await listTeamPhones(db, actor);
  return {
    phones: phones.map(({ user_id, full_name, number }) => ({
      ...{ user_id, full_name, number_end: number.slice(-END_DIGITS), mine: user_id === actor.user_id },
    })),
    limit: TESTS_PER_DAY,
    left: Math.max(0, await countTestsLeft(db, actor.account_id, now)),
  };
}

export async function sendTest(
  tx: Tx,
  kernel: Kernel,
  actor: Actor,
  body: Parsed<typeof sendCampaignTest>['body'],
  address: string,
): Promise<{ sent: number; left: number }> {
  const { account_id } = actor;
  const { channel, user_ids } = body;
  const phones = (await listTeamPhones(tx, actor)).filter(({ user_id }) => user_ids.includes(user_id));
  if (phones.length < new Set(user_ids).size) throw new Problem('CAMPAIGN_TEST_PHONE_INVALID');
  const numbers = [...new Set(phones.map(({ number }) => number))];
  const left = await requireTestsLeft(tx, account_id, numbers);
  const sender = await requireCampaignSender(tx, account_id, channel, body.from);
  const template = body.template
    ? await requireCampaignTemplate(tx, { account_id, channel, sender_id: sender.id }, body.template)
    : null;
  // As in a campaign, the text of an SMS template can be changed.
  const text = body.text || template?.text || '';
  const source = { account_id, channel, text, template_id: template?.id ?? null };
  const writer = await loadWriter(tx, { ...source, content: readContent(channel, body) ?? {} }, sender);
  const contact = await findContact(tx, actor, body);
  await accept(tx, kernel, {
    account_id,
    channel,
    from: sender.id,
    recipients: numbers.map((number) => ({ to: number, text: '' })),
    compose: async () => ({ ...writer.message, personal: numbers.map(() => writer.write(contact)) }),
    // Braces in the contact's data are not links.
    source_text: writer.message.text,
    source: 'test',
    refusal: 'throw',
    user_id: actor.user_id,
    key_id: actor.key_id,
    address,
  });
  return { sent: numbers.length, left };
}

const NO_CONTACT: Contact = {
  ...{ id: '', number: '', country: '', first_name: '', last_name: '', custom1: '', custom2: '', fields: {} },
};

/** The contact whose values the message has. */
async function findContact(
  tx: Tx,
  { account_id }: Actor,
  { audience, offset }: Parsed<typeof sendCampaignTest>['body'],
): Promise<Contact> {
  if (!audience) return NO_CONTACT;
  const found = await findAudience(tx, account_id, audience);
  if (!found) throw new Problem('CAMPAIGN_AUDIENCE_INVALID');
  const only = { account_id, audience_id: found.id, audience_ids: [], excluded_audience_ids: [] };
  const [contact] = await listContactsFrom(tx, await draftReach(tx, only, tx.now), offset, 1);
  return contact ?? NO_CONTACT;
}
