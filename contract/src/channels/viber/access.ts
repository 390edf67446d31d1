/** Access to Viber: the company, its traffic, and examples of its messages. */
import { z } from 'zod';
import { problem } from '../../common.ts';
import { logoFile, pdfFile } from '../../registrations/access_files.ts';
import { BUSINESS_ACCESS, businessText } from '../../registrations/business_fields.ts';
import type { AccessForm } from '../access_form.ts';
import { checkSamples } from './preflight.ts';

export const TRAFFIC = {
  transactional: 'Transactional: messages that people expect',
  promotional: 'Promotional: offers and news',
  both: 'Both',
} as const;

const ViberSection = z.object({
  ...BUSINESS_ACCESS,
  business_name_en: businessText('BUSINESS_NAME_EN_REQUIRED', 'BUSINESS_NAME_EN_INVALID', 2, 28).regex(
    /^(?=.*[A-Za-z])[\x20-\x7e]+$/,
    { error: problem('BUSINESS_NAME_EN_INVALID') },
  ),
  traffic: z.enum(Object.keys(TRAFFIC) as [keyof typeof TRAFFIC]),
  two_way: z.boolean(),
  sample_messages: z.array(z.string().trim().min(10).max(1_000)).min(1).max(5),
});

/** A form that may be incomplete. */
export const ViberDraft = ViberSection.partial();
export type ViberDraft = z.output<typeof ViberDraft>;

const LOGO_SIZES = [
  [360, 280],
  [256, 256],
  [130, 130],
  [100, 100],
  [65, 65],
  [50, 50],
] as const;

export const viber = {
  channel: 'VIBER',
  label: 'Viber',
  section: ViberSection,
  draft: ViberDraft,
  fields: {
    business_name_en: { label: 'Business name in English', required: 'BUSINESS_NAME_EN_REQUIRED' },
    traffic: { label: 'Traffic', title: 'Choose what kind of messages you send' },
    two_way: { label: 'Replies', title: 'Choose whether people can reply' },
    sample_messages: { label: 'Example messages', title: 'Example messages are missing or too short' },
  },
  files: [
    pdfFile('warranty_letter', true),
    ...LOGO_SIZES.map(([width, height]) => logoFile(width, height)),
    pdfFile('industry_letter'),
    pdfFile('other'),
  ],
  summaries: {
    form: 'Save the Viber form: company, traffic, and examples; omitted fields keep their values',
    files:
      'Attach the warranty letter (PDF), a logo (PNG in the exact size), or a document; ' +
      'a new file replaces the old file',
  },
  problems: [],
  code_field: 'business_name_en',
  name_field: 'business_name_en',
  preflight: checkSamples,
  reasons: [
    {
      key: 'name_taken',
      field: 'business_name_en',
      text: 'Another business already uses this name on Viber.',
    },
    {
      key: 'samples',
      field: 'sample_messages',
      text: 'The example messages do not match the selected traffic type.',
    },
    {
      key: 'warranty_letter',
      field: 'attachments.warranty_letter',
      text: 'The warranty letter is unsigned or unreadable, or names another company.',
    },
  ],
  logo_fix: 'Attach a PNG file. You can create all sizes from one image.',
  logo_hint: 'Six sizes of the logo are required, as PNG files. You can create all of them from one larger image.',
  reserved_names: /viber/i,
  carrier_address: { label: 'Service ID', description: 'Assigned by Viber to this business.', required: true },
} as const satisfies AccessForm;
