// Generated from the contract by generate.ts. Do not edit.
import type { Page } from './pages.ts';

export type AccountInfo = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The email address that the user signs in with. */
'username': string;
/** The name of the company. */
'company_name': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country_code': string;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
/** The time zone, as an IANA name. */
'timezone': string;
'quiet_hours': {
/** The sender: its name, code, or ID. */
'from': string;
'until': string;
} | null;
'campaign_approval': {
'recipients': number | null;
/** An amount in millionths of the currency. */
'amount_micros': number | null;
} | null;
'frequency_cap': {
'per_day': number | null;
'per_week': number | null;
} | null;
'hlr_check': boolean;
'mnp_check': boolean;
'mnp_countries': (string)[];
/** The current status. */
'status': "UNVERIFIED" | "FORM_SUBMITTED" | "VERIFIED" | "BLOCKED";
'verified': boolean;
'account_type': "MAIN" | "SUB_ACCOUNT";
'channels': (string)[];
'tags': (string)[];
'industry_id': number;
'operator': boolean;
'parent_id': string | null;
'admin_created': boolean;
'company_address': string;
'company_website': string;
'company_size': string;
'company_size_id': number | null;
'vat_number': string;
'use_case': string;
'interests': (string)[];
'import_rows': number;
'tax_rate': number;
'invoice_company': string;
'invoice_emails': (string)[];
'invoice_entity': number;
'preference': Preference;
'second_factor_required': boolean;
'content_days': number | null;
'trial': boolean;
'trial_period_expired': boolean;
'days_left': number | null;
'is_us_or_ca_account': boolean;
'is_restricted_onboarding': boolean;
'user_country': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
/** The ID of the user. */
'user_id': string | null;
/** The first name. */
'first_name': string | null;
/** The last name. */
'last_name': string | null;
'full_name': string | null;
/** The phone number: digits with the country code. */
'phone_number': string | null;
/** True if it is blocked. */
'blocked': boolean;
/** The level of each permission. */
'permissions': Record<string, number>;
'role': string | null;
'roles': (string)[];
'sender_free': boolean;
'test_sms': boolean;
'brand': ShownBrand;
};

export type AccountReview = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The name of the company. */
'company_name': string;
/** The current status. */
'status': "OPEN" | "APPROVED" | "REJECTED" | "INFO_NEEDED";
'form': SubmittedForm;
/** A readable reason. */
'reason': string;
'reviewer_name': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
'decide_date': string | null;
};

export type AlertsSaveBody = {
/** True if it is in use. */
'enabled': boolean;
/** An amount in millionths of the currency. */
'thresholds_micros': (number)[];
'emails': (string)[];
'phone_user_ids'?: (string)[];
};

export type AllowedCountries = {
/** The ID of the account. */
'account_id': string;
/** True if it is in use. */
'enabled': boolean;
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries': (string)[];
'sub_accounts': boolean;
'inherited': {
'account_name': string;
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries': (string)[];
} | null;
/** When it was last changed. */
'update_date': string | null;
};

export type AllowedCountriesSaveBody = {
/** True if it is in use. */
'enabled': boolean;
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries': (string)[];
/** Also limit the sub-accounts to these countries. */
'sub_accounts'?: boolean;
/** Must be true if the change lets messages through to more countries. The audit log records it. */
'acknowledges_risk'?: boolean;
};

export type AnnouncedRate = {
/** The ID (a UUID). */
'id': string;
/** The channel of the message. */
'channel': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The network: mobile country code and network code. */
'mccmnc': string | null;
'network': string | null;
/** The purpose, which can determine the price. */
'purpose': "marketing" | "utility" | "authentication" | "service" | "session" | "promotional" | "transactional" | null;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
/** An amount in millionths of the currency. */
'before_micros': number | null;
/** An amount in millionths of the currency. */
'after_micros': number | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'effective_date': string;
};

export type Anomaly = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
'metric': "error_rate" | "delivery_rate" | "volume" | "spend" | "latency";
'scope': "country" | "route";
'value': string;
'label': string;
/** MT: to a phone. MO: from a phone. */
'direction': "above" | "below";
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'hour': string;
'observed': number;
'expected': number;
'low': number | null;
'high': number | null;
'sample': number;
'compared': ({
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'hour': string;
'observed': number;
'sample': number;
})[];
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'latest_hour': string;
'latest': number;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
'end_date': string | null;
'end_reason': "normal" | "quiet" | "off" | null;
};

export type AnomalyAlerts = {
/** The ID of the account. */
'account_id': string;
/** True if it is in use. */
'enabled': boolean;
'metrics': ("error_rate" | "delivery_rate" | "volume" | "spend" | "latency")[];
'sensitivity': "low" | "medium" | "high";
'send_emails': boolean;
'emails': (string)[];
'notify_in_app': boolean;
};

export type AnomalyAlertsSaveBody = {
/** True if it is in use. */
'enabled': boolean;
'metrics': ("error_rate" | "delivery_rate" | "volume" | "spend" | "latency")[];
'sensitivity': "low" | "medium" | "high";
'send_emails': boolean;
'emails': (string)[];
'notify_in_app': boolean;
};

export type ApiRequest = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
'key_id': string;
'key_name': string | null;
/** True for a free test message to your own phones. */
'test': boolean;
'method': string;
'path': string;
/** The current status. */
'status': number;
'code': number | null;
'ms': number;
'address': string;
'agent': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
};

export type ApiRequestDetail = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
'key_id': string;
'key_name': string | null;
/** True for a free test message to your own phones. */
'test': boolean;
'method': string;
'path': string;
/** The current status. */
'status': number;
'code': number | null;
'ms': number;
'address': string;
'agent': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
'request_body': string | null;
'response_body': string | null;
'is_masked': boolean;
'is_hidden': boolean;
};

export type ApprovalEntry = {
/** The ID (a UUID). */
'id': string;
/** The current status. */
'status': "requested" | "approved" | "declined" | "withdrawn";
'target': "in_progress" | "scheduled";
'recipients': number;
/** Null if the caller cannot view payments or rates. */
'amount_micros': number | null;
'requested_by': {
/** The ID (a UUID). */
'id': string;
/** The name. */
'name': string;
} | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'request_date': string;
'submitter_ids': (string)[];
'decided_by': {
/** The ID (a UUID). */
'id': string;
/** The name. */
'name': string;
} | null;
'decide_date': string | null;
/** A readable reason. */
'reason': string;
'void_date': string | null;
};

export type Attachment = {
/** The ID (a UUID). */
'id': string;
'kind': "letter_of_authorization" | "company_register" | "trademark" | "opt_in_image" | "sweepstakes_terms" | "other" | "warranty_letter" | "industry_letter" | "logo_640x640" | "logo_360x280" | "logo_256x256" | "logo_130x130" | "logo_100x100" | "logo_65x65" | "logo_50x50";
/** The name of the file. */
'file_name': string;
/** The media type of the file. */
'content_type': string;
'bytes': number;
/** The URL. */
'url': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
};

export type Audience = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The name. */
'name': string;
/** The channel of the message. */
'channel': string;
/** The number of contacts. */
'contacts_count': number;
'conditions': {
'match': "all" | "any";
'conditions': ({
'match': "all" | "any";
'conditions': ({
'match': "all" | "any";
'conditions': ({
'subject': string;
'operator': string;
'value'?: string | number | (string)[] | null;
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER" | null;
})[];
} | {
'subject': string;
'operator': string;
'value'?: string | number | (string)[] | null;
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER" | null;
})[];
} | {
'subject': string;
'operator': string;
'value'?: string | number | (string)[] | null;
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER" | null;
})[];
} | null;
'is_test'?: true;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
};

export type AudienceImport = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The ID of the audience. */
'audience_id': string | null;
'audience_name': string;
/** The channel of the message. */
'channel': string;
/** The name of the file. */
'filename': string;
/** The current status. */
'status': "mapping" | "running" | "completed" | "failed" | "canceled";
'preview': ImportPreview;
'options': ImportOptions;
'total_rows': number;
'processed_rows': number;
'created_count': number;
'updated_count': number;
'duplicate_count': number;
'invalid_count': number;
'skipped_count': number;
'shortened_count': number;
'consecutive_count': number;
'has_refused': boolean;
'error_code': number | null;
'error_message': string | null;
'undo_date': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
};

export type AudienceImportsUpdateBody = {
'action'?: "start" | "preview";
'options'?: ImportOptionsInput;
};

export type AudiencesCountBody = {
'conditions': {
'match': "all" | "any";
'conditions': ({
'match': "all" | "any";
'conditions': ({
'match': "all" | "any";
'conditions': ({
'subject': string;
'operator': string;
'value'?: string | number | (string)[] | null;
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER" | null;
})[];
} | {
'subject': string;
'operator': string;
'value'?: string | number | (string)[] | null;
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER" | null;
})[];
} | {
'subject': string;
'operator': string;
'value'?: string | number | (string)[] | null;
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER" | null;
})[];
};
};

export type AudiencesCountResult = {
/** The number. */
'count': number;
'is_estimate': boolean;
};

export type AudiencesCreateBody = {
/** The name. */
'name': string;
/** The channel of the message. */
'channel': "SMS" | "WHATSAPP" | "VIBER";
'contacts'?: (ContactInput)[];
'conditions'?: {
'match': "all" | "any";
'conditions': ({
'match': "all" | "any";
'conditions': ({
'match': "all" | "any";
'conditions': ({
'subject': string;
'operator': string;
'value'?: string | number | (string)[] | null;
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER" | null;
})[];
} | {
'subject': string;
'operator': string;
'value'?: string | number | (string)[] | null;
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER" | null;
})[];
} | {
'subject': string;
'operator': string;
'value'?: string | number | (string)[] | null;
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER" | null;
})[];
} | null;
};

export type AudiencesUpdateBody = {
/** The name. */
'name': string;
'conditions'?: {
'match': "all" | "any";
'conditions': ({
'match': "all" | "any";
'conditions': ({
'match': "all" | "any";
'conditions': ({
'subject': string;
'operator': string;
'value'?: string | number | (string)[] | null;
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER" | null;
})[];
} | {
'subject': string;
'operator': string;
'value'?: string | number | (string)[] | null;
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER" | null;
})[];
} | {
'subject': string;
'operator': string;
'value'?: string | number | (string)[] | null;
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER" | null;
})[];
};
};

export type BackTest = {
'days': number;
'messages': number;
/** True if it is blocked. */
'blocked': number;
/** Null if the caller cannot view payments or rates. */
'blocked_micros': number | null;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
/** The number of delivered messages. */
'delivered': number;
'answered': number;
'examples': ({
/** The ID (a UUID). */
'id': string;
/** The recipient: digits with the country code. */
'to': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The current status. */
'status': string;
'answered': boolean;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
})[] | null;
'intervals': ({
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'start_date': string;
'used': number;
/** True if it is blocked. */
'blocked': number;
})[];
'intervals_total': number;
};

export type Balance = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
'balance': number;
'pending_balance': number;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
'configuration': {
'credit_limit': number;
};
/** An amount in millionths of the currency. */
'available_micros': number;
/** An amount in millionths of the currency. */
'held_micros': number;
/** An amount in millionths of the currency. */
'frozen_micros': number;
};

export type BalanceForecast = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
/** An amount in millionths of the currency. */
'spend_per_day_micros': number;
'days_left': number | null;
};

export type BulkLookup = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The name. */
'name': string;
/** The ID of the audience. */
'audience_id': string | null;
/** The current status. */
'status': "in_progress" | "paused" | "completed";
/** The total number. */
'total': number;
'done': number;
'invalid': number;
'good': number;
'bad': number;
'landline': number;
'unknown': number;
'ported': number;
/** An amount in millionths of the currency. */
'cost_micros': number;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
};

export type BulkLookupsApplyBody = {
'action': "create_audience" | "tag" | "add_to_stop_list" | "remove_from_audience";
'statuses': ("good" | "bad" | "landline" | "unknown")[];
'tags'?: (string)[];
/** The name. */
'name'?: string;
};

export type BulkLookupsApplyResult = {
/** The number. */
'count': number;
/** The ID of the audience. */
'audience_id': string | null;
};

export type BulkLookupsUpdateBody = {
/** The current status. */
'status': "paused" | "in_progress";
};

export type Button = {
/** The type of the object. */
'type': "quick_reply" | "link" | "phone_call";
/** The text. */
'text': string;
'value': string;
};

export type CalendarEntry = {
/** The ID of the campaign. */
'campaign_id': string;
/** The name. */
'name': string;
/** The channel of the message. */
'channel': string;
/** The current status. */
'status': "in_complete" | "scheduled" | "in_progress" | "paused" | "completed" | "failed" | "canceled" | "error";
'kind': "sent" | "scheduled" | "run" | "approval";
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'at': string;
'recipients': number | null;
};

export type Campaign = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The name. */
'name': string;
/** The channel of the message. */
'channel': string;
/** The current status. */
'status': "in_complete" | "scheduled" | "in_progress" | "paused" | "completed" | "failed" | "canceled" | "error";
/** A readable explanation of the status. */
'status_details': "user" | "balance" | "limit" | "traffic_stop" | "missed_schedule" | "sender" | "audience" | "text" | "template" | "approval" | "overdue" | "account" | "failures" | "opt_outs" | "complaints" | "nobody" | "undelivered" | "restored" | "internal" | null;
/** The ID of the sender. */
'sender_id': string | null;
'sender_name': string | null;
/** The ID of the audience. */
'audience_id': string | null;
'audience_name': string | null;
'audience_ids': (string)[];
'excluded_audience_ids': (string)[];
/** The text. */
'text': string;
/** The ID of the template. */
'template_id': string | null;
'template_name': string | null;
'session_text': string | null;
/** The type of the object. */
'type': "text" | "image" | "video" | "document";
/** The ID of an uploaded file. */
'media_id': string | null;
/** The URL. */
'url': string | null;
/** The name of the file. */
'file_name': string | null;
'buttons': (Button)[];
/** The purpose, which can determine the price. */
'purpose': "promotional" | "transactional" | null;
/** The values of the placeholders, in order. */
'variables': (string)[];
/** Up to three additional channels, each with a trigger and a wait. */
'fallbacks': ({
/** The channel of the message. */
'channel': string;
/** The sender: its name, code, or ID. */
'from': string;
/** When the fallback is sent: `undelivered` (the default), `unread`, or `failed`. */
'trigger': "undelivered" | "unread" | "failed";
/** Seconds between the submission and the fallback. */
'wait_seconds': number | null;
/** The text. */
'text': string;
/** The ID of the template. */
'template': string | null;
/** The type of the object. */
'type': "text" | "image" | "video" | "document";
/** The ID of an uploaded file. */
'media_id': string | null;
/** The URL. */
'url': string | null;
/** The name of the file. */
'file_name': string | null;
'buttons': (Button)[];
/** The purpose, which can determine the price. */
'purpose': "promotional" | "transactional" | null;
/** The values of the placeholders, in order. */
'variables': (string)[];
})[];
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries': (string)[] | null;
/** The scheduled time, in UTC. */
'schedule': string | null;
'timing': {
'local_time': boolean;
'windows': ({
'days': (number)[];
/** The sender: its name, code, or ID. */
'from': string;
'until': string;
})[];
'quiet_hours': "account" | "legal" | "none";
'rate': {
'messages': number;
'per': "second" | "hour";
} | null;
'spread_hours': number | null;
'missed_schedule': "pause" | "send" | "skip";
};
'repeat': {
'every': "day" | "week" | "month";
'interval': number;
'days': (number)[];
'until': string | null;
/** The number. */
'count': number | null;
} | null;
'next_runs': (string)[];
/** When the fallback is sent: `undelivered` (the default), `unread`, or `failed`. */
'trigger': {
'on': "joined" | "date" | "no_reply" | "keyword";
'imports': boolean;
'field': string | null;
'offset_days': number;
'time': string;
'yearly': boolean;
/** The ID of the campaign. */
'campaign_id': string | null;
'wait_days': number;
'keyword_id': string | null;
'reentry': "once" | "days" | "every";
'reentry_days': number;
} | null;
'series_id': string | null;
'run_date': string | null;
'safety': {
'canary': {
'recipients': number | null;
'percent': number | null;
'wait_minutes': number;
} | null;
'limits': {
'failed_percent': number | null;
'opt_out_percent': number | null;
'complaint_percent': number | null;
};
'lookup': boolean;
'lookup_countries': (string)[] | null;
};
'safeguards': {
'canary': {
'recipients': number;
/** The current status. */
'status': "sending" | "waiting" | "passed";
'end_date': string | null;
} | null;
'tripped': {
'results': number;
/** The number of failed messages. */
'failed': number;
'opt_outs': number;
'complaints': number;
} | null;
'lookup': {
'bulk_lookup_id': string;
/** The current status. */
'status': "in_progress" | "paused" | "completed";
'done': number;
/** The total number. */
'total': number;
} | null;
};
/** True for a free test message to your own phones. */
'test': {
'variants': ({
/** The text. */
'text': string;
/** The ID of the template. */
'template': string | null;
/** The type of the object. */
'type': "text" | "image" | "video" | "document";
/** The ID of an uploaded file. */
'media_id': string | null;
/** The URL. */
'url': string | null;
/** The name of the file. */
'file_name': string | null;
'buttons': (Button)[];
/** The purpose, which can determine the price. */
'purpose': "promotional" | "transactional" | null;
/** The values of the placeholders, in order. */
'variables': (string)[];
})[];
'share_percent': number;
'wait_minutes': number;
'metric': "delivered" | "read" | "clicked" | "replied" | "opt_outs";
'automatic': boolean;
} | null;
'test_state': {
'recipients': number;
/** The current status. */
'status': "sending" | "waiting" | "choosing" | "decided";
'end_date': string | null;
'winner': "A" | "B" | "C" | "D" | null;
} | null;
'approval': {
/** The ID (a UUID). */
'id': string;
/** The current status. */
'status': "requested" | "approved" | "declined" | "withdrawn";
'target': "in_progress" | "scheduled";
'recipients': number;
/** Null if the caller cannot view payments or rates. */
'amount_micros': number | null;
'requested_by': {
/** The ID (a UUID). */
'id': string;
/** The name. */
'name': string;
} | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'request_date': string;
'submitter_ids': (string)[];
'decided_by': {
/** The ID (a UUID). */
'id': string;
/** The name. */
'name': string;
} | null;
'decide_date': string | null;
/** A readable reason. */
'reason': string;
} | null;
'waits': ({
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'until': string;
'recipients': number;
})[];
/** Seconds after which an undelivered message expires. */
'validity_seconds': number;
/** The total number. */
'total': number;
'fanned_out': number;
'skipped': Record<string, number>;
'lists_skips': boolean;
'lists_canceled': boolean;
'counts': CampaignCounts;
'in_review': number;
'retryable': number;
'messages': {
/** The total number. */
'total': number;
/** The number of delivered messages. */
'delivered': number;
/** The number of failed messages. */
'failed': number;
};
/** Null if the caller cannot view payments or rates. */
'cost_micros': number | null;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
'start_date': string | null;
'end_date': string | null;
'tags': (string)[];
'note': string;
'archive_date': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
'is_test'?: true;
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
};
};

export type CampaignAudiencesCreateBody = {
/** The name. */
'name'?: string;
'bucket'?: "all" | "waiting" | "sent" | "delivered" | "failed" | "canceled" | "skipped" | "unsent";
'response'?: "replied" | "opted_out" | "clicked" | "none";
/** A readable reason. */
'reason'?: "invalid" | "stop_list" | "no_route" | "no_price" | "too_long" | "no_text" | "no_value" | "content" | "country" | "country_blocked" | "recipient_limit" | "frequency_cap" | "duplicate" | "excluded" | "removed" | "no_window" | "missed" | "landline" | "not_in_use" | "no_session" | "canceled";
/** The text to search for. */
'search'?: string;
};

export type CampaignCounts = {
'waiting': number;
'enroute': number;
/** The number of sent messages. */
'sent': number;
/** The number of delivered messages. */
'delivered': number;
'read': number;
/** The number of failed messages. */
'failed': number;
'rejected': number;
'expired': number;
/** True if it is blocked. */
'blocked': number;
'unsubscribed': number;
'canceled': number;
};

export type CampaignForecast = {
'will_receive': number;
/** Null if the caller cannot view payments or rates. */
'total_micros': number | null;
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries': ({
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
'recipients': number;
/** Null if the caller cannot view payments or rates. */
'cost_micros': number | null;
})[];
};

export type CampaignImport = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The ID of the campaign. */
'campaign_id': string;
'import_id': string;
/** The ID of the audience. */
'audience_id': string | null;
/** The current status. */
'status': "importing" | "started" | "failed";
'total_rows': number;
'processed_rows': number;
'created_count': number;
'duplicate_count': number;
'invalid_count': number;
'error_code': number | null;
'error_message': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
};

export type CampaignPreview = {
'counts': {
/** The total number. */
'total': number;
'will_receive': number;
'stop_list': number;
'duplicate': number;
'excluded': number;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': number;
'country_blocked': number;
'no_text': number;
'no_value': number;
'no_route': number;
'no_price': number;
'too_long': number;
'frequency_cap': number;
'no_window': number;
'missed': number;
'landline': number;
'not_in_use': number;
'no_session': number;
};
'open_sessions': number | null;
'arrivals': {
'bucket_minutes': number;
'buckets': ({
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'from': string;
'recipients': number;
})[];
'first': string | null;
'last': string | null;
};
'zones': {
'contact': number;
/** The phone number: digits with the country code. */
'number': number;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': number;
'account': number;
};
'segments': {
'min': number;
'max': number;
/** The total number. */
'total': number;
'unicode_recipients': number;
};
'cost': ({
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
'recipients': number;
'segments': number;
/** Null if the caller cannot view payments or rates. */
'price_micros': number | null;
/** Null if the caller cannot view payments or rates. */
'price_max_micros': number | null;
/** Null if the caller cannot view payments or rates. */
'cost_micros': number | null;
})[];
/** Null if the caller cannot view payments or rates. */
'total_micros': number | null;
'lookups': {
'numbers': number;
/** Null if the caller cannot view payments or rates. */
'price_micros': number | null;
/** Null if the caller cannot view payments or rates. */
'cost_micros': number | null;
} | null;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
/** An amount in millionths of the currency. */
'available_micros': number | null;
'blockers': (PreviewFinding)[];
'warnings': (PreviewFinding)[];
};

export type CampaignPreviewsCreateBody = {
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER";
/** The sender: its name, code, or ID. */
'from'?: string | null;
'audience'?: string | null;
'audience_ids'?: (string)[];
'excluded_audience_ids'?: (string)[];
/** The text. */
'text'?: string;
/** The ID of the template. */
'template'?: string | null;
/** The type of the object. */
'type'?: string | null;
/** The ID of an uploaded file. */
'media_id'?: string | null;
/** The URL. */
'url'?: string | null;
/** The name of the file. */
'file_name'?: string | null;
/** The button below the text. */
'button'?: {
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
} | null;
'buttons'?: ({
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
})[] | null;
/** The purpose, which can determine the price. */
'purpose'?: string | null;
/** The values of the placeholders, in order. */
'variables'?: (string)[] | null;
'session_text'?: string | null;
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries'?: (string)[] | null;
/** Up to three additional channels, each with a trigger and a wait. */
'fallbacks'?: ({
/** The channel of the message. */
'channel': "SMS" | "WHATSAPP" | "VIBER";
/** The sender: its name, code, or ID. */
'from'?: string | null;
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
/** The ID of the template. */
'template'?: string | null;
/** The values of the placeholders, in order. */
'variables'?: (string | number | null)[] | null;
/** The ID of an uploaded file. */
'media_id'?: string | null;
/** The URL. */
'url'?: string | null;
/** The name of the file. */
'file_name'?: string | null;
'reply_to'?: string | null;
/** The name of the file. */
'filename'?: string | null;
/** The button below the text. */
'button'?: {
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
} | null;
'buttons'?: ({
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
})[] | null;
/** What the button does. */
'button_type'?: string | null;
/** The label of the button. */
'button_text'?: string | null;
/** The URL or phone number that the button opens. */
'button_value'?: string | null;
'location'?: {
'latitude': number;
'longitude': number;
/** The name. */
'name'?: string | null;
'address'?: string | null;
} | null;
'contacts'?: ({
/** The name. */
'name': string;
'phones'?: (string)[] | null;
'emails'?: (string)[] | null;
})[] | null;
'list'?: {
/** The button below the text. */
'button': string;
'rows': ({
/** The text. */
'text': string;
'description'?: string | null;
'value'?: string | null;
})[];
} | null;
/** The purpose, which can determine the price. */
'purpose'?: string | null;
/** When the fallback is sent: `undelivered` (the default), `unread`, or `failed`. */
'trigger'?: string | null;
/** Seconds between the submission and the fallback. */
'wait_seconds'?: number | null;
})[] | null;
/** Seconds after which an undelivered message expires. */
'validity_seconds'?: number;
/** The scheduled time, in UTC. */
'schedule'?: string | null;
'timing'?: {
'local_time'?: boolean;
'windows'?: ({
'days': (number)[];
/** The sender: its name, code, or ID. */
'from': string;
'until': string;
})[];
'quiet_hours'?: "account" | "legal" | "none";
'rate'?: {
'messages': number;
'per': "second" | "hour";
} | null;
'spread_hours'?: number | null;
'missed_schedule'?: "pause" | "send" | "skip";
};
/** When the fallback is sent: `undelivered` (the default), `unread`, or `failed`. */
'trigger'?: {
'on': "joined" | "date" | "no_reply" | "keyword";
'imports'?: boolean;
'field'?: string | null;
'offset_days'?: number;
'time'?: string;
'yearly'?: boolean;
/** The ID of the campaign. */
'campaign_id'?: string | null;
'wait_days'?: number;
'keyword_id'?: string | null;
'reentry'?: "once" | "days" | "every";
'reentry_days'?: number;
} | null;
'lookup'?: boolean;
'lookup_countries'?: (string)[] | null;
};

export type CampaignRecipient = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The ID of the conversation. */
'conversation_id'?: string | null;
/** The text. */
'text': string;
/** The sender: its name, code, or ID. */
'from': string;
/** The recipient: digits with the country code. */
'to': string;
/** The channel of the message. */
'channel': string;
/** The type of the object. */
'type': string;
'content': Content | null;
/** The ID of the template. */
'template_id': string | null;
/** The current status. */
'status': "scheduled" | "enroute" | "sent" | "delivered" | "read" | "failed" | "rejected" | "expired" | "blocked" | "unsubscribed" | "canceled" | "received";
/** MT: to a phone. MO: from a phone. */
'direction': "MT" | "MO";
/** The origin of the object. */
'source': "api" | "smpp" | "campaign" | "inbox" | "reply" | "test" | "phone" | "phone_app" | "verification";
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
/** The scheduled time, in UTC. */
'schedule': string | null;
/** The number of SMS segments. */
'segments_count': number;
/** The alphabet of an SMS. */
'encoding': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The network: mobile country code and network code. */
'mccmnc': string | null;
'network'?: string | null;
/** Null if the caller cannot view payments or rates. */
'price': number | null;
/** Null if the caller cannot view payments or rates. */
'price_micros': number | null;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
'charge': "none" | "held" | "settled" | "released";
/** The ID of the sender. */
'sender_id': string;
/** The ID of the campaign. */
'campaign_id': string | null;
/** The ID of the user. */
'user_id': string | null;
'failure': "connection" | "throttled" | "rejected" | "invalid" | "config" | "opted_out" | "unknown" | "expired" | null;
'carrier_code': string | null;
/** A readable explanation of the status. */
'status_details': string | null;
'marks'?: Marks | null;
/** True for a free test message to your own phones. */
'test'?: true;
'contact_name': string;
'reply_date': string | null;
'opted_out': boolean;
};

export type CampaignRehearsal = {
'counts': {
/** The total number. */
'total': number;
'will_receive': number;
'stop_list': number;
'duplicate': number;
'excluded': number;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': number;
'country_blocked': number;
'no_text': number;
'no_value': number;
'no_route': number;
'no_price': number;
'too_long': number;
'frequency_cap': number;
'no_window': number;
'missed': number;
'landline': number;
'not_in_use': number;
'no_session': number;
};
'arrivals': {
'bucket_minutes': number;
'buckets': ({
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'from': string;
'recipients': number;
})[];
'first': string | null;
'last': string | null;
};
'zones': {
'contact': number;
/** The phone number: digits with the country code. */
'number': number;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': number;
'account': number;
};
/** Null if the caller cannot view payments or rates. */
'total_micros': number | null;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
'networks': ({
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The network: mobile country code and network code. */
'mccmnc': string | null;
'network': string | null;
'recipients': number;
'segments': number;
/** Null if the caller cannot view payments or rates. */
'cost_micros': number | null;
'certainty': "certain" | "number_range" | "lookup" | "maximum";
})[];
'examples': ({
/** The phone number: digits with the country code. */
'number': string;
/** The text. */
'text': string;
'content': Content | null;
/** The number of SMS segments. */
'segments_count': number;
'kind': "longest" | "shortest" | "empty_variable" | "other";
})[];
'excluded': ({
/** The phone number: digits with the country code. */
'number': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The first name. */
'first_name': string;
/** The last name. */
'last_name': string;
/** A readable reason. */
'reason': "stop_list" | "excluded" | "duplicate" | "country" | "country_blocked" | "no_text" | "no_value" | "no_route" | "no_price" | "too_long" | "frequency_cap" | "no_window" | "missed" | "landline" | "not_in_use" | "no_session";
})[];
'excluded_total': number;
};

