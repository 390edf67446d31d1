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
  /** The review needs the category, although a draft without it can be saved. */
  isReviewed?: boolean;
}

export function ProfileFields({ form, isReviewed = false }: ProfileFieldsProps) {
  return (
    <>
      <Field
        form={form}
        name="category"
        as={SearchSelect}
        label="Category"
        placeholder="Choose the best match"
        {...(isReviewed ? { optional: false } : {})}
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
