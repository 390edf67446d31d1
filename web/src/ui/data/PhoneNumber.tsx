import styles from './PhoneNumber.module.css';
import { usePhone } from './phone.ts';

export interface PhoneNumberProps {
  /** Digits with country code, with or without +. A sender name or a short code is shown as it is. */
  value: string;
  withCountry?: boolean;
}

/** International format behind the country's two letters: readable on every system, where emoji flags are not. */
export function PhoneNumber({ value, withCountry = true }: PhoneNumberProps) {
  const { text, country } = usePhone(value);
  const isNumber = text.startsWith('+');
  return (
    <span className={styles.root} title={isNumber ? value : undefined}>
      {withCountry && isNumber && (
        <span className={styles.country} data-known={country !== null || undefined}>
          {country ?? ''}
        </span>
      )}
      {text}
    </span>
  );
}
