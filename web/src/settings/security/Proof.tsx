/**
 * A step that changes the locks: the password is asked for once more, beside whatever else the step needs. Who has no password (sign-in by a provider)
 * has nothing to give and is not asked.
 */
import { Button } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import type { ReactNode } from 'react';
import type { Answer } from '../../kernel/client.ts';
import { useContractForm } from '../../kernel/form.ts';
import { useSession } from '../../kernel/session.tsx';
import { PasswordText } from '../../ui/PasswordText.tsx';
import styles from '../Settings.module.css';

type Texts = Record<string, string>;

export interface ProofProps<E extends AnyEndpoint> {
  endpoint: E;
  action: string;
  danger?: boolean;
  /** Further fields and their beginnings. */
  initial?: Texts;
  labels?: Texts;
  fields?: (form: UseFormReturnType<Texts>) => ReactNode;
  invalidates?: readonly string[];
  onDone: (answer: Answer<E>) => void;
  onCancel?: () => void;
}

export function Proof<E extends AnyEndpoint>({
  endpoint,
  action,
  danger = false,
  initial = {},
  labels = {},
  fields,
  invalidates = [],
  onDone,
  onCancel,
}: ProofProps<E>) {
  const { user } = useSession();
  const { form, onSubmit, sending, problem } = useContractForm(endpoint, {
    initial: { ...initial, ...(user.has_password ? { current_password: '' } : {}) } as Texts,
    check: (values) => ({
      current_password: user.has_password && !values.current_password ? 'Password is required!' : null,
    }),
    labels: { ...labels, current_password: 'Password' },
    invalidates,
    guard: false,
    onDone,
  });
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      {fields?.(form)}
      {user.has_password && (
        <PasswordText
          label="Your password"
          autoComplete="current-password"
          autoFocus={!fields}
          key={form.key('current_password')}
          {...form.getInputProps('current_password')}
        />
      )}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.buttons}>
        <Button type="submit" loading={sending} {...(danger ? { color: 'red' } : {})}>
          {action}
        </Button>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
