/** The app's paths and the functions that build them. Data only: a link never imports the page it leads to. */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import type { RESPONSES } from '@parley/contract/campaigns/recipients.ts';
import type { RECIPIENT_BUCKETS } from '@parley/contract/campaigns/statuses.ts';
import { mapAccessKinds } from '@parley/contract/channels/access_kinds.ts';
import { type ChannelName, templateForm } from '@parley/contract/channels/names.ts';
import type { Bucket } from '@parley/contract/inbox/inbox.ts';
import type { RequestKind } from '@parley/contract/registrations/registration.ts';

/** The props of a link to a path with a query. */
export const linkTo = (to: string, search: Record<string, string>) => ({ to, search: search as never });

/** The props of a link to a path that contains its query, such as `/contacts/create-audience?import=1`. */
export function linkToAddress(address: string): { to: string; search: never } {
  const [to = '', query = ''] = address.split('?');
  return linkTo(to, Object.fromEntries(new URLSearchParams(query)));
}

// Sign-in and sign-up
export const SIGN_IN = '/sign-in';
export const SIGN_UP = '/sign-up';
export const FORGOT_PASSWORD = '/forgot-password';
export const EMAIL_VERIFICATION = '/email-verification';
export const RESET_PASSWORD = '/reset-password';
export const INVITATIONS = '/invitations';
export const PHONE_VERIFICATION = '/phone-verification';
export const VERIFICATION = '/verification';
export const CHANGE_PHONE = '/change-phone';
export const EXPIRED = '/expired';

/** The page where a user enters an emailed code. `recovery` is true if the user has forgotten the password. */
export function emailVerificationPath(id: string | null, username: string, recovery = false): string {
  const search = new URLSearchParams({ username, ...(recovery ? { purpose: 'password_reset' } : {}) });
  return `${EMAIL_VERIFICATION}${id ? `/${id}` : ''}?${search}`;
}

// Settings and team
export const MY_USER = '/settings';
export const COMPANY = '/settings/account';
export const BRAND = '/settings/brand';
export const SECURITY = '/settings/security';
export const ALERTS = '/settings/alerts';
export const SMS_LIMITS = '/settings/sms-limits';
export const CREATE_SMS_LIMIT = `${SMS_LIMITS}/create`;
export const COUNTRY_BLACKLIST = '/settings/country-blacklist';
export const INBOX_SETTINGS = '/settings/inbox';
export const KEYWORDS = '/settings/keywords';
export const USERS = '/settings/users';
export const CREATE_USER = '/settings/users/create';
export const INTEGRATIONS = '/settings/integrations';
export const AUDIT_LOG = '/settings/audit-log';
export const SUB_ACCOUNTS = '/subaccounts';

export const smsLimitPath = (id: string): string => `${SMS_LIMITS}/${id}`;
export const userPath = (id: string): string => `${USERS}/${id}`;

// Billing
export const ADD_FUNDS = '/add-funds';
export const ADD_FUNDS_DONE = '/add-funds/thank-you';
export const ADD_FUNDS_FAILED = '/add-funds/failed';
export const BILLING = '/billing';
export const PAYMENTS = '/billing/payments';
export const AUTO_TOP_UP = '/billing/auto-top-up';
export const RATES = '/billing/rates';
export const INVOICES = '/billing/invoices';
/** The list of payments with the details of one of them. */
export const paymentPath = (id: string): string => `${PAYMENTS}?open=${id}`;
export const STATEMENTS = '/billing/statements';
// Contacts
export const CONTACT_FIELDS = '/contacts/fields';
export const PEOPLE = '/contacts/people';
/** A person's page, by ID or by number, which can be the ID of the person at a carrier. */
export const personPath = (key: string): string => `${PEOPLE}/${encodeURIComponent(key.replace(/^\+(?=\d+$)/, ''))}`;

// Links
export const LINKS = '/link-management';
export const CREATE_LINK = `${LINKS}/create`;
export const LINK_DOMAINS = `${LINKS}/domains`;

export const linkPath = (id: string): string => `${LINKS}/${id}`;

// Carrier lookups
export const CARRIER_SINGLE = '/tools/carrier-single';
export const CARRIER_BULK = '/tools/carrier-bulk';
export const CARRIER_HISTORY = '/tools/carrier-history';

export const lookupHistoryPath = (bulk_id: string, status?: string): string =>
  `${CARRIER_HISTORY}?${new URLSearchParams({ bulk_id, ...(status ? { statuses: status } : {}) })}`;
