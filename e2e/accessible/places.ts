/** Every route of the app with its title. A test fails if a route is missing here. */
import type { Api } from '../api.ts';
import { OPERATOR, OWNER } from '../api.ts';
import type { Sandbox } from '../sandbox.ts';

export interface World {
  /** The name of the audience and of the campaign sent to it. */
  name: string;
  audience: string;
  dynamic_audience: string;
  import: string;
  campaign: string;
  conversation: string;
  link: string;
  opt_in_form: string;
  connection: string;
  key: string;
  smpp_account: string;
  limit: string;
  sender: string;
  /** One template per channel. */
  templates: Readonly<Record<'SMS' | 'VIBER' | 'WHATSAPP', string>>;
  /** A user at the company other than the signed-in user. */
  user: string;
  /** The company's account, for operators. */
  account: string;
}

export interface Place {
  /** The route as written in web/src/routes.tsx. */
  route: string;
  title: string;
  /** The signed-in user. Null means signed out. */
  who: typeof OWNER | typeof OPERATOR | null;
  /** The path, if it differs from the route. */
  path?: (world: World) => string;
  /** True if the page also works when the company has no data. */
  early?: true;
}

const owner = (route: string, title: string, overrides: Partial<Place> = {}): Place => ({
  route,
  title,
  who: OWNER,
  ...overrides,
});
const operator = (route: string, title: string, overrides: Partial<Place> = {}): Place => ({
  route,
  title,
  who: OPERATOR,
  ...overrides,
});
const signedOut = (route: string, title: string, path = route): Place => ({
  route,
  title,
  who: null,
  path: () => path,
});
const early = true as const;

/** An ID that does not exist, for pages that show content until they learn that the object is missing. */
const UNKNOWN_ID = '0197a5f0-0000-7000-8000-000000000000';

