/** What only WhatsApp asks of a template: whose it is, what it is for and what that costs, its language, and the lines around the text. */
import { Anchor, SegmentedControl, TextInput } from '@mantine/core';
import { MAX_FOOTER, MAX_HEADER } from '@parley/contract/templates/draft.ts';
import { Link } from '@tanstack/react-router';
import { SenderSelect } from '../senders/SenderSelect.tsx';
import { parsePhone } from '../ui/data/phone.ts';
import { Notice } from '../ui/feedback/Notice.tsx';
import { SearchSelect } from '../ui/form/SearchSelect.tsx';
import { CategoryPrice } from './CategoryPrice.tsx';
import styles from './Library.module.css';
import type { TemplateForm } from './useTemplateForm.ts';
import { CATEGORY_WORDS, type Category, LANGUAGES } from './words.ts';

const USABLE = { channel: 'WHATSAPP', statuses: 'available,approved' } as const;

interface WhatsAppFieldsProps {
  form: TemplateForm;
  /** WhatsApp has it under its name, language and sender. */
  kept: boolean;
  onCategory: (category: Category) => void;
}

export function WhatsAppFields({ form, kept, onCategory }: WhatsAppFieldsProps) {
  const { draft, change, errorOf } = form;
  const languages = LANGUAGES.some(({ value }) => value === draft.language)
    ? LANGUAGES
    : [...LANGUAGES, { value: draft.language, label: draft.language }];
  return (
    <>
      <SenderField form={form} kept={kept} />
      <div className={styles.field} data-field="wa_category">
        <span className={styles.label} id="template-category">
          Category
        </span>
        <SegmentedControl
          aria-labelledby="template-category"
          value={draft.wa_category}
          onChange={(category) => onCategory(category as Category)}
          data={Object.entries(CATEGORY_WORDS).map(([value, { label }]) => ({ value, label }))}
        />
        <p className={styles.hint}>
          {CATEGORY_WORDS[draft.wa_category].what} <CategoryPrice category={draft.wa_category} />
        </p>
      </div>
      <div data-field="language">
        <SearchSelect
          label="Language"
          className={styles.short}
          data={[...languages]}
          disabled={kept}
          value={draft.language}
          error={errorOf('language')}
          onChange={(language) => language && change({ language })}
        />
      </div>
    </>
  );
}

function SenderField({ form, kept }: { form: TemplateForm; kept: boolean }) {
  const { draft, change, settle, errorOf } = form;
  const code = draft.wa_sender_code;
  return (
    <div data-field="wa_sender_code">
      <SenderSelect
        label="WhatsApp sender"
        required
        className={styles.short}
        filter={USABLE}
        by="code"
        extraOptions={code ? [{ value: code, label: parsePhone(code).text }] : []}
        disabled={kept}
        value={code || null}
        error={errorOf('wa_sender_code')}
        onChange={(next) => next && change({ wa_sender_code: next })}
        onOnly={(sender) => settle({ wa_sender_code: sender.code })}
        empty={
          <Notice
            tone="wait"
            action={
              <Anchor component={Link} to="/add-channel" underline="always" inherit>
                Add WhatsApp
              </Anchor>
            }
          >
            A WhatsApp template belongs to a WhatsApp sender, and you have none yet.
          </Notice>
        }
      />
    </div>
  );
}

const LINES = {
  header: { label: 'Header', max: MAX_HEADER, what: 'A line in bold above the message, with one placeholder at most.' },
  footer: { label: 'Footer', max: MAX_FOOTER, what: 'A line in grey below the message, without placeholders.' },
} as const;

export function WhatsAppLines({ form, line }: { form: TemplateForm; line: 'header' | 'footer' }) {
  const { label, max, what } = LINES[line];
  const value = form.draft[line];
  return (
    <div data-field={line}>
      <TextInput
        label={label}
        description={what}
        value={value}
        error={form.errorOf(line)}
        rightSection={
          <span className={styles.counter} data-over={value.length > max || undefined}>
            {value.length}/{max}
          </span>
        }
        rightSectionWidth={56}
        onChange={(event) => form.change({ [line]: event.currentTarget.value })}
      />
    </div>
  );
}