// API keys and webhooks
export const KEYS = '/apis/keys';
export const CREATE_KEY = '/apis/keys/create';
export const REQUEST_LOG = '/apis/requests';
export const WEBHOOKS = '/apis/webhooks';
export const VERIFICATIONS = '/apis/verifications';

export const editKeyPath = (id: string): string => `/apis/keys/edit/${id}`;

// Senders, numbers, and registrations
export const SENDERS = '/senders';
export const CREATE_SENDER = '/senders/create-sender';
export const EDIT_SENDER = '/senders/edit-sender';
export const BUY_NUMBER = '/senders/buy-number';
export const ADD_CHANNEL = '/add-channel';
/** The form for each kind of registration. */
export const REQUEST_PATHS: Readonly<Record<RequestKind, string>> = {
  sender_id: '/senders/request-sender-id',
  short_code: '/senders/request-short-code',
  toll_free: '/senders/request-toll-free',
  tcr: '/senders/tcr-registration',
  ...mapAccessKinds((kind) => `${ADD_CHANNEL}/${kind}`),
};

export const senderPath = (id: string): string => `${SENDERS}?open=${id}`;

// Templates
export const LIBRARY = '/library';
export const CREATE_TEMPLATE = '/library/create';

export const templatePath = (id: string): string => `${LIBRARY}?open=${id}`;

/** Each channel has its own edit page. */
export const editTemplatePath = ({ channel, id }: { channel: ChannelName; id: string }): string =>
  `${LIBRARY}/${templateForm(channel)}/${id}`;

// Audiences, imports, and the stop list
export const AUDIENCES = '/contacts/my-audiences';
export const CREATE_AUDIENCE = '/contacts/create-audience';
export const IMPORTS = '/contacts/imports';
export const STOP_LIST = '/contacts/my-stop-list';
export const ADD_STOP = '/contacts/stop-list/add-contact';
export const IMPORT_STOPS = '/contacts/stop-list/import';

export const OPT_IN_FORMS = '/contacts/opt-in-forms';
export const CREATE_OPT_IN_FORM = '/contacts/create-opt-in-form';
export const optInFormPath = (id: string): string => `${OPT_IN_FORMS}/${id}`;

export const audiencePath = (id: string): string => `${AUDIENCES}/${id}`;
export const dynamicAudiencePath = (name: string, channel: string): string =>
  `/contacts/create-dynamic-audience?channel=${channel.toLowerCase()}&name=${encodeURIComponent(name)}`;
export const editConditionsPath = (id: string): string => `/contacts/edit-conditions/${id}`;
export const renameAudiencePath = (id: string): string => `/contacts/rename-audience/${id}`;
export const addContactPath = (id: string): string => `/contacts/add-contact/${id}`;
/** A contact's panel in its audience. The number narrows the list down to the page with the contact. */
export const contactPath = (audience_id: string, id: string, number: string): string =>
  `${audiencePath(audience_id)}?search=${number}&open=${id}`;
export const importPath = (id: string): string => `${IMPORTS}/${id}`;
export const importRowsPath = (id: string, kind: string): string => `${importPath(id)}?kind=${kind}`;
export const importIntoPath = (audience_id: string): string => `${CREATE_AUDIENCE}?audience=${audience_id}`;
/** The page for an uploaded file whose columns are not assigned yet. */
export const continueImportPath = (import_id: string): string => `${CREATE_AUDIENCE}?import=${import_id}`;

export const channelPath = (channel: string) => `/${channel.toLowerCase()}`;

export const EXPORTS = '/exports';

// Messages
export const TRY_IT = '/try-it-now';
export const tryItNowPath = (channel: ChannelName): string => `${TRY_IT}${channelPath(channel)}`;
export const messagePath = (id: string): string => `/insights?message=${id}`;
/** The log of the messages that a ledger entry is about. */
export const holdPath = (hold_id: string): string => `/insights?hold=${hold_id}`;
/** The message log of a number. */
export const logPath = (number: string): string => `/insights?search=${number}`;

interface MessagesShown {
  statuses?: readonly string[];
  verification?: string;
  direction?: string;
  channel?: string;
  sender?: string;
  template?: string;
  charge?: string;
  country?: string;
  network?: string;
  campaign?: string;
  source?: string;
  failure?: string;
  user?: string;
  key?: string;
  /** Days in the account's time zone, as `yyyy-MM-dd`. */
  from?: string;
  to?: string;
}

export const INSIGHTS = '/insights';