export const PLACES: readonly Place[] = [
  signedOut('/sign-in', 'Sign in'),
  signedOut('/sign-up', 'Sign up'),
  signedOut('/forgot-password', 'Forgot password'),
  signedOut('/email-verification', 'Confirm your email'),
  signedOut(
    '/email-verification/$id',
    'Confirm your email',
    `/email-verification/${UNKNOWN_ID}?username=dana@example.com`,
  ),
  signedOut('/email-verification/$id/$code', 'Confirm your email', `/email-verification/${UNKNOWN_ID}/123456`),
  signedOut('/reset-password/$hash', 'New password', `/reset-password/${UNKNOWN_ID}`),
  signedOut('/invitations', 'Invitation'),
  signedOut('/legal/privacy-policy', 'Privacy policy'),
  signedOut('/legal/terms-of-service', 'Terms of service'),
  signedOut('/legal/anti-spam-policy', 'Anti-spam policy'),
  signedOut('/docs', 'Documentation'),
  signedOut('/pipedrive', 'CRM'),
  signedOut('/crm/$provider', 'CRM', '/crm/hubspot'),
  signedOut('/docs?section=messages', 'Documentation'),
  signedOut('/manual', 'User manual'),
  signedOut('/manual/$page', 'User manual', '/manual/campaigns'),
  owner('/', 'Dashboard', { early }),
  owner('/verification', 'Verify your account', { early }),
  owner('/settings', 'My user', { early }),
  owner('/settings/user', 'My user'),
  owner('/settings/account', 'Company', { early }),
  owner('/settings/security', 'Security', { early }),
  owner('/settings/users', 'Users', { early }),
  owner('/settings/users/create', 'Add user', { early }),
  owner('/settings/users/$id', 'Edit user', { path: ({ user }) => `/settings/users/${user}` }),
  owner('/settings/brand', 'Brand'),
  owner('/settings/integrations', 'Integrations', { early }),
  owner('/settings/integrations?crm=hubspot', 'Integrations'),
  owner('/settings/audit-log', 'Audit log', { early }),
  owner('/add-funds', 'Add funds', { early }),
  owner('/add-funds/thank-you', 'Thank you', { early }),
  owner('/add-funds/failed', 'Payment failed', { early }),
  owner('/billing', 'Billing', { early }),
  owner('/billing/payments', 'Payments', { early }),
  owner('/billing/invoices', 'Invoices', { early }),
  owner('/billing/statements', 'Statements', { early }),
  owner('/billing/auto-top-up', 'Auto top-up', { early }),
  owner('/settings/alerts', 'Alerts', { early }),
  owner('/settings/sms-limits', 'SMS limits', { early }),
  owner('/settings/sms-limits/create', 'Create SMS limit', { early }),
  owner('/settings/sms-limits/$id', 'Edit SMS limit', { path: ({ limit }) => `/settings/sms-limits/${limit}` }),
  owner('/settings/country-blacklist', 'Country blacklist', { early }),
  owner('/settings/inbox', 'Inbox rules', { early }),
  owner('/settings/keywords', 'Keywords', { early }),
  owner('/billing/rates', 'Rates', { early }),
  // Redirects to the first page of the group that the user can view.
  owner('/apis', 'API keys', { early }),
  owner('/apis/keys', 'API keys', { early }),
  owner('/apis/requests', 'Request log', { early }),
  owner('/apis/approvals', 'Approvals', { early }),
  owner('/apis/test-messages', 'Test messages', { early }),
  owner('/apis/test-campaigns', 'Test campaigns', { early }),
  owner('/apis/webhooks', 'Webhooks', { early }),
  owner('/apis/verifications', 'Verifications', { early }),
  owner('/apis/smpp', 'SMPP accounts', { early }),
  owner('/apis/smpp/create', 'Create SMPP account', { early }),
  owner('/apis/smpp/edit/$id', 'SMPP account', { path: ({ smpp_account }) => `/apis/smpp/edit/${smpp_account}` }),
  owner('/apis/keys/create', 'Create API key', { early }),
  owner('/apis/keys/edit/$id', 'Edit API key', { path: ({ key }) => `/apis/keys/edit/${key}` }),
  owner('/subaccounts', 'Sub-accounts', { early }),
  owner('/onboarding', 'Onboarding', { early }),
  owner('/change-phone', 'Change phone number', { early }),
  owner('/try-it-now', 'Try it now', { early }),
  owner('/try-it-now/sms', 'Try SMS now', { early }),
  owner('/try-it-now/whatsapp', 'Try WhatsApp now', { early }),
  owner('/try-it-now/viber', 'Try Viber now', { early }),
  owner('/insights', 'Insights', { early }),
  owner('/responses', 'Responses'),
  owner('/insights', 'Insights', { early, path: () => '/insights?tab=log' }),
  owner('/insights', 'Insights', { early, path: () => '/insights?tab=rejected' }),
  owner('/insights', 'Insights', { early, path: () => '/insights?tab=delivery' }),
  owner('/insights', 'Insights', { early, path: () => '/insights?tab=inbox' }),
  owner('/insights', 'Insights', { early, path: () => '/insights?tab=campaigns' }),
  owner('/insights', 'Insights', { early, path: () => '/insights?tab=costs' }),
  owner('/insights', 'Insights', { early, path: () => '/insights?tab=anomalies' }),
  owner('/exports', 'Exports', { early }),
  owner('/tools/carrier-single', 'Carrier lookup', { early }),
  owner('/tools/carrier-bulk', 'Bulk carrier lookup', { early }),
  owner('/tools/carrier-history', 'Carrier lookup history', { early }),
  owner('/contacts/opt-in-forms', 'Opt-in forms', { early }),
  owner('/contacts/create-opt-in-form', 'Create opt-in form', { early }),
  owner('/contacts/opt-in-forms/$id', 'Opt-in form', {
    path: ({ opt_in_form }) => `/contacts/opt-in-forms/${opt_in_form}`,
  }),
  owner('/link-management', 'Link management', { early }),
  owner('/link-management/create', 'Create link', { early }),
  owner('/link-management/domains', 'Link domains', { early }),
  owner('/link-management/$id', 'Link', { path: ({ link }) => `/link-management/${link}` }),
  owner('/sms/my-campaigns', 'SMS campaigns', { early }),
  owner('/sms/my-campaigns/$id', 'SMS campaign', { path: ({ campaign }) => `/sms/my-campaigns/${campaign}` }),
  owner('/sms/create-campaign', 'Create SMS campaign', { early }),
  owner('/whatsapp/my-campaigns', 'WhatsApp campaigns', { early }),
  owner('/whatsapp/my-campaigns/$id', 'WhatsApp campaign', {
    path: ({ campaign }) => `/whatsapp/my-campaigns/${campaign}`,
  }),
  owner('/whatsapp/create-campaign', 'Create WhatsApp campaign', { early }),
  owner('/viber/my-campaigns', 'Viber campaigns', { early }),
  owner('/viber/my-campaigns/$id', 'Viber campaign', { path: ({ campaign }) => `/viber/my-campaigns/${campaign}` }),
  owner('/viber/create-campaign', 'Create Viber campaign', { early }),
  owner('/contacts/my-audiences', 'Audiences', { early }),
  owner('/contacts/my-audiences/$id', 'Audience', { path: ({ audience }) => `/contacts/my-audiences/${audience}` }),
  owner('/contacts/create-dynamic-audience', 'Create dynamic audience'),
  owner('/contacts/edit-conditions/$id', 'Edit conditions', {
    path: ({ dynamic_audience }) => `/contacts/edit-conditions/${dynamic_audience}`,
  }),
  owner('/contacts/rename-audience/$id', 'Rename audience', {
    path: ({ audience }) => `/contacts/rename-audience/${audience}`,
  }),
  owner('/contacts/add-contact/$id', 'Add contact', { path: ({ audience }) => `/contacts/add-contact/${audience}` }),
  owner('/contacts/create-audience', 'Create audience', { early }),
  owner('/contacts/imports', 'Imports', { early }),
  owner('/contacts/imports/$id', 'Import', { path: (world) => `/contacts/imports/${world.import}` }),
  owner('/contacts/fields', 'Contact fields'),
  owner('/contacts/people/$id', 'Person', { path: () => `/contacts/people/${PHONE}` }),
  owner('/contacts/my-stop-list', 'Stop list', { early }),
  owner('/contacts/stop-list/add-contact', 'Add to the stop list'),
  owner('/contacts/stop-list/import', 'Import to the stop list'),
  owner('/add-channel', 'Add channel'),
  owner('/add-channel/whatsapp', 'Get access to WhatsApp', { early }),
  owner('/add-channel/viber', 'Get access to Viber', { early }),
  owner('/senders', 'Senders', { early }),
  owner('/senders/create-sender', 'Create sender', { early }),
  owner('/senders/buy-number', 'Buy number', { early }),
  owner('/senders/edit-sender', 'Edit sender', { path: ({ sender }) => `/senders/edit-sender?id=${sender}` }),
  owner('/senders/request-sender-id', 'Request sender ID', { early }),
  owner('/senders/request-short-code', 'Request short code', { early }),
  owner('/senders/request-toll-free', 'Toll-free verification', { early }),
  owner('/senders/tcr-registration', '10DLC registration', { early }),
  owner('/library', 'Messages', { early }),
  owner('/library/create', 'Create template', { early }),
  owner('/library/edit/$id', 'Edit SMS template', { path: ({ templates }) => `/library/edit/${templates.SMS}` }),
  owner('/library/viber-edit/$id', 'Edit Viber template', {
    path: ({ templates }) => `/library/viber-edit/${templates.VIBER}`,
  }),
  owner('/library/whatsapp-edit/$id', 'Edit WhatsApp template', {
    path: ({ templates }) => `/library/whatsapp-edit/${templates.WHATSAPP}`,
  }),
  // Redirects to the first bucket with conversations.
  owner('/inbox', 'Inbox: (assigned to me|unassigned)', { early }),
  owner('/inbox/assigned-to-me', 'Inbox: assigned to me'),
  owner('/inbox/assigned-to-others', 'Inbox: assigned to others'),
  owner('/inbox/unassigned', 'Inbox: unassigned', {
    path: ({ conversation }) => `/inbox/unassigned?conversation=${conversation}`,
  }),
  operator('/accounts', 'Accounts'),
  operator('/accounts/$id', 'Account', { path: ({ account }) => `/accounts/${account}` }),
  operator('/requests', 'Requests'),
  operator('/reviews', 'Reviews'),
  operator('/content-rules', 'Content rules'),
  operator('/payments', 'Payments'),
  operator('/payments/proposals', 'Proposed changes'),
  operator('/payments/reconciliation', 'Reconciliation'),
  operator('/inventory', 'Numbers'),
  operator('/sending', 'Sending'),
  operator('/health', 'Health'),
  operator('/health/receipts', 'Unmatched receipts'),
  operator('/connections', 'Connections'),
  operator('/connections/add', 'Connect a provider'),
  operator('/connections/$id', 'Edit connection', { path: ({ connection }) => `/connections/${connection}` }),
  operator('/routes', 'Routes'),
  operator('/prices', 'Prices'),
  operator('/prices', 'Prices', { path: () => '/prices?tab=volume' }),
  operator('/networks', 'Networks'),
  operator('/setup', 'Setup'),
];

