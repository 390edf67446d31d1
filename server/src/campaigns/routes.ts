import { chooseWinner } from '@parley/contract/campaigns/ab_tests.ts';
import { decideApproval, listApprovals } from '@parley/contract/campaigns/approvals.ts';
import { createRecipientsAudience } from '@parley/contract/campaigns/audiences.ts';
import { getCalendar, listTags } from '@parley/contract/campaigns/calendar.ts';
import { getCampaign, listCampaigns, removeCampaign, retryCampaign } from '@parley/contract/campaigns/campaigns.ts';
import { createCampaign, updateCampaign } from '@parley/contract/campaigns/drafts.ts';
import { createCampaignImport, getCampaignImport } from '@parley/contract/campaigns/imports.ts';
import { previewCampaign, sampleCampaign } from '@parley/contract/campaigns/previews.ts';
import { exportRecipients, listRecipients, listSkips } from '@parley/contract/campaigns/recipients.ts';
import { rehearseCampaign } from '@parley/contract/campaigns/rehearsals.ts';
import { createFollowUp, getCampaignResults } from '@parley/contract/campaigns/results.ts';
import { skipRun } from '@parley/contract/campaigns/runs.ts';
import { BUCKET_LABELS } from '@parley/contract/campaigns/statuses.ts';
import { getTestCampaign, listTestCampaigns } from '@parley/contract/campaigns/test_campaigns.ts';
import { listTestPhones, sendCampaignTest } from '@parley/contract/campaigns/test_sends.ts';
import { seesSpend } from '@parley/contract/spend.ts';
import { readPage } from '../kernel/db/list.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { getCalendar as calendar, listTags as tags } from './calendar.ts';
import * as campaigns from './campaigns.ts';
import { draftFollowUp } from './follow_up.ts';
import * as imports from './import.ts';
import { listApprovals as approvals, decideApproval as decide } from './lifecycle/decisions.ts';
import { retryFailed } from './lifecycle/retry.ts';
import { skipRun as skip } from './lifecycle/series.ts';
import { buildPreview, renderSamples } from './preview/preview.ts';
import { rehearse } from './preview/rehearsal.ts';
import { readTestPhones, sendTest } from './preview/test_sends.ts';
import { createAudience } from './progress/recipient_audience.ts';
import { listRecipients as recipients, writeRecipientsFile } from './progress/recipients.ts';
import { getResults } from './progress/results.ts';
import { listSkips as skips } from './progress/skips.ts';
import { chooseWinner as winner } from './safety/ab_test.ts';
import * as testing from './test_campaigns.ts';
import { createTestImport, getTestImport } from './test_import.ts';
import { getTestResults, listTestRecipients, listTestSkips, writeTestRecipientsFile } from './test_progress.ts';

