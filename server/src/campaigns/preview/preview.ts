/** The campaign preview: the figures from estimate.ts, the blockers, and the warnings. */
import type { ApprovalRule } from '@parley/contract/accounts/campaign_rules.ts';
import type { QuietHours } from '@parley/contract/accounts/quiet_hours.ts';
import type { CampaignPreview, previewCampaign, Sample, sampleCampaign } from '@parley/contract/campaigns/previews.ts';
import { type CampaignTiming, NO_TIMING } from '@parley/contract/campaigns/timing.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { ASSUMED_PROFILE, segmentOptions } from '@parley/contract/channels/sms/profile.ts';
import { countSegments, render } from '@parley/contract/channels/sms/text.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { withSampleLinks } from '@parley/contract/links/inline.ts';
import { VALIDITY_SECONDS } from '@parley/contract/messages/messages.ts';
import { permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { listContactFieldKeys } from '../../audiences/audiences.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { readTextLinkPrefix } from '../../links/links.ts';
import { findNetworks, getRouteBook } from '../../messages/messages.ts';
import { findCampaignTemplate, readContent } from '../draft/content.ts';
import { readCampaignFallbacks } from '../draft/fallbacks.ts';
import { findObstacles, readAvailableFunds } from '../draft/ready.ts';
import { requireCampaignSender } from '../draft/sender.ts';
import { sampleOptOut, variableValues } from '../draft/values.ts';
import { loadWriter, type Written } from '../draft/writer.ts';
import { findAudience, listAudiencesById } from '../model/queries.ts';
import { type Contact, countContacts, draftReach, listContactsFrom } from '../model/reach.ts';
import { predictArrivals } from '../timing/arrivals.ts';
import { paceMicros } from '../timing/pace.ts';
import { createPlanner, type Planner } from '../timing/planner.ts';
import { findHeldContent } from './content_warnings.ts';
import { type Estimate, emptyEstimate, estimateCampaign } from './estimate.ts';
import { findBlockers, findWarnings, type Outlook } from './findings.ts';

/** A campaign as a request describes it, with everything that is already known to be wrong. */
export async function loadOutline(
  db: Queryable,
  { account_id, user_id }: Pick<Actor, 'account_id' | 'user_id'>,
  body: Parsed<typeof previewCampaign>['body'],
  now: Date,
) {
  const { channel, countries = null } = body;
  const account = await db.one<{
    currency: CampaignPreview['currency'];
    timezone: string;
    quiet_hours: QuietHours | null;
    campaign_approval: ApprovalRule | null;
  }>(sql`select currency, timezone, quiet_hours, campaign_approval from accounts where id = ${account_id}`);
  const { sender, refusal } = await findSender(db, account_id, channel, body.from);
  const audience_ids = [...new Set(body.audience_ids ?? (body.audience ? [body.audience] : []))];
  const audiences = await listAudiencesById(db, account_id, audience_ids);
  if (audiences.length < audience_ids.length) throw new Problem('CAMPAIGN_AUDIENCE_INVALID');
  const { excluded_audience_ids = [], validity_seconds = VALIDITY_SECONDS.default } = body;
  const template = body.template ? await findCampaignTemplate(db, account_id, body.template) : null;
  const content = readContent(channel, body) ?? {};
  const fallbacks = await readCampaignFallbacks(db, { account_id, channel }, body.fallbacks ?? null, validity_seconds);
  const draft = {
    ...{ account_id, user_id, channel, content, countries, fallbacks, audience_ids, excluded_audience_ids },
    ...{ currency: account.currency, text: template?.text ?? body.text, template_id: template?.id ?? null },
    ...{ sender_id: sender?.id ?? null, audience_id: audience_ids[0] ?? null },
    ...{ trigger: body.trigger ?? null, session_text: body.session_text ?? null },
    ...{ safety: { lookup: body.lookup, lookup_countries: body.lookup_countries ?? null }, start_date: null },
  };
  const { found, writer, steps } = await findObstacles(db, draft);
  const start = body.schedule ? parseTimestamp(body.schedule) : now;
  const delivery = { planner: previewPlanner(account, body, now), now, start };
  return {
    account,
    delivery,
    refusal,
    found,
    text: draft.text,
    outline: { ...draft, writer, steps, sender, audiences },
  };
}

/** A schedule in the past counts as now. */
const previewPlanner = (
  { timezone, quiet_hours }: { timezone: string; quiet_hours: QuietHours | null },
  { timing = NO_TIMING, schedule }: Parsed<typeof previewCampaign>['body'],
  now: Date,
): Planner => {
  const start = schedule ? parseTimestamp(schedule) : now;
  return createPlanner({
    ...{ timing, account_zone: timezone, account_quiet: quiet_hours },
    local_schedule: timing.local_time && schedule ? start : null,
    // A campaign in the recipients' time zones starts before its time.
    start: timing.local_time ? now : start,
  });
};

/** The timing of the figures in the response. */
export const toArrivals = ({ groups, zones, counts }: Estimate, timing: CampaignTiming = NO_TIMING) => ({
  arrivals: predictArrivals(groups, paceMicros(timing, counts.will_receive)),
  zones,
});

export async function buildPreview(
  db: Queryable,
  kernel: Kernel,
  actor: Actor,
  body: Parsed<typeof previewCampaign>['body'],
): Promise<CampaignPreview> {
  const { account_id } = actor;
  const { channel } = body;
  const now = kernel.clock.now();
  const { account, delivery, refusal, found: obstacles, text, outline } = await loadOutline(db, actor, body, now);
  const { sender, audiences, writer } = outline;
  const blocking = refusal
    ? obstacles.map((obstacle) =>
        obstacle.code === 'CAMPAIGN_SENDER_REQUIRED' ? { code: refusal.name, message: refusal.message } : obstacle,
      )
    : obstacles;
  // Without a message, the figures cover only the recipients.
  const figures =
    audiences.length > 0 ? await estimateCampaign(db, kernel, outline, undefined, { delivery }) : emptyEstimate();
  if (!writer) Object.assign(figures, { cost: [], total_micros: 0, segments: emptyEstimate().segments });
  const outlook: Outlook = {
    text,
    sender,
    audience: audiences[0] ?? null,
    figures,
    profile: (await getRouteBook(kernel, db)).commonProfile(channel) ?? ASSUMED_PROFILE,
    currency: account.currency,
    timezone: account.timezone,
    restricts: delivery.planner.needsZone,
    available_micros: await readAvailableFunds(db, account_id),
    approval_rule: account.campaign_approval,
    shows_money: permits(actor.permissions, 'PAYMENTS:view'),
    schedule: body.schedule ?? null,
    is_automation: Boolean(body.trigger),
    held: await findHeldContent(db, kernel, outline, figures, now),
    now,
  };
  return {
    counts: figures.counts,
    ...toArrivals(figures, body.timing),
    segments: figures.segments,
    cost: figures.cost,
    total_micros: figures.total_micros,
    lookups: figures.lookups,
    open_sessions: figures.open_sessions,
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
  const audience = await findAudience(db, account_id, body.audience);
  if (!audience) throw new Problem('CAMPAIGN_AUDIENCE_INVALID');
  const { channel } = audience;
  const { sender } = await findSender(db, account_id, channel, body.from);
  const fields = await listContactFieldKeys(db, account_id);
  const write = await loadSampleWriter(db, account_id, channel, body, sender, fields);
  const only = { account_id, audience_id: audience.id, audience_ids: [], excluded_audience_ids: [] };
  const reach = await draftReach(db, only, kernel.clock.now());
  const [contacts, total] = await Promise.all([
    listContactsFrom(db, reach, body.offset, body.size),
    countContacts(db, reach),
  ]);
  const routes = await getRouteBook(kernel, db);
  const numbers = contacts.map(({ number }) => number);
  const networks = await findNetworks(db, account_id, kernel.clock.now(), numbers);
  const link_prefix = await readTextLinkPrefix(db, kernel.config, account_id);
  const opt_out = sampleOptOut(sender, link_prefix);
  return {
    total,
    samples: contacts.map((contact) => {
      const variables = variableValues(contact, opt_out, fields);
      const { text, content } = write(contact, link_prefix);
      const { number, country } = contact;
      const connection = routes.route(channel, number, country, networks.get(number)?.mccmnc)?.connection_id;
      const profile = connection ? routes.profile(connection) : ASSUMED_PROFILE;
      const { count, encoding } = countSegments(text, segmentOptions(profile));
      return { number, country, variables, link_prefix, text, content, encoding, segments_count: count };
    }),
  };
}

/** While the message is incomplete, a sample contains only its text. */
async function loadSampleWriter(
  db: Queryable,
  account_id: string,
  channel: ChannelName,
  body: Parsed<typeof sampleCampaign>['body'],
  sender: Sender | null,
  fields: readonly string[],
): Promise<(contact: Contact, link_prefix: string) => Pick<Written, 'text' | 'content'>> {
  const template = body.template ? await findCampaignTemplate(db, account_id, body.template) : null;
  const text = template?.text ?? body.text;
  const source = { account_id, channel, text, template_id: template?.id ?? null };
  try {
    const writer = await loadWriter(db, { ...source, content: readContent(channel, body) ?? {} }, sender);
    return writer.write;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return (contact, link_prefix) => ({
      text: render(
        withSampleLinks(text, link_prefix),
        variableValues(contact, sampleOptOut(sender, link_prefix), fields),
      ),
      content: null,
    });
  }
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
    return { sender: await requireCampaignSender(db, account_id, channel, from), refusal: null };
  } catch (error) {
    if (error instanceof Problem) return { sender: null, refusal: error };
    throw error;
  }
}
