/** The registries of all endpoints, events, and named schemas. */
import { z } from 'zod';
import * as accounts from './accounts/accounts.ts';
import * as audit_log from './accounts/audit_log.ts';
import * as company from './accounts/company.ts';
import * as account_shapes from './accounts/shapes.ts';
import * as admin from './admin/admin.ts';
import * as balance_proposals from './admin/balance_proposals.ts';
import * as carrier_statements from './admin/carrier_statements.ts';
import * as customers from './admin/customers.ts';
import * as dunning from './admin/dunning.ts';
import * as invoice_entities from './admin/invoice_entities.ts';
import * as margins from './admin/margins.ts';
import * as networks from './admin/networks.ts';
import * as customer_payments from './admin/payments.ts';
import * as price_plans from './admin/price_plans.ts';
import * as prices from './admin/prices.ts';
import * as receipts from './admin/receipts.ts';
import * as reconciliation from './admin/reconciliation.ts';
import * as requests from './admin/requests.ts';
import * as sending_hold from './admin/sending_hold.ts';
import * as setup from './admin/setup.ts';
import * as top_ups from './admin/top_ups.ts';
import * as volume_prices from './admin/volume_prices.ts';
import * as api_requests from './api_requests/api_requests.ts';
import * as assistance from './assistance/assistance.ts';
import * as audiences from './audiences/audiences.ts';
import * as consents from './audiences/consents.ts';
import * as contact_fields from './audiences/contact_fields.ts';
import * as audience_imports from './audiences/imports.ts';
import * as keywords from './audiences/keywords.ts';
import * as person_merges from './audiences/merges.ts';
import * as people from './audiences/people.ts';
import * as stop_list from './audiences/stop_list.ts';
import * as auth from './auth/auth.ts';
import * as news from './auth/news.ts';
import * as second_factors from './auth/second_factors.ts';
import * as sessions from './auth/sessions.ts';
import * as sign_up from './auth/sign_up.ts';
import * as social_networks from './auth/social_networks.ts';
import * as announced_rates from './billing/announced_rates.ts';
import * as billing from './billing/billing.ts';
import * as invoices from './billing/invoices.ts';
import * as low_balance from './billing/low_balance.ts';
import * as money_events from './billing/money_events.ts';
import * as overdue from './billing/overdue.ts';
import * as payment_methods from './billing/payment_methods.ts';
import * as payments from './billing/payments.ts';
import * as rate_changes from './billing/rate_changes.ts';
import * as rates from './billing/rates.ts';
import * as refills from './billing/refills.ts';
import * as statements from './billing/statements.ts';
import * as transfers from './billing/transfers.ts';
import * as vat_checks from './billing/vat_checks.ts';
import * as brand from './brand/brand.ts';
import * as bulk from './bulk/bulk.ts';
import * as campaign_winners from './campaigns/ab_tests.ts';
import * as campaign_approvals from './campaigns/approvals.ts';
import * as campaign_audiences from './campaigns/audiences.ts';
import * as campaign_calendar from './campaigns/calendar.ts';
import * as campaigns from './campaigns/campaigns.ts';
import * as campaign_drafts from './campaigns/drafts.ts';
import * as campaign_imports from './campaigns/imports.ts';
import * as campaign_previews from './campaigns/previews.ts';
import * as campaign_recipients from './campaigns/recipients.ts';
import * as campaign_rehearsals from './campaigns/rehearsals.ts';
import * as campaign_results from './campaigns/results.ts';
import * as campaign_skips from './campaigns/runs.ts';
import * as test_campaigns from './campaigns/test_campaigns.ts';
import * as campaign_test_sends from './campaigns/test_sends.ts';
import * as connection_tests from './connections/connection_tests.ts';
import * as connections from './connections/connections.ts';
import * as crm from './crm/crm.ts';
import * as crmDeals from './crm/deals.ts';
import * as pipedrive from './crm/pipedrive.ts';
import * as crmSync from './crm/sync.ts';
import * as crmTriggers from './crm/triggers.ts';
import * as demo from './demo/demo.ts';
import type { AnyEndpoint } from './endpoint.ts';
import type { AnyEventType } from './event.ts';
import * as export_destination_events from './exports/destination_events.ts';
import * as export_destinations from './exports/destinations.ts';
import * as exports from './exports/exports.ts';
import * as export_schedules from './exports/schedules.ts';
import * as allowed_countries from './guard/allowed_countries.ts';
import * as back_tests from './guard/back_tests.ts';
import * as content_rules from './guard/content_rules.ts';
import * as country_blacklist from './guard/country_blacklist.ts';
import * as limits from './guard/limits.ts';
import * as message_reviews from './guard/message_reviews.ts';
import * as limit_overrides from './guard/overrides.ts';
import * as review_events from './guard/review_events.ts';
import * as limit_suggestions from './guard/suggestions.ts';
import * as traffic_stops from './guard/traffic_stops.ts';
import * as inbox_assignments from './inbox/assignments.ts';
import * as inbox_digests from './inbox/digests.ts';
import * as inbox_drafts from './inbox/drafts.ts';
import * as inbox_entries from './inbox/entries.ts';
import * as inbox from './inbox/inbox.ts';
import * as inbox_label_changes from './inbox/label_changes.ts';
import * as inbox_labels from './inbox/labels.ts';
import * as link_previews from './inbox/link_previews.ts';
import * as inbox_missed_targets from './inbox/missed_targets.ts';
import * as inbox_notes from './inbox/notes.ts';
import * as inbox_presence from './inbox/presence.ts';
import * as reactions from './inbox/reactions.ts';
import * as responses from './inbox/responses.ts';
import * as inbox_rules from './inbox/rules.ts';
import * as inbox_saved_views from './inbox/saved_views.ts';
import * as inbox_settings from './inbox/settings.ts';
import * as inbox_targets from './inbox/targets.ts';
import * as inbox_teams from './inbox/teams.ts';
import * as inbox_text_search from './inbox/text_search.ts';
import * as inbox_view_notifications from './inbox/view_notifications.ts';
import * as anomalies from './insights/anomalies.ts';
import * as balance_forecasts from './insights/balance_forecast.ts';
import * as charts from './insights/charts.ts';
import * as dashboard from './insights/dashboard.ts';
import * as inbox_reports from './insights/inbox_reports.ts';
import * as reported_conversations from './insights/reported_conversations.ts';
import * as send_approvals from './keys/approvals.ts';
import * as keys from './keys/keys.ts';
import * as links from './links/links.ts';
import * as utm_presets from './links/utm_presets.ts';
import * as live from './live/live.ts';
import * as lookups from './lookups/lookups.ts';
import * as media from './media/media.ts';
import * as carrier_payloads from './messages/carrier_payloads.ts';
import * as content from './messages/content.ts';
import * as message_details from './messages/details.ts';
import * as marks from './messages/marks.ts';
import * as messages from './messages/messages.ts';
import * as refused_calls from './messages/refused_calls.ts';
import * as message_rehearsals from './messages/rehearsals.ts';
import * as reschedules from './messages/reschedules.ts';
import * as segmentation from './messages/segmentation.ts';
import * as message_shapes from './messages/shapes.ts';
import * as test_messages from './messages/test_messages.ts';
import * as try_it_now from './messages/try_it_now.ts';
import * as numbers from './numbers/numbers.ts';
import * as opt_in_forms from './opt_in_forms/opt_in_forms.ts';
import * as person_erasures from './people/erasures.ts';
import * as person_records from './people/records.ts';
import * as person_timeline from './people/timeline.ts';
import * as push from './push/push.ts';
import * as sender_access from './registrations/access.ts';
import * as finding from './registrations/finding.ts';
import * as sender_profile from './registrations/profile.ts';
import * as sender_registration from './registrations/registration.ts';
import * as search from './search/search.ts';
import * as sender_blockers from './senders/blockers.ts';
import * as sender_codes from './senders/codes.ts';
import * as sender_members from './senders/members.ts';
import * as sender_orders from './senders/orders.ts';
import * as sender_rules from './senders/rules.ts';
import * as senders from './senders/senders.ts';
import * as smpp_caps from './smpp/caps.ts';
import * as smpp_accounts from './smpp/smpp.ts';
import * as subaccounts from './team/subaccounts.ts';
import * as team from './team/team.ts';
import * as templates from './templates/templates.ts';
import * as code_back_tests from './verifications/back_tests.ts';
import * as verification_rules from './verifications/rules.ts';
import * as verification_stops from './verifications/stops.ts';
import * as verifications from './verifications/verifications.ts';
import * as code_stops from './verify/code_stops.ts';
import * as views from './views/views.ts';
import * as webhook_certificates from './webhooks/certificates.ts';
import * as webhookFeed from './webhooks/feed.ts';
import * as webhooks from './webhooks/webhooks.ts';

