/** The areas of the documentation, in the order of its contents, with their modules. */
export const AREAS: readonly { title: string; modules: readonly string[] }[] = [
  {
    title: 'Messages',
    modules: [
      ...[
        'messages',
        'message_rehearsals',
        'send_approvals',
        'test_messages',
        'verifications',
        'refused_calls',
        'segmentation',
      ],
      ...['try_it_now', 'media', 'logs'],
    ],
  },
  { title: 'Webhooks', modules: ['webhooks', 'events'] },
  {
    title: 'Campaigns',
    modules: [
      ...['campaigns', 'campaign_imports', 'campaign_previews', 'campaign_rehearsals', 'campaign_samples'],
      ...[
        'campaign_approvals',
        'campaign_calendar',
        'campaign_tags',
        'campaign_recipients',
        'campaign_results',
        'campaign_retries',
        'campaign_follow_ups',
        'campaign_skips',
        'campaign_winners',
        'recipients_file',
      ],
    ],
  },
  {
    title: 'Contacts',
    modules: [
      ...['audiences', 'contacts', 'people', 'consents', 'contact_fields', 'stop_list'],
      ...['audience_imports', 'import_rows', 'refused_rows'],
    ],
  },
  { title: 'Templates', modules: ['templates', 'template_syncs'] },
  { title: 'Senders', modules: ['senders', 'sender_rules', 'numbers'] },
  {
    title: 'Inbox',
    modules: [
      ...['conversations', 'conversation_messages', 'conversation_entries', 'conversation_assignments'],
      ...[
        'conversation_notes',
        'conversation_readers',
        'conversation_labels',
        'conversation_drafts',
        'labels',
        'conversation_badges',
        'conversation_presence',
        'conversation_collisions',
        'responses',
        'response_texts',
        'inbox_senders',
        'inbox_settings',
        'inbox_teams',
        'inbox_agents',
        'inbox_rules',
        'inbox_rule_tests',
        'inbox_texts',
        'inbox_users',
        'inbox_view_counts',
      ],
    ],
  },
  { title: 'Links and lookups', modules: ['short_urls', 'link_domains', 'number_lookups', 'bulk_lookups'] },
  {
    title: 'Figures and exports',
    modules: [
      ...['charts', 'anomalies', 'anomaly_alerts', 'dashboard', 'search'],
      ...['exports', 'export_files', 'export_links', 'export_schedules'],
      ...['bulk_jobs', 'views'],
    ],
  },
  { title: 'Limits', modules: ['limits', 'limit_back_tests', 'violations', 'country_blacklist'] },
  {
    title: 'Billing',
    modules: [
      ...['balances', 'ledger', 'rates', 'invoices', 'payments', 'payment_intents', 'payment_methods'],
      ...['payment_settings', 'setup_intents', 'auto_top_up', 'alerts', 'transfers'],
    ],
  },
  {
    title: 'Account and users',
    modules: [
      ...[
        'accounts',
        'subaccounts',
        'keys',
        'api_requests',
        'users',
        'invitations',
        'audit_log',
        'auth',
        'auth_sessions',
      ],
      ...['sessions', 'second_factors', 'social_networks', 'crm', 'pipedrive'],
    ],
  },
];
