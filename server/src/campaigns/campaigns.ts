/**
 * Campaigns: one message to an audience, sent at most once to each recipient. The audience and the total are frozen at
 * the start. The cursor, the messages, and the money change in one transaction. Statuses change only as
 * lifecycle/lifecycle.ts allows.
 */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { campaignCreated, campaignDeleted } from '@parley/contract/campaigns/campaigns.ts';
import type {
  createCampaign as createEndpoint,
  updateCampaign as updateEndpoint,
} from '@parley/contract/campaigns/drafts.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import { join, type Queryable, type Sql, sql, type Tx, violates } from '../kernel/db/db.ts';
import { type Page, type Paged, paged } from '../kernel/db/list.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { releaseMedia } from '../media/media.ts';
import { readContent, requireCampaignTemplate } from './draft/content.ts';
import { readCampaignFallbacks, type StoredFallback } from './draft/fallbacks.ts';
import { useFiles } from './draft/files.ts';
import { chooseName } from './draft/name.ts';
import { requireCampaignSender } from './draft/sender.ts';
import { readTest } from './draft/test_input.ts';
import { voidApproval } from './lifecycle/approval.ts';
import { hasNeverStarted, moveCampaign } from './lifecycle/lifecycle.ts';
import { announce, reread } from './model/announce.ts';
import { withAccountLookups } from './model/lookups.ts';
import {
  type CampaignFilter,
  countCampaigns,
  findCampaign,
  listAudiencesById,
  listCampaignRows,
  listMessagesAfter,
  lockCampaign,
  WAITING,
} from './model/queries.ts';
import { releaseAudiences } from './model/reach.ts';
import { type CampaignRow, toCampaign } from './model/row.ts';

export { campaignChecks } from './check.ts';

type Creation = Parsed<typeof createEndpoint>['body'];
type Update = Parsed<typeof updateEndpoint>['body'];

export async function listCampaigns(db: Queryable, filter: CampaignFilter, page: Page): Promise<Paged<Campaign>> {
  const [rows, total] = await Promise.all([listCampaignRows(db, filter, page), countCampaigns(db, filter, page)]);
  return paged(page, rows.map(toCampaign), total);
}

export async function getCampaign(db: Queryable, account_id: string, id: string): Promise<Campaign> {
  const row = await findCampaign(db, account_id, id);
  if (!row) throw new Problem('CAMPAIGN_NOT_FOUND');
  return toCampaign(row);
}

/**
 * Creates a campaign. It starts at its scheduled time, or immediately if it has none. With `start: false`, it stays a
 * draft.
 */
export async function createCampaign(
  tx: Tx,
  kernel: Kernel,
  actor: Pick<Actor, 'account_id' | 'user_id' | 'key_id' | 'test'>,
  body: Creation,
): Promise<Campaign> {
  const { account_id } = actor;
  const id = newId();
  const name = body.name ?? (await chooseName(tx, account_id));
  await rejectNameConflict(() =>
    tx.run(sql`
      insert into campaigns (account_id, id, name, channel, status, user_id, create_date, update_date)
      values (${account_id}, ${id}, ${name}, ${body.channel}, 'in_complete', ${actor.user_id}, ${tx.now}, ${tx.now})`),
  );
  const draft = await reread(tx, account_id, id);
  const safety = await withAccountLookups(tx, account_id, body.safety);
  await applyChanges(tx, draft, { ...body, safety, name: undefined });
  if (body.start) {
    await moveCampaign(
      tx,
      kernel,
      await reread(tx, account_id, id),
      body.schedule || body.repeat || body.trigger ? 'scheduled' : 'in_progress',
      actor,
    );
  }
  const campaign = toCampaign(await reread(tx, account_id, id));
  emit(tx, campaignCreated, account_id, campaign);
  return campaign;
}

