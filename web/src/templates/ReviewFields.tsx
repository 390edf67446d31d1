/** Fields that only some channels have: category, language, sender, header, and footer. */
import { Anchor, SegmentedControl, TextInput } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import { MAX_FOOTER, MAX_HEADER } from '@parley/contract/templates/draft.ts';
import { textLength } from '@parley/contract/text_length.ts';
import { Link } from '@tanstack/react-router';
import { ADD_CHANNEL } from '../paths.ts';
import { SenderSelect } from '../senders/SenderSelect.tsx';
import { parsePhone } from '../ui/data/phone.ts';
import { Notice } from '../ui/feedback/Notice.tsx';
import { Optional } from '../ui/form/Optional.tsx';
import { SearchSelect } from '../ui/form/SearchSelect.tsx';
import { CategoryPrice } from './CategoryPrice.tsx';
import { hasField } from './draft.ts';
import styles from './Templates.module.css';
import type { TemplateForm } from './useTemplateForm.ts';
import { CATEGORIES, type Category, LANGUAGES } from './words.ts';

interface FieldProps {
  form: TemplateForm;
  /** True if the template has been submitted to the carrier, so its name, language, and sender are fixed. */
  isSubmitted: boolean;
}

export function ReviewFields(props: FieldProps) {
  const { channel } = props.form.draft;
  return (
    <>
      {hasField(channel, 'wa_sender_code') && <SenderField {...props} />}
      {hasField(channel, 'wa_category') && <CategoryField form={props.form} />}
      {hasField(channel, 'wa_category') && <LanguageField {...props} />}
    </>
  );
}

function CategoryField({ form }: Pick<FieldProps, 'form'>) {
  const { channel, wa_category } = form.draft;
  return (
    <div className={styles.field} data-field="wa_category">
      <span className={styles.label} id="template-category">
        Category
      </span>
      <SegmentedControl
        aria-labelledby="template-category"
        value={wa_category}
        onChange={(category) => form.change({ wa_category: category as Category })}
        data={Object.entries(CATEGORIES).map(([value, { label }]) => ({ value, label }))}
      />
      <p className={styles.hint}>
        {CATEGORIES[wa_category].description} <CategoryPrice channel={channel} category={wa_category} />
      </p>
    </div>
  );
}

function LanguageField({ form, isSubmitted }: FieldProps) {
  const { language } = form.draft;
  const languages = LANGUAGES.some(({ value }) => value === language)
    ? LANGUAGES
    : [...LANGUAGES, { value: language, label: language }];
  return (
    <div data-field="language">
      <SearchSelect
        label="Language"
        className={styles.short}
        data={[...languages]}
        disabled={isSubmitted}
        value={language}
        error={form.fieldError('language')}
        onChange={(next) => next && form.change({ language: next })}
      />
    </div>
  );
}

function SenderField({ form, isSubmitted }: FieldProps) {
  const { draft, change, preset, fieldError } = form;
  const code = draft.wa_sender_code;
  const { label } = channelRules(draft.channel);
  return (
    <div data-field="wa_sender_code">
      <SenderSelect
        label={`${label} sender`}
        required
        className={styles.short}
        filter={{ channel: draft.channel, statuses: 'available,approved' }}
        by="code"
        extraOptions={code ? [{ value: code, label: parsePhone(code).text }] : []}
        disabled={isSubmitted}
        value={code || null}
        error={fieldError('wa_sender_code')}
        onChange={(next) => next && change({ wa_sender_code: next })}
        onOnly={(sender) => preset({ wa_sender_code: sender.code })}
        empty={
          <Notice
            tone="wait"
            action={
              <Anchor component={Link} to={ADD_CHANNEL} underline="always" inherit>
                Add {label}
              </Anchor>
            }
          >
            Every {label} template belongs to a {label} sender. You do not have a {label} sender yet.
          </Notice>
        }
      />
    </div>
  );
}

const LINES = {
  header: {
    label: 'Header',
    max: MAX_HEADER,
    description: 'A bold line above the message, with at most one placeholder.',
  },
  footer: { label: 'Footer', max: MAX_FOOTER, description: 'A gray line below the message, without placeholders.' },
} as const;

/** The line above or below the text: the header or the footer. */
export function LineField({ form, line }: { form: TemplateForm; line: 'header' | 'footer' }) {
  const { label, max, description } = LINES[line];
  const value = form.draft[line];
  return (
    <div data-field={line}>
      <TextInput
        label={
          <>
            {label}
            <Optional />
          </>
        }
        description={description}
        value={value}
        error={form.fieldError(line)}
        rightSection={
          <span className={styles.counter} data-over={textLength(value) > max || undefined}>
            {textLength(value)}/{max}
          </span>
        }
        rightSectionWidth={56}
        onChange={(event) => form.change({ [line]: event.currentTarget.value })}
      />
    </div>
  );
}