export type CampaignRehearsalsCreateBody = {
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER";
/** The sender: its name, code, or ID. */
'from'?: string | null;
'audience'?: string | null;
'audience_ids'?: (string)[];
'excluded_audience_ids'?: (string)[];
/** The text. */
'text'?: string;
/** The ID of the template. */
'template'?: string | null;
/** The type of the object. */
'type'?: string | null;
/** The ID of an uploaded file. */
'media_id'?: string | null;
/** The URL. */
'url'?: string | null;
/** The name of the file. */
'file_name'?: string | null;
/** The button below the text. */
'button'?: {
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
} | null;
'buttons'?: ({
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
})[] | null;
/** The purpose, which can determine the price. */
'purpose'?: string | null;
/** The values of the placeholders, in order. */
'variables'?: (string)[] | null;
'session_text'?: string | null;
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries'?: (string)[] | null;
/** Up to three additional channels, each with a trigger and a wait. */
'fallbacks'?: ({
/** The channel of the message. */
'channel': "SMS" | "WHATSAPP" | "VIBER";
/** The sender: its name, code, or ID. */
'from'?: string | null;
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
/** The ID of the template. */
'template'?: string | null;
/** The values of the placeholders, in order. */
'variables'?: (string | number | null)[] | null;
/** The ID of an uploaded file. */
'media_id'?: string | null;
/** The URL. */
'url'?: string | null;
/** The name of the file. */
'file_name'?: string | null;
'reply_to'?: string | null;
/** The name of the file. */
'filename'?: string | null;
/** The button below the text. */
'button'?: {
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
} | null;
'buttons'?: ({
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
})[] | null;
/** What the button does. */
'button_type'?: string | null;
/** The label of the button. */
'button_text'?: string | null;
/** The URL or phone number that the button opens. */
'button_value'?: string | null;
'location'?: {
'latitude': number;
'longitude': number;
/** The name. */
'name'?: string | null;
'address'?: string | null;
} | null;
'contacts'?: ({
/** The name. */
'name': string;
'phones'?: (string)[] | null;
'emails'?: (string)[] | null;
})[] | null;
'list'?: {
/** The button below the text. */
'button': string;
'rows': ({
/** The text. */
'text': string;
'description'?: string | null;
'value'?: string | null;
})[];
} | null;
/** The purpose, which can determine the price. */
'purpose'?: string | null;
/** When the fallback is sent: `undelivered` (the default), `unread`, or `failed`. */
'trigger'?: string | null;
/** Seconds between the submission and the fallback. */
'wait_seconds'?: number | null;
})[] | null;
/** Seconds after which an undelivered message expires. */
'validity_seconds'?: number;
/** The scheduled time, in UTC. */
'schedule'?: string | null;
'timing'?: {
'local_time'?: boolean;
'windows'?: ({
'days': (number)[];
/** The sender: its name, code, or ID. */
'from': string;
'until': string;
})[];
'quiet_hours'?: "account" | "legal" | "none";
'rate'?: {
'messages': number;
'per': "second" | "hour";
} | null;
'spread_hours'?: number | null;
'missed_schedule'?: "pause" | "send" | "skip";
};
/** When the fallback is sent: `undelivered` (the default), `unread`, or `failed`. */
'trigger'?: {
'on': "joined" | "date" | "no_reply" | "keyword";
'imports'?: boolean;
'field'?: string | null;
'offset_days'?: number;
'time'?: string;
'yearly'?: boolean;
/** The ID of the campaign. */
'campaign_id'?: string | null;
'wait_days'?: number;
'keyword_id'?: string | null;
'reentry'?: "once" | "days" | "every";
'reentry_days'?: number;
} | null;
'lookup'?: boolean;
'lookup_countries'?: (string)[] | null;
/** A readable reason. */
'reason'?: "stop_list" | "excluded" | "duplicate" | "country" | "country_blocked" | "no_text" | "no_value" | "no_route" | "no_price" | "too_long" | "frequency_cap" | "no_window" | "missed" | "landline" | "not_in_use" | "no_session";
'offset'?: number;
'size'?: number;
};

export type CampaignResults = {
/** The ID (a UUID). */
'id': string;
'replies': number;
'opt_outs': number;
'clicked': number | null;
'silent': number;
'forecast': CampaignForecast | null;
'actual': ({
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
'recipients': number;
/** Null if the caller cannot view payments or rates. */
'cost_micros': number | null;
'uncharged': number;
/** Null if the caller cannot view payments or rates. */
'uncharged_micros': number | null;
})[];
'networks': ({
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
'recipients': number;
/** Null if the caller cannot view payments or rates. */
'cost_micros': number | null;
/** The network: mobile country code and network code. */
'mccmnc': string | null;
'network': string | null;
/** The number of delivered messages. */
'delivered': number;
/** The number of failed messages. */
'failed': number;
})[];
'failures': ({
'failure': "connection" | "throttled" | "rejected" | "invalid" | "config" | "opted_out" | "unknown" | "expired";
'recipients': number;
})[];
/** Paths of related calls. */
'links': ({
/** The ID (a UUID). */
'id': string;
/** The URL. */
'url': string;
'clicked': number;
})[];
'variants': (VariantResults)[];
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
'step_seconds': number;
'points': ({
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'date': string;
/** The number of delivered messages. */
'delivered': number;
/** The number of sent messages. */
'sent': number;
/** The number of failed messages. */
'failed': number;
'replies': number;
})[];
};

export type CampaignRetriesCreateResult = {
/** The ID (a UUID). */
'id': string;
'retried': number;
};

export type CampaignSamplesCreateBody = {
'audience': string;
/** The sender: its name, code, or ID. */
'from'?: string | null;
/** The text. */
'text'?: string;
/** The ID of the template. */
'template'?: string | null;
/** The type of the object. */
'type'?: string | null;
/** The ID of an uploaded file. */
'media_id'?: string | null;
/** The URL. */
'url'?: string | null;
/** The name of the file. */
'file_name'?: string | null;
/** The button below the text. */
'button'?: {
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
} | null;
'buttons'?: ({
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
})[] | null;
/** The purpose, which can determine the price. */
'purpose'?: string | null;
/** The values of the placeholders, in order. */
'variables'?: (string)[] | null;
'offset'?: number;
'size'?: number;
};

export type CampaignSamplesCreateResult = {
/** The total number. */
'total': number;
'samples': (Sample)[];
};

export type CampaignsCreateBody = {
/** The name. */
'name'?: string;
'tags'?: (string)[];
'note'?: string;
/** The sender: its name, code, or ID. */
'from'?: string | null;
'audience'?: string | null;
'audience_ids'?: (string)[];
'excluded_audience_ids'?: (string)[];
/** The text. */
'text'?: string;
/** The ID of the template. */
'template'?: string | null;
'session_text'?: string | null;
/** The type of the object. */
'type'?: string | null;
/** The ID of an uploaded file. */
'media_id'?: string | null;
/** The URL. */
'url'?: string | null;
/** The name of the file. */
'file_name'?: string | null;
/** The button below the text. */
'button'?: {
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
} | null;
'buttons'?: ({
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
})[] | null;
/** The purpose, which can determine the price. */
'purpose'?: string | null;
/** The values of the placeholders, in order. */
'variables'?: (string)[] | null;
/** Up to three additional channels, each with a trigger and a wait. */
'fallbacks'?: ({
/** The channel of the message. */
'channel': "SMS" | "WHATSAPP" | "VIBER";
/** The sender: its name, code, or ID. */
'from'?: string | null;
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
/** The ID of the template. */
'template'?: string | null;
/** The values of the placeholders, in order. */
'variables'?: (string | number | null)[] | null;
/** The ID of an uploaded file. */
'media_id'?: string | null;
/** The URL. */
'url'?: string | null;
/** The name of the file. */
'file_name'?: string | null;
'reply_to'?: string | null;
/** The name of the file. */
'filename'?: string | null;
/** The button below the text. */
'button'?: {
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
} | null;
'buttons'?: ({
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
})[] | null;
/** What the button does. */
'button_type'?: string | null;
/** The label of the button. */
'button_text'?: string | null;
/** The URL or phone number that the button opens. */
'button_value'?: string | null;
'location'?: {
'latitude': number;
'longitude': number;
/** The name. */
'name'?: string | null;
'address'?: string | null;
} | null;
'contacts'?: ({
/** The name. */
'name': string;
'phones'?: (string)[] | null;
'emails'?: (string)[] | null;
})[] | null;
'list'?: {
/** The button below the text. */
'button': string;
'rows': ({
/** The text. */
'text': string;
'description'?: string | null;
'value'?: string | null;
})[];
} | null;
/** The purpose, which can determine the price. */
'purpose'?: string | null;
/** When the fallback is sent: `undelivered` (the default), `unread`, or `failed`. */
'trigger'?: string | null;
/** Seconds between the submission and the fallback. */
'wait_seconds'?: number | null;
})[] | null;
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries'?: (string)[] | null;
/** Seconds after which an undelivered message expires. */
'validity_seconds'?: number;
/** The scheduled time, in UTC. */
'schedule'?: string | null;
'timing'?: {
'local_time'?: boolean;
'windows'?: ({
'days': (number)[];
/** The sender: its name, code, or ID. */
'from': string;
'until': string;
})[];
'quiet_hours'?: "account" | "legal" | "none";
'rate'?: {
'messages': number;
'per': "second" | "hour";
} | null;
'spread_hours'?: number | null;
'missed_schedule'?: "pause" | "send" | "skip";
};
'repeat'?: {
'every': "day" | "week" | "month";
'interval'?: number;
'days'?: (number)[];
'until'?: string | null;
/** The number. */
'count'?: number | null;
} | null;
/** When the fallback is sent: `undelivered` (the default), `unread`, or `failed`. */
'trigger'?: {
'on': "joined" | "date" | "no_reply" | "keyword";
'imports'?: boolean;
'field'?: string | null;
'offset_days'?: number;
'time'?: string;
'yearly'?: boolean;
/** The ID of the campaign. */
'campaign_id'?: string | null;
'wait_days'?: number;
'keyword_id'?: string | null;
'reentry'?: "once" | "days" | "every";
'reentry_days'?: number;
} | null;
'safety'?: {
'canary'?: {
'recipients'?: number | null;
'percent'?: number | null;
'wait_minutes'?: number;
} | null;
'limits'?: {
'failed_percent'?: number | null;
'opt_out_percent'?: number | null;
'complaint_percent'?: number | null;
};
'lookup'?: boolean;
'lookup_countries'?: (string)[] | null;
};
/** True for a free test message to your own phones. */
'test'?: {
'variants': ({
/** The text. */
'text'?: string;
/** The ID of the template. */
'template'?: string | null;
/** The type of the object. */
'type'?: string | null;
/** The ID of an uploaded file. */
'media_id'?: string | null;
/** The URL. */
'url'?: string | null;
/** The name of the file. */
'file_name'?: string | null;
/** The button below the text. */
'button'?: {
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
} | null;
'buttons'?: ({
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
})[] | null;
/** The purpose, which can determine the price. */
'purpose'?: string | null;
/** The values of the placeholders, in order. */
'variables'?: (string)[] | null;
})[];
'share_percent'?: number;
'wait_minutes'?: number;
'metric'?: "delivered" | "read" | "clicked" | "replied" | "opt_outs";
'automatic'?: boolean;
} | null;
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER";
'start'?: boolean;
};

export type CampaignSection = {
'use_case': "two_factor" | "account_notification" | "customer_care" | "delivery_notification" | "fraud_alert" | "security_alert" | "marketing" | "polling_voting" | "higher_education" | "public_service" | "charity" | "sweepstake" | "mixed";
'description': string;
'monthly_volume': "under_1000" | "1000_10000" | "10000_100000" | "over_100000";
};

export type CampaignSectionInput = {
'use_case': "two_factor" | "account_notification" | "customer_care" | "delivery_notification" | "fraud_alert" | "security_alert" | "marketing" | "polling_voting" | "higher_education" | "public_service" | "charity" | "sweepstake" | "mixed";
'description': string;
'monthly_volume': "under_1000" | "1000_10000" | "10000_100000" | "over_100000";
};

export type CampaignSkipsCreateBody = {
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. The seconds are optional. */
'schedule': string;
};

export type CampaignsUpdateBody = {
/** The name. */
'name'?: string;
'tags'?: (string)[];
'note'?: string;
/** The sender: its name, code, or ID. */
'from'?: string | null;
'audience'?: string | null;
'audience_ids'?: (string)[];
'excluded_audience_ids'?: (string)[];
/** The text. */
'text'?: string;
/** The ID of the template. */
'template'?: string | null;
'session_text'?: string | null;
/** The type of the object. */
'type'?: string | null;
/** The ID of an uploaded file. */
'media_id'?: string | null;
/** The URL. */
'url'?: string | null;
/** The name of the file. */
'file_name'?: string | null;
/** The button below the text. */
'button'?: {
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
} | null;
'buttons'?: ({
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
})[] | null;
/** The purpose, which can determine the price. */
'purpose'?: string | null;
/** The values of the placeholders, in order. */
'variables'?: (string)[] | null;
/** Up to three additional channels, each with a trigger and a wait. */
'fallbacks'?: ({
/** The channel of the message. */
'channel': "SMS" | "WHATSAPP" | "VIBER";
/** The sender: its name, code, or ID. */
'from'?: string | null;
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
/** The ID of the template. */
'template'?: string | null;
/** The values of the placeholders, in order. */
'variables'?: (string | number | null)[] | null;
/** The ID of an uploaded file. */
'media_id'?: string | null;
/** The URL. */
'url'?: string | null;
/** The name of the file. */
'file_name'?: string | null;
'reply_to'?: string | null;
/** The name of the file. */
'filename'?: string | null;
/** The button below the text. */
'button'?: {
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
} | null;
'buttons'?: ({
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
})[] | null;
/** What the button does. */
'button_type'?: string | null;
/** The label of the button. */
'button_text'?: string | null;
/** The URL or phone number that the button opens. */
'button_value'?: string | null;
'location'?: {
'latitude': number;
'longitude': number;
/** The name. */
'name'?: string | null;
'address'?: string | null;
} | null;
'contacts'?: ({
/** The name. */
'name': string;
'phones'?: (string)[] | null;
'emails'?: (string)[] | null;
})[] | null;
'list'?: {
/** The button below the text. */
'button': string;
'rows': ({
/** The text. */
'text': string;
'description'?: string | null;
'value'?: string | null;
})[];
} | null;
/** The purpose, which can determine the price. */
'purpose'?: string | null;
/** When the fallback is sent: `undelivered` (the default), `unread`, or `failed`. */
'trigger'?: string | null;
/** Seconds between the submission and the fallback. */
'wait_seconds'?: number | null;
})[] | null;
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries'?: (string)[] | null;
/** Seconds after which an undelivered message expires. */
'validity_seconds'?: number;
/** The scheduled time, in UTC. */
'schedule'?: string | null;
'timing'?: {
'local_time'?: boolean;
'windows'?: ({
'days': (number)[];
/** The sender: its name, code, or ID. */
'from': string;
'until': string;
})[];
'quiet_hours'?: "account" | "legal" | "none";
'rate'?: {
'messages': number;
'per': "second" | "hour";
} | null;
'spread_hours'?: number | null;
'missed_schedule'?: "pause" | "send" | "skip";
};
'repeat'?: {
'every': "day" | "week" | "month";
'interval'?: number;
'days'?: (number)[];
'until'?: string | null;
/** The number. */
'count'?: number | null;
} | null;
/** When the fallback is sent: `undelivered` (the default), `unread`, or `failed`. */
'trigger'?: {
'on': "joined" | "date" | "no_reply" | "keyword";
'imports'?: boolean;
'field'?: string | null;
'offset_days'?: number;
'time'?: string;
'yearly'?: boolean;
/** The ID of the campaign. */
'campaign_id'?: string | null;
'wait_days'?: number;
'keyword_id'?: string | null;
'reentry'?: "once" | "days" | "every";
'reentry_days'?: number;
} | null;
'safety'?: {
'canary'?: {
'recipients'?: number | null;
'percent'?: number | null;
'wait_minutes'?: number;
} | null;
'limits'?: {
'failed_percent'?: number | null;
'opt_out_percent'?: number | null;
'complaint_percent'?: number | null;
};
'lookup'?: boolean;
'lookup_countries'?: (string)[] | null;
};
/** True for a free test message to your own phones. */
'test'?: {
'variants': ({
/** The text. */
'text'?: string;
/** The ID of the template. */
'template'?: string | null;
/** The type of the object. */
'type'?: string | null;
/** The ID of an uploaded file. */
'media_id'?: string | null;
/** The URL. */
'url'?: string | null;
/** The name of the file. */
'file_name'?: string | null;
/** The button below the text. */
'button'?: {
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
} | null;
'buttons'?: ({
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
})[] | null;
/** The purpose, which can determine the price. */
'purpose'?: string | null;
/** The values of the placeholders, in order. */
'variables'?: (string)[] | null;
})[];
'share_percent'?: number;
'wait_minutes'?: number;
'metric'?: "delivered" | "read" | "clicked" | "replied" | "opt_outs";
'automatic'?: boolean;
} | null;
'archived'?: boolean;
/** The current status. */
'status'?: "in_complete" | "scheduled" | "in_progress" | "paused" | "completed" | "failed" | "canceled" | "error";
};

export type CampaignWinnersCreateBody = {
'variant': "A" | "B" | "C" | "D";
};

export type CarrierPayload = {
/** The ID (a UUID). */
'id': string;
/** MT: to a phone. MO: from a phone. */
'direction': "sent" | "received";
'title': string;
'fields': ({
/** The name. */
'name': string;
'value': string;
})[];
'body': string;
'is_cut': boolean;
'connection_name': string | null;
'at': string;
};

export type CarrierRecording = {
/** The ID of the account. */
'account_id': string;
'is_on': boolean;
'end_date': string | null;
'messages_count': number;
'max_messages': number;
};

export type CarrierRecordingStartBody = {
'minutes'?: number;
};

export type ChartFigures = {
'messages': number;
/** The number of sent messages. */
'sent': number;
/** The number of delivered messages. */
'delivered': number;
'read': number;
/** The number of failed messages. */
'failed': number;
'received': number;
'segments': number;
/** Null if the caller cannot view payments or rates. */
'spend_micros': number | null;
};

export type Charts = {
'period': {
/** A day in the time zone of the account, as `yyyy-MM-dd`. */
'from': string;
/** A day in the time zone of the account, as `yyyy-MM-dd`. */
'to': string;
};
'previous': {
/** A day in the time zone of the account, as `yyyy-MM-dd`. */
'from': string;
/** A day in the time zone of the account, as `yyyy-MM-dd`. */
'to': string;
};
'time_zone': string;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
'days': ({
'messages': number;
/** The number of sent messages. */
'sent': number;
/** The number of delivered messages. */
'delivered': number;
'read': number;
/** The number of failed messages. */
'failed': number;
'received': number;
'segments': number;
/** Null if the caller cannot view payments or rates. */
'spend_micros': number | null;
/** A day in the time zone of the account, as `yyyy-MM-dd`. */
'date': string;
})[];
'total': ChartFigures;
'before': ChartFigures;
'opt_outs': {
/** The total number. */
'total': number;
'before': number;
};
'by': "channel" | "country" | "network" | "sender" | "campaign" | "source" | "status" | "price" | "failure" | "user" | "key";
'groups': ({
'messages': number;
/** The number of sent messages. */
'sent': number;
/** The number of delivered messages. */
'delivered': number;
'read': number;
/** The number of failed messages. */
'failed': number;
'received': number;
'segments': number;
/** Null if the caller cannot view payments or rates. */
'spend_micros': number | null;
'value': string;
'label': string;
'before': ChartFigures;
})[];
'groups_total': number;
};

export type Clocks = {
'response_due': string | null;
'resolution_due': string | null;
'paused': boolean;
};

export type CodeBackTestsCreateBody = {
'actions': {
'unused': "off" | "notify" | "stop";
'conversion': "off" | "notify" | "stop";
'consecutive': "off" | "notify" | "stop";
'concentration': "off" | "notify" | "stop";
'growth': "off" | "notify" | "stop";
};
'lift_hours': number;
};

export type CompanySection = {
'business_name': string;
'business_address': string;
'business_website': string;
'business_phone': string;
'business_country': string;
'business_email': string;
'business_industry': number;
'entity_type': "private_profit" | "public_profit" | "non_profit" | "government" | "sole_proprietor";
'registration_number': string;
'business_description': string;
'contact_name': string;
};

export type CompanySectionInput = {
'business_name': string;
'business_address': string;
'business_website': string;
'business_phone': string;
'business_country': string;
'business_email': string;
'business_industry': number;
'entity_type': "private_profit" | "public_profit" | "non_profit" | "government" | "sole_proprietor";
'registration_number'?: string;
'business_description'?: string;
'contact_name': string;
};

export type Consent = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The phone number: digits with the country code. */
'number': string;
/** The channel of the message. */
'channel': string | null;
/** The purpose, which can determine the price. */
'purpose': "marketing" | "transactional" | null;
'change': "given" | "withdrawn" | "reinstated";
'method': "import" | "form" | "keyword" | "api" | "double_opt_in" | "manual" | "link" | "carrier" | "operator";
/** The text. */
'text': string;
/** The origin of the object. */
'source': string;
'address': string;
/** The ID of the sender. */
'sender_id': string | null;
'sender_name': string | null;
/** The ID of the message. */
'message_id': string | null;
'user_name': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
};

export type ConsentsCreateBody = {
/** The channel of the message. */
'channel': "SMS" | "WHATSAPP" | "VIBER";
/** The purpose, which can determine the price. */
'purpose': "marketing" | "transactional";
'change': "given" | "withdrawn";
/** The text. */
'text': string;
/** The origin of the object. */
'source'?: string;
'address'?: string | "";
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. The seconds are optional. */
'date'?: string;
};

export type ConsentsStateResult = {
/** The phone number: digits with the country code. */
'number': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'date': string;
'states': (ConsentState)[];
};

export type ConsentState = {
/** The channel of the message. */
'channel': string;
/** The purpose, which can determine the price. */
'purpose': "marketing" | "transactional";
'state': "none" | "given" | "withdrawn" | "reinstated";
'consent': Consent | null;
};

export type Contact = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The ID of the audience. */
'audience_id': string;
/** The phone number: digits with the country code. */
'number': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The first name. */
'first_name': string;
/** The last name. */
'last_name': string;
'custom1': string;
'custom2': string;
'person_id': string;
'tags': (string)[];
'fields': Record<string, string | number | boolean>;
'language': string;
/** The time zone, as an IANA name. */
'timezone': string;
'channel_ids': Record<string, string>;
'is_test'?: true;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
};

export type ContactField = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
'key': string;
'label': string;
'kind': "text" | "number" | "date" | "boolean" | "choice";
'choices': (string)[];
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
};

export type ContactFieldsCreateBody = {
'key': string;
'label': string;
'kind': "text" | "number" | "date" | "boolean" | "choice";
'choices'?: (string)[];
};

export type ContactFieldsUpdateBody = {
'label'?: string;
'choices'?: (string)[];
};

export type ContactInput = {
/** The phone number: digits with the country code. */
'number': string;
/** The first name. */
'first_name'?: string | null;
/** The last name. */
'last_name'?: string | null;
'custom1'?: string | null;
'custom2'?: string | null;
'tags'?: (string)[];
'fields'?: Record<string, string | number | boolean | null>;
'language'?: string;
/** The time zone, as an IANA name. */
'timezone'?: string;
'channel_ids'?: Record<string, string | null>;
};

export type ContactsUpdateBody = {
/** The first name. */
'first_name'?: string | null;
/** The last name. */
'last_name'?: string | null;
'custom1'?: string | null;
'custom2'?: string | null;
'tags'?: (string)[];
'fields'?: Record<string, string | number | boolean | null>;
'language'?: string;
/** The time zone, as an IANA name. */
'timezone'?: string;
'channel_ids'?: Record<string, string | null>;
};

export type Content = {
/** The ID of an uploaded file. */
'media_id': string | null;
/** The URL. */
'url': string | null;
/** The name of the file. */
'file_name': string | null;
'media_type': "image" | "video" | "document" | null;
/** The media type of the file. */
'content_type': string | null;
'header': string | null;
'footer': string | null;
'buttons': (Button)[];
/** The ID of the template. */
'template': TemplateUse | null;
/** The purpose, which can determine the price. */
'purpose': "marketing" | "utility" | "authentication" | "service" | "session" | "promotional" | "transactional" | null;
'pressed': {
/** The text. */
'text': string;
'value': string;
'from_list'?: true;
} | null;
'answers': string | null;
'location'?: {
'latitude': number;
'longitude': number;
/** The name. */
'name': string | null;
'address': string | null;
} | null;
'contacts'?: ({
/** The name. */
'name': string;
'phones': (string)[];
'emails': (string)[];
})[] | null;
'list'?: {
/** The button below the text. */
'button': string;
'rows': ({
/** The text. */
'text': string;
'description': string | null;
'value': string;
})[];
} | null;
};

export type Conversation = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The channel of the message. */
'channel': "SMS" | "WHATSAPP" | "VIBER";
/** The ID of the sender. */
'sender_id': string;
'sender': string;
'sender_name': string;
'business_name': string | null;
'business_name_en': string | null;
/** The phone number: digits with the country code. */
'number': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
'contact_name': string;
'profile_name': string;
'alias': string | null;
'session': ConversationSession | null;
'assignee_id': string | null;
'assignee_name': string | null;
/** The current status. */
'status': "open" | "pending" | "snoozed" | "closed";
'snooze_until': string | null;
'waiting_since': string | null;
'clocks': Clocks | null;
'unread_count': number;
'last_read_timestamp': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'timestamp': string;
'last_message': {
/** The ID (a UUID). */
'id': string;
/** The text. */
'text': string;
/** The type of the object. */
'type': string;
/** MT: to a phone. MO: from a phone. */
'direction': "MT" | "MO";
/** The current status. */
'status': string;
} | null;
'label_ids': (string)[];
'stopped': boolean;
};

export type ConversationMessage = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The ID of the conversation. */
'conversation_id'?: string | null;
/** The text. */
'text': string;
/** The sender: its name, code, or ID. */
'from': string;
/** The recipient: digits with the country code. */
'to': string;
/** The channel of the message. */
'channel': string;
/** The type of the object. */
'type': string;
'content': Content | null;
/** The ID of the template. */
'template_id': string | null;
/** The current status. */
'status': "scheduled" | "enroute" | "sent" | "delivered" | "read" | "failed" | "rejected" | "expired" | "blocked" | "unsubscribed" | "canceled" | "received";
/** MT: to a phone. MO: from a phone. */
'direction': "MT" | "MO";
/** The origin of the object. */
'source': "api" | "smpp" | "campaign" | "inbox" | "reply" | "test" | "phone" | "phone_app" | "verification";
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
/** The scheduled time, in UTC. */
'schedule': string | null;
/** The number of SMS segments. */
'segments_count': number;
/** The alphabet of an SMS. */
'encoding': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The network: mobile country code and network code. */
'mccmnc': string | null;
'network'?: string | null;
/** Null if the caller cannot view payments or rates. */
'price': number | null;
/** Null if the caller cannot view payments or rates. */
'price_micros': number | null;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
'charge': "none" | "held" | "settled" | "released";
/** The ID of the sender. */
'sender_id': string;
/** The ID of the campaign. */
'campaign_id': string | null;
/** The ID of the user. */
'user_id': string | null;
'failure': "connection" | "throttled" | "rejected" | "invalid" | "config" | "opted_out" | "unknown" | "expired" | null;
'carrier_code': string | null;
/** A readable explanation of the status. */
'status_details': string | null;
'marks'?: Marks | null;
/** True for a free test message to your own phones. */
'test'?: true;
'user_name': string | null;
'passed_on': {
/** The channel of the message. */
'channel': "SMS" | "WHATSAPP" | "VIBER";
/** A readable reason. */
'reason': string;
} | null;
'assignee_name': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'timestamp': string;
/** The URL. */
'url': string | null;
/** The name of the file. */
'file_name': string | null;
/** The ID of an uploaded file. */
'media_id': string | null;
'media_type': "image" | "video" | "document" | "text";
'thumbnail_url': string | null;
/** What the button does. */
'button_type': string | null;
/** The label of the button. */
'button_text': string | null;
/** The URL or phone number that the button opens. */
'button_value': string | null;
};

export type ConversationSession = {
'open': boolean;
'until': string | null;
'limit_reached': boolean;
};

export type Conversion = {
'days': number;
/** The total number. */
'total': {
/** The number of sent messages. */
'sent': number;
'verified': number;
};
'by_day': ({
'date': string;
/** The number of sent messages. */
'sent': number;
'verified': number;
})[];
'by_country': ({
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The number of sent messages. */
'sent': number;
'verified': number;
})[];
'by_channel': ({
/** The channel of the message. */
'channel': string;
/** The number of sent messages. */
'sent': number;
'verified': number;
})[];
};

export type CountryBackTest = {
'days': number;
'messages': number;
/** True if it is blocked. */
'blocked': number;
/** Null if the caller cannot view payments or rates. */
'blocked_micros': number | null;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
/** The number of delivered messages. */
'delivered': number;
'answered': number;
'examples': ({
/** The ID (a UUID). */
'id': string;
/** The recipient: digits with the country code. */
'to': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The current status. */
'status': string;
'answered': boolean;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
})[] | null;
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries': ({
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** True if it is blocked. */
'blocked': number;
/** Null if the caller cannot view payments or rates. */
'blocked_micros': number | null;
})[];
'countries_total': number;
};

export type CountryBackTestsCreateBody = {
/** `blocked`: messages to the countries are refused. `allowed`: messages to all others are refused. */
'list': "blocked" | "allowed";
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries': (string)[];
};

export type CountryBlacklist = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries': (string)[];
'sub_accounts': boolean;
'inherited': {
'account_name': string;
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries': (string)[];
} | null;
/** When it was last changed. */
'update_date': string | null;
};

export type CountryBlacklistSaveBody = {
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries': (string)[];
/** Also block these countries for the sub-accounts. */
'sub_accounts'?: boolean;
};

export type CreditAlert = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** True if it is in use. */
'enabled': boolean;
/** An amount in millionths of the currency. */
'thresholds_micros': (number)[];
'emails': (string)[];
'phone_user_ids': (string)[];
'phone_users': ({
/** The ID (a UUID). */
'id': string;
'full_name': string;
'phone_ending': string;
})[];
};

export type DeliveryCharts = {
'period': {
/** A day in the time zone of the account, as `yyyy-MM-dd`. */
'from': string;
/** A day in the time zone of the account, as `yyyy-MM-dd`. */
'to': string;
};
'time_zone': string;
'total': ChartFigures;
'before': ChartFigures;
'hours': ({
'weekday': number;
'hour': number;
/** The number of sent messages. */
'sent': number;
/** The number of delivered messages. */
'delivered': number;
/** The number of failed messages. */
'failed': number;
})[];
'reasons': ({
'value': string;
/** The number of failed messages. */
'failed': number;
'before': number;
})[];
'routes': ({
'value': string;
'label': string;
/** The number of delivered messages. */
'delivered': number;
'p50': number;
'p95': number;
'p99': number;
})[];
'networks': ({
'value': string;
'label': string;
/** The number of delivered messages. */
'delivered': number;
'p50': number;
'p95': number;
'p99': number;
})[];
};

export type EventPage = {
'events': ({
/** The ID (a UUID). */
'id': string;
'cursor': string;
/** The type of the object. */
'type': string;
'timestamp': string;
/** The content. */
'data': Record<string, unknown>;
})[];
'cursor': string;
'has_more': boolean;
};