const modules = {
  auth,
  sign_up,
  code_stops,
  sessions,
  news,
  demo,
  second_factors,
  social_networks,
  accounts,
  company,
  team,
  subaccounts,
  audit_log,
  keys,
  smpp_accounts,
  smpp_caps,
  senders,
  sender_orders,
  sender_registration,
  sender_access,
  sender_access_forms: sender_access.SAVE_ACCESS,
  sender_access_files: sender_access.ATTACH_ACCESS,
  sender_profile,
  sender_codes,
  sender_rules,
  sender_blockers,
  sender_members,
  numbers,
  audiences,
  consents,
  keywords,
  contact_fields,
  people,
  person_merges,
  person_timeline,
  person_erasures,
  person_records,
  audience_imports,
  stop_list,
  media,
  templates,
  billing,
  payments,
  payment_methods,
  low_balance,
  invoices,
  rate_changes,
  rates,
  refills,
  statements,
  transfers,
  links,
  limits,
  content_rules,
  message_reviews,
  review_events,
  limit_suggestions,
  limit_overrides,
  back_tests,
  country_blacklist,
  allowed_countries,
  send_approvals,
  api_requests,
  message_details,
  messages,
  carrier_payloads,
  refused_calls,
  message_rehearsals,
  reschedules,
  test_messages,
  segmentation,
  try_it_now,
  verifications,
  traffic_stops,
  code_back_tests,
  verification_stops,
  opt_in_forms,
  campaigns,
  campaign_imports,
  campaign_previews,
  campaign_recipients,
  campaign_audiences,
  campaign_test_sends,
  campaign_rehearsals,
  campaign_drafts,
  campaign_skips,
  test_campaigns,
  campaign_winners,
  campaign_approvals,
  campaign_calendar,
  campaign_results,
  inbox,
  inbox_assignments,
  inbox_digests,
  inbox_drafts,
  inbox_entries,
  inbox_label_changes,
  inbox_labels,
  inbox_missed_targets,
  inbox_notes,
  link_previews,
  utm_presets,
  balance_forecasts,
  reactions,
  inbox_presence,
  inbox_rules,
  inbox_saved_views,
  inbox_view_notifications,
  inbox_settings,
  inbox_targets,
  inbox_teams,
  inbox_text_search,
  responses,
  lookups,
  crm,
  crmDeals,
  crmSync,
  crmTriggers,
  assistance,
  pipedrive,
  anomalies,
  inbox_reports,
  reported_conversations,
  push,
  charts,
  dashboard,
  connections,
  connection_tests,
  admin,
  customers,
  top_ups,
  customer_payments,
  balance_proposals,
  reconciliation,
  vat_checks,
  invoice_entities,
  networks,
  receipts,
  prices,
  margins,
  carrier_statements,
  price_plans,
  volume_prices,
  dunning,
  overdue,
  money_events,
  announced_rates,
  sending_hold,
  setup,
  requests,
  search,
  exports,
  export_schedules,
  export_destinations,
  export_destination_events,
  brand,
  bulk,
  live,
  views,
  webhook_certificates,
  webhooks,
  webhookFeed,
};

const everything = Object.values(modules).flatMap((module) => Object.values(module) as unknown[]);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

export const ENDPOINTS = everything.filter(
  (value): value is AnyEndpoint => isObject(value) && 'method' in value && 'path' in value,
);
export const EVENTS = everything.filter(
  (value): value is AnyEventType => isObject(value) && 'payload' in value && 'modules' in value,
);

/** The exported schemas with their names. The first module keeps the name if two modules export the same one. */
export function namedSchemas(): Map<z.ZodType, string> {
  const names = new Map<z.ZodType, string>();
  for (const module of [
    ...Object.values(modules),
    account_shapes,
    message_shapes,
    content,
    marks,
    finding,
    verification_rules,
  ])
    for (const [name, value] of Object.entries(module as Record<string, unknown>))
      if (/^[A-Z][a-z]/.test(name) && value instanceof z.ZodType && !names.has(value)) names.set(value, name);
  return names;
}
