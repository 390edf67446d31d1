/** The category and description of a WhatsApp profile, both in the registration and for a sender in use. */
import { Textarea } from '@mantine/core';
import { PROFILE_CATEGORIES } from '@parley/contract/channels/whatsapp/access.ts';
import { Field } from '../../ui/form/Field.tsx';
import { SearchSelect } from '../../ui/form/SearchSelect.tsx';
import type { StepFieldsProps } from '../access_view.ts';

const CATEGORIES = Object.entries(PROFILE_CATEGORIES).map(([value, label]) => ({ value, label }));

export function ProfileFields({ form, inUse = false }: StepFieldsProps) {
  return (
    <>
      <Field
        form={form}
        name="category"
        as={SearchSelect}
        label="Category"
        placeholder="Choose the best match"
        {...(inUse ? {} : { optional: false })}
        data={CATEGORIES}
        withScrollArea={false}
        styles={{ options: { maxHeight: 260, overflowY: 'auto' } }}
      />
      <Field
        form={form}
        name="about"
        as={Textarea}
        label="About"
        description="Shown below your name. At most 139 characters."
        autosize
        minRows={2}
        maxLength={139}
      />
    </>
  );
}
