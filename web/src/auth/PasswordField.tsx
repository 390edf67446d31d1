import { type PasswordInputProps, VisuallyHidden } from '@mantine/core';
import { problemMessage } from '@parley/contract/problem.ts';
import { textLength } from '@parley/contract/text_length.ts';
import { IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { useState } from 'react';
import { PasswordText } from '../ui/form/PasswordText.tsx';
import styles from './Auth.module.css';

/** The password rules of the contract, shown while the user types a new password. */
const PASSWORD_RULES: readonly (readonly [label: string, isMet: (text: string) => boolean])[] = [
  ['At least 8 characters', (text) => textLength(text) >= 8],
  ['One digit', (text) => /\p{Nd}/u.test(text)],
  ['One uppercase letter', (text) => /\p{Lu}/u.test(text)],
];

/**
 * Checks a new password in the browser. Needed where the contract leaves the rules to the server because the same field
 * also accepts passwords that predate them.
 */
export const newPasswordProblem = (text: string): string | null =>
  text === ''
    ? 'Password is required!'
    : PASSWORD_RULES.every(([, isMet]) => isMet(text))
      ? null
      : problemMessage('PASSWORD_TOO_WEAK');

/** The input for a new password. Each rule gets a check mark once it is met. */
export function PasswordField({ label = 'Password', onChange, ...props }: PasswordInputProps) {
  const [text, setText] = useState('');
  return (
    <PasswordText
      label={label}
      autoComplete="new-password"
      descriptionProps={{ component: 'div' }}
      description={
        <ul className={styles.rules}>
          {PASSWORD_RULES.map(([rule, isMet]) => (
            <li key={rule} data-met={isMet(text) || undefined}>
              {isMet(text) ? <IconCheck size={14} aria-hidden /> : <IconCircleDashed size={14} aria-hidden />}
              {rule}
              <VisuallyHidden>{isMet(text) ? ': met' : ': not met yet'}</VisuallyHidden>
            </li>
          ))}
        </ul>
      }
      {...props}
      onChange={(event) => {
        setText(event.currentTarget.value);
        onChange?.(event);
      }}
    />
  );
}
