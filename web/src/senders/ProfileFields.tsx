/** The category and description of a WhatsApp profile, in the registration and for a sender in use. */
import { Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { PROFILE_CATEGORIES } from '@parley/contract/channels/whatsapp/access.ts';
import { Field } from '../ui/form/Field.tsx';
import { SearchSelect } from '../ui/form/SearchSelect.tsx';

const CATEGORIES = Object.entries(PROFILE_CATEGORIES).map(([value, label]) => ({ value, label }));

interface ProfileFieldsProps {
  // biome-ignore lint/suspicious/noExplicitAny: any form with both fields among its values
  form: UseFormReturnType<any>;
  required?: boolean;
}

export function ProfileFields({ form, required = false }: ProfileFieldsProps) {
  return (
    <>
      <Field
        form={form}
        name="category"
        as={SearchSelect}
        label="Category"
        placeholder="Choose the best match"
        required={required}
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