export async function updateCampaign(
  tx: Tx,
  kernel: Kernel,
  actor: Pick<Actor, 'account_id' | 'user_id' | 'key_id' | 'test'>,
  id: string,
  body: Update,
): Promise<Campaign> {
  const { account_id } = actor;
  const row = await lockCampaign(tx, account_id, id);
  if (!row) throw new Problem('CAMPAIGN_NOT_FOUND');
  const hasChanges = await applyChanges(tx, row, body);
  // After the change, a scheduled campaign must still be ready to start.
  const requested = body.status ?? (row.status === 'scheduled' && hasChanges ? 'scheduled' : undefined);
  if (requested) await moveCampaign(tx, kernel, await reread(tx, account_id, id), requested, actor);
  return announce(tx, account_id, id);
}

export async function removeCampaign(tx: Tx, account_id: string, id: string): Promise<void> {
  const row = await lockCampaign(tx, account_id, id);
  if (!row) throw new Problem('CAMPAIGN_NOT_FOUND');
  const waiting = await listMessagesAfter(tx, row, WAITING, '', 1);
  if (row.status === 'in_progress' || waiting.length > 0) throw new Problem('CAMPAIGN_RUNNING');
  // The messages of a campaign that has started still use its file.
  if (row.start_date === null) await releaseMedia(tx, account_id, `campaign:${id}`);
  await releaseAudiences(tx, row);
  await tx.run(sql`delete from campaign_test_messages where account_id = ${account_id} and campaign_id = ${id}`);
  await tx.run(sql`delete from campaign_waits where account_id = ${account_id} and campaign_id = ${id}`);
  await tx.run(sql`delete from campaign_skips where account_id = ${account_id} and campaign_id = ${id}`);
  await tx.run(sql`delete from campaign_triggers where account_id = ${account_id} and campaign_id = ${id}`);
  await tx.run(sql`delete from campaign_entries where account_id = ${account_id} and campaign_id = ${id}`);
  await tx.run(sql`delete from campaign_approvals where account_id = ${account_id} and campaign_id = ${id}`);
  await tx.run(sql`delete from campaigns where account_id = ${account_id} and id = ${id}`);
  emit(tx, campaignDeleted, account_id, { id });
}

/** Returns whether any field other than the name changed. */
async function applyChanges(tx: Tx, row: CampaignRow, body: Partial<Update>): Promise<boolean> {
  const { account_id } = row;
  const changes: Sql[] = [];
  const sender_id = body.from === undefined ? row.sender_id : await findSenderId(tx, row, body.from);
  if (body.from !== undefined) changes.push(sql`sender_id = ${sender_id}`);
  changes.push(...(await readAudienceChanges(tx, account_id, body)));
  const template = body.template ? await requireCampaignTemplate(tx, { ...row, sender_id }, body.template) : null;
  if (body.template !== undefined) changes.push(sql`template_id = ${template?.id ?? null}`);
  // A template with content cannot be changed, so its text replaces any other text.
  const { rich } = channelRules(row.channel);
  const text = rich ? (template?.text ?? body.text) : (body.text ?? template?.text);
  if (text !== undefined) changes.push(sql`text = ${text}`);
  if (body.session_text !== undefined) changes.push(sql`session_text = ${body.session_text}`);
  const content = readContent(row.channel, body, row.content);
  if (content) changes.push(sql`content = ${JSON.stringify(content)}::jsonb`);
  const fallbacks = await readChangedFallbacks(tx, row, body);
  if (fallbacks !== undefined) changes.push(sql`fallbacks = ${fallbacks && JSON.stringify(fallbacks)}::jsonb`);
  if (body.countries !== undefined) changes.push(sql`countries = ${body.countries}::text[]`);
  if (body.validity_seconds !== undefined) changes.push(sql`validity_seconds = ${body.validity_seconds}`);
  if (body.schedule !== undefined) changes.push(sql`schedule = ${body.schedule}`);
  if (body.timing !== undefined) changes.push(sql`timing = ${JSON.stringify(body.timing)}::jsonb`);
  if (body.repeat !== undefined) changes.push(sql`repeat = ${body.repeat && JSON.stringify(body.repeat)}::jsonb`);
  if (body.trigger !== undefined) changes.push(sql`trigger = ${body.trigger && JSON.stringify(body.trigger)}::jsonb`);
  if (body.safety !== undefined) changes.push(sql`safety = ${JSON.stringify(body.safety)}::jsonb`);
  const test = body.test === undefined ? row.test : await readTest(tx, { ...row, sender_id }, body.test);
  if (body.test !== undefined) changes.push(sql`test = ${test && JSON.stringify(test)}::jsonb`);
  if (changes.length > 0 && !hasNeverStarted(row)) throw new Problem('CAMPAIGN_STATE_INVALID');
  if (content || fallbacks !== undefined || body.test !== undefined) {
    const kept = fallbacks === undefined ? row.fallbacks : fallbacks;
    await useFiles(tx, { ...row, test, content: { ...row.content, ...content }, fallbacks: kept });
  }
  const all = [...changes, ...readLabelChanges(tx, row, body)];
  if (all.length === 0) return false;
  await rejectNameConflict(() =>
    tx.run(sql`
      update campaigns set ${join(all, ', ')}, update_date = ${tx.now} where account_id = ${account_id}
        and id = ${row.id}`),
  );
  if (changes.length > 0) await voidApproval(tx, row);
  return changes.length > 0;
}