export type ExamplesSection = {
'messages': (string)[];
};

export type ExamplesSectionInput = {
'messages': (string)[];
};

export type Export = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
'list': "messages" | "contacts" | "person" | "stop_list" | "campaigns" | "campaign_recipients" | "conversations" | "reported_conversations" | "links" | "audit_log" | "users" | "payments" | "ledger" | "lookups";
'format': "csv" | "xlsx" | "jsonl" | "parquet";
/** The name of the file. */
'filename': string;
'time_zone': string;
/** The current status. */
'status': "PENDING" | "IN_PROGRESS" | "COMPLETED";
'rows_count': number;
'total_rows': number | null;
'bytes': number | null;
'error_message': string | null;
/** The ID of the user. */
'user_id': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'expire_date': string;
};

export type ExportLinksCreateResult = {
/** The URL. */
'url': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'expire_date': string;
};

export type ExportsCreateBody = {
'list': "messages" | "contacts" | "person" | "stop_list" | "campaigns" | "campaign_recipients" | "conversations" | "reported_conversations" | "links" | "audit_log" | "users" | "payments" | "ledger" | "lookups";
'params'?: Record<string, string>;
'format'?: "csv" | "xlsx" | "jsonl" | "parquet";
'filter'?: Record<string, string | (string)[] | number | boolean>;
'sort'?: string;
'columns'?: (string)[];
'time_zone'?: string;
};

export type FieldReason = {
'field': string;
/** The text. */
'text': string;
};

export type FraudProtection = {
/** The ID of the account. */
'account_id': string;
'actions': {
'unused': "off" | "notify" | "stop";
'conversion': "off" | "notify" | "stop";
'consecutive': "off" | "notify" | "stop";
'concentration': "off" | "notify" | "stop";
'growth': "off" | "notify" | "stop";
};
'lift_hours': number;
};

export type FreeNumber = {
/** The phone number: digits with the country code. */
'number': string;
/** The type of the object. */
'type': "local" | "mobile" | "toll_free";
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
'city': string;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
'setup_cost': number;
'monthly_cost': number;
/** An amount in millionths of the currency. */
'setup_micros': number;
/** An amount in millionths of the currency. */
'monthly_micros': number;
'registration': boolean;
};

export type ImportOptions = {
'columns': {
/** The phone number: digits with the country code. */
'number'?: number;
/** The first name. */
'first_name'?: number;
/** The last name. */
'last_name'?: number;
'custom1'?: number;
'custom2'?: number;
};
'default_country'?: string | null;
'has_header'?: boolean;
/** The alphabet of an SMS. */
'encoding'?: string;
'delimiter'?: "," | ";" | "\t" | "|";
'existing': "update" | "merge" | "skip";
'tags': (string)[];
'consent': {
/** The channel of the message. */
'channel': "SMS" | "WHATSAPP" | "VIBER";
/** The purpose, which can determine the price. */
'purpose': "marketing" | "transactional";
/** The text. */
'text': string;
/** The origin of the object. */
'source': string;
} | null;
};

export type ImportOptionsInput = {
'columns'?: {
/** The phone number: digits with the country code. */
'number'?: number;
/** The first name. */
'first_name'?: number;
/** The last name. */
'last_name'?: number;
'custom1'?: number;
'custom2'?: number;
};
'default_country'?: string | null;
'has_header'?: boolean;
/** The alphabet of an SMS. */
'encoding'?: string;
'delimiter'?: "," | ";" | "\t" | "|";
'existing'?: "update" | "merge" | "skip";
'tags'?: (string)[];
'consent'?: {
/** The channel of the message. */
'channel': "SMS" | "WHATSAPP" | "VIBER";
/** The purpose, which can determine the price. */
'purpose': "marketing" | "transactional";
/** The text. */
'text': string;
/** The origin of the object. */
'source'?: string;
} | null;
};

export type ImportPreview = {
'format': "csv" | "xlsx";
/** The alphabet of an SMS. */
'encoding': string;
'delimiter': string | null;
'has_header': boolean;
'columns': ({
/** The name. */
'name': string;
'guess': string | null;
'samples': (string)[];
})[];
'sample_rows': ((string)[])[];
'row_count': number;
};

export type ImportRow = {
/** The ID (a UUID). */
'id': string;
'line': number;
'kind': "invalid" | "duplicate" | "shortened";
'code': number | null;
/** A readable reason. */
'reason': string;
'values': (string)[];
};

export type InboxReport = {
'period': {
/** A day in the time zone of the account, as `yyyy-MM-dd`. */
'from': string;
/** A day in the time zone of the account, as `yyyy-MM-dd`. */
'to': string;
};
'previous': {
/** A day in the time zone of the account, as `yyyy-MM-dd`. */
'from': string;
/** A day in the time zone of the account, as `yyyy-MM-dd`. */
'to': string;
};
'time_zone': string;
/** The total number. */
'total': {
'opened': number;
'answered': number;
'closed': number;
'response_seconds': number | null;
'resolution_seconds': number | null;
'response_targets': number;
'response_in_time': number;
'resolution_targets': number;
'resolution_in_time': number;
'response_p90_seconds': number | null;
'resolution_p90_seconds': number | null;
'backlog': number;
};
'before': {
'opened': number;
'answered': number;
'closed': number;
'response_seconds': number | null;
'resolution_seconds': number | null;
'response_targets': number;
'response_in_time': number;
'resolution_targets': number;
'resolution_in_time': number;
'response_p90_seconds': number | null;
'resolution_p90_seconds': number | null;
'backlog': number;
};
'days': ({
'opened': number;
'answered': number;
'closed': number;
'response_seconds': number | null;
'resolution_seconds': number | null;
'response_targets': number;
'response_in_time': number;
'resolution_targets': number;
'resolution_in_time': number;
/** A day in the time zone of the account, as `yyyy-MM-dd`. */
'date': string;
'backlog': number;
})[];
'hours': ({
'weekday': number;
'hour': number;
'opened': number;
'answered': number;
'closed': number;
})[];
'by': "agent" | "label" | "team" | "channel";
'groups': ({
'opened': number;
'answered': number;
'closed': number;
'response_seconds': number | null;
'resolution_seconds': number | null;
'response_targets': number;
'response_in_time': number;
'resolution_targets': number;
'resolution_in_time': number;
'value': string;
'label': string;
'before': ReportFigures;
})[];
'groups_total': number;
};

export type Invoice = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The phone number: digits with the country code. */
'number': string;
/** The type of the object. */
'type': "Invoice" | "Credit note";
'payment_id': string | null;
'month': string | null;
'period': string;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
/** An amount in millionths of the currency. */
'amount_micros': number;
/** An amount in millionths of the currency. */
'net_amount_micros': number;
/** An amount in millionths of the currency. */
'amount_including_vat_micros': number;
'tax_rate': number;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
};

export type InvoiceDetails = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The phone number: digits with the country code. */
'number': string;
/** The type of the object. */
'type': "Invoice" | "Credit note";
'payment_id': string | null;
'month': string | null;
'period': string;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
/** An amount in millionths of the currency. */
'amount_micros': number;
/** An amount in millionths of the currency. */
'net_amount_micros': number;
/** An amount in millionths of the currency. */
'amount_including_vat_micros': number;
'tax_rate': number;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
'seller': {
/** The name. */
'name': string;
'address': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country_code': string;
'vat_number': string;
'bank_details': string;
};
'buyer': {
/** The name. */
'name': string;
'address': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country_code': string;
'vat_number': string;
};
'description': string;
'lines': ({
'date': string;
'description': string;
/** An amount in millionths of the currency. */
'net_amount_micros': number;
})[];
'reverse_charge': boolean;
'corrects': string | null;
};

export type InvoicesLinkResult = {
/** The URL. */
'url': string;
};

export type Keyword = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
'words': (string)[];
'match': "exact" | "starts_with" | "contains";
'sender_ids': (string)[];
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries': (string)[];
'effect': "none" | "opt_out" | "opt_in" | "automation";
'reply': string | null;
'label_ids': (string)[];
/** True if it is in use. */
'enabled': boolean;
'position': number;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
};

export type KeywordsCreateBody = {
'words': (string)[];
'match'?: "exact" | "starts_with" | "contains";
'sender_ids'?: (string)[];
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries'?: (string)[];
'effect'?: "none" | "opt_out" | "opt_in" | "automation";
'reply'?: string | null;
'label_ids'?: (string)[];
/** True if it is in use. */
'enabled'?: boolean;
};

export type KeywordSection = {
'start_text': string;
'stop_text': string;
'help_text': string;
};

export type KeywordSectionInput = {
'start_text'?: string;
'stop_text': string;
'help_text': string;
};

export type KeywordsUpdateBody = {
'words'?: (string)[];
'match'?: "exact" | "starts_with" | "contains";
'sender_ids'?: (string)[];
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries'?: (string)[];
'effect'?: "none" | "opt_out" | "opt_in" | "automation";
'reply'?: string | null;
'label_ids'?: (string)[];
/** True if it is in use. */
'enabled'?: boolean;
'position'?: number;
};

export type LedgerEntry = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
'kind': "top_up" | "bonus" | "compensation" | "hold" | "settle" | "release" | "resettle" | "refund" | "charge" | "payment_release" | "payment_refund" | "dispute" | "dispute_won" | "correction" | "transfer_in" | "transfer_out";
'debit': string;
'credit': string;
/** An amount in millionths of the currency. */
'amount_micros': number;
'message_count': number;
/** The ID of the campaign. */
'campaign_id': string | null;
'campaign_channel': "SMS" | "WHATSAPP" | "VIBER" | null;
'hold_id': string | null;
/** The ID of the message. */
'message_id': string | null;
'payment_id': string | null;
/** The ID of the sender. */
'sender_id': string | null;
'is_lookup': boolean;
'volume': {
'month': string;
/** The channel of the message. */
'channel': "SMS" | "WHATSAPP" | "VIBER";
'first_unit': number;
'last_unit': number;
'above_units': number;
} | null;
/** An amount in millionths of the currency. */
'available_after_micros': number;
/** An amount in millionths of the currency. */
'held_after_micros': number;
'note': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
};

export type Limit = {
/** The type of the object. */
'type': "messages" | "spend" | "messages_per_recipient" | "messages_per_sender" | "messages_per_key" | "messages_per_address" | "spend_per_key" | "spend_per_user" | "spend_per_campaign";
'channels': ("SMS" | "WHATSAPP" | "VIBER")[];
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries': (string)[];
'prefixes': (string)[];
'limit': number;
'interval': "minute" | "hour" | "day" | "week" | "month";
'block_traffic': boolean;
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** True if it is in use. */
'enabled': boolean;
'sub_accounts': "none" | "each" | "together";
'inherited_from': string | null;
'warn_at': (number)[];
'state': "active" | "warning" | "reached" | "disabled";
'warning': number | null;
'used': number | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'reset_date': string;
/** True if it is blocked. */
'blocked': number;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
};

export type LimitBackTestsCreateBody = {
/** The type of the object. */
'type': "messages" | "spend" | "messages_per_recipient" | "messages_per_sender" | "messages_per_key" | "messages_per_address" | "spend_per_key" | "spend_per_user" | "spend_per_campaign";
/** The default is `["SMS"]`. */
'channels'?: ("SMS" | "WHATSAPP" | "VIBER")[];
/** Empty means all countries. */
'countries'?: (string)[];
/** Counts only phone numbers that start with these digits. Empty means all numbers. */
'prefixes'?: (string)[];
'limit': number;
'interval': "minute" | "hour" | "day" | "week" | "month";
'block_traffic'?: boolean;
};

export type LimitsCreateBody = {
/** The type of the object. */
'type': "messages" | "spend" | "messages_per_recipient" | "messages_per_sender" | "messages_per_key" | "messages_per_address" | "spend_per_key" | "spend_per_user" | "spend_per_campaign";
/** The default is `["SMS"]`. */
'channels'?: ("SMS" | "WHATSAPP" | "VIBER")[];
/** Empty means all countries. */
'countries'?: (string)[];
/** Counts only phone numbers that start with these digits. Empty means all numbers. */
'prefixes'?: (string)[];
'limit': number;
'interval': "minute" | "hour" | "day" | "week" | "month";
'block_traffic'?: boolean;
/** True if it is in use. */
'enabled'?: boolean;
/** Also limits the sub-accounts. `each`: they count separately. `together`: the company and all of them share one count. */
'sub_accounts'?: "none" | "each" | "together";
/** Percentages of the limit at which the account is warned. Empty means no warnings. */
'warn_at'?: (number)[];
};

export type LimitSuggestion = {
'days': number;
'until_date': string | null;
'intervals': number;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
'highest': number | null;
'highest_date': string | null;
'suggested': number | null;
/** A readable reason. */
'reason': "rule" | "permission" | "no_traffic" | null;
'risk': {
'level': "low" | "elevated" | "high";
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
'cost_times': number | null;
/** The number of delivered messages. */
'delivered': number;
} | null;
};

export type LimitSuggestionsCreateBody = {
/** The type of the object. */
'type': "messages" | "spend" | "messages_per_recipient" | "messages_per_sender" | "messages_per_key" | "messages_per_address" | "spend_per_key" | "spend_per_user" | "spend_per_campaign";
/** The default is `["SMS"]`. */
'channels'?: ("SMS" | "WHATSAPP" | "VIBER")[];
/** Empty means all countries. */
'countries'?: (string)[];
/** Counts only phone numbers that start with these digits. Empty means all numbers. */
'prefixes'?: (string)[];
'interval': "minute" | "hour" | "day" | "week" | "month";
};

export type LimitsUpdateBody = {
/** The type of the object. */
'type'?: "messages" | "spend" | "messages_per_recipient" | "messages_per_sender" | "messages_per_key" | "messages_per_address" | "spend_per_key" | "spend_per_user" | "spend_per_campaign";
/** The default is `["SMS"]`. */
'channels'?: ("SMS" | "WHATSAPP" | "VIBER")[];
/** Empty means all countries. */
'countries'?: (string)[];
/** Counts only phone numbers that start with these digits. Empty means all numbers. */
'prefixes'?: (string)[];
'limit'?: number;
'interval'?: "minute" | "hour" | "day" | "week" | "month";
'block_traffic'?: boolean;
/** True if it is in use. */
'enabled'?: boolean;
/** Also limits the sub-accounts. `each`: they count separately. `together`: the company and all of them share one count. */
'sub_accounts'?: "none" | "each" | "together";
/** Percentages of the limit at which the account is warned. Empty means no warnings. */
'warn_at'?: (number)[];
};

export type LinkDomain = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
'host': string;
'verified': boolean;
'record_name': string;
'record_value': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
};

export type LinkDomainsCreateBody = {
'host': string;
};

export type ListedSender = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The name. */
'name': string;
'code': string;
/** The channel of the message. */
'channel': "SMS" | "WHATSAPP" | "VIBER";
/** The type of the object. */
'type': "local" | "mobile" | "toll_free" | "short_code" | "alphanumeric" | "business";
/** The current status. */
'status': "pending" | "approved" | "rejected" | "available" | "canceled" | "unregistered";
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries': (string)[];
'pool_id': string | null;
'two_way': boolean;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
'members_count': number;
'pool_name': string | null;
'brand': string;
'business_name': string;
'carrier_state': Record<string, string | number | boolean> | null;
'request_status': "IN_PROCESS" | "COMPLETED" | "CANCELED" | "DELETED" | null;
'rental': {
/** The currency code (ISO 4217). */
'currency': string;
/** Null if the caller cannot view payments or rates. */
'monthly_micros': number | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'renewal_date': string;
'grace_date': string | null;
} | null;
};

export type LoggedMessage = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The ID of the conversation. */
'conversation_id'?: string | null;
/** The text. */
'text': string;
/** The sender: its name, code, or ID. */
'from': string;
/** The recipient: digits with the country code. */
'to': string;
/** The channel of the message. */
'channel': string;
/** The type of the object. */
'type': string;
'content': Content | null;
/** The ID of the template. */
'template_id': string | null;
/** The current status. */
'status': "scheduled" | "enroute" | "sent" | "delivered" | "read" | "failed" | "rejected" | "expired" | "blocked" | "unsubscribed" | "canceled" | "received";
/** MT: to a phone. MO: from a phone. */
'direction': "MT" | "MO";
/** The origin of the object. */
'source': "api" | "smpp" | "campaign" | "inbox" | "reply" | "test" | "phone" | "phone_app" | "verification";
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
/** The scheduled time, in UTC. */
'schedule': string | null;
/** The number of SMS segments. */
'segments_count': number;
/** The alphabet of an SMS. */
'encoding': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The network: mobile country code and network code. */
'mccmnc': string | null;
'network'?: string | null;
/** Null if the caller cannot view payments or rates. */
'price': number | null;
/** Null if the caller cannot view payments or rates. */
'price_micros': number | null;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
'charge': "none" | "held" | "settled" | "released";
/** The ID of the sender. */
'sender_id': string;
/** The ID of the campaign. */
'campaign_id': string | null;
/** The ID of the user. */
'user_id': string | null;
'failure': "connection" | "throttled" | "rejected" | "invalid" | "config" | "opted_out" | "unknown" | "expired" | null;
'carrier_code': string | null;
/** A readable explanation of the status. */
'status_details': string | null;
'marks'?: Marks | null;
/** True for a free test message to your own phones. */
'test'?: true;
'segment_count': number;
'priority': "api" | "smpp" | "campaign" | "inbox" | "reply" | "test" | "phone" | "phone_app" | "verification";
'wa_category': "MARKETING" | "UTILITY" | "AUTHENTICATION" | null;
'verification_status': "pending" | "verified" | "failed" | "expired" | "replaced" | null;
/** The URL. */
'url': string | null;
/** The values of the placeholders, in order. */
'variables': (string)[];
'sender': {
/** The ID (a UUID). */
'id': string;
/** The name. */
'name': string | null;
'code': string | null;
};
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
};
};

export type LogsCreateBody = {
'format'?: "csv" | "xlsx" | "jsonl" | "parquet";
'filter'?: Record<string, string | (string)[] | number | boolean>;
'sort'?: string;
'columns'?: (string)[];
'time_zone'?: string;
};

export type LookupPrice = {
/** An amount in millionths of the currency. */
'price_micros': number;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
'provider': string;
'is_live': boolean;
};

export type Marks = {
'edits'?: ({
/** The text. */
'text': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'at': string;
})[];
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'deleted'?: string;
'erased'?: boolean;
'reactions'?: ({
'by': "contact" | "business";
'emoji': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'at': string;
'waiting'?: true;
'refusal'?: string;
})[];
'referral'?: Referral;
'unknown'?: {
/** The type of the object. */
'type': string;
'content': string;
};
'number_change'?: {
/** The sender: its name, code, or ID. */
'from': string;
/** The recipient: digits with the country code. */
'to': string;
};
'review'?: "waiting" | "released" | "rejected";
};

export type Media = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The current status. */
'status': "waiting" | "ready";
/** The type of the object. */
'type': "image" | "video" | "document";
/** The channel of the message. */
'channel': string | null;
/** The name of the file. */
'file_name': string;
/** The media type of the file. */
'content_type': string;
'directory': string;
'bytes': number | null;
'sha256': string | null;
'width': number | null;
'height': number | null;
'get_url': string | null;
'thumbnail_url': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
};

export type MediaCreateSlotBody = {
/** The name of the file. */
'file_name': string;
/** The type of the object. */
'type': "image" | "video" | "document";
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER" | null;
'directory'?: string;
'width'?: number | null;
'height'?: number | null;
/** The media type of the file. */
'content_type'?: string;
'bytes'?: number;
};

export type Message = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The ID of the conversation. */
'conversation_id'?: string | null;
/** The text. */
'text': string;
/** The sender: its name, code, or ID. */
'from': string;
/** The recipient: digits with the country code. */
'to': string;
/** The channel of the message. */
'channel': string;
/** The type of the object. */
'type': string;
'content': Content | null;
/** The ID of the template. */
'template_id': string | null;
/** The current status. */
'status': "scheduled" | "enroute" | "sent" | "delivered" | "read" | "failed" | "rejected" | "expired" | "blocked" | "unsubscribed" | "canceled" | "received";
/** MT: to a phone. MO: from a phone. */
'direction': "MT" | "MO";
/** The origin of the object. */
'source': "api" | "smpp" | "campaign" | "inbox" | "reply" | "test" | "phone" | "phone_app" | "verification";
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
/** The scheduled time, in UTC. */
'schedule': string | null;
/** The number of SMS segments. */
'segments_count': number;
/** The alphabet of an SMS. */
'encoding': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The network: mobile country code and network code. */
'mccmnc': string | null;
'network'?: string | null;
/** Null if the caller cannot view payments or rates. */
'price': number | null;
/** Null if the caller cannot view payments or rates. */
'price_micros': number | null;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
'charge': "none" | "held" | "settled" | "released";
/** The ID of the sender. */
'sender_id': string;
/** The ID of the campaign. */
'campaign_id': string | null;
/** The ID of the user. */
'user_id': string | null;
'failure': "connection" | "throttled" | "rejected" | "invalid" | "config" | "opted_out" | "unknown" | "expired" | null;
'carrier_code': string | null;
/** A readable explanation of the status. */
'status_details': string | null;
'marks'?: Marks | null;
/** True for a free test message to your own phones. */
'test'?: true;
};

export type MessageClick = {
'link_id': string;
/** The URL. */
'url': string;
'device': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'click_date': string;
};

export type MessageDetail = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The ID of the conversation. */
'conversation_id'?: string | null;
/** The text. */
'text': string;
/** The sender: its name, code, or ID. */
'from': string;
/** The recipient: digits with the country code. */
'to': string;
/** The channel of the message. */
'channel': string;
/** The type of the object. */
'type': string;
'content': Content | null;
/** The ID of the template. */
'template_id': string | null;
/** The current status. */
'status': "scheduled" | "enroute" | "sent" | "delivered" | "read" | "failed" | "rejected" | "expired" | "blocked" | "unsubscribed" | "canceled" | "received";
/** MT: to a phone. MO: from a phone. */
'direction': "MT" | "MO";
/** The origin of the object. */
'source': "api" | "smpp" | "campaign" | "inbox" | "reply" | "test" | "phone" | "phone_app" | "verification";
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
/** The scheduled time, in UTC. */
'schedule': string | null;
/** The number of SMS segments. */
'segments_count': number;
/** The alphabet of an SMS. */
'encoding': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The network: mobile country code and network code. */
'mccmnc': string | null;
'network'?: string | null;
/** Null if the caller cannot view payments or rates. */
'price': number | null;
/** Null if the caller cannot view payments or rates. */
'price_micros': number | null;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
'charge': "none" | "held" | "settled" | "released";
/** The ID of the sender. */
'sender_id': string;
/** The ID of the campaign. */
'campaign_id': string | null;
/** The ID of the user. */
'user_id': string | null;
'failure': "connection" | "throttled" | "rejected" | "invalid" | "config" | "opted_out" | "unknown" | "expired" | null;
'carrier_code': string | null;
/** A readable explanation of the status. */
'status_details': string | null;
'marks'?: Marks | null;
/** True for a free test message to your own phones. */
'test'?: true;
'segment_count': number;
'priority': "api" | "smpp" | "campaign" | "inbox" | "reply" | "test" | "phone" | "phone_app" | "verification";
'wa_category': "MARKETING" | "UTILITY" | "AUTHENTICATION" | null;
'verification_status': "pending" | "verified" | "failed" | "expired" | "replaced" | null;
/** The URL. */
'url': string | null;
/** The values of the placeholders, in order. */
'variables': (string)[];
'sender': {
/** The ID (a UUID). */
'id': string;
/** The name. */
'name': string | null;
'code': string | null;
};
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
};
'timeline': (TimelineEntry)[];
/** A string of your choice, returned in delivery reports. */
'payload': string | null;
/** When it expires. */
'expire_date': string | null;
'hold_id': string | null;
'campaign_name': string | null;
'sender_name': string | null;
'user_name': string | null;
'key_name': string | null;
'smpp_system_id': string | null;
'connection_name': string | null;
'volume': {
'month': string;
'first_unit': number;
'last_unit': number;
} | null;
'possible_duplicate': boolean;
'attempts': number;
'external_ids': (string)[];
'contact': {
/** The ID (a UUID). */
'id': string;
/** The ID of the audience. */
'audience_id': string;
/** The name. */
'name': string;
} | null;
/** Up to three additional channels, each with a trigger and a wait. */
'fallbacks': (MessageFallbackStep)[];
'decisions': ({
'rule': "account" | "sender" | "recipient" | "stop_list" | "session" | "length" | "content" | "route" | "price" | "balance" | "order";
'result': "passed" | "skipped" | "held";
'values': Record<string, string | number | (string)[] | null>;
})[];
'consent': Consent | null;
'clicks': (MessageClick)[];
'replies': ({
/** The ID (a UUID). */
'id': string;
/** The text. */
'text': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
})[];
};

export type MessageFallbackStep = {
'leg': number;
/** The channel of the message. */
'channel': string;
/** The sender: its name, code, or ID. */
'from': string;
/** The type of the object. */
'type': string;
/** The text. */
'text': string;
/** When the fallback is sent: `undelivered` (the default), `unread`, or `failed`. */
'trigger': "undelivered" | "unread" | "failed" | null;
/** Seconds between the submission and the fallback. */
'wait_seconds': number | null;
'state': "waiting" | "in_effect" | "passed_on" | "skipped" | "not_needed";
/** A readable reason. */
'reason': string | null;
/** The current status. */
'status': "scheduled" | "enroute" | "sent" | "delivered" | "read" | "failed" | "rejected" | "expired" | "blocked" | "unsubscribed" | "canceled" | "received" | null;
/** Null if the caller cannot view payments or rates. */
'price_micros': number | null;
};

export type MessageRehearsal = {
'messages': ({
/** The recipient: digits with the country code. */
'to': string;
/** The sender: its name, code, or ID. */
'from': string;
/** The channel of the message. */
'channel': string;
/** The type of the object. */
'type': string;
/** The text. */
'text': string;
'content': Content | null;
/** The ID of the template. */
'template_id': string | null;
/** The scheduled time, in UTC. */
'schedule': string | null;
/** The number of SMS segments. */
'segments_count': number;
/** The alphabet of an SMS. */
'encoding': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The network: mobile country code and network code. */
'mccmnc': string | null;
'network'?: string | null;
/** Null if the caller cannot view payments or rates. */
'price_micros': number | null;
/** The ID of the sender. */
'sender_id': string;
})[];
/** Null if the caller cannot view payments or rates. */
'total_micros': number | null;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
/** Up to three additional channels, each with a trigger and a wait. */
'fallbacks': ({
/** The channel of the message. */
'channel': string;
/** The text. */
'text': string | null;
/** The ID of the template. */
'template': string | null;
})[];
'needs_approval': boolean;
};

export type MessagesUpdateBody = {
/** The scheduled time, in UTC. */
'schedule': string | null;
};

export type NumberLookup = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
'bulk_id': string | null;
/** The phone number: digits with the country code. */
'number': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The current status. */
'status': "pending" | "good" | "bad" | "landline" | "unknown";
'is_live': boolean;
'live_status': "active" | "absent" | "inactive" | null;
'network': string | null;
'operator': string | null;
'line_type': "mobile" | "landline" | "voip" | "toll_free" | "other" | null;
'ported': boolean | null;
/** The network: mobile country code and network code. */
'mccmnc': string | null;
'provider': string;
/** An amount in millionths of the currency. */
'price_micros': number;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
'charged': boolean;
'result_date': string | null;
'is_cached': boolean;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
};

export type NumberLookupsCreateBody = {
/** The phone number: digits with the country code. */
'number': string;
'refresh'?: boolean;
};

export type NumberVerification = {
'verified': boolean;
'method': "sms" | "voice" | null;
'code_date': string | null;
'next_date': string | null;
'tries_left': number;
};

export type OptInForm = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The ID of the audience. */
'audience_id': string;
'audience_name': string;
/** The name. */
'name': string;
/** The current status. */
'status': "active" | "paused";
/** The URL. */
'url': string;
/** The ID of the sender. */
'sender_id': string;
'sender_name': string;
'texts': ({
'language': "en" | "de" | "es" | "fr" | "it" | "nl" | "pl" | "pt" | "ru" | "tr" | "uk";
'title': string;
'description': string;
'consent': string;
})[];
'fields': ({
'key': string;
'required': boolean;
})[];
/** The purpose, which can determine the price. */
'purpose': "marketing" | "transactional";
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
'domain': string | null;
'origins': (string)[];
'tags': (string)[];
'welcome_text': string;
'views': number;
'started': number;
'confirmed': number;
'refused': number;
'last_refusal': string;
'last_refusal_date': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
};

export type OptInFormsCreateBody = {
/** The ID of the audience. */
'audience_id': string;
/** The name. */
'name': string;
/** The ID of the sender. */
'sender_id': string;
'texts': ({
'language': "en" | "de" | "es" | "fr" | "it" | "nl" | "pl" | "pt" | "ru" | "tr" | "uk";
'title': string;
'description'?: string;
'consent': string;
})[];
'fields'?: ({
'key': string;
'required'?: boolean;
})[];
/** The purpose, which can determine the price. */
'purpose'?: "marketing" | "transactional";
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country'?: string;
'domain'?: string | null;
'origins'?: (string)[];
'tags'?: (string)[];
'welcome_text'?: string;
};

export type OptInFormStat = {
'days': ({
'date': string;
'views': number;
'started': number;
'confirmed': number;
'refused': number;
})[];
};

export type OptInFormsUpdateBody = {
/** The name. */
'name'?: string;
/** The ID of the sender. */
'sender_id'?: string;
'texts'?: ({
'language': "en" | "de" | "es" | "fr" | "it" | "nl" | "pl" | "pt" | "ru" | "tr" | "uk";
'title': string;
'description'?: string;
'consent': string;
})[];
'fields'?: ({
'key': string;
'required'?: boolean;
})[];
/** The purpose, which can determine the price. */
'purpose'?: "marketing" | "transactional";
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country'?: string;
'domain'?: string | null;
'origins'?: (string)[];
'tags'?: (string)[];
'welcome_text'?: string;
/** The current status. */
'status'?: "active" | "paused";
};

export type Overdue = {
/** The ID of the account. */
'account_id': string;
/** An amount in millionths of the currency. */
'owed_micros': number;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
'card_refused': boolean;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'since': string;
'next_date': string | null;
'paused': boolean;
};

export type OverdueGetResult = Overdue | null;

export type OwnNumber = {
/** The phone number: digits with the country code. */
'number': string;
/** The origin of the object. */
'source': "own" | "account";
'verify_date': string | null;
/** The ID of the sender. */
'sender_id': string | null;
};

