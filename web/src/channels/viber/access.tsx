/** The steps of the Viber form. */
import { TextInput } from '@mantine/core';
import { TRAFFIC } from '@parley/contract/channels/viber/access.ts';
import { Field } from '../../ui/form/Field.tsx';
import type { AccessView, StepFieldsProps } from '../access_view.ts';
import { AccountFields } from './AccountFields.tsx';

export const viber: AccessView = {
  business: {
    initial: (saved) => ({ business_name_en: saved?.business_name_en ?? '' }),
    labels: { business_name_en: 'Business name in English' },
    Fields: EnglishName,
    rows: (saved) => [{ label: 'English name', value: saved.business_name_en ?? '–' }],
  },
  profile: null,
  steps: [
    {
      key: 'account',
      label: 'Account details',
      view: {
        initial: (saved) => ({
          traffic: saved?.traffic ?? null,
          two_way: saved?.two_way ?? true,
          sample_messages: saved?.sample_messages ?? [''],
        }),
        labels: { traffic: 'Traffic', sample_messages: 'The example' },
        Fields: AccountFields,
        rows: (saved) => [
          { label: 'Traffic', value: saved.traffic ? TRAFFIC[saved.traffic] : '–' },
          { label: 'Recipients can reply', value: saved.two_way === false ? 'No' : 'Yes' },
          ...(saved.sample_messages ?? []).map((text, index) => ({ label: `Example ${index + 1}`, value: text })),
        ],
      },
    },
    { key: 'documents', label: 'Documents', view: null },
  ],
};

function EnglishName({ form }: StepFieldsProps) {
  return (
    <Field
      form={form}
      name="business_name_en"
      as={TextInput}
      label="Business name in English"
      description="Shown above your messages. Up to 28 Latin letters and digits."
      maxLength={28}
    />
  );
}
