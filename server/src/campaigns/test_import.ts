/** Test-key campaigns to the contacts in a file. The file is read, and the campaign starts, within the call. */
import type { CampaignImport, createCampaignImport as createEndpoint } from '@parley/contract/campaigns/imports.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { createTestAudience, readTestFile } from '../audiences/audiences.ts';
import { newId } from '../kernel/clock.ts';
import type { Queryable } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { importedName } from './import.ts';
import { createTestCampaign } from './test_campaigns.ts';
import * as queries from './test_queries.ts';

export async function createTestImport(ctx: Ctx, body: Parsed<typeof createEndpoint>['body']): Promise<CampaignImport> {
  const { kernel, actor } = ctx;
  const { default_country, ...fields } = body;
  if (fields.schedule && parseTimestamp(fields.schedule) <= kernel.clock.now()) throw new Problem('SCHEDULE_IN_PAST');
  const { contacts, counts } = await readTestFile(ctx, default_country);
  const id = newId();
  await kernel.db.tx(async (tx) => {
    const name = importedName(body.name, id);
    const audience = await createTestAudience(tx, actor, { name, channel: body.channel, contacts, conditions: null });
    const date = tx.now.toISOString().slice(0, 19).replace('T', ' ');
    await createTestCampaign(tx, kernel, actor, { ...fields, audience: audience.id, start: true }, (campaign_id) => ({
      ...{ id, account_id: actor.account_id, campaign_id, import_id: id, audience_id: audience.id, status: 'started' },
      ...{ total_rows: counts.processed, processed_rows: counts.processed, created_count: contacts.length },
      ...{ duplicate_count: counts.duplicate, invalid_count: counts.invalid, error_code: null, error_message: null },
      ...{ create_date: date, update_date: date },
    }));
  });
  return getTestImport(kernel.db, actor.account_id, id);
}

export async function getTestImport(db: Queryable, account_id: string, id: string): Promise<CampaignImport> {
  const row = await queries.testImport(db, account_id, id);
  if (!row) throw new Problem('IMPORT_NOT_FOUND');
  return row.import;
}