export type Payment = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The type of the object. */
'type': "Paypal" | "Credit Card" | "Auto Top Up" | "Bonus" | "Bank Transfer" | "Free Test" | "Compensation";
/** The current status. */
'status': "PENDING" | "FAILED" | "PAID" | "FROZEN" | "REFUNDED" | "PARTIALLY_REFUNDED";
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
/** An amount in millionths of the currency. */
'amount_micros': number;
/** An amount in millionths of the currency. */
'tax_micros': number;
/** An amount in millionths of the currency. */
'returned_micros': number;
'dispute': "open" | "won" | "lost" | null;
'brand': string;
'last4': string;
'reference': string | null;
'failure': string | null;
'note': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
'paid_date': string | null;
};

export type Person = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The phone number: digits with the country code. */
'number': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The first name. */
'first_name': string;
/** The last name. */
'last_name': string;
'custom1': string;
'custom2': string;
'tags': (string)[];
'fields': Record<string, string | number | boolean>;
'language': string;
/** The time zone, as an IANA name. */
'timezone': string;
'channel_ids': Record<string, string>;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
};

export type PersonDetail = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The phone number: digits with the country code. */
'number': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The first name. */
'first_name': string;
/** The last name. */
'last_name': string;
'custom1': string;
'custom2': string;
'tags': (string)[];
'fields': Record<string, string | number | boolean>;
'language': string;
/** The time zone, as an IANA name. */
'timezone': string;
'channel_ids': Record<string, string>;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
'other_numbers': (string)[];
'audiences': ({
/** The ID (a UUID). */
'id': string;
/** The name. */
'name': string;
/** The channel of the message. */
'channel': string;
/** The ID of the contact. */
'contact_id': string;
})[];
};

export type PersonErasure = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The phone number: digits with the country code. */
'number': string;
/** The current status. */
'status': "running" | "waiting" | "completed";
'counts': Record<string, number>;
'user_name': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
'complete_date': string | null;
};

export type PersonErasuresCreateBody = {
/** The phone number: digits with the country code. */
'number': string;
};

export type PersonErasureState = {
/** The phone number: digits with the country code. */
'number': string;
'in_flight': number;
'erasure': PersonErasure | null;
};

export type PersonMerge = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
'person_id': string;
/** The phone number: digits with the country code. */
'number': string;
'merged_number': string;
'user_name': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'undo_date': string;
};

export type PersonMergesCreateBody = {
'person': string;
'values'?: {
/** The first name. */
'first_name'?: string | null;
/** The last name. */
'last_name'?: string | null;
'custom1'?: string | null;
'custom2'?: string | null;
'tags'?: (string)[];
'fields'?: Record<string, string | number | boolean | null>;
'language'?: string;
/** The time zone, as an IANA name. */
'timezone'?: string;
};
};

export type PersonRecord = {
'kind': "detail" | "audience" | "stop" | "consent" | "message" | "click" | "note" | "erasure";
/** The name. */
'name': string;
'value': string;
/** The channel of the message. */
'channel': string | null;
/** MT: to a phone. MO: from a phone. */
'direction': "inbound" | "outbound" | null;
/** The sender: its name, code, or ID. */
'from': string | null;
/** The recipient: digits with the country code. */
'to': string | null;
/** The current status. */
'status': string | null;
'timestamp': string | null;
/** The ID (a UUID). */
'id': string | null;
};

export type PersonSummary = {
/** The phone number: digits with the country code. */
'number': string;
'person_id': string | null;
'tags': (string)[];
'audiences': ({
/** The ID (a UUID). */
'id': string;
/** The name. */
'name': string;
/** The channel of the message. */
'channel': string;
/** The ID of the contact. */
'contact_id': string;
})[];
'consents': (ConsentState)[];
'campaigns': ({
/** The ID (a UUID). */
'id': string;
/** The name. */
'name': string;
/** The channel of the message. */
'channel': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'timestamp': string;
/** The current status. */
'status': string;
})[] | null;
'notes': ({
/** The ID of the conversation. */
'conversation_id': string;
'assignee_id': string | null;
/** The text. */
'text': string;
'user_name': string | null;
/** The ID (a UUID). */
'id': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'timestamp': string;
})[];
};

export type PersonTimelineEntry = {
/** The ID (a UUID). */
'id': string;
'kind': "message" | "click" | "consent" | "note" | "erasure";
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'timestamp': string;
'message': TimelineMessage | null;
'click': TimelineClick | null;
'consent': Consent | null;
'note': TimelineNote | null;
};

export type Preference = {
'welcome_closed'?: boolean;
'steps_closed'?: (string)[];
'insights': {
'days'?: 7 | 30 | 90;
'by'?: "channel" | "country" | "network" | "sender" | "campaign" | "source" | "status" | "price" | "failure" | "user" | "key";
/** The total number. */
'total': number;
};
'templates': {
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER";
/** The total number. */
'total': number;
};
'onboarding': {
'industry_id'?: number;
'region'?: "us" | "ca" | "gb" | "au" | "other";
'use_cases'?: (string)[];
/** The total number. */
'total': number;
};
};

export type PreflightFinding = {
'code': string;
'level': "blocker" | "warning";
'field': string;
'title': string;
'why': string;
'fix': string;
};

export type PreviewFinding = {
'code': "no_sender" | "sender_not_approved" | "sender_countries" | "no_text" | "text_too_long" | "unknown_variables" | "invalid_links" | "no_audience" | "audience_channel" | "empty_audience" | "nobody" | "balance" | "account_not_active" | "no_template" | "template" | "content" | "trial_over" | "trial_recipients" | "schedule_past" | "schedule_balance" | "unicode" | "several_parts" | "empty_variable" | "quiet_hours" | "approval" | "content_rule" | "not_everybody";
'message': string;
'fix': {
'label': string;
'path': string;
} | null;
};

export type Rate = {
/** The ID (a UUID). */
'id': string;
/** The channel of the message. */
'channel': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The network: mobile country code and network code. */
'mccmnc': string | null;
'network': string | null;
/** The purpose, which can determine the price. */
'purpose': "marketing" | "utility" | "authentication" | "service" | "session" | "promotional" | "transactional" | null;
/** An amount in millionths of the currency. */
'price_micros': number;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
'custom': boolean;
'since': string | null;
/** An amount in millionths of the currency. */
'previous_micros': number | null;
/** An amount in millionths of the currency. */
'next_micros': number | null;
'next_date': string | null;
'steps': ({
'above_units': number;
/** An amount in millionths of the currency. */
'price_micros': number;
})[];
'month_units': number | null;
'next_steps': ({
'above_units': number;
/** An amount in millionths of the currency. */
'price_micros': number;
})[] | null;
'next_steps_month': string | null;
};

export type RateChange = {
/** The ID (a UUID). */
'id': string;
/** The channel of the message. */
'channel': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The network: mobile country code and network code. */
'mccmnc': string | null;
'network': string | null;
/** The purpose, which can determine the price. */
'purpose': "marketing" | "utility" | "authentication" | "service" | "session" | "promotional" | "transactional" | null;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
/** An amount in millionths of the currency. */
'before_micros': number | null;
/** An amount in millionths of the currency. */
'after_micros': number | null;
'custom': boolean;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
};

export type Referral = {
'source_type': string;
'source_id': string;
'source_url': string;
'headline': string;
'body': string;
'click_id': string;
};

export type RefusedCall = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
'method': string;
'path': string;
/** The current status. */
'status': number;
'code': number;
'message': string;
'field': string | null;
/** The channel of the message. */
'channel': string | null;
/** The sender: its name, code, or ID. */
'from': string | null;
/** The recipient: digits with the country code. */
'to': string | null;
/** The ID of the user. */
'user_id': string | null;
'user_name': string | null;
'key_id': string | null;
'key_name': string | null;
'request_id': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
};

export type Registration = {
'company': CompanySection | null;
'sms_campaign': CampaignSection | null;
'signup_options': SignupSection | null;
'example_messages': ExamplesSection | null;
'compliance_keyword_responses': KeywordSection | null;
'toll_free': TollFreeSection | null;
'tcr': TcrSection | null;
'whatsapp': {
'business_name'?: string;
'business_address'?: string;
'business_website'?: string;
'business_phone'?: string;
'business_country'?: string;
'business_email'?: string;
'business_industry'?: number;
'business_description'?: string;
'business_locations'?: unknown;
'parent_name'?: string;
'targeted_countries'?: unknown;
'number_from'?: "own" | "account";
/** The phone number: digits with the country code. */
'phone_number'?: string;
'display_name'?: string;
'meta_business_id'?: string;
'about'?: string;
'category'?: "automotive" | "beauty" | "clothing" | "education" | "entertainment" | "event_planning" | "finance" | "food" | "government" | "health" | "hotel" | "non_profit" | "professional_services" | "restaurant" | "retail" | "travel" | "other";
} | null;
'viber': {
'business_name'?: string;
'business_address'?: string;
'business_website'?: string;
'business_phone'?: string;
'business_country'?: string;
'business_email'?: string;
'business_industry'?: number;
'business_description'?: string;
'business_locations'?: unknown;
'parent_name'?: string;
'targeted_countries'?: unknown;
'business_name_en'?: string;
'traffic'?: "transactional" | "promotional" | "both";
'two_way'?: boolean;
'sample_messages'?: (string)[];
} | null;
};

export type ReportedConversation = {
/** The ID (a UUID). */
'id': string;
/** The ID of the conversation. */
'conversation_id': string | null;
/** The phone number: digits with the country code. */
'number': string | null;
'contact_name': string | null;
/** The channel of the message. */
'channel': "SMS" | "WHATSAPP" | "VIBER";
'agent_id': string | null;
'agent_name': string | null;
'assignee_id': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'opened': string;
'waiting_since': string | null;
'answered': string | null;
'response_due': string | null;
'resolution_due': string | null;
'closed': string | null;
'response_seconds': number | null;
'resolution_seconds': number | null;
};

export type ReportFigures = {
'opened': number;
'answered': number;
'closed': number;
'response_seconds': number | null;
'resolution_seconds': number | null;
'response_targets': number;
'response_in_time': number;
'resolution_targets': number;
'resolution_in_time': number;
};

export type Sample = {
/** The phone number: digits with the country code. */
'number': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The values of the placeholders, in order. */
'variables': Record<string, string>;
'link_prefix': string;
/** The text. */
'text': string;
'content': Content | null;
/** The number of SMS segments. */
'segments_count': number;
/** The alphabet of an SMS. */
'encoding': string;
};

export type Segmentation = {
'default_alphabet': "gsm7" | "latin1" | "ascii";
'segment_capacity': "140" | "160";
'multipart': "udh8" | "udh16" | "sar" | "payload";
'assumed': boolean;
'link_prefix': string;
/** Null if the caller cannot view payments or rates. */
'segment_price_micros': number | null;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
};

export type SendApproval = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
'key_id': string;
'key_name': string | null;
/** The current status. */
'status': "pending" | "approved" | "declined" | "used" | "expired";
'rehearsal': MessageRehearsal;
'token': string | null;
'decided_by': string | null;
'decide_date': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'expire_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
};

export type SendApprovalsCreateBody = {
/** The sender: its name, code, or ID. */
'from': string;
/** The recipient: digits with the country code. */
'to': (string)[];
/** The channel of the message. */
'channel': "SMS" | "WHATSAPP" | "VIBER";
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
/** The ID of the template. */
'template'?: string | null;
/** The values of the placeholders, in order. */
'variables'?: (string | number | null)[] | null;
/** The ID of an uploaded file. */
'media_id'?: string | null;
/** The URL. */
'url'?: string | null;
/** The name of the file. */
'file_name'?: string | null;
'reply_to'?: string | null;
/** The name of the file. */
'filename'?: string | null;
/** The button below the text. */
'button'?: {
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
} | null;
'buttons'?: ({
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
})[] | null;
/** What the button does. */
'button_type'?: string | null;
/** The label of the button. */
'button_text'?: string | null;
/** The URL or phone number that the button opens. */
'button_value'?: string | null;
'location'?: {
'latitude': number;
'longitude': number;
/** The name. */
'name'?: string | null;
'address'?: string | null;
} | null;
'contacts'?: ({
/** The name. */
'name': string;
'phones'?: (string)[] | null;
'emails'?: (string)[] | null;
})[] | null;
'list'?: {
/** The button below the text. */
'button': string;
'rows': ({
/** The text. */
'text': string;
'description'?: string | null;
'value'?: string | null;
})[];
} | null;
/** The purpose, which can determine the price. */
'purpose'?: string | null;
'image'?: string | null;
'caption'?: string | null;
/** Ignored. Numbers are read with their country code. */
'number_formatting'?: boolean | null;
/** Up to three additional channels, each with a trigger and a wait. */
'fallbacks'?: ({
/** The channel of the message. */
'channel': "SMS" | "WHATSAPP" | "VIBER";
/** The sender: its name, code, or ID. */
'from'?: string | null;
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
/** The ID of the template. */
'template'?: string | null;
/** The values of the placeholders, in order. */
'variables'?: (string | number | null)[] | null;
/** The ID of an uploaded file. */
'media_id'?: string | null;
/** The URL. */
'url'?: string | null;
/** The name of the file. */
'file_name'?: string | null;
'reply_to'?: string | null;
/** The name of the file. */
'filename'?: string | null;
/** The button below the text. */
'button'?: {
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
} | null;
'buttons'?: ({
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
})[] | null;
/** What the button does. */
'button_type'?: string | null;
/** The label of the button. */
'button_text'?: string | null;
/** The URL or phone number that the button opens. */
'button_value'?: string | null;
'location'?: {
'latitude': number;
'longitude': number;
/** The name. */
'name'?: string | null;
'address'?: string | null;
} | null;
'contacts'?: ({
/** The name. */
'name': string;
'phones'?: (string)[] | null;
'emails'?: (string)[] | null;
})[] | null;
'list'?: {
/** The button below the text. */
'button': string;
'rows': ({
/** The text. */
'text': string;
'description'?: string | null;
'value'?: string | null;
})[];
} | null;
/** The purpose, which can determine the price. */
'purpose'?: string | null;
/** When the fallback is sent: `undelivered` (the default), `unread`, or `failed`. */
'trigger'?: string | null;
/** Seconds between the submission and the fallback. */
'wait_seconds'?: number | null;
})[] | null;
/** True for a free test message to your own phones. */
'test'?: boolean | null;
/** The scheduled time, in UTC. */
'schedule'?: string | null;
'undo_seconds'?: number | null;
/** Seconds after which an undelivered message expires. */
'validity_seconds'?: number | null;
/** A string of your choice, returned in delivery reports. */
'payload'?: string | null;
};

export type SenderDetail = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The name. */
'name': string;
'code': string;
/** The channel of the message. */
'channel': "SMS" | "WHATSAPP" | "VIBER";
/** The type of the object. */
'type': "local" | "mobile" | "toll_free" | "short_code" | "alphanumeric" | "business";
/** The current status. */
'status': "pending" | "approved" | "rejected" | "available" | "canceled" | "unregistered";
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries': (string)[];
'pool_id': string | null;
'two_way': boolean;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
'members_count': number;
'pool_name': string | null;
'brand': string;
'business_name': string;
'carrier_state': Record<string, string | number | boolean> | null;
'request_status': "IN_PROCESS" | "COMPLETED" | "CANCELED" | "DELETED" | null;
'rental': {
/** The currency code (ISO 4217). */
'currency': string;
/** Null if the caller cannot view payments or rates. */
'monthly_micros': number | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'renewal_date': string;
'grace_date': string | null;
} | null;
'kind': "sender_id" | "short_code" | "toll_free" | "tcr" | "whatsapp" | "viber" | null;
'wish': {
'kind': "random" | "chosen";
'codes': (string)[];
} | null;
'registration': Registration;
'attachments': (Attachment)[];
'documents': ("letter_of_authorization" | "company_register" | "trademark" | "opt_in_image" | "sweepstakes_terms" | "other" | "warranty_letter" | "industry_letter" | "logo_640x640" | "logo_360x280" | "logo_256x256" | "logo_130x130" | "logo_100x100" | "logo_65x65" | "logo_50x50")[];
'verification': NumberVerification | null;
'profile': {
'state': "waiting" | "taken" | "refused";
'refusals': (FieldReason)[];
'take_date': string | null;
} | null;
'reasons': (FieldReason)[];
'note': string;
'asked': boolean;
'editable': boolean;
'expected_days': [number, number] | null;
'expected_date': string | null;
'timeline': ({
/** The ID (a UUID). */
'id': string;
'kind': "created" | "bought" | "submitted" | "asked" | "resubmitted" | "rejected" | "approved" | "renewed" | "renewal_failed" | "quality_changed" | "limit_changed" | "restricted" | "verification_wanted" | "verified" | "profile_refused" | "removed";
/** The text. */
'text': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
})[];
'campaigns': ({
/** The ID (a UUID). */
'id': string;
/** The name. */
'name': string;
/** The current status. */
'status': "in_complete" | "scheduled" | "in_progress" | "paused" | "completed" | "failed" | "canceled" | "error";
})[];
'messages_30_days': number;
'messages_30_days_more'?: true;
};

export type SenderMember = {
/** The ID of the sender. */
'sender_id': string;
/** The name. */
'name': string;
'code': string;
/** The type of the object. */
'type': "local" | "mobile" | "toll_free" | "short_code" | "alphanumeric" | "business";
/** The current status. */
'status': "pending" | "approved" | "rejected" | "available" | "canceled" | "unregistered";
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string | null;
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries': (string)[];
'weight': number;
'own': boolean;
'messages_30_days': number;
'share': number;
};

export type SenderRule = {
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
'types': ({
/** The type of the object. */
'type': "local" | "mobile" | "toll_free" | "short_code" | "alphanumeric";
'state': "no" | "open" | "register";
'two_way': boolean;
'expected_days': [number, number] | null;
'documents': ("letter_of_authorization" | "company_register" | "trademark" | "opt_in_image" | "sweepstakes_terms" | "other")[];
'note': string;
})[];
'quiet_hours': {
/** The sender: its name, code, or ID. */
'from': string;
/** The recipient: digits with the country code. */
'to': string;
'note': string;
} | null;
'opt_out_text': string;
};

export type SendersCreateBlockerBody = {
/** The phone number: digits with the country code. */
'number': string;
};

export type SendersCreateBody = {
/** The type of the object. */
'type': "local" | "mobile" | "toll_free" | "short_code" | "alphanumeric" | "business";
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER";
'code'?: string;
/** The name. */
'name'?: string;
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries'?: (string)[];
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country'?: string;
'wish'?: {
'kind': "random" | "chosen";
'codes': (string)[];
};
};

export type SendersCreateCarrierCodeBody = {
'method'?: "sms" | "voice";
};

export type SendersGiveCarrierCodeBody = {
'code': string;
};

export type SendersPutMembersBody = {
'members': ({
/** The ID of the sender. */
'sender_id': string;
'weight'?: number;
})[];
};

export type SendersPutProfileBody = {
'about'?: string;
'category'?: "automotive" | "beauty" | "clothing" | "education" | "entertainment" | "event_planning" | "finance" | "food" | "government" | "health" | "hotel" | "non_profit" | "professional_services" | "restaurant" | "retail" | "travel" | "other";
'business_description'?: string;
'business_address'?: string;
'business_email'?: string;
'business_website'?: string;
};

export type SendersPutViberBody = {
'business_name'?: string;
'business_address'?: string;
'business_website'?: string;
'business_phone'?: string;
'business_country'?: string;
'business_email'?: string;
'business_industry'?: number;
'business_description'?: string;
'business_locations'?: (string)[];
'parent_name'?: string;
'targeted_countries'?: (string)[];
'business_name_en'?: string;
'traffic'?: "transactional" | "promotional" | "both";
'two_way'?: boolean;
'sample_messages'?: (string)[];
};

export type SendersPutWhatsappBody = {
'business_name'?: string;
'business_address'?: string;
'business_website'?: string;
'business_phone'?: string;
'business_country'?: string;
'business_email'?: string;
'business_industry'?: number;
'business_description'?: string;
'business_locations'?: (string)[];
'parent_name'?: string;
'targeted_countries'?: (string)[];
'number_from'?: "own" | "account";
/** The phone number: digits with the country code. */
'phone_number'?: string;
'display_name'?: string;
'meta_business_id'?: string;
'about'?: string;
'category'?: "automotive" | "beauty" | "clothing" | "education" | "entertainment" | "event_planning" | "finance" | "food" | "government" | "health" | "hotel" | "non_profit" | "professional_services" | "restaurant" | "retail" | "travel" | "other";
};

export type SendersSubmitBody = Record<string, unknown>;

export type SendersUpdateBody = {
/** The name. */
'name'?: string;
'brand'?: string;
'code'?: string;
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries'?: (string)[];
'wish'?: {
'kind': "random" | "chosen";
'codes': (string)[];
};
};

export type SentCode = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The ID of the message. */
'message_id': string;
/** The phone number: digits with the country code. */
'phone': string;
/** The channel of the message. */
'channel': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The current status. */
'status': "pending" | "verified" | "failed" | "expired" | "replaced";
'attempts': number;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'expire_date': string;
'verify_date': string | null;
/** True for a free test message to your own phones. */
'test'?: true;
};

export type ShortUrl = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The URL. */
'url': string;
'short_url': string | null;
/** The name. */
'name': string;
'domain': string | null;
/** The origin of the object. */
'source': "manual" | "api" | "message" | "campaign";
/** The ID of the campaign. */
'campaign_id': string | null;
'campaign_name': string | null;
'tags': (string)[];
/** When it expires. */
'expire_date': string | null;
'max_clicks': number | null;
'archived': boolean;
'has_password': boolean;
'recipients': number;
'clicks': number;
'unique_clicks': number;
'bot_clicks': number;
'first_click_date': string | null;
'last_click_date': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
};

export type ShortUrlsCreateBody = {
/** The URL. */
'url': string;
/** The name. */
'name'?: string;
'domain'?: string | null;
'tags'?: (string)[];
/** When it expires. */
'expire_date'?: string | null;
'max_clicks'?: number | null;
/** The password. */
'password'?: string | null;
};

export type ShortUrlStat = {
'clicks': number;
'unique_clicks': number;
'bot_clicks': number;
'first_click_date': string | null;
'days': ({
'date': string;
'clicks': number;
'unique_clicks': number;
'bot_clicks': number;
})[];
'devices': ({
/** The name. */
'name': string;
'clicks': number;
})[];
'referrers': ({
/** The name. */
'name': string;
'clicks': number;
})[];
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries': ({
/** The name. */
'name': string;
'clicks': number;
})[];
};

export type ShortUrlsUpdateBody = {
/** The URL. */
'url'?: string;
/** The name. */
'name'?: string;
'tags'?: (string)[];
/** When it expires. */
'expire_date'?: string | null;
'max_clicks'?: number | null;
/** The password. */
'password'?: string | null;
'archived'?: boolean;
};

export type ShownBrand = {
/** The name. */
'name': string;
'logo_url': string | null;
'logo_dark_url': string | null;
'palette': {
'light': {
'accent': string;
'accent_hover': string;
'accent_ink': string;
'accent_soft': string;
'accent_soft_hover': string;
};
'dark': {
'accent': string;
'accent_hover': string;
'accent_ink': string;
'accent_soft': string;
'accent_soft_hover': string;
};
} | null;
};

export type SignupSection = {
'methods': ("web_form" | "keyword" | "paper_form" | "verbal" | "qr_code")[];
'web_form_url': "" | string;
'keyword_url': "" | string;
'description': string;
};

export type SignupSectionInput = {
'methods': ("web_form" | "keyword" | "paper_form" | "verbal" | "qr_code")[];
'web_form_url'?: "" | string;
'keyword_url'?: "" | string;
'description': string;
};

export type SkippedContact = {
/** The ID (a UUID). */
'id': string;
/** The phone number: digits with the country code. */
'number': string | null;
'contact_name': string;
/** A readable reason. */
'reason': "invalid" | "stop_list" | "no_route" | "no_price" | "too_long" | "no_text" | "no_value" | "content" | "country" | "country_blocked" | "recipient_limit" | "frequency_cap" | "duplicate" | "excluded" | "removed" | "no_window" | "missed" | "landline" | "not_in_use" | "no_session" | "canceled";
};

export type Statement = {
'month': string;
'is_final': boolean;
/** An amount in millionths of the currency. */
'opening_micros': number;
/** An amount in millionths of the currency. */
'added_micros': number;
/** An amount in millionths of the currency. */
'used_micros': number;
/** An amount in millionths of the currency. */
'closing_micros': number;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
/** The ID of the account. */
'account_id': string;
/** The name of the company. */
'company_name': string;
'movements': ({
'kind': "top_up" | "bonus" | "compensation" | "hold" | "settle" | "release" | "resettle" | "refund" | "charge" | "payment_release" | "payment_refund" | "dispute" | "dispute_won" | "correction" | "transfer_in" | "transfer_out";
'entries_count': number;
/** An amount in millionths of the currency. */
'amount_micros': number;
})[];
'volumes': ({
/** The channel of the message. */
'channel': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The network: mobile country code and network code. */
'mccmnc': string | null;
'network': string | null;
/** The purpose, which can determine the price. */
'purpose': "marketing" | "utility" | "authentication" | "service" | "session" | "promotional" | "transactional" | null;
'units': number;
'steps': ({
'above_units': number;
/** An amount in millionths of the currency. */
'price_micros': number | null;
'units': number;
})[];
})[];
/** An amount in millionths of the currency. */
'available_micros': number;
/** An amount in millionths of the currency. */
'held_micros': number;
/** An amount in millionths of the currency. */
'frozen_micros': number;
};

export type StatementMonth = {
'month': string;
'is_final': boolean;
/** An amount in millionths of the currency. */
'opening_micros': number;
/** An amount in millionths of the currency. */
'added_micros': number;
/** An amount in millionths of the currency. */
'used_micros': number;
/** An amount in millionths of the currency. */
'closing_micros': number;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
};

export type StopListCreateBody = {
/** The phone number: digits with the country code. */
'number': string;
/** The ID of the sender. */
'sender_id'?: string | null;
};

export type StopListEntry = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The phone number: digits with the country code. */
'number': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The ID of the sender. */
'sender_id': string | null;
'sender_name': string | null;
/** A readable reason. */
'reason': "keyword" | "manual" | "api" | "operator" | "carrier" | "link";
/** The text. */
'text': string;
/** The ID of the message. */
'message_id': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
};

export type StopListImportResult = {
'total_rows': number;
'added_count': number;
'existing_count': number;
'duplicate_count': number;
'invalid_count': number;
};

export type SubmittedForm = {
/** The name of the company. */
'company_name': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country_code': string;
'company_address': string;
'company_website': string;
'company_size': string;
'industry_id': number;
'vat_number': string;
'use_case': string;
'interests': (string)[];
'monthly_volume': string;
};

export type TcrSection = {
'tax_id': string;
'tax_country': string;
'stock_symbol': string;
'stock_exchange': string;
'privacy_policy_url': "" | string;
'terms_url': "" | string;
'embedded_link': boolean;
'embedded_phone': boolean;
'age_gated': boolean;
'direct_lending': boolean;
};

export type TcrSectionInput = {
'tax_id': string;
'tax_country': string;
'stock_symbol'?: string;
'stock_exchange'?: string;
'privacy_policy_url'?: "" | string;
'terms_url'?: "" | string;
'embedded_link'?: boolean;
'embedded_phone'?: boolean;
'age_gated'?: boolean;
'direct_lending'?: boolean;
};

export type Template = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The channel of the message. */
'channel': "SMS" | "WHATSAPP" | "VIBER";
/** The name. */
'name': string;
/** The text. */
'text': string;
/** The type of the object. */
'type': "text" | "image" | "video" | "document";
/** The ID of an uploaded file. */
'media_id': string | null;
/** The URL. */
'url': string | null;
/** The name of the file. */
'filename': string | null;
'header': string | null;
'footer': string | null;
'buttons': (Button)[];
/** What the button does. */
'button_type': "quick_reply" | "call_to_action" | null;
/** The label of the button. */
'button_text': string | null;
/** The URL or phone number that the button opens. */
'button_value': string | null;
'wa_category': "MARKETING" | "UTILITY" | "AUTHENTICATION" | null;
'wa_sender_code': string | null;
'language': string;
'samples': (string)[];
/** The current status. */
'status': "IN_PROCESS" | "COMPLETED" | "CANCELED";
'paused': boolean;
'disabled': boolean;
'quality': "GREEN" | "YELLOW" | "RED" | null;
/** A readable reason. */
'reason': {
'code': string;
/** The text. */
'text': string;
'advice': string;
} | null;
'external_id': string | null;
'external_language': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
};

export type TemplatesCreateBody = {
/** The channel of the message. */
'channel': "SMS" | "WHATSAPP" | "VIBER";
/** The name. */
'name': string;
/** The text. */
'text'?: string;
/** The type of the object. */
'type'?: "text" | "image" | "video" | "document";
/** The ID of an uploaded file. */
'media_id'?: string | null;
/** The URL. */
'url'?: string | null;
/** The name of the file. */
'filename'?: string | null;
/** The name of the file. */
'file_name'?: string | null;
'header'?: string | null;
'footer'?: string | null;
'buttons'?: ({
/** The type of the object. */
'type': "quick_reply" | "link" | "phone_call";
/** The text. */
'text': string;
'value'?: string;
})[];
/** The button below the text. */
'button'?: {
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
} | null;
/** What the button does. */
'button_type'?: string | null;
/** The label of the button. */
'button_text'?: string | null;
/** The URL or phone number that the button opens. */
'button_value'?: string | null;
'wa_category'?: string | number | null;
'wa_sender_code'?: string | null;
'language'?: string;
'samples'?: (string)[];
};

export type TemplatesGetResult = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The channel of the message. */
'channel': "SMS" | "WHATSAPP" | "VIBER";
/** The name. */
'name': string;
/** The text. */
'text': string;
/** The type of the object. */
'type': "text" | "image" | "video" | "document";
/** The ID of an uploaded file. */
'media_id': string | null;
/** The URL. */
'url': string | null;
/** The name of the file. */
'filename': string | null;
'header': string | null;
'footer': string | null;
'buttons': (Button)[];
/** What the button does. */
'button_type': "quick_reply" | "call_to_action" | null;
/** The label of the button. */
'button_text': string | null;
/** The URL or phone number that the button opens. */
'button_value': string | null;
'wa_category': "MARKETING" | "UTILITY" | "AUTHENTICATION" | null;
'wa_sender_code': string | null;
'language': string;
'samples': (string)[];
/** The current status. */
'status': "IN_PROCESS" | "COMPLETED" | "CANCELED";
'paused': boolean;
'disabled': boolean;
'quality': "GREEN" | "YELLOW" | "RED" | null;
/** A readable reason. */
'reason': {
'code': string;
/** The text. */
'text': string;
'advice': string;
} | null;
'external_id': string | null;
'external_language': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
'used_in': ({
'kind': "campaign";
/** The ID (a UUID). */
'id': string;
/** The name. */
'name': string;
/** The current status. */
'status': "in_complete" | "scheduled" | "in_progress" | "paused" | "completed" | "failed" | "canceled" | "error";
})[];
'sent_count': number;
};

