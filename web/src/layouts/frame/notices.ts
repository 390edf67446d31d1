/**
 * The events that become notifications in the bell, no matter which page is open: campaigns, imports, exports, and
 * bulk jobs that have ended, connections that were paused, limits that are nearly reached, and anomalies.
 */
import type { User } from '@parley/contract/accounts/accounts.ts';
import { importProgressed } from '@parley/contract/audiences/imports.ts';
import { bulkJobProgressed } from '@parley/contract/bulk/bulk.ts';
import { type Campaign, campaignCreated, campaignUpdated } from '@parley/contract/campaigns/campaigns.ts';
import { CAMPAIGN_STATUS } from '@parley/contract/campaigns/statuses.ts';
import { connectionChanged } from '@parley/contract/connections/connections.ts';
import { limitWarning, violationExpired, violationStarted } from '@parley/contract/guard/limits.ts';
import { type Anomaly, anomalyEnded, anomalyStarted } from '@parley/contract/insights/anomalies.ts';
import { BULK_WORDS, isEnded, outcomeText } from '../../bulk/words.ts';
import { collectDestinationNotices, collectExportNotices } from '../../exports/notices.ts';
import { expireViolation, reportViolation } from '../../guard/violation.ts';
import { onLive } from '../../kernel/live/live.ts';
import { addNotice } from '../../kernel/notices.ts';
import { CONNECTIONS, campaignPath } from '../../paths.ts';
import { formatCount } from '../../ui/data/format.ts';

/** Pauses by a user need no notification. */
const hasStopped = ({ status, status_details }: Campaign): boolean =>
  ENDED_CAMPAIGN.has(status) || (status === 'paused' && status_details !== null && status_details !== 'user');
const ENDED_CAMPAIGN: ReadonlySet<string> = new Set(['completed', 'failed', 'error']);
const ENDED_IMPORT: ReadonlySet<string> = new Set(['completed', 'failed']);

/** Loaded with the first anomaly. */
const reportAnomaly = (anomaly: Anomaly) =>
  void import('../../insights/anomalies/anomaly_notices.ts').then((notices) => notices.reportAnomaly(anomaly));

/** Starts adding a notification for each of these events. Returns a function that stops this. */
export function collectNotices(user: User, currency: string): () => void {
  // Loaded with the first campaign that needs an approval.
  const reportApproval = (campaign: Campaign) => {
    if (campaign.approval)
      void import('../../campaigns/approval_notices.ts').then((notices) => notices.reportApproval(campaign, user));
  };
  const stopListening = [
    collectExportNotices(user.id),
    collectDestinationNotices(),
    onLive(campaignCreated, reportApproval),
    onLive(campaignUpdated, (campaign) => {
      reportApproval(campaign);
      if (!hasStopped(campaign)) return;
      const { label, tone } = CAMPAIGN_STATUS[campaign.status];
      addNotice({
        id: `campaign.${campaign.id}`,
        title: campaign.name,
        text: `Campaign: ${label.toLowerCase()}`,
        tone,
        path: campaignPath(campaign),
      });
    }),
    onLive(connectionChanged, ({ id, name, state }) => {
      if (state !== 'paused') return;
      addNotice({
        id: `connection.${id}`,
        title: name,
        text: 'The connection is paused because the carrier is rejecting all messages',
        tone: 'fail',
        path: `${CONNECTIONS}?open=${id}`,
      });
    }),
    onLive(bulkJobProgressed, (job) => {
      if (!isEnded(job) || job.status === 'canceled') return;
      const { title, path } = BULK_WORDS[job.action];
      addNotice({
        id: `bulk.${job.id}`,
        title,
        text: outcomeText(job),
        tone: job.status === 'failed' ? 'fail' : job.refused_count > 0 ? 'wait' : 'ok',
        path: path(job.params),
      });
    }),
    onLive(anomalyStarted, reportAnomaly),
    onLive(anomalyEnded, reportAnomaly),
    // Loaded with the first warning.
    onLive(limitWarning, (warning) => {
      void import('../../guard/warning_notices.ts').then((notices) => notices.reportWarning(warning, currency));
    }),
    onLive(violationStarted, ({ id }) => reportViolation(id)),
    onLive(violationExpired, ({ id }) => expireViolation(id)),
    onLive(importProgressed, (progress) => {
      if (!ENDED_IMPORT.has(progress.status)) return;
      const stored = progress.created_count + progress.updated_count;
      addNotice({
        id: `import.${progress.id}`,
        title: progress.audience_name,
        text:
          progress.status === 'completed'
            ? `Import completed: ${formatCount(stored, 'contact')}`
            : `Import failed: ${progress.error_message ?? progress.filename}`,
        tone: progress.status === 'completed' ? 'ok' : 'fail',
        path: `/contacts/imports/${progress.id}`,
      });
    }),
  ];
  return () => {
    for (const stop of stopListening) stop();
  };
}