/** The message log with filters. */
export function messagesPath({ statuses, ...filters }: MessagesShown): string {
  const search = new URLSearchParams(filters);
  if (statuses) search.set('statuses', statuses.join(','));
  return `/insights?${search}`;
}

// Campaigns. The channel is the first segment of the path.
type CampaignKey = Pick<Campaign, 'channel' | 'id'>;

/** The campaigns of all channels. */
export const ALL_CAMPAIGNS = '/insights?tab=campaigns';
export const campaignsPath = (channel: string): string => `${channelPath(channel)}/my-campaigns`;
export const campaignPath = ({ channel, id }: CampaignKey): string => `${campaignsPath(channel)}/${id}`;
/** The contacts that a campaign skipped. */
export const skippedPath = (campaign: CampaignKey): string => `${campaignPath(campaign)}?bucket=skipped`;
/** The contacts for whom a canceled campaign created no messages. */
export const unsentPath = (campaign: CampaignKey): string => `${campaignPath(campaign)}?bucket=unsent`;
/** The recipients of a campaign in one bucket, or with one response. */
export const recipientsPath = (campaign: CampaignKey, bucket: (typeof RECIPIENT_BUCKETS)[number]): string =>
  `${campaignPath(campaign)}?bucket=${bucket}`;
export const responsesPath = (campaign: CampaignKey, response: (typeof RESPONSES)[number]): string =>
  `${campaignPath(campaign)}?response=${response}`;
/** The messages of a test-key campaign. */
export const testMessagesPath = (campaign_id: string): string => `/apis/test-messages?campaign_ids=${campaign_id}`;
/** The runs of a repeating test-key campaign. */
export const testCampaignRunsPath = (series_id: string): string => `/apis/test-campaigns?series_id=${series_id}`;
/** The page for a new audience on this channel. */
export const createAudiencePath = (channel: string): string => `${CREATE_AUDIENCE}?channel=${channel.toLowerCase()}`;
export const createCampaignPath = (channel: string): string => `${channelPath(channel)}/create-campaign`;
/** The page for a new campaign to an audience. */
export const campaignToPath = (channel: string, audience_id: string): string =>
  `${createCampaignPath(channel)}?audience=${audience_id}`;
export const editCampaignPath = ({ channel, id }: CampaignKey): string => `${createCampaignPath(channel)}?id=${id}`;
export const copyCampaignPath = ({ channel, id }: CampaignKey): string => `${createCampaignPath(channel)}?copy=${id}`;

// Inbox
export const BUCKET_PATHS: Readonly<Record<Bucket, string>> = {
  self: '/inbox/assigned-to-me',
  none: '/inbox/unassigned',
  others: '/inbox/assigned-to-others',
};

/** The unread conversations of an inbox. */
export const unreadPath = (bucket: Bucket): string => `${BUCKET_PATHS[bucket]}?unread=true`;
/** The texts that users insert into their replies. */
export const SAVED_RESPONSES = '/responses';
export const conversationPath = (inbox: string, id: string): string => `${inbox}?conversation=${id}`;

// The operators' pages
export const ACCOUNTS = '/accounts';
export const REQUESTS = '/requests';
export const REVIEWS = '/reviews';
export const CONNECTIONS = '/connections';
export const ADD_CONNECTION = '/connections/add';
export const CUSTOMER_PAYMENTS = '/payments';
export const PROPOSALS = '/payments/proposals';
export const RECONCILIATION = '/payments/reconciliation';
export const HEALTH = '/health';
export const UNMATCHED_RECEIPTS = '/health/receipts';
export const SENDING = '/sending';
export const ROUTES = '/routes';
export const PRICES = '/prices';
export const NETWORKS = '/networks';
export const SETUP = '/setup';

export const reviewsPath = (filter: Record<string, string>): string => `${REVIEWS}?${new URLSearchParams(filter)}`;
export const accountPath = (id: string): string => `${ACCOUNTS}/${id}`;
export const connectionPath = (id: string): string => `${CONNECTIONS}/${id}`;

// Public pages. Operators link to their own documents here.
export const DOCUMENTATION_LINK = '/docs';
/** The machine-readable API description. */
export const OPENAPI_LINK = '/v1/openapi.json';
export const MANUAL_LINK = '/manual';
export const LEGAL_LINKS = [
  { label: 'Privacy policy', href: '/legal/privacy-policy', document: 'privacy-policy' },
  { label: 'Terms of service', href: '/legal/terms-of-service', document: 'terms-of-service' },
  { label: 'Anti-spam policy', href: '/legal/anti-spam-policy', document: 'anti-spam-policy' },
] as const;
