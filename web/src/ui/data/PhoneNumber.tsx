import styles from './PhoneNumber.module.css';
import { usePhone } from './phone.ts';

interface PhoneNumberProps {
  /** Digits including the country code, with or without +. Sender names and short codes are shown unchanged. */
  value: string;
  withCountry?: boolean;
}

/**
 * The number in international format, preceded by the country's two-letter code, which, unlike emoji flags, is readable
 * on every system.
 */
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
