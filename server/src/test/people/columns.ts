/**
 * The effect of a person's erasure on each column of the database that can hold texts. A test compares the list with
 * the schema, so a new column has to be added here.
 */
export interface TableColumns {
  /** Columns that an erasure blanks, or whose rows it deletes. */
  erased?: string;
  /** Columns that an erasure keeps, by the reason. */
  kept?: Readonly<Record<string, string>>;
}

const PROOF = 'A proof: what happened, when, and what it cost.';
const NUMBER = 'The number alone, by which the proofs are found.';
const CONSENT = 'A proof that the number opted out or agreed, with the words of the person.';

export const PERSONAL: Readonly<Record<string, TableColumns>> = {
  idempotency_keys: {
    kept: {
      'Deleted after 48 hours. Without them, a repeated request would send again.': 'key request_hash response',
    },
  },
  mails: {
    kept: {
      'Contents are deleted when an email is sent, and the rest after 30 days.':
        'recipient subject html body dedupe_key status error sealed',
    },
  },
  contacts: {
    erased: 'number country first_name last_name custom1 custom2',
  },
  audience_imports: {
    erased: 'preview refused_key',
  },
  stop_list: {
    kept: {
      [CONSENT]: 'number reason text',
    },
  },
  stop_list_history: {
    kept: {
      [CONSENT]: 'number change reason text',
    },
  },
  ledger: {
    kept: {
      [PROOF]: 'debit credit kind key note',
    },
  },
  messages: {
    erased: 'text payload content marks type',
    kept: {
      [NUMBER]: 'from to number',
      [PROOF]:
        'direction channel status country mccmnc encoding currency charge source failure ' +
        'carrier_code status_details timeline verification_status',
    },
  },
  dispatch: {
    kept: {
      'The queue. Erasures wait until it has no message to the person.':
        'channel stage number sender_address sealed_text sealed_content',
    },
  },
  submissions: {
    kept: {
      'The IDs that carriers gave to messages, for receipts.': 'external_id state',
    },
  },
  unmatched_reports: {
    kept: {
      'Receipts that belong to no account. They are deleted after a few days.': 'external_id number report',
    },
  },
  inbound_digests: {
    kept: {
      'Hashes that detect repeated messages.': 'digest',
    },
  },
  inbound_parts: {
    kept: {
      'Parts of messages that have not arrived. They are deleted when the message is complete or late.':
        'key from to octets payload',
    },
  },
  conversations: {
    erased: 'alias profile_name',
    kept: {
      [NUMBER]: 'number',
      [PROOF]: 'channel status',
    },
  },
  audit_log: {
    kept: {
      'A proof of what users did. Its rows are chained by hashes and never change.':
        'action actor_name target_type target_id target_name detail address agent request_id hash',
    },
  },
  media: {
    erased: 'file_name directory content_type sha256',
    kept: {
      [PROOF]: 'status type channel',
    },
  },
  media_uses: {
    kept: {
      'The ID of a message.': 'used_by',
    },
  },
  fallbacks: {
    erased: 'steps sealed_steps',
  },
  number_pool_contacts: {
    kept: {
      [NUMBER]: 'number',
    },
  },
  shared_sender_replies: {
    kept: {
      [NUMBER]: 'channel address number',
    },
  },
  import_rows: {
    erased: 'cells',
    kept: {
      'Why a row was skipped.': 'kind reason',
    },
  },
  saved_views: {
    kept: {
      'Filters that users wrote.': 'list name state',
    },
  },
  bulk_jobs: {
    kept: {
      'Filters that users wrote. Deleted after the job has ended.':
        'action params filter actor status reasons error_message',
    },
  },
  exports: {
    kept: {
      'The files are deleted after 7 days.':
        'list params filter sort columns format filename status actor storage_key error_message ' + 'time_zone',
    },
  },
  connection_tests: {
    kept: {
      'Tests of operators with their own numbers.': 'sender number text response receipt exchange',
    },
  },
  unanswered_submissions: {
    kept: {
      [NUMBER]: 'number sender_address',
    },
  },
  events: {
    erased: 'type payload',
  },
  conversation_assignments: {
    kept: {
      'The name of a rule.': 'rule_name',
    },
  },
  export_schedules: {
    kept: {
      'Filters that users wrote.': 'list params filter sort columns format interval time_zone actor',
    },
  },
  message_decisions: {
    kept: {
      [PROOF]: 'decision',
    },
  },
  carrier_payloads: {
    erased: 'direction title fields body',
  },
  refused_calls: {
    erased: 'method path message field channel from to request_id',
  },
  links: {
    kept: {
      'The destinations that the account chose, shared by all recipients.':
        'url name domain source code tags password_hash',
    },
  },
  link_codes: {
    kept: {
      'The link of a sent message keeps working, above all to opt out.': 'code kind number country',
    },
  },
  link_clicks: {
    erased: 'number referrer',
    kept: {
      'Counts of the link, without the person.': 'kind device country',
    },
  },
  link_visitors: {
    kept: {
      'A code that prevents a click from counting twice.': 'visitor',
    },
  },
  click_batches: {
    kept: {
      'Moved to link_clicks within seconds. An erasure waits for it.': 'clicks',
    },
  },
  number_lookups: {
    kept: {
      'A proof of what was charged, and of the network that decided the price of messages.':
        'number country status live_status network operator line_type mccmnc provider currency',
    },
  },
  webhook_deliveries: {
    erased: 'body attempts error',
    kept: {
      [PROOF]: 'event order_key status',
    },
  },
  limit_counters: {
    kept: {
      'The number alone, for as long as its limit counts.': 'scope',
    },
  },
  violations: {
    kept: {
      'The number alone, as a proof of why a message was blocked.': 'scope rule',
    },
  },
  crm_people: {
    erased: 'provider number person_id deal_id',
  },
  crm_links: {
    erased: 'number base label error',
    kept: {
      'The record of the CRM alone, so that an erased person does not come back.': 'provider record_id state',
    },
  },
  crm_changes: {
    erased: 'provider kind key',
  },
  crm_trigger_runs: {
    erased: 'number error',
    kept: {
      [PROOF]: 'provider deal_id entry status',
    },
  },
  crm_logs: {
    erased: 'person_id deal_id activity_id error',
    kept: {
      [PROOF]: 'provider crm_user_id status',
    },
  },
  sent_codes: {
    erased: 'address network',
    kept: {
      [NUMBER]: 'phone range neighbors',
      [PROOF]: 'channel country code_hash status',
    },
  },
  person_merges: {
    erased: 'number merged_number before',
  },
  person_numbers: {
    erased: 'number channel',
  },
  opt_in_submissions: {
    erased: 'token_hash number country entries language consent page address network status',
  },
  people: {
    erased: 'number country first_name last_name custom1 custom2 language timezone tags fields',
  },
  consents: {
    kept: {
      [CONSENT]: 'number channel purpose change method text source address',
    },
  },
  conversation_entries: {
    erased: 'kind text detail',
  },
  conversation_drafts: {
    erased: 'reply note',
  },
  assistance_requests: {
    erased: 'action language status model prompt response error',
  },
  campaign_skips: {
    kept: {
      [NUMBER]: 'number',
      [PROOF]: 'reason',
    },
  },
  conversation_texts: {
    erased: 'kind text',
  },
  conversation_words: {
    erased: 'kind word',
  },
  campaign_people: {
    erased: 'number',
  },
  campaign_entries: {
    erased: 'number occurrence',
  },
  person_dates: {
    erased: 'key',
  },
  import_changes: {
    erased: 'kind detail',
  },
  api_requests: {
    erased: 'path request_body response_body',
    kept: {
      'The program of the account, not the person.': 'endpoint method address agent',
    },
  },
  test_messages: {
    erased: 'status channel from to message payload timeline',
  },
  test_contacts: {
    erased: 'number contact',
  },
  test_codes: {
    erased: 'channel phone country code_hash status',
  },
  send_approvals: {
    erased: 'content_hash rehearsal status token_hash',
  },
  smpp_messages: {
    kept: {
      [NUMBER]: 'source_addr dest_addr receipt_state',
    },
  },
  smpp_parts: {
    erased: 'key octets addresses',
  },
  smpp_deliveries: {
    erased: 'body',
    kept: {
      [PROOF]: 'kind',
    },
  },
  limit_warnings: {
    kept: {
      'The number alone, as a proof of a warning.': 'scope rule',
    },
  },
  person_erasures: {
    kept: {
      [PROOF]: 'number status counts',
    },
  },
};
