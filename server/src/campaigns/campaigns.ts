/**
 * Campaigns: one message to an audience, sent at most once to each recipient. The audience and the total are frozen at
 * the start. The cursor, the messages, and the money change in one transaction. Statuses change only as
 * lifecycle/lifecycle.ts allows.
 */
import type {
  Campaign,
  createCampaign as createEndpoint,
  updateCampaign as updateEndpoint,
} from '@parley/contract/campaigns/campaigns.ts';
import { campaignCreated, campaignDeleted } from '@parley/contract/campaigns/campaigns.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import { join, type Queryable, type Sql, sql, type Tx, violates } from '../kernel/db/db.ts';
import { type Page, type Paged, paged } from '../kernel/db/list.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { requireTemplate } from '../templates/templates.ts';
import { chooseName } from './draft/name.ts';
import { campaignSender } from './draft/ready.ts';
import { hasNeverStarted, moveCampaign, type RequestedStatus } from './lifecycle/lifecycle.ts';
import { announce, reread } from './model/announce.ts';
import {
  audienceById,
  type CampaignFilter,
  campaignById,
  campaignPage,
  countCampaigns,
  lockCampaign,
  messagesAfter,
  WAITING,
} from './model/queries.ts';
import { type CampaignRow, toCampaign } from './model/row.ts';

export { campaignChecks } from './check.ts';

type Creation = Parsed<typeof createEndpoint>['body'];
type Update = Parsed<typeof updateEndpoint>['body'];

export async function listCampaigns(db: Queryable, filter: CampaignFilter, page: Page): Promise<Paged<Campaign>> {
  const [rows, total] = await Promise.all([campaignPage(db, filter, page), countCampaigns(db, filter)]);
  return paged(page, rows.map(toCampaign), total);
}

export async function getCampaign(db: Queryable, account_id: string, id: string): Promise<Campaign> {
  const row = await campaignById(db, account_id, id);
  if (!row) throw new Problem('CAMPAIGN_NOT_FOUND');
  return toCampaign(row);
}

/**
 * Creates a campaign. It starts at its scheduled time, or immediately if it has none. With `start: false`, it stays a
 * draft.
 */
export async function createCampaign(tx: Tx, kernel: Kernel, actor: Actor, body: Creation): Promise<Campaign> {
  const { account_id } = actor;
  if (!channelRules(body.channel).campaigns) throw new Problem('CAMPAIGN_CHANNEL_NOT_SUPPORTED');
  const id = newId();
  const name = body.name ?? (await chooseName(tx, account_id));
  await rejectNameConflict(() =>
    tx.run(sql`
      insert into campaigns (account_id, id, name, channel, status, user_id, create_date, update_date)
      values (${account_id}, ${id}, ${name}, ${body.channel}, 'in_complete', ${actor.user_id}, ${tx.now}, ${tx.now})`),
  );
  const draft = await reread(tx, account_id, id);
  await applyChanges(tx, draft, { ...body, name: undefined });
  if (body.start) {
    await moveCampaign(tx, kernel, await reread(tx, account_id, id), body.schedule ? 'scheduled' : 'in_progress');
  }
  const campaign = toCampaign(await reread(tx, account_id, id));
  emit(tx, campaignCreated, account_id, campaign);
  return campaign;
}

export async function updateCampaign(
  tx: Tx,
  kernel: Kernel,
  account_id: string,
  id: string,
  body: Update,
): Promise<Campaign> {
  const row = await lockCampaign(tx, account_id, id);
  if (!row) throw new Problem('CAMPAIGN_NOT_FOUND');
  const hasChanges = await applyChanges(tx, row, body);
  // After the change, a scheduled campaign must still be ready to start.
  const requested: RequestedStatus | undefined =
    body.status ?? (row.status === 'scheduled' && hasChanges ? 'scheduled' : undefined);
  if (requested) await moveCampaign(tx, kernel, await reread(tx, account_id, id), requested);
  return announce(tx, account_id, id);
}

export async function removeCampaign(tx: Tx, account_id: string, id: string): Promise<void> {
  const row = await lockCampaign(tx, account_id, id);
  if (!row) throw new Problem('CAMPAIGN_NOT_FOUND');
  const waiting = await messagesAfter(tx, row, WAITING, '', 1);
  if (row.status === 'in_progress' || waiting.length > 0) throw new Problem('CAMPAIGN_RUNNING');
  await tx.run(sql`delete from campaigns where account_id = ${account_id} and id = ${id}`);
  emit(tx, campaignDeleted, account_id, { id });
}

/** Returns whether any field other than the name changed. */
async function applyChanges(tx: Tx, row: CampaignRow, body: Partial<Update>): Promise<boolean> {
  const { account_id } = row;
  const changes: Sql[] = [];
  if (body.from !== undefined) changes.push(sql`sender_id = ${await senderId(tx, row, body.from)}`);
  if (body.audience !== undefined) changes.push(sql`audience_id = ${await audienceId(tx, account_id, body.audience)}`);
  const template = body.template ? await campaignTemplate(tx, row, body.template) : null;
  if (body.template !== undefined) changes.push(sql`template_id = ${template?.id ?? null}`);
  const text = body.text ?? template?.text;
  if (text !== undefined) changes.push(sql`text = ${text}`);
  if (body.validity_seconds !== undefined) changes.push(sql`validity_seconds = ${body.validity_seconds}`);
  if (body.schedule !== undefined) changes.push(sql`schedule = ${body.schedule}`);
  if (changes.length > 0 && !hasNeverStarted(row)) throw new Problem('CAMPAIGN_STATE_INVALID');
  const all = body.name === undefined ? changes : [...changes, sql`name = ${body.name}`];
  if (all.length === 0) return false;
  await rejectNameConflict(() =>
    tx.run(sql`
      update campaigns set ${join(all, ', ')}, update_date = ${tx.now} where account_id = ${account_id}
        and id = ${row.id}`),
  );
  return changes.length > 0;
}

async function senderId(tx: Tx, row: CampaignRow, from: string | null): Promise<string | null> {
  if (from === null || from === '') return null;
  return (await campaignSender(tx, row.account_id, row.channel, from)).id;
}

/**
 * Throws CAMPAIGN_TEMPLATE_INVALID if the template may not be sent, and CAMPAIGN_TEMPLATE_CHANNEL_MISMATCH if it
 * belongs to another channel.
 */
async function campaignTemplate(tx: Tx, row: CampaignRow, id: string): Promise<{ id: string; text: string }> {
  try {
    return await requireTemplate(tx, row.account_id, id, row.channel, { id: row.sender_id ?? row.id });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(
      error.name === 'TEMPLATE_CHANNEL_MISMATCH' ? 'CAMPAIGN_TEMPLATE_CHANNEL_MISMATCH' : 'CAMPAIGN_TEMPLATE_INVALID',
    );
  }
}

async function audienceId(tx: Tx, account_id: string, id: string | null): Promise<string | null> {
  if (id === null) return null;
  if (!(await audienceById(tx, account_id, id))) throw new Problem('CAMPAIGN_AUDIENCE_INVALID');
  return id;
}

async function rejectNameConflict(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (violates(error, 'campaigns_name')) throw new Problem('CAMPAIGN_EXISTS');
    throw error;
  }
}