export type TemplatesUpdateBody = {
/** The name. */
'name'?: string;
/** The text. */
'text'?: string;
/** The type of the object. */
'type'?: "text" | "image" | "video" | "document";
/** The ID of an uploaded file. */
'media_id'?: string | null;
/** The URL. */
'url'?: string | null;
/** The name of the file. */
'filename'?: string | null;
/** The name of the file. */
'file_name'?: string | null;
'header'?: string | null;
'footer'?: string | null;
'buttons'?: ({
/** The type of the object. */
'type': "quick_reply" | "link" | "phone_call";
/** The text. */
'text': string;
'value'?: string;
})[];
/** The button below the text. */
'button'?: {
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
} | null;
/** What the button does. */
'button_type'?: string | null;
/** The label of the button. */
'button_text'?: string | null;
/** The URL or phone number that the button opens. */
'button_value'?: string | null;
'wa_category'?: string | number | null;
'wa_sender_code'?: string | null;
'language'?: string;
'samples'?: (string)[];
};

export type TemplateSyncsCreateResult = {
'checked': number;
'changed': number;
/** The number of failed messages. */
'failed': ({
'sender': string;
/** The text. */
'text': string;
})[];
};

export type TemplateUse = {
/** The ID (a UUID). */
'id': string;
/** The name. */
'name': string;
'external_id': string | null;
'language': string;
'header_values': (string)[];
'body_values': (string)[];
'body_names'?: (string)[];
};

export type TimelineClick = {
'link_id': string;
/** The URL. */
'url': string;
'kind': "person" | "bot" | "preview";
'device': string;
/** The ID of the message. */
'message_id': string | null;
/** The ID of the campaign. */
'campaign_id': string | null;
'campaign_name': string | null;
};

export type TimelineEntry = {
'at': string;
/** The current status. */
'status': "scheduled" | "enroute" | "sent" | "delivered" | "read" | "failed" | "rejected" | "expired" | "blocked" | "unsubscribed" | "canceled" | "received";
/** The origin of the object. */
'source': string;
'code'?: string;
/** The text. */
'text'?: string;
'detail'?: Record<string, unknown>;
'moved'?: {
/** The sender: its name, code, or ID. */
'from': string;
/** The recipient: digits with the country code. */
'to': string;
};
'late'?: boolean;
'leg'?: number;
/** The channel of the message. */
'channel'?: string;
'leg_state'?: "waiting" | "in_effect" | "passed_on" | "skipped" | "not_needed";
};

export type TimelineMessage = {
/** The ID (a UUID). */
'id': string;
/** MT: to a phone. MO: from a phone. */
'direction': "MT" | "MO";
/** The channel of the message. */
'channel': string;
/** The type of the object. */
'type': string;
/** The current status. */
'status': "scheduled" | "enroute" | "sent" | "delivered" | "read" | "failed" | "rejected" | "expired" | "blocked" | "unsubscribed" | "canceled" | "received";
/** The text. */
'text': string;
/** The sender: its name, code, or ID. */
'from': string;
/** The recipient: digits with the country code. */
'to': string;
/** The origin of the object. */
'source': "api" | "smpp" | "campaign" | "inbox" | "reply" | "test" | "phone" | "phone_app" | "verification";
'sender': {
/** The ID (a UUID). */
'id': string;
/** The name. */
'name': string | null;
'code': string | null;
};
/** The ID of the campaign. */
'campaign_id': string | null;
/** A readable explanation of the status. */
'status_details': string | null;
'failure': "connection" | "throttled" | "rejected" | "invalid" | "config" | "opted_out" | "unknown" | "expired" | null;
'campaign_name': string | null;
/** The ID of the conversation. */
'conversation_id': string | null;
'assignee_id': string | null;
};

export type TimelineNote = {
/** The ID of the conversation. */
'conversation_id': string;
'assignee_id': string | null;
/** The text. */
'text': string;
'user_name': string | null;
};

export type TollFreeSection = {
'notification_email': string;
'additional_information': string;
};

export type TollFreeSectionInput = {
'notification_email': string;
'additional_information'?: string;
};

export type TrafficBackTest = {
'days': number;
'messages': number;
/** True if it is blocked. */
'blocked': number;
/** Null if the caller cannot view payments or rates. */
'blocked_micros': number | null;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
/** The number of delivered messages. */
'delivered': number;
'answered': number;
'examples': ({
/** The ID (a UUID). */
'id': string;
/** The recipient: digits with the country code. */
'to': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
/** The current status. */
'status': string;
'answered': boolean;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
})[] | null;
'signs': ({
'traffic': "codes" | "messages" | "campaigns";
'kind': "range" | "country";
'place': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
'signal': "unused" | "conversion" | "consecutive" | "concentration" | "growth";
'evidence': {
'observed': number;
'usual': number | null;
'sample': number;
'measure'?: "delivered" | "responded";
};
/** A readable reason. */
'reason': string;
'refuses': boolean;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'start_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'end_date': string;
/** True if it is blocked. */
'blocked': number;
})[];
'signs_total': number;
'is_partial': boolean;
};

export type TrafficBackTestsCreateBody = {
'messages': "off" | "notify" | "block";
'campaigns': "off" | "notify" | "block";
'lift_hours': number;
};

export type TrafficProtection = {
/** The ID of the account. */
'account_id': string;
'messages': "off" | "notify" | "block";
'campaigns': "off" | "notify" | "block";
'lift_hours': number;
};

export type TrafficStop = {
/** The ID (a UUID). */
'id': string;
'traffic': "codes" | "messages" | "campaigns";
'kind': "range" | "country";
'place': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
'signal': "unused" | "conversion" | "consecutive" | "concentration" | "growth";
'evidence': {
'observed': number;
'usual': number | null;
'sample': number;
'measure'?: "delivered" | "responded";
};
/** A readable reason. */
'reason': string;
'figures': ({
'signal': "unused" | "conversion" | "consecutive" | "concentration" | "growth";
/** The text. */
'text': string;
})[];
'refuses': boolean;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'stop_date': string;
/** When it expires. */
'expire_date': string | null;
};

export type UploadSlot = {
/** The ID (a UUID). */
'id': string;
'put_url': string;
'get_url': string;
'thumbnail_url': string | null;
/** The media type of the file. */
'content_type': string;
'max_bytes': number;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'expire_date': string;
};

export type UtmPreset = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The name. */
'name': string;
/** The origin of the object. */
'source': string;
'medium': string;
'campaign': string;
'term': string;
'content': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
};

export type UtmPresetsCreateBody = {
/** The name. */
'name': string;
/** The origin of the object. */
'source'?: string;
'medium'?: string;
'campaign'?: string;
'term'?: string;
'content'?: string;
};

export type VariantResults = {
'variant': "A" | "B" | "C" | "D";
/** The text. */
'text': string;
'messages': number;
/** The number of delivered messages. */
'delivered': number;
'read': number;
'clicked': number;
'replied': number;
'opt_outs': number;
};

export type VatCheck = {
'vat_number': string;
/** The current status. */
'status': "waiting" | "valid" | "invalid";
'consultation_number': string | null;
'registered_name': string | null;
'registered_address': string | null;
'check_date': string | null;
};

export type VatChecksGetResult = {
'is_format_valid': boolean | null;
'check': VatCheck | null;
};

export type VerificationFallback = {
/** The channel of the message. */
'channel'?: string | null;
'sender'?: string | null;
/** The ID of the template. */
'template'?: string | null;
'threshold'?: string | number | null;
};

export type VerificationsCreateBody = {
/** The channel of the message. */
'channel'?: string | null;
'sender'?: string | null;
/** The phone number: digits with the country code. */
'phone'?: string | number | null;
/** The ID of the template. */
'template'?: string | null;
'code_length'?: string | number | null;
'code'?: string | number | null;
'ttl_in_seconds'?: string | number | null;
'fallback'?: (VerificationFallback)[] | VerificationFallback | null;
/** The email address. */
'email'?: string | null;
'voice_type'?: string | null;
'brand'?: string | null;
'locale'?: string | null;
'ip_address'?: string | null;
};

export type VerificationsSubmitBody = {
/** The phone number: digits with the country code. */
'phone': string | number;
'code': string | number;
};

export type VerificationsSubmitResult = {
'verified': boolean;
'verification': SentCode | null;
};

export type VerificationStop = {
/** The ID (a UUID). */
'id': string;
'kind': "range" | "country";
'place': string;
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
'signal': "unused" | "conversion" | "consecutive" | "concentration" | "growth";
'evidence': {
'observed': number;
'usual': number | null;
'sample': number;
'measure'?: "delivered" | "responded";
};
/** A readable reason. */
'reason': string;
'figures': ({
'signal': "unused" | "conversion" | "consecutive" | "concentration" | "growth";
/** The text. */
'text': string;
})[];
'refuses': boolean;
'sends': number;
'usual': number;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'stop_date': string;
/** When it expires. */
'expire_date': string | null;
};

export type Violation = {
/** The type of the object. */
'type': "messages" | "spend" | "messages_per_recipient" | "messages_per_sender" | "messages_per_key" | "messages_per_address" | "spend_per_key" | "spend_per_user" | "spend_per_campaign";
'channels': ("SMS" | "WHATSAPP" | "VIBER")[];
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries': (string)[];
'prefixes': (string)[];
'limit': number;
'interval': "minute" | "hour" | "day" | "week" | "month";
'block_traffic': boolean;
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
'account_name': string;
'limit_id': string;
'limit_account_id': string;
'limit_account_name': string;
'scope': string;
/** True if it is blocked. */
'blocked': number;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'expire_date': string;
'end_date': string | null;
};

export type Webhook = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
/** The URL. */
'url': string;
'secret': string;
'event': "message" | "delivery" | null;
'events': (string)[];
'filters': {
'channels': (string)[];
'sender_ids': (string)[];
};
'signature_header': string;
'signature_encoding': "base64" | "hex";
'payload_version': "2026-11-30";
'client_certificate': {
'pem': string;
'subject': string;
'fingerprint': string;
/** The origin of the object. */
'source': "generated" | "uploaded";
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'expire_date': string;
} | null;
'server_ca': string | null;
/** The current status. */
'status': "active" | "paused" | "disabled";
'failing_since': string | null;
'previous_secret_expire_date': string | null;
'pending_count': number;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
};
};

export type WebhookAttempt = {
'at': string;
'response_status': number | null;
'response_body': string | null;
'error': string | null;
'ms': number;
};

export type WebhookDelivery = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
'webhook_id': string;
'event': string;
/** The current status. */
'status': "pending" | "delivered" | "failed";
/** The ID of the message. */
'message_id': string | null;
'attempts_count': number;
'response_status': number | null;
'error': string | null;
'next_date': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
};

export type WebhookDeliveryDetail = {
/** The ID (a UUID). */
'id': string;
/** The ID of the account. */
'account_id': string;
'webhook_id': string;
'event': string;
/** The current status. */
'status': "pending" | "delivered" | "failed";
/** The ID of the message. */
'message_id': string | null;
'attempts_count': number;
'response_status': number | null;
'error': string | null;
'next_date': string | null;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'create_date': string;
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'update_date': string;
'request_body': string;
'attempts': (WebhookAttempt)[];
};

export type WebhooksCreateBody = {
/** The URL. */
'url': string;
'secret'?: string | null;
'event'?: "message" | "delivery" | null;
'events'?: ("message.received" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "message.rejected" | "message.expired" | "message.blocked" | "message.unsubscribed" | "message.canceled" | "message.changed" | "conversation.created" | "conversation.updated" | "conversation.deleted" | "campaign.created" | "campaign.updated" | "campaign.deleted" | "sender.created" | "sender.updated" | "sender.removed" | "template.created" | "template.updated" | "template.removed" | "opt_out.added" | "opt_out.removed" | "opt_in.confirmed" | "verification.verified" | "verification.failed" | "verification.expired" | "code_stop.started" | "code_stop.ended" | "traffic_stop.started" | "traffic_stop.ended" | "limit.warning" | "limit.reached" | "limit.reset" | "messages.held_for_review" | "messages.rejected_in_review" | "country_blacklist.changed" | "allowed_countries.changed" | "anomaly.started" | "anomaly.ended" | "link.clicked" | "balance.changed" | "balance.low" | "rates.announced")[] | null;
'filters'?: {
'channels'?: ("SMS" | "WHATSAPP" | "VIBER")[];
'sender_ids'?: (string)[];
} | null;
'signature_header'?: string | null;
'signature_encoding'?: "base64" | "hex" | null;
'server_ca'?: string | null | null;
};

export type WebhooksCreateCertificateBody = {
'certificate'?: string;
'private_key'?: string;
};

export type WebhooksCreateExampleEventBody = {
'event': "message.received" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "message.rejected" | "message.expired" | "message.blocked" | "message.unsubscribed" | "message.canceled" | "message.changed" | "conversation.created" | "conversation.updated" | "conversation.deleted" | "campaign.created" | "campaign.updated" | "campaign.deleted" | "sender.created" | "sender.updated" | "sender.removed" | "template.created" | "template.updated" | "template.removed" | "opt_out.added" | "opt_out.removed" | "opt_in.confirmed" | "verification.verified" | "verification.failed" | "verification.expired" | "code_stop.started" | "code_stop.ended" | "traffic_stop.started" | "traffic_stop.ended" | "limit.warning" | "limit.reached" | "limit.reset" | "messages.held_for_review" | "messages.rejected_in_review" | "country_blacklist.changed" | "allowed_countries.changed" | "anomaly.started" | "anomaly.ended" | "link.clicked" | "balance.changed" | "balance.low" | "rates.announced";
};

export type WebhooksCreateExampleEventResult = {
'event': string;
};

export type WebhooksRecoverBody = {
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. The seconds are optional. */
'since': string;
};

export type WebhooksRecoverResult = {
/** The number. */
'count': number;
};

export type WebhooksRotateBody = {
'secret'?: string;
};

export type WebhooksSendExampleBody = {
'event'?: string;
};

export type WebhooksUpdateBody = {
/** The URL. */
'url'?: string;
'secret'?: string;
'event'?: "message" | "delivery";
'events'?: ("message.received" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "message.rejected" | "message.expired" | "message.blocked" | "message.unsubscribed" | "message.canceled" | "message.changed" | "conversation.created" | "conversation.updated" | "conversation.deleted" | "campaign.created" | "campaign.updated" | "campaign.deleted" | "sender.created" | "sender.updated" | "sender.removed" | "template.created" | "template.updated" | "template.removed" | "opt_out.added" | "opt_out.removed" | "opt_in.confirmed" | "verification.verified" | "verification.failed" | "verification.expired" | "code_stop.started" | "code_stop.ended" | "traffic_stop.started" | "traffic_stop.ended" | "limit.warning" | "limit.reached" | "limit.reset" | "messages.held_for_review" | "messages.rejected_in_review" | "country_blacklist.changed" | "allowed_countries.changed" | "anomaly.started" | "anomaly.ended" | "link.clicked" | "balance.changed" | "balance.low" | "rates.announced")[];
'filters'?: {
'channels'?: ("SMS" | "WHATSAPP" | "VIBER")[];
'sender_ids'?: (string)[];
};
'signature_header'?: string;
'signature_encoding'?: "base64" | "hex";
'server_ca'?: string | null;
/** The current status. */
'status'?: "active" | "paused";
};

export type Pagination = {
/** The number of the page, from 1. */
'number': number;
/** The maximum number of rows per page. */
'size': number;
/** The number of rows in the list. */
'total': number;
/** True if the list has more than `total` rows. The last page has the exact total. */
'total_is_estimate'?: boolean;
'links': {
/** A path of this API, with its query. */
'first': string;
/** A path of this API, with its query. */
'current': string;
/** A path of this API, with its query. */
'previous': string | null;
/** The next page. Null on the last page. */
'next': string | null;
};
};

export type Problem = {
/** UTC, in the format `yyyy-MM-dd HH:mm:ss`. */
'timestamp'?: string;
/** The path of the request. */
'path'?: string;
/** The method of the request. */
'method'?: string;
/** The HTTP status. */
'status'?: number;
/** The code of the problem. Codes never change. */
'code': number;
/** A readable description of the problem. */
'message': string;
/** The field of the request. */
'field'?: string;
/** Quote this ID when you contact support. */
'request_id'?: string;
};

export type Errors = {
'errors': (Problem)[];
};

