/**
 * Campaigns to the contacts of a file. The campaign is created as a draft together with the import. When the import is
 * completed, the campaign starts in the same transaction that closes the campaign import, so it starts exactly once.
 */

import { audienceName } from '@parley/contract/audiences/audiences.ts';
import type { AudienceImport } from '@parley/contract/audiences/imports.ts';
import type { CampaignImport, createCampaignImport as createEndpoint } from '@parley/contract/campaigns/imports.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem, type ProblemName, problemCode } from '@parley/contract/problem.ts';
import { createImport } from '../audiences/audiences.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { createCampaign } from './campaigns.ts';
import { findObstacles } from './draft/ready.ts';
import { hasNeverStarted, moveCampaign } from './lifecycle/lifecycle.ts';
import { announce, reread } from './model/announce.ts';
import { lockCampaign } from './model/queries.ts';

type Creation = Parsed<typeof createEndpoint>['body'];

/** Everything except the audience, which does not exist yet. */
const AUDIENCE_PROBLEMS: readonly ProblemName[] = ['CAMPAIGN_AUDIENCE_REQUIRED'];

export async function createCampaignImport(ctx: Ctx, body: Creation): Promise<CampaignImport> {
  const { kernel, actor } = ctx;
  const { default_country, ...fields } = body;
  if (fields.schedule && parseTimestamp(fields.schedule) <= kernel.clock.now()) throw new Problem('SCHEDULE_IN_PAST');
  const id = newId();
  const target = { name: importedName(body.name, id), channel: body.channel, start: true, default_country };
  await createImport(ctx, target, async (tx: Tx, row: AudienceImport) => {
    const campaign = await createCampaign(tx, kernel, actor, { ...fields, start: false });
    const { found } = await findObstacles(tx, await reread(tx, actor.account_id, campaign.id));
    const [first, ...others] = found.filter(({ code }) => !AUDIENCE_PROBLEMS.includes(code));
    if (first) throw new Problem(first.code, { message: first.message, others });
    await tx.run(sql`
      insert into campaign_imports (account_id, id, campaign_id, import_id, status, create_date, update_date)
      values (${actor.account_id}, ${id}, ${campaign.id}, ${row.id}, 'importing', ${tx.now}, ${tx.now})`);
  });
  return getCampaignImport(kernel.db, actor.account_id, id);
}

/** The name of the new audience: the campaign's name, as far as audiences allow it, and a unique ending. */
export function importedName(name: string | undefined, id: string): string {
  const ending = ` ${id.slice(-6)}`;
  const base = (name ?? 'Campaign').replace(/[^\p{L}\p{N} _-]+/gu, ' ').trim();
  const choice = `${
    base
      .slice(0, 45 - ending.length)
      .toWellFormed()
      .trim() || 'Campaign'
  }${ending}`;
  return audienceName.safeParse(choice).success ? choice : `Campaign${ending}`;
}

export async function getCampaignImport(db: Queryable, account_id: string, id: string): Promise<CampaignImport> {
  const row = await db.maybeOne<CampaignImport>(sql`
    select c.account_id, c.id, c.campaign_id, c.import_id, i.audience_id, c.status, i.total_rows, i.processed_rows,
           i.created_count, i.duplicate_count, i.invalid_count, c.error_code, c.error_message, c.create_date,
           c.update_date
    from campaign_imports c join audience_imports i on i.account_id = c.account_id and i.id = c.import_id
    where c.account_id = ${account_id} and c.id = ${id}`);
  if (!row) throw new Problem('IMPORT_NOT_FOUND');
  return row;
}

interface Finished {
  account_id: string;
  id: string;
  campaign_id: string;
  audience_id: string | null;
  import_status: string;
  error_code: number | null;
  error_message: string | null;
}

/** Starts the campaigns whose imports are completed. */
export async function startImported(kernel: Kernel): Promise<void> {
  const finished = await kernel.db.rows<Finished>(sql`
    select c.account_id, c.id, c.campaign_id, i.audience_id, i.status as import_status, i.error_code, i.error_message
    from campaign_imports c join audience_imports i on i.account_id = c.account_id and i.id = c.import_id
    where c.status = 'importing' and i.status <> 'running'
    order by c.create_date limit 50`);
  for (const row of finished) {
    try {
      await kernel.db.tx((tx) => startOne(tx, kernel, row));
    } catch (error) {
      if (!(error instanceof Problem)) {
        kernel.log.error({ err: error, account_id: row.account_id, campaign_import_id: row.id }, 'campaign import');
        continue;
      }
      const { name, message } = error;
      await kernel.db.tx((tx) => close(tx, row, { error_code: problemCode(name), error_message: message }));
    }
  }
}

async function startOne(tx: Tx, kernel: Kernel, row: Finished): Promise<void> {
  const { account_id, campaign_id, audience_id, import_status } = row;
  const campaign = await lockCampaign(tx, account_id, campaign_id);
  if (!(await lockOpen(tx, row))) return;
  if (import_status !== 'completed' || !audience_id) {
    const canceled = { error_code: problemCode('IMPORT_STATE_INVALID'), error_message: 'The import was canceled' };
    const { error_code, error_message } = row;
    return close(tx, row, error_message === null ? canceled : { error_code, error_message });
  }
  if (!campaign) throw new Problem('CAMPAIGN_NOT_FOUND');
  if (campaign.status !== 'in_complete' || !hasNeverStarted(campaign)) throw new Problem('CAMPAIGN_STATE_INVALID');
  await tx.run(sql`
    update campaigns set audience_id = ${audience_id}, audience_ids = '{}'
    where account_id = ${account_id} and id = ${campaign_id}`);
  // A time that passed during the import means now.
  const isLater = campaign.schedule !== null && parseTimestamp(campaign.schedule) > tx.now;
  await moveCampaign(tx, kernel, await reread(tx, account_id, campaign_id), isLater ? 'scheduled' : 'in_progress', {
    user_id: campaign.user_id,
    key_id: null,
  });
  await announce(tx, account_id, campaign_id);
  await tx.run(sql`
    update campaign_imports set status = 'started', update_date = ${tx.now}
    where account_id = ${account_id} and id = ${row.id}`);
}

const lockOpen = async (tx: Tx, { account_id, id }: Finished): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from campaign_imports where account_id = ${account_id} and id = ${id} and status = 'importing'
    for update`)) !== null;

/** Leaves the campaign as a draft, with the audience if there is one, so that its author can fix it. */
async function close(
  tx: Tx,
  { account_id, id, campaign_id, audience_id }: Finished,
  error: Pick<CampaignImport, 'error_code' | 'error_message'>,
): Promise<void> {
  await tx.run(sql`
    update campaign_imports set status = 'failed', error_code = ${error.error_code},
      error_message = ${error.error_message}, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id} and status = 'importing'`);
  await tx.run(sql`
    update campaigns set audience_id = coalesce(audience_id, ${audience_id}::uuid)
    where account_id = ${account_id} and id = ${campaign_id} and status = 'in_complete'`);
}
