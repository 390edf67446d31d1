/** What every WhatsApp profile has, asked for in the wizard and changed later on: what kind of business it is, and the line below its name. */
import { Textarea } from '@mantine/core';
import { PROFILE_CATEGORIES } from '@parley/contract/channels/whatsapp/access.ts';
import { SearchSelect } from '../ui/form/SearchSelect.tsx';

const CATEGORIES = Object.entries(PROFILE_CATEGORIES).map(([value, label]) => ({ value, label }));

interface Fields {
  key(name: 'category' | 'about'): string;
  getInputProps(name: 'category' | 'about'): object;
}

export function ProfileFields({ form, required = false }: { form: Fields; required?: boolean }) {
  return (
    <>
      <SearchSelect
        label="Category"
        placeholder="Choose the one that fits best"
        required={required}
        data={CATEGORIES}
        withScrollArea={false}
        styles={{ options: { maxHeight: 260, overflowY: 'auto' } }}
        key={form.key('category')}
        {...form.getInputProps('category')}
      />
      <Textarea
        label="About"
        description="A line below your name, at most 139 characters."
        autosize
        minRows={2}
        maxLength={139}
        key={form.key('about')}
        {...form.getInputProps('about')}
      />
    </>
  );
}