export const routes: Implementation[] = [
  implement(listCampaigns, ({ tx, actor }, { query }) => {
    const { name, ...rest } = query.filter ?? {};
    const filter = { account_id: actor.account_id, ...rest, search: rest.search ?? name };
    const list = actor.test ? testing.listTestCampaigns : campaigns.listCampaigns;
    return list(tx, filter, readPage(query));
  }),
  implement(createCampaign, ({ tx, kernel, actor }, { body }) =>
    (actor.test ? testing.createTestCampaign : campaigns.createCampaign)(tx, kernel, actor, body),
  ),
  implement(getCampaign, ({ tx, actor }, { params }) =>
    (actor.test ? testing.getTestCampaign : campaigns.getCampaign)(tx, actor.account_id, params.id),
  ),
  implement(updateCampaign, ({ tx, kernel, actor }, { params, body }) =>
    (actor.test ? testing.updateTestCampaign : campaigns.updateCampaign)(tx, kernel, actor, params.id, body),
  ),
  implement(removeCampaign, ({ tx, actor }, { params }) =>
    (actor.test ? testing.removeTestCampaign : campaigns.removeCampaign)(tx, actor.account_id, params.id),
  ),
  implement(listTestCampaigns, ({ tx, actor }, { query }) =>
    testing.listTestCampaigns(tx, { account_id: actor.account_id, ...query.filter }, readPage(query)),
  ),
  implement(getTestCampaign, ({ tx, actor }, { params }) => testing.getTestCampaign(tx, actor.account_id, params.id)),
  implement(retryCampaign, ({ tx, kernel, actor }, { params }) => retryFailed(tx, kernel, actor.account_id, params.id)),
  implement(listRecipients, ({ tx, actor }, { params, query }) => {
    const filter = { account_id: actor.account_id, id: params.id, ...query.filter };
    const page = readPage(query, 'number');
    return actor.test ? listTestRecipients(tx, filter, page) : recipients(tx, filter, page, tx.now);
  }),
  implement(listSkips, ({ tx, actor }, { params, query }) =>
    (actor.test ? listTestSkips : skips)(
      tx,
      { account_id: actor.account_id, id: params.id, ...query.filter },
      readPage(query),
    ),
  ),
  implement(createFollowUp, ({ tx, kernel, actor }, { params }) => draftFollowUp(tx, kernel, actor, params.id)),
  implement(createRecipientsAudience, ({ tx, actor }, { params, body }) =>
    createAudience(tx, actor.account_id, params.id, body),
  ),
  implement(listTestPhones, ({ tx, actor }) => readTestPhones(tx, actor, tx.now)),
  implement(sendCampaignTest, ({ tx, kernel, actor, address }, { body }) => sendTest(tx, kernel, actor, body, address)),
  implement(skipRun, ({ tx, actor }, { params, body }) =>
    (actor.test ? testing.skipTestSeriesRun : skip)(tx, actor.account_id, params.id, body.schedule),
  ),
  implement(chooseWinner, ({ tx, actor }, { params, body }) => winner(tx, actor.account_id, params.id, body.variant)),
  implement(listApprovals, ({ tx, actor }, { params }) => approvals(tx, actor.account_id, params.id)),
  implement(decideApproval, (ctx, { params, body }) => decide(ctx.tx, ctx, params.id, body)),
  implement(getCalendar, ({ tx, actor }, { query }) => calendar(tx, actor.account_id, query)),
  implement(listTags, ({ tx, actor }) => tags(tx, actor.account_id)),
  // Reads every message of the campaign.
  implementOutside(getCampaignResults, ({ tx, kernel, actor }, { params }) =>
    actor.test
      ? getTestResults(tx, actor.account_id, params.id)
      : getResults(tx, actor.account_id, params.id, kernel.clock.now()),
  ),
  implement(exportRecipients, async ({ kernel, actor, reply }, { params, query }) => {
    const filter = { account_id: actor.account_id, id: params.id, bucket: query.bucket };
    const shows_prices = seesSpend(actor.permissions);
    const { name, stream } = actor.test
      ? await writeTestRecipientsFile(kernel.db, filter, shows_prices)
      : await writeRecipientsFile(kernel.db, filter, kernel.clock.now(), shows_prices);
    const filename = encodeURIComponent(`${name} - ${BUCKET_LABELS[query.bucket].toLowerCase()}.csv`);
    reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="recipients.csv"; filename*=UTF-8''${filename}`)
      .send(stream);
  }),
  // Reading a file takes too long to hold a transaction open.
  implementOutside(createCampaignImport, (ctx, { body }) =>
    (ctx.actor.test ? createTestImport : imports.createCampaignImport)(ctx, body),
  ),
  implement(getCampaignImport, ({ tx, actor }, { params }) =>
    (actor.test ? getTestImport : imports.getCampaignImport)(tx, actor.account_id, params.id),
  ),
  // These endpoints read for up to a second, which is too long to hold a transaction open.
  implementOutside(previewCampaign, ({ tx, kernel, actor }, { body }) => buildPreview(tx, kernel, actor, body)),
  implementOutside(rehearseCampaign, ({ tx, kernel, actor }, { body }) => rehearse(tx, kernel, actor, body)),
  implementOutside(sampleCampaign, ({ tx, kernel, actor }, { body }) =>
    renderSamples(tx, kernel, actor.account_id, body),
  ),
];