/** The fields that can change at any time. An approval does not cover them. */
function readLabelChanges(tx: Tx, { status, approval_status }: CampaignRow, body: Partial<Update>): Sql[] {
  const { name, tags, note, archived } = body;
  const isActive = !ARCHIVABLE.includes(status) || approval_status === 'requested';
  if (archived && isActive)
    throw new Problem('CAMPAIGN_STATUS_CHANGE_NOT_ALLOWED', {
      field: 'archived',
      message: 'A campaign that is scheduled, running, paused, or waiting for approval cannot be archived',
    });
  // A campaign that starts again returns to the list.
  const leaves = archived === false || (body.status !== undefined && archived === undefined);
  return [
    ...(name === undefined ? [] : [sql`name = ${name}`]),
    ...(tags === undefined ? [] : [sql`tags = ${tags}::text[]`]),
    ...(note === undefined ? [] : [sql`note = ${note}`]),
    ...(archived ? [sql`archive_date = coalesce(archive_date, ${tx.now})`] : []),
    ...(leaves ? [sql`archive_date = null`] : []),
  ];
}

const ARCHIVABLE: readonly CampaignRow['status'][] = ['in_complete', 'completed', 'failed', 'canceled'];

/** Returns undefined if the fallbacks do not change. */
async function readChangedFallbacks(
  tx: Tx,
  row: CampaignRow,
  { fallbacks, validity_seconds = row.validity_seconds }: Partial<Update>,
): Promise<StoredFallback[] | null | undefined> {
  if (fallbacks === undefined) return undefined;
  return readCampaignFallbacks(tx, row, fallbacks, validity_seconds);
}

async function findSenderId(tx: Tx, row: CampaignRow, from: string | null): Promise<string | null> {
  if (from === null || from === '') return null;
  return (await requireCampaignSender(tx, row.account_id, row.channel, from)).id;
}

/** `audience` stands for one audience, and `audience_ids` for one or several. */
async function readAudienceChanges(tx: Tx, account_id: string, body: Partial<Update>): Promise<Sql[]> {
  const { audience, audience_ids, excluded_audience_ids } = body;
  const included = audience_ids ?? (audience === undefined ? undefined : audience === null ? [] : [audience]);
  const ids = [...new Set([...(included ?? []), ...(excluded_audience_ids ?? [])])];
  if (ids.length > 0 && (await listAudiencesById(tx, account_id, ids)).length < ids.length)
    throw new Problem('CAMPAIGN_AUDIENCE_INVALID');
  const changes: Sql[] = [];
  if (included) {
    const distinct = [...new Set(included)];
    changes.push(sql`audience_id = ${distinct[0] ?? null}, audience_ids = ${distinct}::uuid[]`);
  }
  if (excluded_audience_ids) changes.push(sql`excluded_audience_ids = ${[...new Set(excluded_audience_ids)]}::uuid[]`);
  return changes;
}

async function rejectNameConflict(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (violates(error, 'campaigns_name')) throw new Problem('CAMPAIGN_EXISTS');
    throw error;
  }
}
