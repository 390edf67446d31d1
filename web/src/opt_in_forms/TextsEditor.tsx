/** The texts of an opt-in page in each language. */
import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { FORM_LANGUAGES, type FormLanguage, LANGUAGE_NAMES } from '@parley/contract/opt_in_forms/languages.ts';
import { useState } from 'react';
import { Notice } from '../ui/feedback/Notice.tsx';
import { Optional } from '../ui/form/Optional.tsx';
import { defaultText, type FormText } from './form_values.ts';
import styles from './OptIn.module.css';

interface TextsEditorProps {
  company: string;
  defaultValue?: FormText[];
  onChange?: (texts: FormText[]) => void;
  error?: string;
}

export function TextsEditor({ company, defaultValue = [], onChange, error }: TextsEditorProps) {
  const [texts, setTexts] = useState(defaultValue);
  const store = (next: FormText[]) => {
    setTexts(next);
    onChange?.(next);
  };
  const change = (at: number, fields: Partial<FormText>) =>
    store(texts.map((text, index) => (index === at ? { ...text, ...fields } : text)));
  const unused = FORM_LANGUAGES.filter((language) => !texts.some((text) => text.language === language));
  const add = (language: FormLanguage) => store([...texts, defaultText(language, company)]);
  return (
    <section className={styles.texts} aria-label="Texts">
      <h2>Texts</h2>
      <p className={styles.note}>
        People see the page in their own language if you add it, and otherwise in the first language.
      </p>
      {texts.map((text, at) => (
        <LanguageText
          key={text.language}
          text={text}
          onChange={(fields) => change(at, fields)}
          onRemove={texts.length > 1 ? () => store(texts.filter((_, index) => index !== at)) : null}
        />
      ))}
      {error && <Notice tone="fail">{error}</Notice>}
      {unused.length > 0 && (
        <Select
          label="Add a language"
          placeholder="Select a language"
          value={null}
          data={unused.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
          onChange={(value) => value && add(value as FormLanguage)}
        />
      )}
    </section>
  );
}

interface LanguageTextProps {
  text: FormText;
  onChange: (fields: Partial<FormText>) => void;
  onRemove: (() => void) | null;
}

function LanguageText({ text, onChange, onRemove }: LanguageTextProps) {
  const name = LANGUAGE_NAMES[text.language];
  return (
    <fieldset className={styles.part} aria-label={name}>
      <div className={styles.row}>
        <h3 lang={text.language}>{name}</h3>
        {onRemove && (
          <Button variant="subtle" size="compact-sm" onClick={onRemove} aria-label={`Remove ${name}`}>
            Remove
          </Button>
        )}
      </div>
      <TextInput
        label="Title"
        required
        lang={text.language}
        maxLength={100}
        value={text.title}
        onChange={(event) => onChange({ title: event.currentTarget.value })}
      />
      <Textarea
        label={
          <>
            Description
            <Optional />
          </>
        }
        description="What people get, and how often."
        lang={text.language}
        maxLength={1_000}
        autosize
        value={text.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <Textarea
        label="Consent text"
        description="Stored with each consent, exactly as people saw it. Have your lawyer check it."
        required
        lang={text.language}
        maxLength={2_000}
        autosize
        minRows={2}
        value={text.consent}
        onChange={(event) => onChange({ consent: event.currentTarget.value })}
      />
    </fieldset>
  );
}
