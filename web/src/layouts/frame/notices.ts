/**
 * The events that become notifications in the bell, no matter which page is open: campaigns, imports, exports, and
 * bulk jobs that have ended, connections that were paused, limits that are nearly reached, signs of fraud,
 * opened countries, held messages, anomalies, announced prices, and overdue balances.
 */
import type { User } from '@parley/contract/accounts/accounts.ts';
import { importProgressed } from '@parley/contract/audiences/imports.ts';
import { balanceLow, overdueChanged, ratesAnnounced } from '@parley/contract/billing/money_events.ts';
import { bulkJobProgressed } from '@parley/contract/bulk/bulk.ts';
import { type Campaign, campaignCreated, campaignUpdated } from '@parley/contract/campaigns/campaigns.ts';
import { CAMPAIGN_STATUS } from '@parley/contract/campaigns/statuses.ts';
import { connectionChanged } from '@parley/contract/connections/connections.ts';
import { allowedCountriesChanged } from '@parley/contract/guard/allowed_countries.ts';
import { countryBlacklistChanged } from '@parley/contract/guard/country_blacklist.ts';
import { limitWarning, violationExpired, violationStarted } from '@parley/contract/guard/limits.ts';
import { messageReviewsChanged, messagesHeld, messagesRejected } from '@parley/contract/guard/review_events.ts';
import { trafficStopStarted } from '@parley/contract/guard/traffic_stops.ts';
import { type Anomaly, anomalyEnded, anomalyStarted } from '@parley/contract/insights/anomalies.ts';
import { codeStopStarted } from '@parley/contract/verifications/stops.ts';
import { collectDestinationNotices, collectExportNotices } from '../../exports/notices.ts';
import { expireViolation, reportViolation } from '../../guard/violation.ts';
import { onLive } from '../../kernel/live/live.ts';
import { addNotice } from '../../kernel/notices.ts';
import { campaignPath } from '../../paths.ts';

/** Pauses by a user need no notification. */
const hasStopped = ({ status, status_details }: Campaign): boolean =>
  ENDED_CAMPAIGN.has(status) || (status === 'paused' && status_details !== null && status_details !== 'user');
const ENDED_CAMPAIGN: ReadonlySet<string> = new Set(['completed', 'failed', 'error']);

/** Loaded with the first anomaly. */
const reportAnomaly = (anomaly: Anomaly) =>
  once(import('../../insights/anomalies/anomaly_notices.ts'), (notices) => notices.reportAnomaly(anomaly));

/** Runs when the code has loaded. A notification whose code cannot be loaded, as without a server, is left out. */
const once = <T>(code: Promise<T>, report: (notices: T) => void): void => void code.then(report, () => {});

/** Loaded with the first of these events. */
const later = (report: (notices: typeof import('./later_notices.ts')) => void): void =>
  once(import('./later_notices.ts'), report);

/** Starts adding a notification for each of these events. Returns a function that stops this. */
export function collectNotices(user: User, currency: string): () => void {
  // Loaded with the first campaign that needs an approval.
  const reportApproval = (campaign: Campaign) => {
    if (campaign.approval)
      once(import('../../campaigns/approval_notices.ts'), (notices) => notices.reportApproval(campaign, user));
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
    onLive(connectionChanged, (connection) => later((notices) => notices.reportConnection(connection))),
    onLive(bulkJobProgressed, (job) => later((notices) => notices.reportBulkJob(job))),
    onLive(importProgressed, (progress) => later((notices) => notices.reportImport(progress))),
    // Only operators get this event.
    onLive(messageReviewsChanged, ({ held }) => held > 0 && later((notices) => notices.reportHeld())),
    onLive(messagesHeld, (held) => later((notices) => notices.reportWaiting(held))),
    onLive(messagesRejected, (rejected) => later((notices) => notices.reportRejected(rejected))),
    onLive(ratesAnnounced, (change) => {
      once(import('../../billing/money_notices.ts'), (notices) => notices.reportRates(change));
    }),
    onLive(overdueChanged, (overdue) => {
      once(import('../../billing/money_notices.ts'), (notices) => notices.reportOverdue(overdue));
    }),
    onLive(balanceLow, (balance) => {
      once(import('../../billing/money_notices.ts'), (notices) => notices.reportBalance(balance));
    }),
    onLive(anomalyStarted, reportAnomaly),
    onLive(anomalyEnded, reportAnomaly),
    // Loaded with the first warning.
    onLive(limitWarning, (warning) => {
      once(import('../../guard/warning_notices.ts'), (notices) => notices.reportWarning(warning, currency));
    }),
    onLive(trafficStopStarted, (stop) => {
      once(import('../../guard/stop_notices.ts'), (notices) => notices.reportStop(stop));
    }),
    onLive(codeStopStarted, (stop) => {
      once(import('../../guard/stop_notices.ts'), (notices) => notices.reportCodeStop(stop));
    }),
    onLive(countryBlacklistChanged, (change) => {
      once(import('../../guard/stop_notices.ts'), (notices) => notices.reportUnblocked(change));
    }),
    onLive(allowedCountriesChanged, () => {
      once(import('../../guard/stop_notices.ts'), (notices) => notices.reportAllowed());
    }),
    onLive(violationStarted, ({ id }) => reportViolation(id)),
    onLive(violationExpired, ({ id }) => expireViolation(id)),
  ];
  return () => {
    for (const stop of stopListening) stop();
  };
}
