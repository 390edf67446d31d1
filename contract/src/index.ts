/** The registries: every endpoint and every event there is. */
import * as accounts from './accounts.ts';
import * as admin from './admin.ts';
import * as audience_imports from './audience_imports.ts';
import * as audiences from './audiences.ts';
import * as audit_log from './audit_log.ts';
import * as auth from './auth.ts';
import * as billing from './billing.ts';
import * as campaign_previews from './campaign_previews.ts';
import * as campaigns from './campaigns.ts';
import * as code_stops from './code_stops.ts';
import * as company from './company.ts';
import * as connections from './connections.ts';
import * as customers from './customers.ts';
import * as dashboard from './dashboard.ts';
import type { AnyEndpoint } from './endpoint.ts';
import type { AnyEventType } from './event.ts';
import * as inbox from './inbox.ts';
import * as live from './live.ts';
import * as media from './media.ts';
import * as messages from './messages.ts';
import * as numbers from './numbers.ts';
import * as requests from './requests.ts';
import * as second_factors from './second_factors.ts';
import * as sender_access from './sender_access.ts';
import * as sender_blockers from './sender_blockers.ts';
import * as sender_codes from './sender_codes.ts';
import * as sender_members from './sender_members.ts';
import * as sender_orders from './sender_orders.ts';
import * as sender_profile from './sender_profile.ts';
import * as sender_registration from './sender_registration.ts';
import * as sender_rules from './sender_rules.ts';
import * as senders from './senders.ts';
import * as sessions from './sessions.ts';
import * as sign_up from './sign_up.ts';
import * as social_networks from './social_networks.ts';
import * as stop_list from './stop_list.ts';
import * as subaccounts from './subaccounts.ts';
import * as team from './team.ts';
import * as templates from './templates.ts';
import * as try_it_now from './try_it_now.ts';

const modules = {
  auth,
  sign_up,
  code_stops,
  sessions,
  second_factors,
  social_networks,
  accounts,
  company,
  team,
  subaccounts,
  audit_log,
  senders,
  sender_orders,
  sender_registration,
  sender_access,
  sender_profile,
  sender_codes,
  sender_rules,
  sender_blockers,
  sender_members,
  numbers,
  audiences,
  audience_imports,
  stop_list,
  media,
  templates,
  billing,
  messages,
  try_it_now,
  campaigns,
  campaign_previews,
  inbox,
  dashboard,
  connections,
  admin,
  customers,
  requests,
  live,
};

const everything = Object.values(modules).flatMap((module) => Object.values(module) as unknown[]);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

export const ENDPOINTS = everything.filter(
  (value): value is AnyEndpoint => isObject(value) && 'method' in value && 'path' in value,
);
export const EVENTS = everything.filter(
  (value): value is AnyEventType => isObject(value) && 'payload' in value && 'modules' in value,
);
