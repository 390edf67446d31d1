/** The registry of all routes, jobs, and loops. Startup fails if an endpoint has no implementation or more than one. */
import { ENDPOINTS } from '@parley/contract/index.ts';
import type { FastifyInstance } from 'fastify';
import { jobs as accountJobs } from './accounts/jobs.ts';
import * as accounts from './accounts/routes.ts';
import { jobs as connectionJobs } from './admin/connections/pause_mails.ts';
import { jobs as differenceJobs } from './admin/health/difference_mails.ts';
import { jobs as healthJobs } from './admin/health/jobs.ts';
import { jobs as pricePlanJobs } from './admin/price_plans/jobs.ts';
import { jobs as requestJobs } from './admin/requests/request_mails.ts';
import { jobs as reviewMailJobs } from './admin/reviews/review_mails.ts';
import { jobs as reviewJobs } from './admin/reviews/reviews.ts';
import * as admin from './admin/routes.ts';
import { jobs as apiRequestJobs } from './api_requests/jobs.ts';
import * as apiRequests from './api_requests/routes.ts';
import { jobs as assistanceJobs } from './assistance/jobs.ts';
import * as assistance from './assistance/routes.ts';
import { jobs as audienceJobs } from './audiences/jobs.ts';
import * as audiences from './audiences/routes.ts';
import { jobs as authJobs } from './auth/jobs.ts';
import * as auth from './auth/routes.ts';
import { paymentDoors } from './billing/billing.ts';
import { jobs as billingJobs } from './billing/jobs.ts';
import * as billing from './billing/routes.ts';
import { brandDoors } from './brand/doors.ts';
import * as brand from './brand/routes.ts';
import { bulkJobs } from './bulk/jobs.ts';
import * as bulk from './bulk/routes.ts';
import { jobs as campaignJobs, startCampaigns } from './campaigns/jobs.ts';
import { pauseAfterEpoch } from './campaigns/lifecycle/after_epoch.ts';
import * as campaigns from './campaigns/routes.ts';
import { keepSubscribed } from './connections/callbacks.ts';
import { crmDoors } from './crm/doors.ts';
import { startCrmFeed } from './crm/feed.ts';
import { jobs as crmJobs } from './crm/jobs.ts';
import * as crm from './crm/routes.ts';
import { startCrmSync } from './crm/sync/run.ts';
import { exportDoors } from './exports/exports.ts';
import { exportJobs } from './exports/jobs.ts';
import * as exports from './exports/routes.ts';
import { jobs as guardJobs } from './guard/jobs.ts';
import { startDetection } from './guard/pumping/detect.ts';
import * as guard from './guard/routes.ts';
import { jobs as inboxJobs } from './inbox/jobs.ts';
import * as inbox from './inbox/routes.ts';
import { unsubscribeDoors } from './inbox/unsubscribing/doors.ts';
import { jobs as insightsJobs } from './insights/jobs.ts';
import * as insights from './insights/routes.ts';
import type { Implementation } from './kernel/http/endpoint.ts';
import { housekeeping } from './kernel/jobs/housekeeping.ts';
import type { JobWork } from './kernel/jobs/jobs.ts';
import type { Kernel } from './kernel/kernel.ts';
import { mailJobs } from './kernel/mail/mail.ts';
import * as keys from './keys/routes.ts';
import { startClicks } from './links/clicks.ts';
import { linkDoors } from './links/redirect.ts';
import * as links from './links/routes.ts';
import { lookupDoors } from './lookups/callbacks.ts';
import { jobs as lookupJobs } from './lookups/jobs.ts';
import * as lookups from './lookups/routes.ts';
import { mediaDoors } from './media/doors.ts';
import { jobs as mediaJobs } from './media/jobs.ts';
import * as media from './media/routes.ts';
import { mountCallbacks } from './messages/delivery/callbacks.ts';
import { startDelivery } from './messages/delivery/deliver.ts';
import { jobs as messageJobs } from './messages/jobs.ts';
import * as messages from './messages/routes.ts';
import { jobs as numberJobs } from './numbers/jobs.ts';
import * as numbers from './numbers/routes.ts';
import { optInDoors } from './opt_in_forms/doors.ts';
import { jobs as optInJobs } from './opt_in_forms/jobs.ts';
import * as optInForms from './opt_in_forms/routes.ts';
import { jobs as peopleJobs } from './people/jobs.ts';
import * as people from './people/routes.ts';
import { startPush } from './push/deliver.ts';
import { jobs as pushJobs } from './push/jobs.ts';
import * as push from './push/routes.ts';
import { jobs as registrationJobs } from './registrations/jobs.ts';
import * as registrations from './registrations/routes.ts';
import * as search from './search/routes.ts';
import { jobs as demoJobs } from './seed/demo/jobs.ts';
import * as demo from './seed/demo/routes.ts';
import { jobs as senderJobs } from './senders/jobs.ts';
import * as senders from './senders/routes.ts';
import { startFanOut } from './smpp/fanout.ts';
import { jobs as smppJobs } from './smpp/jobs.ts';
import { startListener } from './smpp/listener.ts';
import * as smpp from './smpp/routes.ts';
import * as team from './team/routes.ts';
import { jobs as templateJobs } from './templates/jobs.ts';
import * as templates from './templates/routes.ts';
import { jobs as verificationJobs } from './verifications/jobs.ts';
import * as verifications from './verifications/routes.ts';
import { jobs as verifyJobs } from './verify/jobs.ts';
import * as verify from './verify/routes.ts';
import * as views from './views/routes.ts';
import { startWebhooks } from './webhooks/deliver.ts';
import { jobs as webhookJobs } from './webhooks/jobs.ts';
import * as webhooks from './webhooks/routes.ts';

