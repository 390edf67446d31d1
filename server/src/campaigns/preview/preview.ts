/** Everything a campaign would do, without doing it: the figures of estimate.ts, what stands in the way, and what the sender should know. */
import type { CampaignPreview, previewCampaign, Sample, sampleCampaign } from '@parley/contract/campaigns/previews.ts';
import { render, segment } from '@parley/contract/channels/sms/text.ts';
import type { ChannelName } from '@parley/contract/common.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { availableFunds, campaignSender, obstacles } from '../draft/ready.ts';
import { valuesOf } from '../draft/values.ts';
import { audienceById, countPeople, peopleFrom } from '../model/queries.ts';
import { estimate, nothing } from './estimate.ts';
import { blockersOf, type Outlook, warningsOf } from './findings.ts';

export async function preview(
  db: Queryable,
  kernel: Kernel,
  actor: Actor,
  body: Parsed<typeof previewCampaign>['body'],
): Promise<CampaignPreview> {
  const { account_id } = actor;
  const { channel, text } = body;
  const account = await db.one<{ currency: CampaignPreview['currency']; timezone: string }>(
    sql`select currency, timezone from accounts where id = ${account_id}`,
  );
  const { sender, refusal } = await senderOf(db, account_id, channel, body.from);
  const audience = body.audience ? await audienceById(db, account_id, body.audience) : null;
  if (body.audience && !audience) throw new Problem('CAMPAIGN_AUDIENCE_INVALID');
  const draft = { account_id, channel, text, currency: account.currency, user_id: actor.user_id };
  const { found } = await obstacles(db, { ...draft, sender_id: sender?.id ?? null, audience_id: audience?.id ?? null });
  const blocking = refusal
    ? found.map((one) =>
        one.code === 'CAMPAIGN_SENDER_REQUIRED' ? { code: refusal.name, message: refusal.message } : one,
      )
    : found;
  // Before anything is written the question is only who could get it.
  const written = text.trim() !== '';
  const figures = audience
    ? await estimate(db, kernel, { ...draft, text: written ? text : '-', sender, audience })
    : nothing();
  if (!written) Object.assign(figures, { cost: [], total_micros: 0, segments: nothing().segments });
  const outlook: Outlook = {
    text,
    sender,
    audience,
    figures,
    currency: account.currency,
    timezone: account.timezone,
    available_micros: await availableFunds(db, account_id),
    shows_money: permits(actor.permissions, 'PAYMENTS:view'),
    schedule: body.schedule ?? null,
    now: kernel.clock.now(),
  };
  return {
    counts: figures.counts,
    segments: figures.segments,
    cost: figures.cost,
    total_micros: figures.total_micros,
    currency: account.currency,
    available_micros: outlook.shows_money ? outlook.available_micros : null,
    blockers: blockersOf(outlook, blocking),
    warnings: warningsOf(outlook),
  };
}

export async function samples(
  db: Queryable,
  account_id: string,
  body: Parsed<typeof sampleCampaign>['body'],
): Promise<{ total: number; samples: Sample[] }> {
  const audience = await audienceById(db, account_id, body.audience);
  if (!audience) throw new Problem('CAMPAIGN_AUDIENCE_INVALID');
  const { sender } = await senderOf(db, account_id, audience.channel, body.from);
  const [people, total] = await Promise.all([
    peopleFrom(db, account_id, audience.id, body.offset, body.size),
    countPeople(db, account_id, audience.id),
  ]);
  return {
    total,
    samples: people.map((person) => {
      const variables = valuesOf(person, sender);
      const text = render(body.text, variables);
      const { encoding, segments } = segment(text);
      const { number, country } = person;
      return { number, country, variables, text, encoding, segments_count: segments.length };
    }),
  };
}

interface Chosen {
  sender: Sender | null;
  /** Why the one asked for cannot be used. */
  refusal: Problem | null;
}

async function senderOf(
  db: Queryable,
  account_id: string,
  channel: ChannelName,
  from: string | null | undefined,
): Promise<Chosen> {
  if (!from) return { sender: null, refusal: null };
  try {
    return { sender: await campaignSender(db, account_id, channel, from), refusal: null };
  } catch (error) {
    if (error instanceof Problem) return { sender: null, refusal: error };
    throw error;
  }
}