/** The calls by module. */
export interface Api {
accounts: {
/** Get the caller’s account. The `X-Account-Info` header is accepted but ignored; the response always contains the whole account */
get: (input?: { signal?: AbortSignal }) => Promise<(AccountInfo) & ({
/** Paths of related calls. */
'links': {
'self': string;
};
})>;
/** List submitted verification forms and their reviews, newest first */
list_verifications: (input?: { signal?: AbortSignal }) => Promise<(AccountReview)[]>;
};
senders: {
/** List senders; deleted senders are included only if the filter names their status */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[channel]'?: "SMS" | "WHATSAPP" | "VIBER"; 'filter[channels]'?: (string)[]; 'filter[type]'?: "local" | "mobile" | "toll_free" | "short_code" | "alphanumeric" | "business"; 'filter[types]'?: (string)[]; 'filter[name]'?: string; 'filter[status]'?: "" | "pending" | "approved" | "rejected" | "available" | "canceled" | "unregistered"; 'filter[statuses]'?: (string)[]; 'filter[request_statuses]'?: (string)[]; 'filter[countries]'?: (string)[]; 'limit'?: string; 'sort'?: "code" | "-code" | "status" | "-status" | "channel" | "-channel" | "type" | "-type" | "monthly_micros" | "-monthly_micros" | "renewal_date" | "-renewal_date" | "create_date" | "-create_date" }; signal?: AbortSignal }) => Promise<Page<(ListedSender) & ({
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
};
})>>;
/** Buy a number, or start a request for a sender ID, a short code, or a WhatsApp or Viber sender (type `business`) */
create: (input: { body: SendersCreateBody; idempotency_key?: string; signal?: AbortSignal }) => Promise<(ListedSender) & ({
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
};
})>;
/** Delete a sender; its number is released and cannot be bought again for 30 days */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
/** Rename a sender, or change a request that has not been submitted */
update: (input: { params: { 'id': string }; body?: SendersUpdateBody; signal?: AbortSignal }) => Promise<(ListedSender) & ({
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
};
})>;
/** Check a request before it is submitted; each finding has a reason and a fix */
get_preflight: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<(PreflightFinding)[]>;
/** Get a sender with its form, timeline, and campaigns */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<(SenderDetail) & ({
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
};
})>;
/** Attach a document: one PDF, JPG, or PNG file of at most 10 MB */
put_required_attachments: (input: { params: { 'id': string }; body: {
'kind': "letter_of_authorization" | "company_register" | "trademark" | "opt_in_image" | "sweepstakes_terms" | "other";
/** The file. */
'file': Blob;
/** Optional. Additional fields, as one JSON object. */
'data'?: string;
}; signal?: AbortSignal }) => Promise<Attachment>;
/** Save the purpose and volume of the messages */
put_sms_campaign: (input: { params: { 'id': string }; body: CampaignSectionInput; signal?: AbortSignal }) => Promise<Registration>;
/** Save the company details */
put_company: (input: { params: { 'id': string }; body: CompanySectionInput; signal?: AbortSignal }) => Promise<Registration>;
/** Save two to five example messages */
put_example_messages: (input: { params: { 'id': string }; body: ExamplesSectionInput; signal?: AbortSignal }) => Promise<Registration>;
/** Save the replies to START, STOP, and HELP; they take effect immediately for an active sender */
put_compliance_keyword_responses: (input: { params: { 'id': string }; body: KeywordSectionInput; signal?: AbortSignal }) => Promise<Registration>;
/** Save how people opt in */
put_signup_options: (input: { params: { 'id': string }; body: SignupSectionInput; signal?: AbortSignal }) => Promise<Registration>;
/** Save the details for The Campaign Registry */
put_tcr: (input: { params: { 'id': string }; body: TcrSectionInput; signal?: AbortSignal }) => Promise<Registration>;
/** Save the details for toll-free verification */
put_toll_free: (input: { params: { 'id': string }; body: TollFreeSectionInput; signal?: AbortSignal }) => Promise<Registration>;
/** Remove a document */
remove_required_attachment: (input: { params: { 'id': string; 'attachment_id': string }; signal?: AbortSignal }) => Promise<void>;
/** Submit or resubmit a sender for review */
submit: (input: { params: { 'id': string }; body?: SendersSubmitBody; signal?: AbortSignal }) => Promise<(ListedSender) & ({
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
};
})>;
/** List numbers that can become WhatsApp senders: verified numbers, and numbers the account sends SMS from */
list_own_numbers: (input?: { signal?: AbortSignal }) => Promise<(OwnNumber)[]>;
/** Save the WhatsApp form: company, number, and profile; omitted fields keep their values */
put_whatsapp: (input: { params: { 'id': string }; body?: SendersPutWhatsappBody; signal?: AbortSignal }) => Promise<Registration>;
/** Save the Viber form: company, traffic, and examples; omitted fields keep their values */
put_viber: (input: { params: { 'id': string }; body?: SendersPutViberBody; signal?: AbortSignal }) => Promise<Registration>;
/** Attach the logo (a PNG of exactly 640 x 640 pixels) or a document; a new file replaces the old file */
put_whatsapp_attachments: (input: { params: { 'id': string }; body: {
'kind': "logo_640x640" | "company_register" | "other";
/** The file. */
'file': Blob;
/** Optional. Additional fields, as one JSON object. */
'data'?: string;
}; signal?: AbortSignal }) => Promise<Attachment>;
/** Attach the warranty letter (PDF), a logo (PNG in the exact size), or a document; a new file replaces the old file */
put_viber_attachments: (input: { params: { 'id': string }; body: {
'kind': "warranty_letter" | "logo_360x280" | "logo_256x256" | "logo_130x130" | "logo_100x100" | "logo_65x65" | "logo_50x50" | "industry_letter" | "other";
/** The file. */
'file': Blob;
/** Optional. Additional fields, as one JSON object. */
'data'?: string;
}; signal?: AbortSignal }) => Promise<Attachment>;
/** Update the profile of an active WhatsApp sender; omitted fields keep their values. Get the sender to see whether WhatsApp accepted the changes */
put_profile: (input: { params: { 'id': string }; body?: SendersPutProfileBody; signal?: AbortSignal }) => Promise<Registration>;
/** Request a WhatsApp verification code for the number, by SMS or call */
create_carrier_code: (input: { params: { 'id': string }; body?: SendersCreateCarrierCodeBody; signal?: AbortSignal }) => Promise<NumberVerification>;
/** Verify the number with the WhatsApp code and register it */
give_carrier_code: (input: { params: { 'id': string }; body: SendersGiveCarrierCodeBody; signal?: AbortSignal }) => Promise<NumberVerification>;
/** Block a contact for this sender */
create_blocker: (input: { params: { 'id': string }; body: SendersCreateBlockerBody; idempotency_key?: string; signal?: AbortSignal }) => Promise<StopListEntry>;
/** Unblock a contact for this sender */
remove_blocker: (input: { params: { 'id': string; 'blocker_id': string }; signal?: AbortSignal }) => Promise<void>;
/** List the members of a number pool, starting with the sender’s own number. Empty if the sender has no pool */
list_members: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<(SenderMember)[]>;
/** Replace the members of a number pool; an empty list dissolves the pool */
put_members: (input: { params: { 'id': string }; body: SendersPutMembersBody; signal?: AbortSignal }) => Promise<(SenderMember)[]>;
};
sender_rules: {
/** List sender rules by country: types, registration, documents, review times, and quiet hours */
list: (input?: { query?: { 'channel'?: "SMS" | "WHATSAPP" | "VIBER"; 'filter[countries]'?: (string)[] }; signal?: AbortSignal }) => Promise<(SenderRule)[]>;
};
numbers: {
/** List the types, countries, and cities of available numbers, with their prices */
list_places: (input?: { signal?: AbortSignal }) => Promise<({
/** The type of the object. */
'type': "local" | "mobile" | "toll_free";
/** The country code (ISO 3166-1 alpha-2), in uppercase. */
'country': string;
'cities': (string)[];
/** The number. */
'count': number;
/** The currency code (ISO 4217). */
'currency': "USD" | "EUR" | "AMD" | "RUB" | "AED";
/** An amount in millionths of the currency. */
'setup_micros': number;
/** An amount in millionths of the currency. */
'monthly_micros': number;
})[]>;
/** List available numbers, with prices in the account’s currency */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[type]'?: "local" | "mobile" | "toll_free" | "short_code" | "alphanumeric"; 'filter[country]'?: string; 'filter[city]'?: string; 'filter[search]'?: string; 'type'?: "local" | "mobile" | "toll_free" | "short_code" | "alphanumeric"; 'country'?: string; 'city'?: string }; signal?: AbortSignal }) => Promise<Page<FreeNumber>>;
};
audiences: {
/** Count the people who match a set of conditions */
count: (input: { body: AudiencesCountBody; signal?: AbortSignal }) => Promise<AudiencesCountResult>;
/** Create an audience, optionally with up to 1,000 contacts */
create: (input: { body: AudiencesCreateBody; idempotency_key?: string; signal?: AbortSignal }) => Promise<(Audience) & ({
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
'contacts': string;
};
})>;
/** Get an audience */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<(Audience) & ({
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
'contacts': string;
};
})>;
/** List audiences, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[search]'?: string; 'filter[name]'?: string; 'filter[channel]'?: (string)[]; 'sort'?: "name" | "-name" | "contacts_count" | "-contacts_count" | "create_date" | "-create_date" | "update_date" | "-update_date" }; signal?: AbortSignal }) => Promise<Page<(Audience) & ({
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
'contacts': string;
};
})>>;
/** Delete an audience and its contacts */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
/** Rename an audience, or change the conditions of a dynamic audience */
update: (input: { params: { 'id': string }; body: AudiencesUpdateBody; signal?: AbortSignal }) => Promise<(Audience) & ({
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
'contacts': string;
};
})>;
};
contacts: {
/** Add a contact */
create: (input: { params: { 'id': string }; body: ContactInput; idempotency_key?: string; signal?: AbortSignal }) => Promise<(Contact) & ({
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
'audience': string;
};
})>;
/** Get a contact */
get: (input: { params: { 'id': string; 'contact_id': string }; signal?: AbortSignal }) => Promise<(Contact) & ({
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
'audience': string;
};
})>;
/** List the contacts in an audience. Search matches the start of a number or any part of a name */
list: (input: { params: { 'id': string }; query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[search]'?: string; 'sort'?: "number" | "-number" | "first_name" | "-first_name" | "last_name" | "-last_name" | "create_date" | "-create_date" }; signal?: AbortSignal }) => Promise<Page<(Contact) & ({
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
'audience': string;
};
})>>;
/** Remove a contact from an audience */
remove: (input: { params: { 'id': string; 'contact_id': string }; signal?: AbortSignal }) => Promise<void>;
/** Update a contact’s name, fields, and tags */
update: (input: { params: { 'id': string; 'contact_id': string }; body?: ContactsUpdateBody; signal?: AbortSignal }) => Promise<(Contact) & ({
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
'audience': string;
};
})>;
};
consents: {
/** Record that a person gave or withdrew consent */
create: (input: { params: { 'id': string }; body: ConsentsCreateBody; idempotency_key?: string; signal?: AbortSignal }) => Promise<Consent>;
/** Get the consent state of a number at a given time, for each channel and purpose */
state: (input: { params: { 'id': string }; query?: { 'date'?: string }; signal?: AbortSignal }) => Promise<ConsentsStateResult>;
/** List the consents of a person or phone number, newest first. Pass the ID or the number */
list: (input: { params: { 'id': string }; query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string }; signal?: AbortSignal }) => Promise<Page<Consent>>;
};
keywords: {
/** Add a keyword at the end. An account can have 100 */
create: (input: { body: KeywordsCreateBody; idempotency_key?: string; signal?: AbortSignal }) => Promise<Keyword>;
/** List the account’s keywords in order */
list: (input?: { signal?: AbortSignal }) => Promise<(Keyword)[]>;
/** Delete a keyword */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
/** Change a keyword, turn it on or off, or move it. Omitted fields stay unchanged */
update: (input: { params: { 'id': string }; body?: KeywordsUpdateBody; signal?: AbortSignal }) => Promise<Keyword>;
};
contact_fields: {
/** Add a contact field */
create: (input: { body: ContactFieldsCreateBody; idempotency_key?: string; signal?: AbortSignal }) => Promise<ContactField>;
/** List your own contact fields, by label */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string }; signal?: AbortSignal }) => Promise<Page<ContactField>>;
/** Delete a field and its values */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
/** Change the label or the choices of a field */
update: (input: { params: { 'id': string }; body?: ContactFieldsUpdateBody; signal?: AbortSignal }) => Promise<ContactField>;
};
people: {
/** Add a person without an audience */
create: (input: { body: ContactInput; idempotency_key?: string; signal?: AbortSignal }) => Promise<PersonDetail>;
/** Get a person by ID or number, with their audiences */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<PersonDetail>;
/** List people, newest first. Search matches the start of a number or any part of a name */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[search]'?: string; 'filter[tag]'?: string }; signal?: AbortSignal }) => Promise<Page<Person>>;
/** Change a person in all audiences. Tags replace the existing ones */
update: (input: { params: { 'id': string }; body?: ContactsUpdateBody; signal?: AbortSignal }) => Promise<PersonDetail>;
};
person_merges: {
/** Merge another person and their number into this person */
create: (input: { params: { 'id': string }; body: PersonMergesCreateBody; idempotency_key?: string; signal?: AbortSignal }) => Promise<PersonMerge>;
/** List the merges of a person, newest first */
list: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<(PersonMerge)[]>;
/** Undo a merge. Values changed since then are kept */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
};
person_duplicates: {
/** List up to 20 possible duplicates: people with the same first and last name */
list: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<(Person)[]>;
};
person_timeline: {
/** Get the audiences, consents, latest campaigns, and latest notes of a person or phone number */
summary: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<PersonSummary>;
/** List the history of a person or phone number, newest first */
list: (input: { params: { 'id': string }; query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[kinds]'?: (string)[] }; signal?: AbortSignal }) => Promise<Page<PersonTimelineEntry> & {
'hidden': ("message" | "click" | "consent" | "note" | "erasure")[];
}>;
};
person_erasures: {
/** Erase a person or phone number. Its content is deleted, and proof is kept. This cannot be undone */
create: (input: { params: { 'id': string }; body: PersonErasuresCreateBody; idempotency_key?: string; signal?: AbortSignal }) => Promise<PersonErasure>;
/** Get the latest erasure of a person or phone number, and anything that prevents another one */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<PersonErasureState>;
};
person_records: {
/** List everything stored about a person: details, audiences, stop list, and timeline */
list: (input: { params: { 'id': string }; query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string }; signal?: AbortSignal }) => Promise<Page<PersonRecord>>;
};
audience_imports: {
/** Cancel an unfinished import. None of its contacts are saved */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
/** Upload a file of contacts */
create: (input: { body: {
/** The ID of the audience. */
'audience_id'?: string;
/** The name. */
'name'?: string;
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER";
'start'?: string;
'default_country'?: string;
'existing'?: "update" | "merge" | "skip";
/** The file. */
'file': Blob;
/** Optional. Additional fields, as one JSON object. */
'data'?: string;
}; signal?: AbortSignal }) => Promise<AudienceImport>;
/** Get an import with its counts */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<AudienceImport>;
/** List imports, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[audience_id]'?: string; 'sort'?: "filename" | "-filename" | "status" | "-status" | "audience_name" | "-audience_name" | "total_rows" | "-total_rows" | "create_date" | "-create_date" }; signal?: AbortSignal }) => Promise<Page<AudienceImport>>;
/** Start an import with the chosen columns, or preview the file again with another encoding or delimiter */
update: (input: { params: { 'id': string }; body?: AudienceImportsUpdateBody; signal?: AbortSignal }) => Promise<AudienceImport>;
/** Undo a completed import */
undo: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<AudienceImport>;
};
refused_rows: {
/** Download the rejected rows as a CSV file with the source file’s delimiter. Columns: line, reason, original row */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<Response>;
};
import_rows: {
/** List the rows of a completed import that were skipped or shortened, with the reasons */
list: (input: { params: { 'id': string }; query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[kind]'?: "invalid" | "duplicate" | "shortened" }; signal?: AbortSignal }) => Promise<Page<ImportRow>>;
};
stop_list: {
/** Add a number to the stop list, for one sender or for all senders */
create: (input: { body: StopListCreateBody; idempotency_key?: string; signal?: AbortSignal }) => Promise<StopListEntry>;
/** Add the numbers in a file to the stop list */
import: (input: { body: {
'default_country'?: string;
/** The file. */
'file': Blob;
/** Optional. Additional fields, as one JSON object. */
'data'?: string;
}; signal?: AbortSignal }) => Promise<StopListImportResult>;
/** List the numbers on the stop list, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[search]'?: string; 'filter[sender_id]'?: string; 'sort'?: "number" | "-number" | "create_date" | "-create_date" }; signal?: AbortSignal }) => Promise<Page<StopListEntry>>;
/** Remove a number from the stop list */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
};
media: {
/** Upload a file in one call, as multipart/form-data */
create: (input: { body: {
/** The name of the file. */
'file_name'?: string;
/** The type of the object. */
'type': "image" | "video" | "document";
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER" | null;
'directory'?: string;
'width'?: number | null;
'height'?: number | null;
/** The file. */
'file': Blob;
/** Optional. Additional fields, as one JSON object. */
'data'?: string;
}; signal?: AbortSignal }) => Promise<Media>;
/** Request an upload, then PUT the file to the `put_url` in the response */
create_slot: (input: { body: MediaCreateSlotBody; signal?: AbortSignal }) => Promise<UploadSlot>;
/** Get a file and its URLs */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<Media>;
/** Delete an unused file; its URLs expire immediately */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
/** Renew the URLs of an upload whose `put_url` has expired; uploaded bytes are kept */
renew_slot: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<UploadSlot>;
};
templates: {
/** Create a template; WhatsApp and Viber templates are submitted for review immediately */
create: (input: { body: TemplatesCreateBody; idempotency_key?: string; signal?: AbortSignal }) => Promise<(Template) & ({
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
};
})>;
/** Get a template and where it is used */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<(TemplatesGetResult) & ({
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
};
})>;
/** List templates, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[channel]'?: "SMS" | "WHATSAPP" | "VIBER"; 'filter[status]'?: "IN_PROCESS" | "COMPLETED" | "CANCELED"; 'filter[statuses]'?: (string)[]; 'filter[name]'?: string; 'filter[sender_code]'?: string; 'filter[wa_categories]'?: (string)[]; 'filter[types]'?: (string)[]; 'sort'?: "name" | "-name" | "wa_category" | "-wa_category" | "status" | "-status" | "create_date" | "-create_date" }; signal?: AbortSignal }) => Promise<Page<(Template) & ({
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
};
})>>;
/** Delete a template that is not under review; sent messages keep their text */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
/** Update a template; omitted fields keep their values. Changes are reviewed if the channel requires it */
update: (input: { params: { 'id': string }; body?: TemplatesUpdateBody; signal?: AbortSignal }) => Promise<(Template) & ({
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
};
})>;
};
template_syncs: {
/** Sync the account’s WhatsApp templates with WhatsApp */
create: (input?: { body?: SendersSubmitBody; signal?: AbortSignal }) => Promise<TemplateSyncsCreateResult>;
};
balances: {
/** Get the account’s balance */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<Balance>;
};
ledger: {
/** List ledger entries, newest first, each with the resulting balance */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[kinds]'?: (string)[]; 'filter[campaign_id]'?: string; 'filter[from]'?: string; 'filter[to]'?: string }; signal?: AbortSignal }) => Promise<Page<LedgerEntry>>;
};
payments: {
/** Get a payment */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<Payment>;
/** List payments, newest first. Card payments appear once the provider has received the money */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[statuses]'?: (string)[]; 'filter[types]'?: (string)[] }; signal?: AbortSignal }) => Promise<Page<Payment>>;
};
alerts: {
/** Get the credit alert. Its ID is the ID of the account */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<CreditAlert>;
/** Save the credit alert: amounts, email addresses, and users who get text messages */
save: (input: { params: { 'id': string }; body: AlertsSaveBody; signal?: AbortSignal }) => Promise<CreditAlert>;
};
invoices: {
/** Download an invoice or credit note as an electronic invoice (UBL 2.1, EN 16931) */
export: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<Response>;
/** Get an invoice with its seller and buyer */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<InvoiceDetails>;
/** Get a link to the invoice as a PDF. The link works for ten minutes */
link: (input: { params: { 'id': string }; query?: { 'filter[account_id]'?: string }; signal?: AbortSignal }) => Promise<InvoicesLinkResult>;
/** List invoices and credit notes, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[types]'?: (string)[] }; signal?: AbortSignal }) => Promise<Page<Invoice>>;
};
rates: {
/** List changes to your prices, newest first. A standard price is left out while a custom price applies */
list_changes: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[channel]'?: "SMS" | "WHATSAPP" | "VIBER"; 'filter[country]'?: string; 'filter[network]'?: string; 'filter[from]'?: string; 'filter[to]'?: string }; signal?: AbortSignal }) => Promise<Page<RateChange>>;
/** Download the prices by country and network, as CSV or XLSX */
export: (input?: { query?: { 'format'?: "csv" | "xlsx"; 'rate_mode'?: "ACCOUNT"; 'date'?: string; 'filter[channel]'?: "SMS" | "WHATSAPP" | "VIBER"; 'filter[country]'?: string }; signal?: AbortSignal }) => Promise<Response>;
/** List prices by country and network */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[channel]'?: "SMS" | "WHATSAPP" | "VIBER"; 'filter[country]'?: string; 'rate_mode'?: "ACCOUNT" }; signal?: AbortSignal }) => Promise<Page<Rate>>;
};
statements: {
/** Download a monthly statement as CSV, or as PDF once the month has ended */
export: (input: { params: { 'month': string }; query?: { 'format'?: "csv" | "pdf"; 'filter[account_id]'?: string }; signal?: AbortSignal }) => Promise<Response>;
/** Get a monthly statement with its totals by type */
get: (input: { params: { 'month': string }; query?: { 'filter[account_id]'?: string }; signal?: AbortSignal }) => Promise<Statement>;
/** List the monthly statements of your account or a sub-account, newest first */
list: (input?: { query?: { 'filter[account_id]'?: string }; signal?: AbortSignal }) => Promise<(StatementMonth)[]>;
};
link_domains: {
/** Add your own domain for short links */
create: (input: { body: LinkDomainsCreateBody; signal?: AbortSignal }) => Promise<LinkDomain>;
/** List your own domains for short links */
list: (input?: { signal?: AbortSignal }) => Promise<(LinkDomain)[]>;
/** Delete a domain. Links on this domain stop working */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
/** Verify a domain by its DNS record */
verify: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<LinkDomain>;
};
short_urls: {
/** Create a short link */
create: (input: { body: ShortUrlsCreateBody; idempotency_key?: string; signal?: AbortSignal }) => Promise<ShortUrl>;
/** Get a short link with its clicks */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<ShortUrl>;
/** Get the clicks on one or all links over time and by device, referrer, and country */
stat: (input?: { query?: { 'filter[id]'?: string; 'filter[campaign_id]'?: string; 'filter[from]'?: string; 'filter[to]'?: string }; signal?: AbortSignal }) => Promise<ShortUrlStat>;
/** List short links, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[search]'?: string; 'filter[sources]'?: ("manual" | "api" | "message" | "campaign")[]; 'filter[tag]'?: string; 'filter[campaign_id]'?: string; 'filter[archived]'?: "true" | "false"; 'sort'?: "create_date" | "-create_date" }; signal?: AbortSignal }) => Promise<Page<ShortUrl>>;
/** Delete a short link with its clicks. Its short URL stops working */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
/** Change the destination, name, tags, limits, or password of a short link, or archive it */
update: (input: { params: { 'id': string }; body?: ShortUrlsUpdateBody; signal?: AbortSignal }) => Promise<ShortUrl>;
};
limits: {
/** Create a limit. It counts messages from now on */
create: (input: { body: LimitsCreateBody; signal?: AbortSignal }) => Promise<Limit>;
/** Get a limit with its current count */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<Limit>;
/** List the limits, including those inherited from the parent company, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string }; signal?: AbortSignal }) => Promise<Page<Limit>>;
/** Delete a limit */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
/** Change a limit. If you change what it counts, its count restarts */
update: (input: { params: { 'id': string }; body?: LimitsUpdateBody; signal?: AbortSignal }) => Promise<Limit>;
};
violations: {
/** List limit violations, including those of sub-accounts for inherited limits, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[limit_id]'?: string; 'filter[active]'?: "true" | "false" }; signal?: AbortSignal }) => Promise<Page<Violation>>;
};
limit_suggestions: {
/** Suggest a value for a limit, based on the traffic from the last 15 days */
create: (input: { body: LimitSuggestionsCreateBody; signal?: AbortSignal }) => Promise<LimitSuggestion>;
};
country_back_tests: {
/** Test a list of countries on the messages of the last 90 days without saving it */
create: (input: { body: CountryBackTestsCreateBody; signal?: AbortSignal }) => Promise<CountryBackTest>;
};
limit_back_tests: {
/** Test a limit on the messages of the last 90 days without saving it */
create: (input: { body: LimitBackTestsCreateBody; signal?: AbortSignal }) => Promise<BackTest>;
};
traffic_back_tests: {
/** Test settings of fraud protection on the messages of the last 90 days without saving them */
create: (input: { body: TrafficBackTestsCreateBody; signal?: AbortSignal }) => Promise<TrafficBackTest>;
};
country_blacklist: {
/** Get the blocked countries */
get: (input?: { signal?: AbortSignal }) => Promise<CountryBlacklist>;
/** Replace the blocked countries. Waiting messages to these countries are canceled */
save: (input: { params: { 'id': string }; body: CountryBlacklistSaveBody; signal?: AbortSignal }) => Promise<CountryBlacklist>;
};
allowed_countries: {
/** Get the allowed countries */
get: (input?: { signal?: AbortSignal }) => Promise<AllowedCountries>;
/** Replace the allowed countries. Waiting messages to other countries are canceled */
save: (input: { body: AllowedCountriesSaveBody; signal?: AbortSignal }) => Promise<AllowedCountries>;
};
send_approvals: {
/** Request approval for a message that an API key may not send without it */
create: (input: { body: SendApprovalsCreateBody; signal?: AbortSignal }) => Promise<SendApproval>;
};
api_requests: {
/** Get a request, with the request and response bodies */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<ApiRequestDetail>;
/** List the requests made with API keys, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[search]'?: string; 'filter[key_ids]'?: (string)[]; 'filter[methods]'?: (string)[]; 'filter[outcomes]'?: (string)[]; 'filter[code]'?: number; 'filter[created_date_start]'?: string; 'filter[created_date_end]'?: string }; signal?: AbortSignal }) => Promise<Page<ApiRequest>>;
};
messages: {
/** Cancel a message that has not been sent yet */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
/** Get a message with its timeline */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<MessageDetail>;
/** Send a message to 1 to 10 recipients; either all are accepted or none */
create: (input: { body: SendApprovalsCreateBody; idempotency_key?: string; signal?: AbortSignal }) => Promise<(Message)[]>;
/** List messages, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[countries]'?: (string)[]; 'filter[sender_ids]'?: (string)[]; 'filter[campaign_ids]'?: (string)[]; 'filter[statuses]'?: (string)[]; 'filter[direction]'?: "MT" | "MO"; 'filter[channel]'?: "SMS" | "WHATSAPP" | "VIBER"; 'filter[source]'?: "api" | "smpp" | "campaign" | "inbox" | "reply" | "test" | "phone" | "phone_app" | "verification"; 'filter[wa_categories]'?: (string)[]; 'filter[verification_statuses]'?: (string)[]; 'filter[networks]'?: (string)[]; 'filter[user_ids]'?: (string)[]; 'filter[key_ids]'?: (string)[]; 'filter[failures]'?: (string)[]; 'filter[template_ids]'?: (string)[]; 'filter[hold_id]'?: string; 'filter[charge]'?: "none" | "held" | "settled" | "released"; 'filter[from]'?: string; 'filter[to]'?: string; 'filter[to_prefix]'?: string; 'filter[created_date_start]'?: string; 'filter[created_date_end]'?: string; 'count'?: "exact"; 'sort'?: "create_date" | "-create_date" }; signal?: AbortSignal }) => Promise<Page<LoggedMessage>>;
/** Change the time of a scheduled message, or send it now */
update: (input: { params: { 'id': string }; body: MessagesUpdateBody; signal?: AbortSignal }) => Promise<Message>;
};
carrier_recording: {
/** Get whether the carrier payloads of messages are recorded */
get: (input?: { signal?: AbortSignal }) => Promise<CarrierRecording>;
/** Record the carrier payloads of the next messages. A new recording replaces the current one */
start: (input?: { body?: CarrierRecordingStartBody; signal?: AbortSignal }) => Promise<CarrierRecording>;
/** Stop recording carrier payloads. Recorded ones stay until they expire */
stop: (input?: { signal?: AbortSignal }) => Promise<void>;
};
carrier_payloads: {
/** List the recorded exchange with the carrier of a message, oldest first */
list: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<(CarrierPayload)[]>;
};
refused_calls: {
/** List refused calls to send messages from the last 30 days, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[code]'?: number; 'filter[created_date_start]'?: string; 'filter[created_date_end]'?: string }; signal?: AbortSignal }) => Promise<Page<RefusedCall>>;
};
message_rehearsals: {
/** Rehearse a message: its texts, segments, and price, or the reasons it would be refused */
create: (input: { body: SendApprovalsCreateBody; signal?: AbortSignal }) => Promise<MessageRehearsal>;
};
test_messages: {
/** Get a message sent with a test key, with its timeline */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<MessageDetail>;
/** List the messages sent with test keys in the last 30 days, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[countries]'?: (string)[]; 'filter[sender_ids]'?: (string)[]; 'filter[campaign_ids]'?: (string)[]; 'filter[statuses]'?: (string)[]; 'filter[direction]'?: "MT" | "MO"; 'filter[channel]'?: "SMS" | "WHATSAPP" | "VIBER"; 'filter[source]'?: "api" | "smpp" | "campaign" | "inbox" | "reply" | "test" | "phone" | "phone_app" | "verification"; 'filter[wa_categories]'?: (string)[]; 'filter[verification_statuses]'?: (string)[]; 'filter[networks]'?: (string)[]; 'filter[user_ids]'?: (string)[]; 'filter[key_ids]'?: (string)[]; 'filter[failures]'?: (string)[]; 'filter[template_ids]'?: (string)[]; 'filter[hold_id]'?: string; 'filter[charge]'?: "none" | "held" | "settled" | "released"; 'filter[from]'?: string; 'filter[to]'?: string; 'filter[to_prefix]'?: string; 'filter[created_date_start]'?: string; 'filter[created_date_end]'?: string; 'count'?: "exact"; 'sort'?: "create_date" | "-create_date" }; signal?: AbortSignal }) => Promise<Page<LoggedMessage>>;
};
segmentation: {
/** Get the rules that divide texts into segments, for one recipient or for all recipients with the same rules */
get: (input?: { query?: { 'to'?: string }; signal?: AbortSignal }) => Promise<Segmentation>;
};
verifications: {
/** Check a code. The list is empty if the code is wrong, expired, or already used */
check: (input: { query: { 'phone': string | number; 'code': string | number }; signal?: AbortSignal }) => Promise<Page<SentCode>>;
/** Send a verification code. It replaces an earlier code to the same phone */
create: (input?: { body?: VerificationsCreateBody; idempotency_key?: string; signal?: AbortSignal }) => Promise<SentCode>;
/** Get the number of codes sent and entered, by day, country, and channel */
conversion: (input?: { query?: { 'days'?: number }; signal?: AbortSignal }) => Promise<Conversion>;
/** List the codes of the last 30 days, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[phone]'?: string; 'filter[statuses]'?: (string)[]; 'filter[countries]'?: (string)[]; 'filter[channel]'?: "SMS" | "WHATSAPP" | "VIBER" }; signal?: AbortSignal }) => Promise<Page<SentCode>>;
/** Check a code, like the GET call, but with the code in the body instead of the URL */
submit: (input: { body: VerificationsSubmitBody; signal?: AbortSignal }) => Promise<VerificationsSubmitResult>;
/** Get the fraud protection settings for verification codes */
get_protection: (input?: { signal?: AbortSignal }) => Promise<FraudProtection>;
/** List the number ranges and countries with signs of fraud, and whether they get codes, newest first */
list_stops: (input?: { signal?: AbortSignal }) => Promise<(VerificationStop)[]>;
/** Set the action for each sign of fraud: none, notify the owners, or stop codes to the destination */
save_protection: (input: { body: CodeBackTestsCreateBody; signal?: AbortSignal }) => Promise<FraudProtection>;
};
traffic_protection: {
/** Get the fraud protection settings for messages */
get: (input?: { signal?: AbortSignal }) => Promise<TrafficProtection>;
/** Set the fraud protection settings for messages: off, notify, or block */
save: (input: { body: TrafficBackTestsCreateBody; signal?: AbortSignal }) => Promise<TrafficProtection>;
};
traffic_stops: {
/** List the destinations whose messages show signs of fraud, and whether they get messages, newest first */
list: (input?: { signal?: AbortSignal }) => Promise<(TrafficStop)[]>;
};
code_back_tests: {
/** Test fraud protection settings on the codes of the last 90 days without saving them */
create: (input: { body: CodeBackTestsCreateBody; signal?: AbortSignal }) => Promise<TrafficBackTest>;
};
opt_in_forms: {
/** Create a public page where people join an audience */
create: (input: { body: OptInFormsCreateBody; idempotency_key?: string; signal?: AbortSignal }) => Promise<OptInForm>;
/** Get an opt-in form */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<OptInForm>;
/** Get the views, entered numbers, and confirmations of an opt-in form by day */
stat: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<OptInFormStat>;
/** List opt-in forms, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[audience_id]'?: string }; signal?: AbortSignal }) => Promise<Page<OptInForm>>;
/** Delete an opt-in form. Its page stops working. People and their consents are kept */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
/** Change an opt-in form, or pause it. The page’s address does not change */
update: (input: { params: { 'id': string }; body?: OptInFormsUpdateBody; signal?: AbortSignal }) => Promise<OptInForm>;
};
campaigns: {
/** Get a campaign with its current counts */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<Campaign>;
/** List campaigns, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[channel]'?: "SMS" | "WHATSAPP" | "VIBER"; 'filter[search]'?: string; 'filter[name]'?: string; 'filter[statuses]'?: (string)[]; 'filter[approvals]'?: (string)[]; 'filter[tags]'?: (string)[]; 'filter[archived]'?: "false" | "true" | "all"; 'filter[series_id]'?: string; 'filter[automations]'?: "true"; 'sort'?: "name" | "-name" | "status" | "-status" | "start_date" | "-start_date" | "cost_micros" | "-cost_micros" | "create_date" | "-create_date" }; signal?: AbortSignal }) => Promise<Page<Campaign>>;
/** Delete a campaign that is not running; its messages stay in the message log */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
/** Create a campaign and start it now or at its scheduled time */
create: (input?: { body?: CampaignsCreateBody; idempotency_key?: string; signal?: AbortSignal }) => Promise<Campaign>;
/** Update, start, pause, resume, or cancel a campaign */
update: (input: { params: { 'id': string }; body?: CampaignsUpdateBody; signal?: AbortSignal }) => Promise<Campaign>;
};
campaign_retries: {
/** Retry the failed recipients of a campaign */
create: (input: { params: { 'id': string }; idempotency_key?: string; signal?: AbortSignal }) => Promise<CampaignRetriesCreateResult>;
};
campaign_imports: {
/** Create a campaign for the contacts in a file */
create: (input: { body: {
/** The name. */
'name'?: string;
'tags'?: (string)[];
'note'?: string;
/** The sender: its name, code, or ID. */
'from'?: string | null;
/** The text. */
'text'?: string;
/** The ID of the template. */
'template'?: string | null;
'session_text'?: string | null;
/** The type of the object. */
'type'?: string | null;
/** The ID of an uploaded file. */
'media_id'?: string | null;
/** The URL. */
'url'?: string | null;
/** The name of the file. */
'file_name'?: string | null;
/** The button below the text. */
'button'?: {
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
} | null;
'buttons'?: ({
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
})[] | null;
/** The purpose, which can determine the price. */
'purpose'?: string | null;
/** The values of the placeholders, in order. */
'variables'?: (string)[] | null;
/** Up to three additional channels, each with a trigger and a wait. */
'fallbacks'?: ({
/** The channel of the message. */
'channel': "SMS" | "WHATSAPP" | "VIBER";
/** The sender: its name, code, or ID. */
'from'?: string | null;
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
/** The ID of the template. */
'template'?: string | null;
/** The values of the placeholders, in order. */
'variables'?: (string | number | null)[] | null;
/** The ID of an uploaded file. */
'media_id'?: string | null;
/** The URL. */
'url'?: string | null;
/** The name of the file. */
'file_name'?: string | null;
'reply_to'?: string | null;
/** The name of the file. */
'filename'?: string | null;
/** The button below the text. */
'button'?: {
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
} | null;
'buttons'?: ({
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
})[] | null;
/** What the button does. */
'button_type'?: string | null;
/** The label of the button. */
'button_text'?: string | null;
/** The URL or phone number that the button opens. */
'button_value'?: string | null;
'location'?: {
'latitude': number;
'longitude': number;
/** The name. */
'name'?: string | null;
'address'?: string | null;
} | null;
'contacts'?: ({
/** The name. */
'name': string;
'phones'?: (string)[] | null;
'emails'?: (string)[] | null;
})[] | null;
'list'?: {
/** The button below the text. */
'button': string;
'rows': ({
/** The text. */
'text': string;
'description'?: string | null;
'value'?: string | null;
})[];
} | null;
/** The purpose, which can determine the price. */
'purpose'?: string | null;
/** When the fallback is sent: `undelivered` (the default), `unread`, or `failed`. */
'trigger'?: string | null;
/** Seconds between the submission and the fallback. */
'wait_seconds'?: number | null;
})[] | null;
/** Country codes (ISO 3166-1 alpha-2), in uppercase. */
'countries'?: (string)[] | null;
/** Seconds after which an undelivered message expires. */
'validity_seconds'?: number;
/** The scheduled time, in UTC. */
'schedule'?: string | null;
'timing'?: {
'local_time'?: boolean;
'windows'?: ({
'days': (number)[];
/** The sender: its name, code, or ID. */
'from': string;
'until': string;
})[];
'quiet_hours'?: "account" | "legal" | "none";
'rate'?: {
'messages': number;
'per': "second" | "hour";
} | null;
'spread_hours'?: number | null;
'missed_schedule'?: "pause" | "send" | "skip";
};
'repeat'?: {
'every': "day" | "week" | "month";
'interval'?: number;
'days'?: (number)[];
'until'?: string | null;
/** The number. */
'count'?: number | null;
} | null;
/** When the fallback is sent: `undelivered` (the default), `unread`, or `failed`. */
'trigger'?: {
'on': "joined" | "date" | "no_reply" | "keyword";
'imports'?: boolean;
'field'?: string | null;
'offset_days'?: number;
'time'?: string;
'yearly'?: boolean;
/** The ID of the campaign. */
'campaign_id'?: string | null;
'wait_days'?: number;
'keyword_id'?: string | null;
'reentry'?: "once" | "days" | "every";
'reentry_days'?: number;
} | null;
'safety'?: {
'canary'?: {
'recipients'?: number | null;
'percent'?: number | null;
'wait_minutes'?: number;
} | null;
'limits'?: {
'failed_percent'?: number | null;
'opt_out_percent'?: number | null;
'complaint_percent'?: number | null;
};
'lookup'?: boolean;
'lookup_countries'?: (string)[] | null;
};
/** True for a free test message to your own phones. */
'test'?: {
'variants': ({
/** The text. */
'text'?: string;
/** The ID of the template. */
'template'?: string | null;
/** The type of the object. */
'type'?: string | null;
/** The ID of an uploaded file. */
'media_id'?: string | null;
/** The URL. */
'url'?: string | null;
/** The name of the file. */
'file_name'?: string | null;
/** The button below the text. */
'button'?: {
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
} | null;
'buttons'?: ({
/** The type of the object. */
'type'?: string | null;
/** The text. */
'text'?: string | null;
'value'?: string | null;
'caption'?: string | null;
/** The URL. */
'url'?: string | null;
})[] | null;
/** The purpose, which can determine the price. */
'purpose'?: string | null;
/** The values of the placeholders, in order. */
'variables'?: (string)[] | null;
})[];
'share_percent'?: number;
'wait_minutes'?: number;
'metric'?: "delivered" | "read" | "clicked" | "replied" | "opt_outs";
'automatic'?: boolean;
} | null;
/** The channel of the message. */
'channel'?: "SMS" | "WHATSAPP" | "VIBER";
'default_country'?: string;
/** The file. */
'file': Blob;
/** Optional. Additional fields, as one JSON object. */
'data'?: string;
}; signal?: AbortSignal }) => Promise<CampaignImport>;
/** Get the progress of a campaign for the contacts in a file */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<CampaignImport>;
};
campaign_previews: {
/** Preview a campaign without sending it: recipients, segments, cost, blockers, and warnings */
create: (input?: { body?: CampaignPreviewsCreateBody; signal?: AbortSignal }) => Promise<CampaignPreview>;
};
campaign_samples: {
/** Preview a text with its variables filled in for some contacts in an audience */
create: (input: { body: CampaignSamplesCreateBody; signal?: AbortSignal }) => Promise<CampaignSamplesCreateResult>;
};
recipients_file: {
/** Download the recipients in a bucket as a CSV file */
get: (input: { params: { 'id': string }; query?: { 'bucket'?: "all" | "waiting" | "sent" | "delivered" | "failed" | "canceled" }; signal?: AbortSignal }) => Promise<Response>;
};
campaign_recipients: {
/** List a campaign’s recipients with their status and response */
list: (input: { params: { 'id': string }; query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[bucket]'?: "all" | "waiting" | "sent" | "delivered" | "failed" | "canceled"; 'filter[statuses]'?: (string)[]; 'filter[response]'?: "replied" | "opted_out" | "clicked" | "none"; 'filter[search]'?: string }; signal?: AbortSignal }) => Promise<Page<CampaignRecipient>>;
};
campaign_skips: {
/** List the contacts that a campaign skipped, with the reason, except those that left the audience */
list: (input: { params: { 'id': string }; query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[reason]'?: "invalid" | "stop_list" | "no_route" | "no_price" | "too_long" | "no_text" | "no_value" | "content" | "country" | "country_blocked" | "recipient_limit" | "frequency_cap" | "duplicate" | "excluded" | "removed" | "no_window" | "missed" | "landline" | "not_in_use" | "no_session" | "canceled"; 'filter[search]'?: string }; signal?: AbortSignal }) => Promise<Page<SkippedContact>>;
/** Skip the next run of a repeating campaign */
create: (input: { params: { 'id': string }; body: CampaignSkipsCreateBody; signal?: AbortSignal }) => Promise<Campaign>;
};
campaign_audiences: {
/** Create an audience of a campaign’s recipients, or of the contacts it skipped */
create: (input: { params: { 'id': string }; body?: CampaignAudiencesCreateBody; idempotency_key?: string; signal?: AbortSignal }) => Promise<(Audience) & ({
/** Paths of related calls. */
'links': {
'self': string;
'account': string;
'contacts': string;
};
})>;
};
campaign_rehearsals: {
/** Rehearse a campaign: cost by network, example texts, and the contacts it would skip */
create: (input?: { body?: CampaignRehearsalsCreateBody; signal?: AbortSignal }) => Promise<CampaignRehearsal>;
};
test_campaigns: {
/** Get a test-key campaign with its current counts */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<Campaign>;
/** List test-key campaigns, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[channel]'?: "SMS" | "WHATSAPP" | "VIBER"; 'filter[search]'?: string; 'filter[statuses]'?: (string)[]; 'filter[series_id]'?: string }; signal?: AbortSignal }) => Promise<Page<Campaign>>;
};
campaign_winners: {
/** Choose the winner of an A/B test */
create: (input: { params: { 'id': string }; body: CampaignWinnersCreateBody; signal?: AbortSignal }) => Promise<Campaign>;
};
campaign_approvals: {
/** List the latest 100 requests to approve a campaign, newest first */
list: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<(ApprovalEntry)[]>;
};
campaign_calendar: {
/** Get the past and future starts of campaigns in up to 62 days, at most 1,000 */
get: (input: { query: { 'from': string; 'to': string; 'channel'?: "SMS" | "WHATSAPP" | "VIBER" }; signal?: AbortSignal }) => Promise<(CalendarEntry)[]>;
};
campaign_tags: {
/** List the 200 most frequently used campaign tags */
list: (input?: { signal?: AbortSignal }) => Promise<({
'tag': string;
'campaigns': number;
})[]>;
};
campaign_follow_ups: {
/** Draft a campaign for the recipients who did not reply */
create: (input: { params: { 'id': string }; idempotency_key?: string; signal?: AbortSignal }) => Promise<Campaign>;
};
campaign_results: {
/** Get a campaign’s replies, opt-outs, and results over time */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<CampaignResults>;
};
conversation_messages: {
/** List the messages in a conversation, newest first */
list: (input: { params: { 'id': string }; query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string }; signal?: AbortSignal }) => Promise<Page<ConversationMessage> & {
'is_active_conversation': boolean;
'is_viber_limit_active': boolean;
}>;
};
conversations: {
/** List the conversations that the caller may view, latest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[search]'?: string; 'filter[channels]'?: (string)[]; 'filter[sender_id]'?: string; 'filter[assignee_id]'?: string; 'filter[bucket]'?: "self" | "none" | "others"; 'filter[unread]'?: string; 'filter[mentioned]'?: string; 'filter[label_id]'?: string; 'filter[status]'?: (string)[]; 'filter[due]'?: "overdue" | "soon" }; signal?: AbortSignal }) => Promise<Page<Conversation>>;
};
utm_presets: {
/** Save UTM parameters. At least one must have a value */
create: (input: { body: UtmPresetsCreateBody; signal?: AbortSignal }) => Promise<UtmPreset>;
/** List the saved UTM parameters by name */
list: (input?: { signal?: AbortSignal }) => Promise<(UtmPreset)[]>;
/** Delete saved UTM parameters. Existing links do not change */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
};
balance_forecasts: {
/** Get the number of days the balance will last at the average spend of the last seven days */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<BalanceForecast>;
};
bulk_lookups: {
/** Create an audience from the results, tag the numbers, add them to the stop list, or remove them from the audience */
apply: (input: { params: { 'id': string }; body: BulkLookupsApplyBody; idempotency_key?: string; signal?: AbortSignal }) => Promise<BulkLookupsApplyResult>;
/** Look up the numbers in a file or an audience */
create: (input: { query?: { 'type'?: "HLR" }; body: {
'audience'?: string;
/** The file. */
'file': Blob;
/** Optional. Additional fields, as one JSON object. */
'data'?: string;
}; signal?: AbortSignal }) => Promise<BulkLookup>;
/** Get a bulk lookup */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<BulkLookup>;
/** List bulk lookups, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[search]'?: string }; signal?: AbortSignal }) => Promise<Page<BulkLookup>>;
/** Delete a bulk lookup and its results. Numbers not yet looked up are not charged */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
/** Pause or resume a bulk lookup */
update: (input: { params: { 'id': string }; body: BulkLookupsUpdateBody; signal?: AbortSignal }) => Promise<BulkLookup>;
};
number_lookups: {
/** Look up a phone number. You are charged only if it is found */
create: (input: { body: NumberLookupsCreateBody; idempotency_key?: string; signal?: AbortSignal }) => Promise<NumberLookup>;
/** Get the price of a lookup */
price: (input?: { signal?: AbortSignal }) => Promise<LookupPrice>;
/** Get a lookup */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<NumberLookup>;
/** List lookups, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[search]'?: string; 'filter[statuses]'?: ("pending" | "good" | "bad" | "landline" | "unknown")[]; 'filter[bulk_id]'?: string; 'sort'?: "create_date" | "-create_date" }; signal?: AbortSignal }) => Promise<Page<NumberLookup>>;
/** Delete a finished lookup */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
};
anomalies: {
/** Get an anomaly with the numbers that triggered it */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<Anomaly>;
/** List anomalies, newest first. Spend anomalies require permission to view payments */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[active]'?: "true" | "false"; 'filter[metric]'?: "error_rate" | "delivery_rate" | "volume" | "spend" | "latency" }; signal?: AbortSignal }) => Promise<Page<Anomaly>>;
};
anomaly_alerts: {
/** Get the settings of anomaly alerts */
get: (input?: { signal?: AbortSignal }) => Promise<AnomalyAlerts>;
/** Turn anomaly alerts on or off, and choose what they compare and who gets them */
save: (input: { body: AnomalyAlertsSaveBody; signal?: AbortSignal }) => Promise<AnomalyAlerts>;
};
inbox_reports: {
/** Get response times, resolution times, volume, and backlog for the last 7 days by default. Users who may view the conversations of other users see the figures of all users; all others see their own. A reopened conversation counts again */
get: (input?: { query?: { 'days'?: number; 'from'?: string; 'to'?: string; 'filter[channel]'?: "SMS" | "WHATSAPP" | "VIBER"; 'filter[agent_id]'?: "none" | string; 'filter[label_id]'?: string; 'filter[team_id]'?: string; 'by'?: "agent" | "label" | "team" | "channel" }; signal?: AbortSignal }) => Promise<InboxReport>;
};
reported_conversations: {
/** List the conversations counted in a report, latest first, for the last 7 days by default. Users who may view the conversations of other users see the figures of all users; all others see their own. A reopened conversation counts again */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[from]'?: string; 'filter[to]'?: string; 'filter[event]'?: "opened" | "answered" | "closed"; 'filter[channel]'?: "SMS" | "WHATSAPP" | "VIBER"; 'filter[agent_id]'?: "none" | string; 'filter[label_id]'?: string; 'filter[team_id]'?: string }; signal?: AbortSignal }) => Promise<Page<ReportedConversation>>;
};
charts: {
/** Get figures by day and by one dimension, for the last 7 days by default */
get: (input?: { query?: { 'days'?: number; 'from'?: string; 'to'?: string; 'filter[channel]'?: "SMS" | "WHATSAPP" | "VIBER"; 'by'?: "channel" | "country" | "network" | "sender" | "campaign" | "source" | "status" | "price" | "failure" | "user" | "key" }; signal?: AbortSignal }) => Promise<Charts>;
/** Get delivery by hour, reasons for failures, and delays by route and network */
get_delivery: (input?: { query?: { 'days'?: number; 'from'?: string; 'to'?: string; 'filter[channel]'?: "SMS" | "WHATSAPP" | "VIBER" }; signal?: AbortSignal }) => Promise<DeliveryCharts>;
};
vat_checks: {
/** Get the last check of an account’s VAT number */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<VatChecksGetResult>;
};
overdue: {
/** Get the amount the account owes, or null if nothing is overdue */
get: (input?: { signal?: AbortSignal }) => Promise<OverdueGetResult>;
};
announced_rates: {
/** List the announced changes to standard prices, earliest first, except where your custom prices apply */
list: (input?: { signal?: AbortSignal }) => Promise<(AnnouncedRate)[]>;
};
exports: {
/** Export the rows of a list to a file, with the filter, sort order, and columns of the screen */
create: (input: { body: ExportsCreateBody; idempotency_key?: string; signal?: AbortSignal }) => Promise<Export>;
/** List the exports of the lists that the caller may view, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[list]'?: "messages" | "contacts" | "person" | "stop_list" | "campaigns" | "campaign_recipients" | "conversations" | "reported_conversations" | "links" | "audit_log" | "users" | "payments" | "ledger" | "lookups" }; signal?: AbortSignal }) => Promise<Page<Export>>;
/** Delete an export and its file. An export in progress is canceled */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
/** Run an export again with the current rows */
update: (input: { params: { 'id': string }; body?: SendersSubmitBody; signal?: AbortSignal }) => Promise<Export>;
};
export_links: {
/** Create a download link that requires no sign-in and expires after 24 hours */
create: (input: { params: { 'id': string }; body?: SendersSubmitBody; signal?: AbortSignal }) => Promise<ExportLinksCreateResult>;
};
logs: {
/** Export the message log to a file */
create: (input?: { body?: LogsCreateBody; idempotency_key?: string; signal?: AbortSignal }) => Promise<Export>;
/** List the exports of the message log, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string }; signal?: AbortSignal }) => Promise<Page<Export>>;
/** Delete an export of the message log and its file */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
/** Run a message log export again with the current messages */
update: (input: { params: { 'id': string }; body?: SendersSubmitBody; signal?: AbortSignal }) => Promise<Export>;
};
export_files: {
/** Download the file of a completed export */
get: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<Response>;
};
webhooks: {
/** Generate or upload the client certificate of a webhook */
create_certificate: (input: { params: { 'id': string }; body?: WebhooksCreateCertificateBody; signal?: AbortSignal }) => Promise<Webhook>;
/** Remove the client certificate of a webhook */
remove_certificate: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<Webhook>;
/** Create a webhook; without a secret, one is generated */
create: (input: { body: WebhooksCreateBody; signal?: AbortSignal }) => Promise<Webhook>;
/** Get a webhook */
get_one: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<Webhook>;
/** Get a delivery with its request and the responses */
get_delivery: (input: { params: { 'id': string; 'delivery_id': string }; signal?: AbortSignal }) => Promise<WebhookDeliveryDetail>;
/** List the deliveries of a webhook, newest first */
list_deliveries: (input: { params: { 'id': string }; query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string; 'filter[status]'?: "pending" | "delivered" | "failed"; 'filter[message_id]'?: string }; signal?: AbortSignal }) => Promise<Page<WebhookDelivery>>;
/** List the webhooks, newest first */
list: (input?: { query?: { 'page'?: number; 'page_size'?: 10 | 20 | 50 | 100 | 300 | 1000; 'page_token'?: string }; signal?: AbortSignal }) => Promise<Page<Webhook>>;
/** Resend up to 10,000 deliveries whose last attempt has failed since a given time, without waiting for a retry */
recover: (input: { params: { 'id': string }; body: WebhooksRecoverBody; signal?: AbortSignal }) => Promise<WebhooksRecoverResult>;
/** Delete a webhook; its pending deliveries are not sent */
remove: (input: { params: { 'id': string }; signal?: AbortSignal }) => Promise<void>;
/** Resend a delivery now */
resend: (input: { params: { 'id': string; 'delivery_id': string }; signal?: AbortSignal }) => Promise<WebhookDelivery>;
/** Replace the secret; for 24 hours, deliveries are signed with both */
rotate: (input: { params: { 'id': string }; body?: WebhooksRotateBody; signal?: AbortSignal }) => Promise<Webhook>;
/** Send an example event to the webhook */
send_example: (input: { params: { 'id': string }; body?: WebhooksSendExampleBody; signal?: AbortSignal }) => Promise<WebhookDelivery>;
/** Change, pause, or resume a webhook */
update: (input: { params: { 'id': string }; body?: WebhooksUpdateBody; signal?: AbortSignal }) => Promise<Webhook>;
/** Add an example event to the event feed. Webhooks do not send it */
create_example_event: (input: { body: WebhooksCreateExampleEventBody; signal?: AbortSignal }) => Promise<WebhooksCreateExampleEventResult>;
/** List the latest webhook events that the caller may view, oldest first, and wait for new ones */
list_events: (input?: { query?: { 'after'?: string; 'wait_seconds'?: number }; signal?: AbortSignal }) => Promise<EventPage>;
};
}

/** The codes with which each call can be refused. */
export interface Codes {
'accounts.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'accounts.list_verifications': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'senders.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1411 | 1412 | 1414 | 1439 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'senders.create': 1005 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1403 | 1405 | 1406 | 1407 | 1408 | 1409 | 1410 | 1411 | 1412 | 1414 | 1440 | 1441 | 1470 | 1471 | 1524 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2412 | 7909;
'senders.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'senders.update': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1404 | 1405 | 1406 | 1407 | 1408 | 1410 | 1412 | 1440 | 1441 | 1472 | 1524 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'senders.get_preflight': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1402 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'senders.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1402 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'senders.put_required_attachments': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1472 | 1473 | 1474 | 1524 | 1705 | 1915 | 1918 | 1999 | 2120 | 2121 | 2409 | 2410 | 2638 | 2639;
'senders.put_sms_campaign': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1472 | 1524 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'senders.put_company': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1472 | 1524 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'senders.put_example_messages': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1472 | 1524 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'senders.put_compliance_keyword_responses': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1472 | 1524 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'senders.put_signup_options': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1472 | 1524 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'senders.put_tcr': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1472 | 1524 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'senders.put_toll_free': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1472 | 1524 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'senders.remove_required_attachment': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1472 | 1475 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'senders.submit': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1472 | 1476 | 1524 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2412;
'senders.list_own_numbers': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'senders.put_whatsapp': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1440 | 1443 | 1445 | 1446 | 1447 | 1448 | 1449 | 1450 | 1451 | 1452 | 1453 | 1454 | 1455 | 1456 | 1457 | 1458 | 1459 | 1460 | 1461 | 1462 | 1463 | 1464 | 1472 | 1524 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'senders.put_viber': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1445 | 1446 | 1447 | 1448 | 1449 | 1450 | 1451 | 1452 | 1453 | 1454 | 1455 | 1456 | 1457 | 1458 | 1459 | 1460 | 1461 | 1462 | 1463 | 1464 | 1472 | 1524 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'senders.put_whatsapp_attachments': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1472 | 1474 | 1524 | 1705 | 1906 | 1907 | 1908 | 1909 | 1915 | 1918 | 1999 | 2120 | 2121 | 2409 | 2410 | 2638 | 2639;
'senders.put_viber_attachments': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1472 | 1474 | 1524 | 1705 | 1906 | 1907 | 1908 | 1909 | 1915 | 1918 | 1999 | 2120 | 2121 | 2409 | 2410 | 2638 | 2639;
'senders.put_profile': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1448 | 1449 | 1450 | 1454 | 1460 | 1461 | 1462 | 1464 | 1472 | 1524 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'senders.create_carrier_code': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1483 | 1486 | 1493 | 1494 | 1524 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'senders.give_carrier_code': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1483 | 1486 | 1492 | 1493 | 1494 | 1524 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'sender_rules.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1412 | 1414 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'senders.create_blocker': 1003 | 1005 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1353 | 1354 | 1355 | 1402 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'senders.remove_blocker': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1481 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'senders.list_members': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1402 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'senders.put_members': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1487 | 1488 | 1489 | 1490 | 1524 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'numbers.list_places': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'numbers.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1411 | 1412 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'audiences.count': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2120 | 2121 | 2309 | 2310 | 2311 | 2312 | 2380 | 2410;
'audiences.create': 1005 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1303 | 1304 | 1305 | 1306 | 1307 | 1308 | 1309 | 1354 | 1359 | 1705 | 1999 | 2120 | 2121 | 2309 | 2310 | 2311 | 2312 | 2313 | 2380 | 2386 | 2388 | 2389 | 2390 | 2410 | 2574 | 2680 | 2681 | 2682;
'contacts.create': 1005 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1301 | 1302 | 1353 | 1354 | 1355 | 1359 | 1360 | 1361 | 1362 | 1363 | 1364 | 1705 | 1999 | 2120 | 2121 | 2313 | 2380 | 2386 | 2388 | 2389 | 2390 | 2410 | 2574 | 2680 | 2681 | 2682;
'audiences.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1301 | 1302 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'contacts.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1301 | 1302 | 1351 | 1352 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'audiences.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1307 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'contacts.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1301 | 1302 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'audiences.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1301 | 1302 | 1319 | 1705 | 1999 | 2120 | 2121 | 2315 | 2410 | 2590;
'contacts.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1301 | 1302 | 1351 | 1352 | 1705 | 1999 | 2120 | 2121 | 2313 | 2410;
'audiences.update': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1301 | 1302 | 1303 | 1304 | 1305 | 1309 | 1705 | 1999 | 2120 | 2121 | 2309 | 2310 | 2311 | 2312 | 2314 | 2380 | 2410;
'contacts.update': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1301 | 1302 | 1351 | 1352 | 1359 | 1361 | 1362 | 1363 | 1364 | 1705 | 1999 | 2120 | 2121 | 2313 | 2380 | 2386 | 2388 | 2389 | 2390 | 2410 | 2680 | 2681 | 2682;
'consents.create': 1005 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2120 | 2121 | 2391 | 2393 | 2394 | 2395 | 2396 | 2397 | 2409 | 2410;
'consents.state': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2391 | 2409 | 2410 | 2568;
'consents.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2391 | 2409 | 2410 | 2568;
'keywords.create': 1005 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1412 | 1705 | 1999 | 2120 | 2121 | 2336 | 2409 | 2410 | 2491 | 2492 | 2493 | 2494 | 2495;
'keywords.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'keywords.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2490 | 2632;
'keywords.update': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1402 | 1412 | 1705 | 1999 | 2120 | 2121 | 2336 | 2409 | 2410 | 2490 | 2491 | 2492 | 2493 | 2494;
'contact_fields.create': 1005 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2120 | 2121 | 2381 | 2382 | 2383 | 2384 | 2385 | 2409 | 2410;
'contact_fields.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'contact_fields.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2120 | 2121 | 2316 | 2380 | 2409 | 2410;
'contact_fields.update': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2120 | 2121 | 2380 | 2382 | 2383 | 2409 | 2410;
'people.create': 1005 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1353 | 1354 | 1355 | 1359 | 1361 | 1362 | 1363 | 1364 | 1705 | 1999 | 2120 | 2121 | 2380 | 2386 | 2388 | 2389 | 2390 | 2392 | 2409 | 2410 | 2680 | 2681 | 2682;
'people.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2391 | 2409 | 2410 | 2568;
'people.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'people.update': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1359 | 1361 | 1362 | 1363 | 1364 | 1705 | 1999 | 2120 | 2121 | 2380 | 2386 | 2388 | 2389 | 2390 | 2391 | 2409 | 2410 | 2680 | 2681 | 2682;
'person_merges.create': 1005 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1359 | 1361 | 1362 | 1363 | 1364 | 1705 | 1999 | 2120 | 2121 | 2380 | 2386 | 2388 | 2389 | 2390 | 2391 | 2409 | 2410 | 2591 | 2592 | 2594 | 2683;
'person_duplicates.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2391 | 2409 | 2410 | 2568;
'person_merges.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2391 | 2409 | 2410 | 2568;
'person_merges.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2592 | 2593 | 2594;
'person_timeline.summary': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2391 | 2409 | 2410 | 2568;
'person_timeline.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2391 | 2409 | 2410 | 2568;
'person_erasures.create': 1005 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2120 | 2121 | 2391 | 2409 | 2410 | 2511 | 2512;
'person_erasures.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2391 | 2409 | 2410 | 2568;
'person_records.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2391 | 2409 | 2410 | 2568;
'audience_imports.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1317 | 1318 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'audience_imports.create': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1301 | 1302 | 1303 | 1304 | 1305 | 1307 | 1309 | 1310 | 1311 | 1312 | 1314 | 1315 | 1316 | 1412 | 1705 | 1918 | 1999 | 2120 | 2121 | 2313 | 2409 | 2410 | 2638 | 2639 | 7912;
'audience_imports.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1317 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'refused_rows.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1317 | 1705 | 1901 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'import_rows.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1317 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'audience_imports.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'audience_imports.update': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1301 | 1309 | 1310 | 1311 | 1312 | 1314 | 1315 | 1316 | 1317 | 1318 | 1359 | 1412 | 1705 | 1999 | 2120 | 2121 | 2388 | 2393 | 2394 | 2396 | 2409 | 2410 | 2684 | 7912;
'audience_imports.undo': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1317 | 1318 | 1705 | 1999 | 2120 | 2121 | 2317 | 2409 | 2410;
'stop_list.create': 1003 | 1005 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1353 | 1354 | 1355 | 1402 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'stop_list.import': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1311 | 1312 | 1314 | 1315 | 1316 | 1412 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2638 | 2639 | 7912;
'stop_list.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'stop_list.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1370 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'media.create': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1275 | 1276 | 1277 | 1278 | 1279 | 1280 | 1515 | 1534 | 1705 | 1905 | 1906 | 1907 | 1908 | 1909 | 1910 | 1915 | 1916 | 1917 | 1918 | 1999 | 2120 | 2121 | 2409 | 2410 | 2638 | 2639;
'media.create_slot': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1275 | 1276 | 1277 | 1278 | 1279 | 1280 | 1515 | 1534 | 1705 | 1905 | 1906 | 1910 | 1914 | 1915 | 1918 | 1999 | 2120 | 2121 | 2409 | 2410;
'media.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1901 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'media.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1901 | 1913 | 1999 | 2120 | 2121 | 2409 | 2410;
'media.renew_slot': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1901 | 1912 | 1999 | 2120 | 2121 | 2409 | 2410;
'templates.create': 1005 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1241 | 1253 | 1254 | 1255 | 1256 | 1257 | 1258 | 1259 | 1260 | 1261 | 1263 | 1264 | 1265 | 1266 | 1267 | 1268 | 1269 | 1272 | 1273 | 1274 | 1275 | 1276 | 1277 | 1278 | 1279 | 1280 | 1284 | 1505 | 1518 | 1519 | 1520 | 1524 | 1526 | 1550 | 1705 | 1901 | 1999 | 2102 | 2104 | 2120 | 2121 | 2409 | 2410;
'templates.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1251 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'templates.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1257 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'templates.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1251 | 1281 | 1282 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'template_syncs.create': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1524 | 1705 | 1903 | 1999 | 2120 | 2121 | 2409 | 2410;
'templates.update': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1241 | 1251 | 1253 | 1254 | 1255 | 1256 | 1257 | 1258 | 1259 | 1260 | 1261 | 1263 | 1264 | 1265 | 1266 | 1267 | 1268 | 1269 | 1272 | 1273 | 1274 | 1275 | 1276 | 1277 | 1278 | 1279 | 1280 | 1281 | 1284 | 1505 | 1518 | 1519 | 1520 | 1524 | 1526 | 1550 | 1705 | 1901 | 1999 | 2102 | 2104 | 2120 | 2121 | 2409 | 2410;
'balances.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568 | 7920;
'ledger.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'payments.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2042 | 2120 | 2121 | 2409 | 2410 | 2568;
'payments.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'alerts.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568 | 7920;
'alerts.save': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1113 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2051 | 2052 | 2120 | 2121 | 2409 | 2410 | 2704 | 7920;
'invoices.export': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2053 | 2120 | 2121 | 2409 | 2410 | 2542 | 2568;
'invoices.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2053 | 2120 | 2121 | 2409 | 2410 | 2568;
'invoices.link': 1005 | 1008 | 1042 | 1101 | 1102 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2053 | 2054 | 2120 | 2121 | 2409 | 2410 | 2568;
'invoices.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'rates.list_changes': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1412 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'rates.export': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2550 | 2568;
'rates.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'statements.export': 1005 | 1008 | 1042 | 1101 | 1102 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2505 | 2506 | 2568;
'statements.get': 1005 | 1008 | 1042 | 1101 | 1102 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2505 | 2568;
'statements.list': 1005 | 1008 | 1042 | 1101 | 1102 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'link_domains.create': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2107 | 2110 | 2113 | 2120 | 2121 | 2409 | 2410;
'short_urls.create': 1005 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2101 | 2102 | 2103 | 2105 | 2106 | 2107 | 2108 | 2120 | 2121 | 2387 | 2409 | 2410;
'short_urls.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2100 | 2120 | 2121 | 2409 | 2410 | 2568;
'short_urls.stat': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2100 | 2120 | 2121 | 2409 | 2410 | 2568;
'link_domains.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'short_urls.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'link_domains.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2109 | 2112 | 2120 | 2121 | 2409 | 2410;
'short_urls.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2100 | 2120 | 2121 | 2409 | 2410;
'short_urls.update': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2100 | 2101 | 2102 | 2103 | 2105 | 2106 | 2120 | 2121 | 2387 | 2409 | 2410;
'link_domains.verify': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2109 | 2110 | 2111 | 2120 | 2121 | 2409 | 2410;
'limits.create': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1412 | 1515 | 1524 | 1705 | 1999 | 2120 | 2121 | 2322 | 2323 | 2324 | 2325 | 2326 | 2409 | 2410 | 2480 | 2521 | 2522;
'limits.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2320 | 2321 | 2409 | 2410 | 2568;
'limits.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'violations.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2321 | 2409 | 2410 | 2568;
'limits.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1524 | 1705 | 1999 | 2120 | 2121 | 2320 | 2321 | 2409 | 2410 | 2520;
'limits.update': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1412 | 1515 | 1524 | 1705 | 1999 | 2120 | 2121 | 2320 | 2321 | 2322 | 2323 | 2324 | 2325 | 2409 | 2410 | 2480 | 2520 | 2521 | 2522;
'limit_suggestions.create': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1412 | 1515 | 1705 | 1999 | 2120 | 2121 | 2322 | 2324 | 2325 | 2409 | 2410;
'country_back_tests.create': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1412 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2665;
'limit_back_tests.create': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1412 | 1515 | 1705 | 1999 | 2120 | 2121 | 2322 | 2323 | 2324 | 2325 | 2409 | 2410 | 2618;
'traffic_back_tests.create': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2526 | 2617;
'country_blacklist.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'country_blacklist.save': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1412 | 1705 | 1999 | 2120 | 2121 | 2328 | 2409 | 2410 | 2524;
'allowed_countries.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'allowed_countries.save': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1412 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2481 | 2482 | 2524;
'send_approvals.create': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1264 | 1265 | 1266 | 1268 | 1269 | 1272 | 1273 | 1274 | 1275 | 1276 | 1277 | 1278 | 1279 | 1280 | 1503 | 1504 | 1505 | 1506 | 1507 | 1508 | 1509 | 1510 | 1512 | 1513 | 1514 | 1515 | 1516 | 1517 | 1518 | 1519 | 1520 | 1522 | 1523 | 1524 | 1525 | 1526 | 1529 | 1530 | 1532 | 1533 | 1534 | 1535 | 1536 | 1537 | 1538 | 1539 | 1541 | 1542 | 1543 | 1544 | 1545 | 1546 | 1547 | 1548 | 1549 | 1550 | 1551 | 1552 | 1568 | 1569 | 1625 | 1628 | 1634 | 1636 | 1637 | 1638 | 1639 | 1705 | 1901 | 1999 | 2102 | 2103 | 2104 | 2120 | 2121 | 2376 | 2377 | 2409 | 2410 | 2411 | 2551 | 2650 | 2651 | 2693 | 2694 | 7909;
'api_requests.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2407 | 2408 | 2409 | 2410 | 2568;
'api_requests.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1222 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'messages.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1501 | 1502 | 1528 | 1705 | 1999 | 2120 | 2121 | 2410;
'messages.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1501 | 1502 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'messages.create': 1005 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1264 | 1265 | 1266 | 1268 | 1269 | 1272 | 1273 | 1274 | 1275 | 1276 | 1277 | 1278 | 1279 | 1280 | 1503 | 1504 | 1505 | 1506 | 1507 | 1508 | 1509 | 1510 | 1512 | 1513 | 1514 | 1515 | 1516 | 1517 | 1518 | 1519 | 1520 | 1522 | 1523 | 1524 | 1525 | 1526 | 1529 | 1530 | 1532 | 1533 | 1534 | 1535 | 1536 | 1537 | 1538 | 1539 | 1541 | 1542 | 1543 | 1544 | 1545 | 1546 | 1547 | 1548 | 1549 | 1550 | 1551 | 1552 | 1568 | 1569 | 1625 | 1628 | 1634 | 1636 | 1637 | 1638 | 1639 | 1705 | 1901 | 1999 | 2102 | 2103 | 2104 | 2120 | 2121 | 2376 | 2377 | 2410 | 2411 | 2551 | 2650 | 2651 | 2693 | 2694 | 7909;
'messages.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'carrier_recording.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'carrier_payloads.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1501 | 1502 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'carrier_recording.start': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'carrier_recording.stop': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'refused_calls.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'message_rehearsals.create': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1264 | 1265 | 1266 | 1268 | 1269 | 1272 | 1273 | 1274 | 1275 | 1276 | 1277 | 1278 | 1279 | 1280 | 1503 | 1504 | 1505 | 1506 | 1507 | 1508 | 1509 | 1510 | 1512 | 1513 | 1514 | 1515 | 1516 | 1517 | 1518 | 1519 | 1520 | 1522 | 1523 | 1524 | 1525 | 1526 | 1529 | 1530 | 1532 | 1533 | 1534 | 1535 | 1536 | 1537 | 1538 | 1539 | 1541 | 1542 | 1543 | 1544 | 1545 | 1546 | 1547 | 1548 | 1549 | 1550 | 1551 | 1552 | 1568 | 1569 | 1625 | 1628 | 1634 | 1636 | 1637 | 1638 | 1639 | 1705 | 1901 | 1999 | 2102 | 2103 | 2104 | 2120 | 2121 | 2376 | 2377 | 2410 | 2411 | 2551 | 2650 | 2651 | 2693 | 2694 | 7909;
'messages.update': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1501 | 1502 | 1522 | 1547 | 1705 | 1999 | 2120 | 2121 | 2366 | 2367 | 2409 | 2410;
'test_messages.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1501 | 1502 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'test_messages.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'segmentation.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'verifications.check': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1621 | 1705 | 1999 | 2120 | 2121 | 2363 | 2410 | 2568;
'verifications.create': 1005 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1167 | 1503 | 1504 | 1505 | 1506 | 1507 | 1512 | 1513 | 1514 | 1515 | 1522 | 1523 | 1524 | 1525 | 1526 | 1529 | 1530 | 1536 | 1537 | 1538 | 1539 | 1540 | 1541 | 1542 | 1543 | 1544 | 1545 | 1546 | 1547 | 1549 | 1551 | 1552 | 1568 | 1569 | 1619 | 1620 | 1621 | 1622 | 1623 | 1624 | 1625 | 1628 | 1629 | 1631 | 1632 | 1634 | 1635 | 1636 | 1637 | 1638 | 1639 | 1640 | 1641 | 1642 | 1643 | 1644 | 1645 | 1646 | 1647 | 1648 | 1649 | 1705 | 1999 | 2120 | 2121 | 2360 | 2361 | 2362 | 2365 | 2376 | 2377 | 2410 | 2411 | 2551 | 7909;
'verifications.conversion': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'verifications.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'verifications.submit': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1621 | 1705 | 1999 | 2120 | 2121 | 2363 | 2410;
'traffic_protection.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'traffic_stops.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'traffic_protection.save': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2526 | 2617;
'code_back_tests.create': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2525 | 2526;
'verifications.get_protection': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'verifications.list_stops': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'verifications.save_protection': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2525 | 2526;
'opt_in_forms.create': 1005 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1301 | 1302 | 1359 | 1412 | 1705 | 1999 | 2108 | 2120 | 2121 | 2313 | 2388 | 2394 | 2409 | 2410 | 2412 | 2586 | 2587 | 2588 | 2589;
'opt_in_forms.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568 | 2585;
'opt_in_forms.stat': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568 | 2585;
'opt_in_forms.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1302 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'opt_in_forms.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2585;
'opt_in_forms.update': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1359 | 1412 | 1705 | 1999 | 2108 | 2120 | 2121 | 2388 | 2394 | 2409 | 2410 | 2412 | 2585 | 2586 | 2587 | 2588 | 2589;
'campaigns.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1601 | 1602 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'campaigns.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1515 | 1602 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'campaigns.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1601 | 1602 | 1612 | 1705 | 1999 | 2120 | 2121 | 2410;
'campaign_retries.create': 1005 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1601 | 1602 | 1611 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2412 | 7909;
'campaign_imports.create': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1262 | 1264 | 1265 | 1266 | 1268 | 1269 | 1272 | 1273 | 1274 | 1275 | 1276 | 1277 | 1278 | 1279 | 1280 | 1310 | 1311 | 1312 | 1314 | 1315 | 1316 | 1412 | 1453 | 1508 | 1509 | 1510 | 1515 | 1516 | 1517 | 1518 | 1519 | 1520 | 1522 | 1524 | 1529 | 1532 | 1533 | 1534 | 1535 | 1545 | 1546 | 1548 | 1550 | 1569 | 1603 | 1604 | 1605 | 1606 | 1607 | 1608 | 1609 | 1610 | 1613 | 1615 | 1616 | 1617 | 1618 | 1625 | 1634 | 1636 | 1637 | 1638 | 1639 | 1705 | 1901 | 1918 | 1999 | 2102 | 2103 | 2104 | 2120 | 2121 | 2304 | 2305 | 2306 | 2308 | 2359 | 2370 | 2371 | 2372 | 2374 | 2410 | 2412 | 2510 | 2574 | 2630 | 2631 | 2638 | 2639 | 2650 | 2651 | 2693 | 2694 | 2721 | 7909 | 7912;
'campaign_imports.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1317 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'campaign_previews.create': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1412 | 1510 | 1515 | 1604 | 1606 | 1608 | 1634 | 1636 | 1637 | 1638 | 1639 | 1705 | 1901 | 1999 | 2120 | 2121 | 2304 | 2305 | 2306 | 2409 | 2410 | 2630;
'campaign_samples.create': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1510 | 1606 | 1608 | 1705 | 1901 | 1999 | 2120 | 2121 | 2409 | 2410;
'recipients_file.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1601 | 1602 | 1705 | 1903 | 1999 | 2120 | 2121 | 2410 | 2568;
'campaign_recipients.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1601 | 1602 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'campaign_skips.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1601 | 1602 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'campaign_audiences.create': 1005 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1303 | 1304 | 1305 | 1601 | 1602 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2687;
'campaign_rehearsals.create': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1412 | 1510 | 1515 | 1604 | 1605 | 1606 | 1608 | 1634 | 1636 | 1637 | 1638 | 1639 | 1705 | 1901 | 1999 | 2120 | 2121 | 2304 | 2305 | 2306 | 2409 | 2410 | 2630;
'campaigns.create': 1005 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1262 | 1264 | 1265 | 1266 | 1268 | 1269 | 1272 | 1273 | 1274 | 1275 | 1276 | 1277 | 1278 | 1279 | 1280 | 1412 | 1453 | 1508 | 1509 | 1510 | 1515 | 1516 | 1517 | 1518 | 1519 | 1520 | 1522 | 1524 | 1529 | 1532 | 1533 | 1534 | 1535 | 1545 | 1546 | 1548 | 1550 | 1569 | 1603 | 1604 | 1605 | 1606 | 1607 | 1608 | 1609 | 1610 | 1613 | 1615 | 1616 | 1617 | 1618 | 1625 | 1634 | 1636 | 1637 | 1638 | 1639 | 1705 | 1901 | 1999 | 2102 | 2103 | 2104 | 2120 | 2121 | 2304 | 2305 | 2306 | 2308 | 2359 | 2370 | 2371 | 2372 | 2374 | 2410 | 2412 | 2510 | 2574 | 2630 | 2631 | 2650 | 2651 | 2693 | 2694 | 2721 | 7909;
'campaigns.update': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1262 | 1264 | 1265 | 1266 | 1268 | 1269 | 1272 | 1273 | 1274 | 1275 | 1276 | 1277 | 1278 | 1279 | 1280 | 1412 | 1453 | 1508 | 1509 | 1510 | 1516 | 1517 | 1518 | 1519 | 1520 | 1522 | 1524 | 1529 | 1532 | 1533 | 1534 | 1535 | 1545 | 1546 | 1548 | 1550 | 1569 | 1601 | 1602 | 1603 | 1604 | 1605 | 1606 | 1607 | 1608 | 1609 | 1610 | 1611 | 1613 | 1614 | 1615 | 1616 | 1617 | 1618 | 1625 | 1634 | 1636 | 1637 | 1638 | 1639 | 1705 | 1901 | 1999 | 2102 | 2103 | 2104 | 2120 | 2121 | 2304 | 2305 | 2306 | 2308 | 2359 | 2370 | 2371 | 2372 | 2374 | 2409 | 2410 | 2412 | 2510 | 2574 | 2630 | 2631 | 2650 | 2651 | 2693 | 2694 | 2721 | 7909;
'campaign_skips.create': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1601 | 1602 | 1609 | 1705 | 1999 | 2120 | 2121 | 2375 | 2410;
'test_campaigns.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1601 | 1602 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'test_campaigns.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1515 | 1602 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'campaign_winners.create': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1601 | 1602 | 1705 | 1999 | 2120 | 2121 | 2373 | 2409 | 2410 | 2412;
'campaign_approvals.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1601 | 1602 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'campaign_calendar.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1515 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'campaign_tags.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'campaign_follow_ups.create': 1005 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1601 | 1602 | 1614 | 1618 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2412;
'campaign_results.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1601 | 1602 | 1705 | 1999 | 2120 | 2121 | 2410 | 2568;
'conversation_messages.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1651 | 1652 | 1653 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'conversations.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2336 | 2409 | 2410 | 2568;
'utm_presets.create': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2657 | 2658 | 2659;
'utm_presets.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'utm_presets.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2656;
'balance_forecasts.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568 | 7920;
'bulk_lookups.apply': 1005 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1301 | 1359 | 1705 | 1999 | 2115 | 2120 | 2121 | 2388 | 2409 | 2410 | 2412;
'bulk_lookups.create': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1301 | 1302 | 1315 | 1705 | 1999 | 2117 | 2120 | 2121 | 2409 | 2410 | 2412 | 2638 | 2639 | 7909 | 7912;
'number_lookups.create': 1005 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2412 | 7909 | 7910;
'bulk_lookups.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2115 | 2120 | 2121 | 2409 | 2410 | 2568;
'number_lookups.price': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'number_lookups.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2114 | 2120 | 2121 | 2409 | 2410 | 2568;
'bulk_lookups.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'number_lookups.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'bulk_lookups.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2115 | 2116 | 2120 | 2121 | 2409 | 2410;
'number_lookups.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2114 | 2116 | 2120 | 2121 | 2409 | 2410;
'bulk_lookups.update': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2115 | 2118 | 2120 | 2121 | 2409 | 2410 | 2412;
'anomalies.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2318 | 2409 | 2410 | 2568;
'anomaly_alerts.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'anomalies.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'anomaly_alerts.save': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1113 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2120 | 2121 | 2319 | 2409 | 2410;
'inbox_reports.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2080 | 2120 | 2121 | 2336 | 2368 | 2409 | 2410 | 2568;
'reported_conversations.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2080 | 2120 | 2121 | 2336 | 2368 | 2409 | 2410 | 2568;
'charts.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2080 | 2120 | 2121 | 2409 | 2410 | 2568;
'charts.get_delivery': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2080 | 2120 | 2121 | 2409 | 2410 | 2568;
'vat_checks.get': 1005 | 1008 | 1042 | 1101 | 1102 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'overdue.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'announced_rates.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'exports.create': 1005 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1162 | 1301 | 1302 | 1601 | 1602 | 1705 | 1903 | 1919 | 1999 | 2120 | 2121 | 2336 | 2409 | 2410;
'export_links.create': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1705 | 1901 | 1904 | 1999 | 2120 | 2121 | 2409 | 2410;
'logs.create': 1005 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1162 | 1705 | 1903 | 1919 | 1999 | 2120 | 2121 | 2409 | 2410;
'export_files.get': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1705 | 1901 | 1904 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'exports.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'logs.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'exports.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1705 | 1904 | 1999 | 2120 | 2121 | 2409 | 2410;
'logs.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1904 | 1999 | 2120 | 2121 | 2409 | 2410;
'exports.update': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1705 | 1903 | 1904 | 1919 | 1999 | 2120 | 2121 | 2409 | 2410;
'logs.update': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1903 | 1904 | 1919 | 1999 | 2120 | 2121 | 2409 | 2410;
'webhooks.create_certificate': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1201 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2660 | 2661 | 2662 | 2663;
'webhooks.remove_certificate': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1201 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'webhooks.create': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1203 | 1204 | 1205 | 1206 | 1207 | 1208 | 1209 | 1210 | 1705 | 1999 | 2120 | 2121 | 2130 | 2131 | 2132 | 2133 | 2409 | 2410 | 2660 | 2664;
'webhooks.get_one': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1201 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'webhooks.get_delivery': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1201 | 1705 | 1999 | 2120 | 2121 | 2134 | 2409 | 2410 | 2568;
'webhooks.list_deliveries': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1201 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'webhooks.list': 1005 | 1008 | 1042 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410 | 2568;
'webhooks.recover': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1201 | 1705 | 1999 | 2120 | 2121 | 2135 | 2409 | 2410;
'webhooks.remove': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1201 | 1705 | 1999 | 2120 | 2121 | 2409 | 2410;
'webhooks.resend': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1201 | 1705 | 1999 | 2120 | 2121 | 2134 | 2135 | 2409 | 2410;
'webhooks.rotate': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1201 | 1205 | 1705 | 1999 | 2120 | 2121 | 2131 | 2409 | 2410;
'webhooks.send_example': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1201 | 1705 | 1999 | 2120 | 2121 | 2130 | 2135 | 2409 | 2410;
'webhooks.update': 1005 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1201 | 1203 | 1204 | 1205 | 1206 | 1207 | 1208 | 1209 | 1210 | 1705 | 1999 | 2120 | 2121 | 2130 | 2131 | 2132 | 2409 | 2410 | 2660 | 2664;
'webhooks.create_example_event': 1005 | 1007 | 1008 | 1009 | 1041 | 1042 | 1044 | 1101 | 1135 | 1136 | 1141 | 1142 | 1144 | 1705 | 1999 | 2120 | 2121 | 2130 | 2410;
'webhooks.list_events': 1005 | 1008 | 1042 | 1043 | 1101 | 1135 | 1136 | 1141 | 1144 | 1705 | 1999 | 2120 | 2121 | 2136 | 2410 | 2568;
}

/** Method, path, and properties: `i` accepts an idempotency key, `l`: list, `r`: file, `u`: upload. */
export type CallRow = readonly [method: string, path: string, kind: string];
export const CALLS: Readonly<Record<string, CallRow>> = {
'accounts.get': ['GET', '/v1/accounts/self', ''],
'accounts.list_verifications': ['GET', '/v1/accounts/self/verifications', ''],
'senders.list': ['GET', '/v1/senders', 'l'],
'senders.create': ['POST', '/v1/senders', 'i'],
'senders.remove': ['DELETE', '/v1/senders/{id}', ''],
'senders.update': ['PUT', '/v1/senders/{id}', ''],
'senders.get_preflight': ['GET', '/v1/senders/{id}/preflight', ''],
'senders.get': ['GET', '/v1/senders/{id}', ''],
'senders.put_required_attachments': ['PUT', '/v1/senders/{id}/required_attachments', 'u'],
'senders.put_sms_campaign': ['PUT', '/v1/senders/{id}/sms_campaign', ''],
'senders.put_company': ['PUT', '/v1/senders/{id}/company', ''],
'senders.put_example_messages': ['PUT', '/v1/senders/{id}/example_messages', ''],
'senders.put_compliance_keyword_responses': ['PUT', '/v1/senders/{id}/compliance_keyword_responses', ''],
'senders.put_signup_options': ['PUT', '/v1/senders/{id}/signup_options', ''],
'senders.put_tcr': ['PUT', '/v1/senders/{id}/tcr', ''],
'senders.put_toll_free': ['PUT', '/v1/senders/{id}/toll_free', ''],
'senders.remove_required_attachment': ['DELETE', '/v1/senders/{id}/required_attachments/{attachment_id}', ''],
'senders.submit': ['POST', '/v1/senders/{id}/requests', ''],
'senders.list_own_numbers': ['GET', '/v1/own_numbers', ''],
'senders.put_whatsapp': ['PUT', '/v1/senders/{id}/whatsapp', ''],
'senders.put_viber': ['PUT', '/v1/senders/{id}/viber', ''],
'senders.put_whatsapp_attachments': ['PUT', '/v1/senders/{id}/whatsapp_attachments', 'u'],
'senders.put_viber_attachments': ['PUT', '/v1/senders/{id}/viber_attachments', 'u'],
'senders.put_profile': ['PUT', '/v1/senders/{id}/profile', ''],
'senders.create_carrier_code': ['POST', '/v1/senders/{id}/carrier_codes', ''],
'senders.give_carrier_code': ['PUT', '/v1/senders/{id}/carrier_codes', ''],
'sender_rules.list': ['GET', '/v1/sender_rules', ''],
'senders.create_blocker': ['POST', '/v1/senders/{id}/blockers', 'i'],
'senders.remove_blocker': ['DELETE', '/v1/senders/{id}/blockers/{blocker_id}', ''],
'senders.list_members': ['GET', '/v1/senders/{id}/members', ''],
'senders.put_members': ['PUT', '/v1/senders/{id}/members', ''],
'numbers.list_places': ['GET', '/v1/number_places', ''],
'numbers.list': ['GET', '/v1/numbers', 'l'],
'audiences.count': ['POST', '/v1/audience_counts', ''],
'audiences.create': ['POST', '/v1/audiences', 'i'],
'contacts.create': ['POST', '/v1/audiences/{id}/contacts', 'i'],
'audiences.get': ['GET', '/v1/audiences/{id}', ''],
'contacts.get': ['GET', '/v1/audiences/{id}/contacts/{contact_id}', ''],
'audiences.list': ['GET', '/v1/audiences', 'l'],
'contacts.list': ['GET', '/v1/audiences/{id}/contacts', 'l'],
'audiences.remove': ['DELETE', '/v1/audiences/{id}', ''],
'contacts.remove': ['DELETE', '/v1/audiences/{id}/contacts/{contact_id}', ''],
'audiences.update': ['PUT', '/v1/audiences/{id}', ''],
'contacts.update': ['PUT', '/v1/audiences/{id}/contacts/{contact_id}', ''],
'consents.create': ['POST', '/v1/people/{id}/consents', 'i'],
'consents.state': ['GET', '/v1/people/{id}/consent_state', ''],
'consents.list': ['GET', '/v1/people/{id}/consents', 'l'],
'keywords.create': ['POST', '/v1/keywords', 'i'],
'keywords.list': ['GET', '/v1/keywords', ''],
'keywords.remove': ['DELETE', '/v1/keywords/{id}', ''],
'keywords.update': ['PUT', '/v1/keywords/{id}', ''],
'contact_fields.create': ['POST', '/v1/contact_fields', 'i'],
'contact_fields.list': ['GET', '/v1/contact_fields', 'l'],
'contact_fields.remove': ['DELETE', '/v1/contact_fields/{id}', ''],
'contact_fields.update': ['PUT', '/v1/contact_fields/{id}', ''],
'people.create': ['POST', '/v1/people', 'i'],
'people.get': ['GET', '/v1/people/{id}', ''],
'people.list': ['GET', '/v1/people', 'l'],
'people.update': ['PUT', '/v1/people/{id}', ''],
'person_merges.create': ['POST', '/v1/people/{id}/merges', 'i'],
'person_duplicates.list': ['GET', '/v1/people/{id}/duplicates', ''],
'person_merges.list': ['GET', '/v1/people/{id}/merges', ''],
'person_merges.remove': ['DELETE', '/v1/person_merges/{id}', ''],
'person_timeline.summary': ['GET', '/v1/people/{id}/summary', ''],
'person_timeline.list': ['GET', '/v1/people/{id}/timeline', 'l'],
'person_erasures.create': ['POST', '/v1/people/{id}/erasure', 'i'],
'person_erasures.get': ['GET', '/v1/people/{id}/erasure', ''],
'person_records.list': ['GET', '/v1/people/{id}/records', 'l'],
'audience_imports.remove': ['DELETE', '/v1/audience_imports/{id}', ''],
'audience_imports.create': ['POST', '/v1/audience_imports', 'u'],
'audience_imports.get': ['GET', '/v1/audience_imports/{id}', ''],
'refused_rows.get': ['GET', '/v1/audience_imports/{id}/refused_rows', 'r'],
'import_rows.list': ['GET', '/v1/audience_imports/{id}/rows', 'l'],
'audience_imports.list': ['GET', '/v1/audience_imports', 'l'],
'audience_imports.update': ['PUT', '/v1/audience_imports/{id}', ''],
'audience_imports.undo': ['POST', '/v1/audience_imports/{id}/undo', ''],
'stop_list.create': ['POST', '/v1/stop_list', 'i'],
'stop_list.import': ['POST', '/v1/stop_list_imports', 'u'],
'stop_list.list': ['GET', '/v1/stop_list', 'l'],
'stop_list.remove': ['DELETE', '/v1/stop_list/{id}', ''],
'media.create': ['POST', '/v1/media', 'u'],
'media.create_slot': ['POST', '/v1/media/slots', ''],
'media.get': ['GET', '/v1/media/{id}', ''],
'media.remove': ['DELETE', '/v1/media/{id}', ''],
'media.renew_slot': ['PUT', '/v1/media/slots/{id}', ''],
'templates.create': ['POST', '/v1/templates', 'i'],
'templates.get': ['GET', '/v1/templates/{id}', ''],
'templates.list': ['GET', '/v1/templates', 'l'],
'templates.remove': ['DELETE', '/v1/templates/{id}', ''],
'template_syncs.create': ['POST', '/v1/template_syncs', ''],
'templates.update': ['PUT', '/v1/templates/{id}', ''],
'balances.get': ['GET', '/v1/balances/{id}', ''],
'ledger.list': ['GET', '/v1/ledger', 'l'],
'payments.get': ['GET', '/v1/payments/{id}', ''],
'payments.list': ['GET', '/v1/payments', 'l'],
'alerts.get': ['GET', '/v1/alerts/{id}', ''],
'alerts.save': ['POST', '/v1/alerts/{id}', ''],
'invoices.export': ['GET', '/v1/invoices/{id}/ubl', 'r'],
'invoices.get': ['GET', '/v1/transaction/get/{id}', ''],
'invoices.link': ['GET', '/v1/invoices/{id}/link', ''],
'invoices.list': ['GET', '/v1/invoices/all', 'l'],
'rates.list_changes': ['GET', '/v1/rate_changes', 'l'],
'rates.export': ['GET', '/v1/export_rates', 'r'],
'rates.list': ['GET', '/v1/rates', 'l'],
'statements.export': ['GET', '/v1/statements/{month}/file', 'r'],
'statements.get': ['GET', '/v1/statements/{month}', ''],
'statements.list': ['GET', '/v1/statements', ''],
'link_domains.create': ['POST', '/v1/link_domains', ''],
'short_urls.create': ['POST', '/v1/short_urls', 'i'],
'short_urls.get': ['GET', '/v1/short_urls/{id}', ''],
'short_urls.stat': ['GET', '/v1/short_urls/stat', ''],
'link_domains.list': ['GET', '/v1/link_domains', ''],
'short_urls.list': ['GET', '/v1/short_urls', 'l'],
'link_domains.remove': ['DELETE', '/v1/link_domains/{id}', ''],
'short_urls.remove': ['DELETE', '/v1/short_urls/{id}', ''],
'short_urls.update': ['PUT', '/v1/short_urls/{id}', ''],
'link_domains.verify': ['POST', '/v1/link_domains/{id}/verifications', ''],
'limits.create': ['POST', '/v1/limits', ''],
'limits.get': ['GET', '/v1/limits/{id}', ''],
'limits.list': ['GET', '/v1/limits', 'l'],
'violations.list': ['GET', '/v1/violations', 'l'],
'limits.remove': ['DELETE', '/v1/limits/{id}', ''],
'limits.update': ['PUT', '/v1/limits/{id}', ''],
'limit_suggestions.create': ['POST', '/v1/limit_suggestions', ''],
'country_back_tests.create': ['POST', '/v1/country_back_tests', ''],
'limit_back_tests.create': ['POST', '/v1/limit_back_tests', ''],
'traffic_back_tests.create': ['POST', '/v1/traffic_back_tests', ''],
'country_blacklist.get': ['GET', '/v1/country_blacklist', ''],
'country_blacklist.save': ['PUT', '/v1/country_blacklist/{id}', ''],
'allowed_countries.get': ['GET', '/v1/allowed_countries', ''],
'allowed_countries.save': ['PUT', '/v1/allowed_countries', ''],
'send_approvals.create': ['POST', '/v1/send_approvals', ''],
'api_requests.get': ['GET', '/v1/api_requests/{id}', ''],
'api_requests.list': ['GET', '/v1/api_requests', 'l'],
'messages.remove': ['DELETE', '/v1/messages/{id}', ''],
'messages.get': ['GET', '/v1/messages/{id}', ''],
'messages.create': ['POST', '/v1/messages', 'i'],
'messages.list': ['GET', '/v1/messages', 'l'],
'carrier_recording.get': ['GET', '/v1/carrier_recording', ''],
'carrier_payloads.list': ['GET', '/v1/messages/{id}/carrier_payloads', ''],
'carrier_recording.start': ['PUT', '/v1/carrier_recording', ''],
'carrier_recording.stop': ['DELETE', '/v1/carrier_recording', ''],
'refused_calls.list': ['GET', '/v1/refused_calls', 'l'],
'message_rehearsals.create': ['POST', '/v1/message_rehearsals', ''],
'messages.update': ['PUT', '/v1/messages/{id}', ''],
'test_messages.get': ['GET', '/v1/test_messages/{id}', ''],
'test_messages.list': ['GET', '/v1/test_messages', 'l'],
'segmentation.get': ['GET', '/v1/segmentation', ''],
'verifications.check': ['GET', '/v1/verifications', 'l'],
'verifications.create': ['POST', '/v1/verifications', 'i'],
'verifications.conversion': ['GET', '/v1/verifications/conversion', ''],
'verifications.list': ['GET', '/v1/verifications/log', 'l'],
'verifications.submit': ['POST', '/v1/verification_checks', ''],
'traffic_protection.get': ['GET', '/v1/traffic_protection', ''],
'traffic_stops.list': ['GET', '/v1/traffic_stops', ''],
'traffic_protection.save': ['PUT', '/v1/traffic_protection', ''],
'code_back_tests.create': ['POST', '/v1/code_back_tests', ''],
'verifications.get_protection': ['GET', '/v1/verifications/protection', ''],
'verifications.list_stops': ['GET', '/v1/verifications/stops', ''],
'verifications.save_protection': ['PUT', '/v1/verifications/protection', ''],
'opt_in_forms.create': ['POST', '/v1/opt_in_forms', 'i'],
'opt_in_forms.get': ['GET', '/v1/opt_in_forms/{id}', ''],
'opt_in_forms.stat': ['GET', '/v1/opt_in_forms/{id}/stat', ''],
'opt_in_forms.list': ['GET', '/v1/opt_in_forms', 'l'],
'opt_in_forms.remove': ['DELETE', '/v1/opt_in_forms/{id}', ''],
'opt_in_forms.update': ['PUT', '/v1/opt_in_forms/{id}', ''],
'campaigns.get': ['GET', '/v1/campaigns/{id}', ''],
'campaigns.list': ['GET', '/v1/campaigns', 'l'],
'campaigns.remove': ['DELETE', '/v1/campaigns/{id}', ''],
'campaign_retries.create': ['POST', '/v1/campaigns/{id}/retries', 'i'],
'campaign_imports.create': ['POST', '/v1/campaign_imports', 'u'],
'campaign_imports.get': ['GET', '/v1/campaign_imports/{id}', ''],
'campaign_previews.create': ['POST', '/v1/campaign_previews', ''],
'campaign_samples.create': ['POST', '/v1/campaign_samples', ''],
'recipients_file.get': ['GET', '/v1/campaigns/{id}/recipients/file', 'r'],
'campaign_recipients.list': ['GET', '/v1/campaigns/{id}/recipients', 'l'],
'campaign_skips.list': ['GET', '/v1/campaigns/{id}/skips', 'l'],
'campaign_audiences.create': ['POST', '/v1/campaigns/{id}/audiences', 'i'],
'campaign_rehearsals.create': ['POST', '/v1/campaign_rehearsals', ''],
'campaigns.create': ['POST', '/v1/campaigns', 'i'],
'campaigns.update': ['PUT', '/v1/campaigns/{id}', ''],
'campaign_skips.create': ['POST', '/v1/campaigns/{id}/skips', ''],
'test_campaigns.get': ['GET', '/v1/test_campaigns/{id}', ''],
'test_campaigns.list': ['GET', '/v1/test_campaigns', 'l'],
'campaign_winners.create': ['POST', '/v1/campaigns/{id}/winners', ''],
'campaign_approvals.list': ['GET', '/v1/campaigns/{id}/approvals', ''],
'campaign_calendar.get': ['GET', '/v1/campaign_calendar', ''],
'campaign_tags.list': ['GET', '/v1/campaign_tags', ''],
'campaign_follow_ups.create': ['POST', '/v1/campaigns/{id}/follow_ups', 'i'],
'campaign_results.get': ['GET', '/v1/campaigns/{id}/results', ''],
'conversation_messages.list': ['GET', '/v1/conversations/{id}/messages', 'l'],
'conversations.list': ['GET', '/v1/conversations', 'l'],
'utm_presets.create': ['POST', '/v1/utm_presets', ''],
'utm_presets.list': ['GET', '/v1/utm_presets', ''],
'utm_presets.remove': ['DELETE', '/v1/utm_presets/{id}', ''],
'balance_forecasts.get': ['GET', '/v1/balances/{id}/forecast', ''],
'bulk_lookups.apply': ['POST', '/v1/bulk-lookups/{id}/actions', 'i'],
'bulk_lookups.create': ['POST', '/v1/bulk-lookups', 'u'],
'number_lookups.create': ['POST', '/v1/number-lookups', 'i'],
'bulk_lookups.get': ['GET', '/v1/bulk-lookups/{id}', ''],
'number_lookups.price': ['GET', '/v1/number-lookups/price', ''],
'number_lookups.get': ['GET', '/v1/number-lookups/{id}', ''],
'bulk_lookups.list': ['GET', '/v1/bulk-lookups', 'l'],
'number_lookups.list': ['GET', '/v1/number-lookups', 'l'],
'bulk_lookups.remove': ['DELETE', '/v1/bulk-lookups/{id}', ''],
'number_lookups.remove': ['DELETE', '/v1/number-lookups/{id}', ''],
'bulk_lookups.update': ['PUT', '/v1/bulk-lookups/{id}', ''],
'anomalies.get': ['GET', '/v1/anomalies/{id}', ''],
'anomaly_alerts.get': ['GET', '/v1/anomaly_alerts', ''],
'anomalies.list': ['GET', '/v1/anomalies', 'l'],
'anomaly_alerts.save': ['PUT', '/v1/anomaly_alerts', ''],
'inbox_reports.get': ['GET', '/v1/inbox_reports', ''],
'reported_conversations.list': ['GET', '/v1/inbox_reports/conversations', 'l'],
'charts.get': ['GET', '/v1/charts', ''],
'charts.get_delivery': ['GET', '/v1/charts/delivery', ''],
'vat_checks.get': ['GET', '/v1/vat_checks/{id}', ''],
'overdue.get': ['GET', '/v1/overdue', ''],
'announced_rates.list': ['GET', '/v1/announced_rates', ''],
'exports.create': ['POST', '/v1/exports', 'i'],
'export_links.create': ['POST', '/v1/exports/{id}/links', ''],
'logs.create': ['POST', '/v1/logs', 'i'],
'export_files.get': ['GET', '/v1/exports/{id}/file', 'r'],
'exports.list': ['GET', '/v1/exports', 'l'],
'logs.list': ['GET', '/v1/logs', 'l'],
'exports.remove': ['DELETE', '/v1/exports/{id}', ''],
'logs.remove': ['DELETE', '/v1/logs/{id}', ''],
'exports.update': ['PUT', '/v1/exports/{id}', ''],
'logs.update': ['PUT', '/v1/logs/{id}', ''],
'webhooks.create_certificate': ['POST', '/v1/webhooks/{id}/certificates', ''],
'webhooks.remove_certificate': ['DELETE', '/v1/webhooks/{id}/certificates', ''],
'webhooks.create': ['POST', '/v1/webhooks', ''],
'webhooks.get_one': ['GET', '/v1/webhooks/{id}', ''],
'webhooks.get_delivery': ['GET', '/v1/webhooks/{id}/deliveries/{delivery_id}', ''],
'webhooks.list_deliveries': ['GET', '/v1/webhooks/{id}/deliveries', 'l'],
'webhooks.list': ['GET', '/v1/webhooks', 'l'],
'webhooks.recover': ['POST', '/v1/webhooks/{id}/recoveries', ''],
'webhooks.remove': ['DELETE', '/v1/webhooks/{id}', ''],
'webhooks.resend': ['POST', '/v1/webhooks/{id}/deliveries/{delivery_id}/resend', ''],
'webhooks.rotate': ['POST', '/v1/webhooks/{id}/rotations', ''],
'webhooks.send_example': ['POST', '/v1/webhooks/{id}/examples', ''],
'webhooks.update': ['PUT', '/v1/webhooks/{id}', ''],
'webhooks.create_example_event': ['POST', '/v1/webhook_events/examples', ''],
'webhooks.list_events': ['GET', '/v1/webhook_events', ''],
};