/**
 * Routes not listed above: redirects, phone verification for new users (see identity.spec.ts), and the page for expired
 * trials (see trial.spec.ts).
 */
export const EXCLUDED_ROUTES = ['/logout', '/gallery', '/phone-verification', '/expired'];

const PHONE = '4917604069014';

/**
 * Creates sample data for every page, including an import with rejected rows, a campaign with every outcome, a
 * scheduled campaign, a conversation, and a number on the stop list.
 */
export async function makeWorld(owner: Api, operator: Api, sandbox: Sandbox): Promise<World> {
  const name = `Checked ${Date.now().toString(36)}`;
  const people = [
    'Number,First name',
    '+4917604069060,Ada',
    '+447400900901,Sven',
    '+4917604069061,Cleo',
    'nonsense,Typo',
  ];
  const audience = await owner.importAudience(name, people.join('\n'));
  const dynamic = await owner.post<{ id: string }>('audiences', {
    name: `By conditions ${name}`,
    channel: 'SMS',
    conditions: { match: 'all', conditions: [{ subject: 'country', operator: 'is_one_of', value: ['DE', 'GB'] }] },
  });
  const [imported] = await owner.get<{ id: string }[]>('audience_imports');
  const campaign = await owner.post<{ id: string }>('campaigns', {
    name,
    from: 'Harbour Hamburg',
    audience,
    text: 'Hello {first_name:there}, this message is only for checks.',
  });
  await owner.post('campaigns', { name: `${name} draft`, text: 'Not yet', start: false });
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19).replace('T', ' ');
  await owner.post('campaigns', {
    name: `${name} later`,
    from: 'Harbour Hamburg',
    audience,
    text: 'Good morning',
    schedule: tomorrow,
  });
  const link = await owner.post<{ id: string }>('short_urls', { url: 'https://example.com/sale', name });
  await owner.post('stop_list', { number: `+1202${5_550_000 + Math.floor(Math.random() * 9_999)}` });
  await sandbox.write(PHONE, '4917139200000', 'Do you have oat milk?');
  await owner.post('messages', { from: 'Harbour Hamburg', to: [PHONE], channel: 'SMS', text: 'Of course we have.' });
  await until(async () => (await owner.get<{ status: string }>(`campaigns/${campaign.id}`)).status === 'completed');
  let conversations: { id: string; number: string; unread_count: number }[] = [];
  await until(async () => {
    conversations = await owner.get('conversations?filter[bucket]=none');
    return conversations.some(({ number, unread_count }) => number === PHONE && unread_count > 0);
  });
  const hamburg = await owner.get<{ id: string }[]>('senders?filter[name]=Harbour Hamburg');
  const form = await owner.post<{ id: string }>('opt_in_forms', {
    audience_id: audience,
    name,
    sender_id: hamburg[0]!.id,
    texts: [{ language: 'en', title: 'Harbour news', consent: 'I agree to get news from Harbour Coffee.' }],
  });
  const [connection] = await operator.get<{ id: string }[]>('connections');
  const senders = await owner.get<{ id: string }[]>('senders');
  const users = await owner.get<{ id: string; account_id: string; is_owner: boolean }[]>('users');
  return {
    name,
    audience,
    dynamic_audience: dynamic.id,
    import: imported!.id,
    campaign: campaign.id,
    link: link.id,
    opt_in_form: form.id,
    conversation: conversations.find(({ number }) => number === PHONE)!.id,
    connection: connection!.id,
    limit: (await owner.post<{ id: string }>('limits', { type: 'messages', limit: 1_000_000, interval: 'day' })).id,
    key: (await owner.post<{ id: string }>('keys', { name, permissions: { MESSAGES: 1 } })).id,
    smpp_account: (await owner.post<{ id: string }>('smpp_accounts', { name: 'Demo shop' })).id,
    sender: senders[0]!.id,
    templates: await makeTemplates(owner),
    user: users.find(({ is_owner }) => !is_owner)!.id,
    account: users[0]!.account_id,
  };
}

/** The first template can be edited. The pages of the other templates show their review status. */
async function makeTemplates(owner: Api): Promise<World['templates']> {
  const [sender] = await owner.get<{ code: string }[]>('senders?filter[channel]=WHATSAPP&filter[status]=available');
  const make = async (data: object) => {
    const name = `checked_${Date.now().toString(36)}`;
    return (await owner.post<{ id: string }>('templates', { name, text: 'Hello, only for checks.', ...data })).id;
  };
  return {
    SMS: await make({ channel: 'SMS', text: 'Hello {first_name:there}' }),
    VIBER: await make({ channel: 'VIBER' }),
    WHATSAPP: await make({ channel: 'WHATSAPP', wa_category: 'UTILITY', wa_sender_code: sender!.code }),
  };
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 40_000;
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error('The test data was not created in time');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
