/** Access to WhatsApp: the company, its number, and its profile. */
import { z } from 'zod';
import { problem } from '../../common.ts';
import { logoFile, pdfFile } from '../../registrations/access_files.ts';
import { BUSINESS_ACCESS } from '../../registrations/business_fields.ts';
import type { AccessForm } from '../access_form.ts';
import { checkNumber } from './preflight.ts';

/** Business categories of WhatsApp profiles. */
export const PROFILE_CATEGORIES = {
  automotive: 'Automotive',
  beauty: 'Beauty, spa, and salon',
  clothing: 'Clothing and apparel',
  education: 'Education',
  entertainment: 'Entertainment',
  event_planning: 'Event planning',
  finance: 'Finance and banking',
  food: 'Food and groceries',
  government: 'Public service',
  health: 'Medical and health',
  hotel: 'Hotel and lodging',
  non_profit: 'Nonprofit organization',
  professional_services: 'Professional services',
  restaurant: 'Restaurant',
  retail: 'Shopping and retail',
  travel: 'Travel and transportation',
  other: 'Other',
} as const;

const WhatsappSection = z.object({
  ...BUSINESS_ACCESS,
  /** `own`: an external number that the company has verified with a code. `account`: a number it sends SMS from. */
  number_from: z.enum(['own', 'account']),
  phone_number: z
    .string({ error: problem('SENDER_PHONE_INVALID') })
    .trim()
    .max(30, { error: problem('SENDER_PHONE_INVALID') })
    .transform((written) => written.replace(/[\s().-]/g, '').replace(/^(?:\+|00)/, ''))
    .pipe(z.string().regex(/^[1-9]\d{6,14}$/, { error: problem('SENDER_PHONE_INVALID') })),
  /** The name at the top of the conversation. */
  display_name: z.string().trim().min(3).max(60),
  /** The ID of the Meta business portfolio, if there is one. */
  meta_business_id: z
    .string()
    .trim()
    .regex(/^(?:\d{5,20})?$/, { error: 'must have 5 to 20 digits' })
    .optional(),
  about: z.string().trim().max(139).optional(),
  category: z.enum(Object.keys(PROFILE_CATEGORIES) as [keyof typeof PROFILE_CATEGORIES]),
});

/** A form that may be incomplete. */
export const WhatsappDraft = WhatsappSection.partial();
export type WhatsappDraft = z.output<typeof WhatsappDraft>;

/** The fields of the profile. The image is the attachment `logo_640x640`. */
export const ProfileDraft = WhatsappDraft.pick({
  about: true,
  category: true,
  business_description: true,
  business_address: true,
  business_email: true,
  business_website: true,
});
export type ProfileDraft = z.output<typeof ProfileDraft>;

export const whatsapp = {
  channel: 'WHATSAPP',
  label: 'WhatsApp',
  section: WhatsappSection,
  draft: WhatsappDraft,
  fields: {
    number_from: { label: 'Number', title: 'Choose which number to use' },
    phone_number: { label: 'Number', title: 'Phone number is required' },
    display_name: { label: 'Display name', title: 'Display name is missing or too short' },
    meta_business_id: { label: 'Meta business ID', title: 'Meta business ID must have 5 to 20 digits' },
    about: { label: 'About', title: 'About text is too long' },
    category: { label: 'Category', title: 'Category is required' },
  },
  files: [logoFile(640, 640), pdfFile('company_register'), pdfFile('other')],
  summaries: {
    form: 'Save the WhatsApp form: company, number, and profile; omitted fields keep their values',
    files: 'Attach the logo (a PNG of exactly 640 x 640 pixels) or a document; a new file replaces the old file',
  },
  problems: ['SENDER_ID_EXISTS', 'SENDER_PHONE_INVALID'],
  code_field: 'phone_number',
  name_field: 'display_name',
  preflight: checkNumber,
  reasons: [
    {
      key: 'display_name',
      field: 'display_name',
      text: 'The display name must represent the business and appear on its website.',
    },
    {
      key: 'number_in_use',
      field: 'phone_number',
      text: 'The number already has a WhatsApp account. Delete that account first, or choose another number.',
    },
    {
      key: 'meta_business',
      field: 'meta_business_id',
      text: 'The Meta business ID belongs to another company.',
    },
  ],
  logo_fix: 'Attach a PNG file, or create it here from a larger image.',
  logo_hint: 'The logo must be a PNG file of exactly 640 x 640 pixels. You can create it from a larger image.',
  reserved_names: /whats ?app|\bmeta\b/i,
  carrier_address: {
    label: 'Phone number ID',
    description: 'Enter the number’s existing ID, or leave empty to enroll the number now.',
    required: false,
  },
} as const satisfies AccessForm;
