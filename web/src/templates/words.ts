/** Labels for templates. */
import type { MessageType } from '@parley/contract/messages/content.ts';
import { TEMPLATE_STATUS, TEMPLATE_STATUSES, type Template } from '@parley/contract/templates/templates.ts';

export const TYPE_LABELS: Readonly<Record<MessageType, string>> = {
  text: 'Text',
  image: 'Image',
  video: 'Video',
  document: 'Document',
};

export type Category = NonNullable<Template['wa_category']>;
export const CATEGORIES: Readonly<Record<Category, { label: string; description: string }>> = {
  MARKETING: {
    label: 'Marketing',
    description: 'Offers, news, invitations, and other messages the recipient did not request.',
  },
  UTILITY: { label: 'Utility', description: 'Messages about a recipient’s order, appointment, or account.' },
  AUTHENTICATION: { label: 'Authentication', description: 'A one-time code. The text around {code} is fixed.' },
};

/** The props for the status badge. */
export const statusBadge = ({
  status,
  paused,
  disabled,
  reason,
}: Pick<Template, 'status' | 'paused' | 'disabled' | 'reason'>) => ({
  ...TEMPLATE_STATUS[status === 'COMPLETED' && paused ? (disabled ? 'disabled' : 'paused') : status],
  reason: reason?.text ?? null,
});
export const STATUS_OPTIONS = TEMPLATE_STATUSES.map((value) => ({ value, label: TEMPLATE_STATUS[value].label }));

export const TAGS = [
  { key: 'first_name', label: 'First name' },
  { key: 'last_name', label: 'Last name' },
  { key: 'custom1', label: 'Custom 1' },
  { key: 'custom2', label: 'Custom 2' },
] as const;
export const OPT_OUT_TAG = { key: 'sms_opt_out', label: 'Opt-out line' } as const;
export const LINK_TAG = { key: 'url=https://', label: 'Short link' } as const;

/** The most common template languages. The API also accepts all others. */
export const LANGUAGES: readonly { value: string; label: string }[] = [
  { value: 'ar', label: 'Arabic' },
  { value: 'hy', label: 'Armenian' },
  { value: 'bg', label: 'Bulgarian' },
  { value: 'zh_CN', label: 'Chinese (China)' },
  { value: 'hr', label: 'Croatian' },
  { value: 'cs', label: 'Czech' },
  { value: 'da', label: 'Danish' },
  { value: 'nl', label: 'Dutch' },
  { value: 'en', label: 'English' },
  { value: 'en_GB', label: 'English (UK)' },
  { value: 'en_US', label: 'English (US)' },
  { value: 'fi', label: 'Finnish' },
  { value: 'fr', label: 'French' },
  { value: 'ka', label: 'Georgian' },
  { value: 'de', label: 'German' },
  { value: 'el', label: 'Greek' },
  { value: 'he', label: 'Hebrew' },
  { value: 'hi', label: 'Hindi' },
  { value: 'hu', label: 'Hungarian' },
  { value: 'id', label: 'Indonesian' },
  { value: 'it', label: 'Italian' },
  { value: 'ja', label: 'Japanese' },
  { value: 'kk', label: 'Kazakh' },
  { value: 'ko', label: 'Korean' },
  { value: 'lt', label: 'Lithuanian' },
  { value: 'nb', label: 'Norwegian' },
  { value: 'fa', label: 'Persian' },
  { value: 'pl', label: 'Polish' },
  { value: 'pt_BR', label: 'Portuguese (Brazil)' },
  { value: 'pt_PT', label: 'Portuguese (Portugal)' },
  { value: 'ro', label: 'Romanian' },
  { value: 'ru', label: 'Russian' },
  { value: 'sr', label: 'Serbian' },
  { value: 'es', label: 'Spanish' },
  { value: 'sv', label: 'Swedish' },
  { value: 'tr', label: 'Turkish' },
  { value: 'uk', label: 'Ukrainian' },
  { value: 'uz', label: 'Uzbek' },
  { value: 'vi', label: 'Vietnamese' },
];
