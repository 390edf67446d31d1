/** THE list: every module's routes, jobs and loops. Starting fails if the contract has an endpoint nobody implements, or two do. */
import { ENDPOINTS } from '@parley/contract/index.ts';
import type { FastifyInstance } from 'fastify';
import { jobs as accountJobs } from './accounts/jobs.ts';
import * as accounts from './accounts/routes.ts';
import { jobs as requestJobs } from './admin/request_mails.ts';
import * as admin from './admin/routes.ts';
import { jobs as audienceJobs } from './audiences/jobs.ts';
import * as audiences from './audiences/routes.ts';
import { jobs as authJobs } from './auth/jobs.ts';
import * as auth from './auth/routes.ts';
import * as secondFactors from './auth/second_factor_routes.ts';
import * as socialNetworks from './auth/social_routes.ts';
import { jobs as billingJobs } from './billing/jobs.ts';
import * as billing from './billing/routes.ts';
import { jobs as campaignJobs, startCampaigns } from './campaigns/jobs.ts';
import * as campaigns from './campaigns/routes.ts';
import { keepSubscribed } from './connections/callbacks.ts';
import { jobs as inboxJobs } from './inbox/jobs.ts';
import * as inbox from './inbox/routes.ts';
import { jobs as insightsJobs } from './insights/jobs.ts';
import * as insights from './insights/routes.ts';
import type { Implementation } from './kernel/http/endpoint.ts';
import { housekeeping } from './kernel/jobs/housekeeping.ts';
import type { JobWork } from './kernel/jobs/jobs.ts';
import type { Kernel } from './kernel/kernel.ts';
import { mailJobs } from './kernel/mail/mail.ts';
import { mediaDoors } from './media/doors.ts';
import { jobs as mediaJobs } from './media/jobs.ts';
import * as media from './media/routes.ts';
import { callbackDoor } from './messages/callbacks.ts';
import { startDelivery } from './messages/deliver.ts';
import { jobs as messageJobs } from './messages/jobs.ts';
import * as messages from './messages/routes.ts';
import { jobs as numberJobs } from './numbers/jobs.ts';
import * as numbers from './numbers/routes.ts';
import { jobs as registrationJobs } from './registrations/jobs.ts';
import * as registrations from './registrations/routes.ts';
import { jobs as senderJobs } from './senders/jobs.ts';
import * as senders from './senders/routes.ts';
import * as team from './team/routes.ts';
import { jobs as templateJobs } from './templates/jobs.ts';
import * as templates from './templates/routes.ts';

export interface Loop {
  stop(): Promise<void>;
}

export const ROUTES: readonly Implementation[] = [
  ...auth.routes,
  ...secondFactors.routes,
  ...socialNetworks.routes,
  ...accounts.routes,
  ...team.routes,
  ...senders.routes,
  ...numbers.routes,
  ...registrations.routes,
  ...audiences.routes,
  ...media.routes,
  ...templates.routes,
  ...billing.routes,
  ...messages.routes,
  ...campaigns.routes,
  ...inbox.routes,
  ...insights.routes,
  ...admin.routes,
];

export const JOBS: readonly JobWork[] = [
  ...mailJobs,
  ...housekeeping,
  ...authJobs,
  ...accountJobs,
  ...audienceJobs,
  ...mediaJobs,
  ...templateJobs,
  ...billingJobs,
  ...senderJobs,
  ...numberJobs,
  ...registrationJobs,
  ...messageJobs,
  ...campaignJobs,
  ...inboxJobs,
  ...insightsJobs,
  ...requestJobs,
];

/** Beside the endpoints: raw bodies and signed links. */
export const DOORS: readonly ((http: FastifyInstance, kernel: Kernel) => void)[] = [mediaDoors, callbackDoor];

/** What a worker keeps running, in starting order; stopped in reverse. */
export const LOOPS: readonly ((kernel: Kernel) => Promise<Loop> | Loop)[] = [
  startDelivery,
  startCampaigns,
  keepSubscribed,
];

export function demandComplete(routes: readonly Implementation[]): void {
  const seen = new Set<string>();
  for (const { endpoint } of routes) {
    if (seen.has(endpoint.id)) throw new Error(`two implementations of ${endpoint.id}`);
    seen.add(endpoint.id);
  }
  const missing = ENDPOINTS.filter((endpoint) => !seen.has(endpoint.id)).map((endpoint) => endpoint.id);
  if (missing.length > 0) throw new Error(`no implementation of ${missing.join(', ')}`);
}
