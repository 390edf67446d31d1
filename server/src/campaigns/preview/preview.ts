/** The campaign preview: the figures from estimate.ts, the blockers, and the warnings. */
import type { CampaignPreview, previewCampaign, Sample, sampleCampaign } from '@parley/contract/campaigns/previews.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { ASSUMED_PROFILE, segmentOptions } from '@parley/contract/channels/sms/profile.ts';
import { countSegments, render } from '@parley/contract/channels/sms/text.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { withSampleLinks } from '@parley/contract/links/inline.ts';
import { permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { textLinkPrefix } from '../../links/links.ts';
import { getRouteBook } from '../../messages/messages.ts';
import { availableFunds, campaignSender, findObstacles } from '../draft/ready.ts';
import { sampleOptOut, variableValues } from '../draft/values.ts';
import { audienceById, contactsFrom, countContacts } from '../model/queries.ts';
import { emptyEstimate, estimateCampaign } from './estimate.ts';
import { findBlockers, findWarnings, type Outlook } from './findings.ts';

export async function buildPreview(
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
  const { sender, refusal } = await findSender(db, account_id, channel, body.from);
  const audience = body.audience ? await audienceById(db, account_id, body.audience) : null;
  if (body.audience && !audience) throw new Problem('CAMPAIGN_AUDIENCE_INVALID');
  const draft = { account_id, channel, text, currency: account.currency, user_id: actor.user_id };
  const { found: obstacles } = await findObstacles(db, {
    ...draft,
    sender_id: sender?.id ?? null,
    audience_id: audience?.id ?? null,
  });
  const blocking = refusal
    ? obstacles.map((obstacle) =>
        obstacle.code === 'CAMPAIGN_SENDER_REQUIRED' ? { code: refusal.name, message: refusal.message } : obstacle,
      )
    : obstacles;
  // Without a text, the figures cover only the recipients.
  const has_text = text.trim() !== '';
  const figures = audience
    ? await estimateCampaign(db, kernel, { ...draft, text: has_text ? text : '-', sender, audience })
    : emptyEstimate();
  if (!has_text) Object.assign(figures, { cost: [], total_micros: 0, segments: emptyEstimate().segments });
  const outlook: Outlook = {
    text,
    sender,
    audience,
    figures,
    profile: (await getRouteBook(kernel, db)).commonProfile(channel) ?? ASSUMED_PROFILE,
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
    blockers: findBlockers(outlook, blocking),
    warnings: findWarnings(outlook),
  };
}

export async function renderSamples(
  db: Queryable,
  kernel: Kernel,
  account_id: string,
  body: Parsed<typeof sampleCampaign>['body'],
): Promise<{ total: number; samples: Sample[] }> {
  const audience = await audienceById(db, account_id, body.audience);
  if (!audience) throw new Problem('CAMPAIGN_AUDIENCE_INVALID');
  const { sender } = await findSender(db, account_id, audience.channel, body.from);
  const [contacts, total] = await Promise.all([
    contactsFrom(db, account_id, audience.id, body.offset, body.size),
    countContacts(db, account_id, audience.id),
  ]);
  const routes = await getRouteBook(kernel, db);
  const link_prefix = await textLinkPrefix(db, kernel.config, account_id);
  const opt_out = sampleOptOut(sender, link_prefix);
  return {
    total,
    samples: contacts.map((contact) => {
      const variables = variableValues(contact, opt_out);
      const text = render(withSampleLinks(body.text, link_prefix), variables);
      const { number, country } = contact;
      const connection = routes.route(audience.channel, number, country)?.connection_id;
      const profile = connection ? routes.profile(connection) : ASSUMED_PROFILE;
      const { count, encoding } = countSegments(text, segmentOptions(profile));
      return { number, country, variables, link_prefix, text, encoding, segments_count: count };
    }),
  };
}

interface SenderChoice {
  sender: Sender | null;
  /** The reason why the requested sender cannot be used. */
  refusal: Problem | null;
}

async function findSender(
  db: Queryable,
  account_id: string,
  channel: ChannelName,
  from: string | null | undefined,
): Promise<SenderChoice> {
  if (!from) return { sender: null, refusal: null };
  try {
    return { sender: await campaignSender(db, account_id, channel, from), refusal: null };
  } catch (error) {
    if (error instanceof Problem) return { sender: null, refusal: error };
    throw error;
  }
}
