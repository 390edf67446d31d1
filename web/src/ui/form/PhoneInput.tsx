/**
 * A phone number with its country. What is typed is grouped as it is usual there; a number that begins with + chooses its country by itself.
 * `onChange` gets the international form as far as it is known.
 */
import { TextInput } from '@mantine/core';
import type { CountryCode } from 'libphonenumber-js/min';
import { type ChangeEvent, type ReactNode, type Ref, useId, useMemo, useState } from 'react';
import selectStyles from './CountrySelect.module.css';
import { countryOptions } from './countries.ts';
import styles from './PhoneInput.module.css';
import { usePhoneRules } from './phone_rules.ts';
import { SearchSelect } from './SearchSelect.tsx';

export interface PhoneInputProps {
  label: string;
  description?: ReactNode;
  error?: ReactNode;
  initial?: string;
  country: string;
  onChange: (international: string) => void;
  onBlur?: () => void;
  autoFocus?: boolean;
  /** For the form that puts the focus on the first wrong field. */
  'data-path'?: string;
  ref?: Ref<HTMLInputElement>;
}

export function PhoneInput({
  label,
  description,
  error,
  initial = '',
  country: first,
  onChange,
  onBlur,
  autoFocus,
  ref,
  'data-path': path,
}: PhoneInputProps) {
  const rules = usePhoneRules();
  const [country, setCountry] = useState(first);
  const [text, setText] = useState(initial);
  const id = useId();

  const options = useMemo(() => {
    if (!rules) return [];
    return countryOptions()
      .filter(({ value }) => rules.isSupportedCountry(value))
      .map(({ value, label: name }) => ({
        value,
        label: `${name.replace(/ \([A-Z]{2}\)$/, '')} (+${rules.getCountryCallingCode(value as CountryCode)})`,
      }));
  }, [rules]);

  const internationalOf = (typed: string, of: string): string => {
    const parsed = rules?.parsePhoneNumberFromString(typed, of as CountryCode);
    return parsed?.number ?? typed.replace(/[^\d+]/g, '');
  };
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const { value, selectionStart } = event.currentTarget;
    let [shown, of] = [value, country];
    if (rules) {
      const typing = new rules.AsYouType(country as CountryCode);
      // Only while it grows at its end: grouping what is corrected in the middle would move the caret.
      const grows = value.length > text.length && selectionStart === value.length;
      const grouped = typing.input(value);
      if (grows) shown = grouped;
      const found = value.trim().startsWith('+') ? typing.getCountry() : undefined;
      if (found) of = found;
    }
    setText(shown);
    setCountry(of);
    onChange(internationalOf(shown, of));
  };
  return (
    <div className={styles.root}>
      <SearchSelect
        label="Country"
        data={options}
        value={options.length ? country : null}
        placeholder={country}
        withScrollArea={false}
        classNames={{ options: selectStyles.options }}
        nothingFoundMessage="No country of this name"
        onChange={(value) => {
          if (!value) return;
          setCountry(value);
          const national = text.trim().startsWith('+') ? '' : text;
          setText(national);
          onChange(internationalOf(national, value));
        }}
      />
      <TextInput
        ref={ref}
        id={id}
        label={label}
        description={description}
        error={error}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        autoFocus={autoFocus ?? false}
        data-path={path}
        value={text}
        placeholder={exampleOf(rules, country)}
        onChange={change}
        onBlur={() => {
          const parsed = rules?.parsePhoneNumberFromString(text, country as CountryCode);
          if (parsed?.isPossible())
            setText(text.trim().startsWith('+') ? parsed.formatInternational() : parsed.formatNational());
          onBlur?.();
        }}
      />
    </div>
  );
}

const exampleOf = (rules: ReturnType<typeof usePhoneRules>, country: string): string =>
  rules?.isSupportedCountry(country) ? `+${rules.getCountryCallingCode(country)} …` : '';
