import { VisuallyHidden } from '@mantine/core';
import { problemMessage } from '@parley/contract/problem.ts';
import { IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { type ChangeEvent, useState } from 'react';
import { PasswordText } from '../ui/form/PasswordText.tsx';
import styles from './Auth.module.css';

/** As the contract says it; shown while a new password is typed. */
export const PASSWORD_RULES: readonly (readonly [words: string, met: (text: string) => boolean])[] = [
  ['At least 8 characters', (text) => [...text].length >= 8],
  ['One digit', (text) => /\p{Nd}/u.test(text)],
  ['One uppercase letter', (text) => /\p{Lu}/u.test(text)],
];

/** For calls whose contract leaves the rules to the server, because the same field also takes a password that is older than they are. */
export const newPasswordProblem = (text: string): string | null =>
  text === ''
    ? 'Password is required!'
    : PASSWORD_RULES.every(([, met]) => met(text))
      ? null
      : problemMessage('PASSWORD_TOO_WEAK');

export interface PasswordFieldProps {
  label?: string;
  autoFocus?: boolean;
  /** `form.getInputProps(...)`. */
  // biome-ignore lint/suspicious/noExplicitAny: the form library types its field's props so
  field: any;
}

/** A new password, with its rules ticked off while one types. */
export function PasswordField({ label = 'Password', autoFocus = false, field }: PasswordFieldProps) {
  const [text, setText] = useState('');
  return (
    <PasswordText
      label={label}
      autoComplete="new-password"
      autoFocus={autoFocus}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      descriptionProps={{ component: 'div' }}
      description={
        <ul className={styles.rules}>
          {PASSWORD_RULES.map(([words, met]) => (
            <li key={words} data-met={met(text) || undefined}>
              {met(text) ? <IconCheck size={14} aria-hidden /> : <IconCircleDashed size={14} aria-hidden />}
              {words}
              <VisuallyHidden>{met(text) ? ': met' : ': not met yet'}</VisuallyHidden>
            </li>
          ))}
        </ul>
      }
      {...field}
      onChange={(event: ChangeEvent<HTMLInputElement>) => {
        setText(event.currentTarget.value);
        field.onChange(event);
      }}
    />
  );
}
