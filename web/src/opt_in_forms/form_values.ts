/** The values of the form that creates or edits an opt-in form. */
import type { FormLanguage } from '@parley/contract/opt_in_forms/languages.ts';
import { DEFAULT_TEXTS } from '@parley/contract/opt_in_forms/languages.ts';
import type { OptInForm } from '@parley/contract/opt_in_forms/opt_in_forms.ts';

export type FormText = OptInForm['texts'][number];

export interface FormValues extends Record<string, unknown> {
  audience_id: string;
  name: string;
  sender_id: string;
  texts: FormText[];
  fields: OptInForm['fields'];
  purpose: OptInForm['purpose'];
  country: string;
  domain: string | null;
  origins: string[];
  tags: string[];
  welcome_text: string;
}

export const defaultText = (language: FormLanguage, company: string): FormText => ({
  language,
  description: '',
  ...DEFAULT_TEXTS[language](company),
});

export const emptyValues = (audience_id: string, company: string, country: string): FormValues => ({
  ...{ audience_id, name: '', sender_id: '', texts: [defaultText('en', company)], fields: [], purpose: 'marketing' },
  ...{ country, domain: null, origins: [], tags: [], welcome_text: '' },
});

export const storedValues = (form: OptInForm): FormValues => ({
  ...{ audience_id: form.audience_id, name: form.name, sender_id: form.sender_id, texts: form.texts },
  ...{ fields: form.fields, purpose: form.purpose, country: form.country, domain: form.domain },
  ...{ origins: form.origins, tags: form.tags, welcome_text: form.welcome_text },
});

/** The audience of a form never changes. */
export function toSettings({ audience_id: _, ...settings }: FormValues) {
  return settings;
}
