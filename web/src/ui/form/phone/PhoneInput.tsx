/**
 * A phone number with its country. The digits are grouped the way that is customary in that country. A number that
 * begins with + selects its country. `onChange` receives the number in international format, or the typed digits if
 * they are not a valid number.
 */
import { TextInput } from '@mantine/core';
import type { CountryCode } from 'libphonenumber-js/min';
import { type ChangeEvent, type ReactNode, type Ref, useId, useMemo, useState } from 'react';
import selectStyles from '../CountrySelect.module.css';
import { countryOptions } from '../countries.ts';
import { SearchSelect } from '../SearchSelect.tsx';
import styles from './PhoneInput.module.css';
import { usePhoneRules } from './phone_rules.ts';

interface PhoneInputProps {
  label: string;
  description?: ReactNode;
  error?: ReactNode;
  initial?: string;
  country: string;
  onChange: (international: string) => void;
  onBlur?: () => void;
  autoFocus?: boolean;
  /** Lets the form focus this field if it is the first one with an error. */
  'data-path'?: string;
  ref?: Ref<HTMLInputElement>;
}

export function PhoneInput({ country: initialCountry, initial = '', onChange, onBlur, ...field }: PhoneInputProps) {
  const rules = usePhoneRules();
  const [country, setCountry] = useState(initialCountry);
  const [text, setText] = useState(initial);
  const id = useId();
  const options = useMemo(() => callingCodeOptions(rules), [rules]);

  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const { value, selectionStart } = event.currentTarget;
    // Digits are grouped only while the user types at the end. Grouping after a correction in the middle would move the
    // caret.
    const isTypedAtEnd = value.length > text.length && selectionStart === value.length;
    const next = regroup(rules, { text: value, country }, isTypedAtEnd);
    setText(next.text);
    setCountry(next.country);
    onChange(toInternational(rules, next));
  };
  const changeCountry = (value: string | null) => {
    if (!value) return;
    setCountry(value);
    const national = text.trim().startsWith('+') ? '' : text;
    setText(national);
    onChange(toInternational(rules, { text: national, country: value }));
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
        nothingFoundMessage="No countries found"
        onChange={changeCountry}
      />
      <TextInput
        {...field}
        id={id}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        value={text}
        placeholder={placeholder(rules, country)}
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

type Rules = ReturnType<typeof usePhoneRules>;

interface Entry {
  text: string;
  country: string;
}

/** Groups the digits of an entry. A number that begins with + also sets the country. */
function regroup(rules: Rules, entry: Entry, isTypedAtEnd: boolean): Entry {
  if (!rules) return entry;
  const formatter = new rules.AsYouType(entry.country as CountryCode);
  const grouped = formatter.input(entry.text);
  const country = entry.text.trim().startsWith('+') ? formatter.getCountry() : undefined;
  return { text: isTypedAtEnd ? grouped : entry.text, country: country ?? entry.country };
}

function toInternational(rules: Rules, { text, country }: Entry): string {
  const parsed = rules?.parsePhoneNumberFromString(text, country as CountryCode);
  return parsed?.number ?? text.replace(/[^\d+]/g, '');
}

/** The countries with their calling codes, such as "Germany (+49)". */
function callingCodeOptions(rules: Rules): { value: string; label: string }[] {
  if (!rules) return [];
  return countryOptions()
    .filter(({ value }) => rules.isSupportedCountry(value))
    .map(({ value, label: name }) => ({
      value,
      label: `${name.replace(/ \([A-Z]{2}\)$/, '')} (+${rules.getCountryCallingCode(value as CountryCode)})`,
    }));
}

const placeholder = (rules: Rules, country: string): string =>
  rules?.isSupportedCountry(country) ? `+${rules.getCountryCallingCode(country)} …` : '';