export interface Loop {
  stop(): Promise<void>;
}

export const ROUTES: readonly Implementation[] = [
  ...verify.routes,
  ...auth.routes,
  ...accounts.routes,
  ...team.routes,
  ...keys.routes,
  ...apiRequests.routes,
  ...senders.routes,
  ...numbers.routes,
  ...registrations.routes,
  ...audiences.routes,
  ...media.routes,
  ...templates.routes,
  ...billing.routes,
  ...links.routes,
  ...guard.routes,
  ...brand.routes,
  ...messages.routes,
  ...campaigns.routes,
  ...inbox.routes,
  ...assistance.routes,
  ...lookups.routes,
  ...crm.routes,
  ...verifications.routes,
  ...optInForms.routes,
  ...smpp.routes,
  ...demo.routes,
  ...insights.routes,
  ...webhooks.routes,
  ...push.routes,
  ...admin.routes,
  ...search.routes,
  ...people.routes,
  ...views.routes,
  ...exports.routes,
  ...bulk.routes,
];

export const JOBS: readonly JobWork[] = [
  ...mailJobs,
  ...housekeeping,
  ...verifyJobs,
  ...authJobs,
  ...accountJobs,
  ...apiRequestJobs,
  ...audienceJobs,
  ...mediaJobs,
  ...templateJobs,
  ...billingJobs,
  ...senderJobs,
  ...numberJobs,
  ...registrationJobs,
  ...guardJobs,
  ...messageJobs,
  ...campaignJobs,
  ...inboxJobs,
  ...assistanceJobs,
  ...lookupJobs,
  ...crmJobs,
  ...verificationJobs,
  ...optInJobs,
  ...smppJobs,
  ...demoJobs,
  ...insightsJobs,
  ...webhookJobs,
  ...pushJobs,
  ...pricePlanJobs,
  ...requestJobs,
  ...reviewJobs,
  ...reviewMailJobs,
  ...connectionJobs,
  ...differenceJobs,
  ...healthJobs,
  ...peopleJobs,
  ...exportJobs(ROUTES),
  ...bulkJobs(ROUTES),
];

/** Routes outside the contract, for endpoints with raw bodies and signed links. */
export const DOORS: readonly ((http: FastifyInstance, kernel: Kernel) => void)[] = [
  mediaDoors,
  mountCallbacks,
  paymentDoors,
  linkDoors,
  brandDoors,
  optInDoors,
  lookupDoors,
  crmDoors,
  exportDoors,
  unsubscribeDoors,
];

/** A worker's loops, in the order in which they are started. They are stopped in reverse order. */
export const LOOPS: readonly ((kernel: Kernel) => Promise<Loop> | Loop)[] = [
  (kernel) => startDelivery(kernel, [pauseAfterEpoch]),
  startCampaigns,
  keepSubscribed,
  startWebhooks,
  startPush,
  startFanOut,
  startCrmFeed,
  startClicks,
  startDetection,
  startCrmSync,
];

/** Servers other than HTTP, in the processes that serve the API. */
export const SERVERS: readonly ((kernel: Kernel) => Promise<Loop>)[] = [startListener];

/** Throws unless every endpoint in the contract has exactly one implementation. */
export function assertComplete(routes: readonly Implementation[]): void {
  const ids = new Set<string>();
  for (const { endpoint } of routes) {
    if (ids.has(endpoint.id)) throw new Error(`Duplicate implementation of ${endpoint.id}`);
    ids.add(endpoint.id);
  }
  const missing = ENDPOINTS.filter((endpoint) => !ids.has(endpoint.id)).map((endpoint) => endpoint.id);
  if (missing.length > 0) throw new Error(`No implementation of ${missing.join(', ')}`);
}
