/** The secret as a picture and as text, and the proof that the app has it. Loaded when somebody sets one up: the QR code is drawn here. */
import { Button, TextInput } from '@mantine/core';
import { confirmTotp } from '@parley/contract/auth/second_factors.ts';
import encodeQR from 'qr';
import { type ChangeEvent, useMemo } from 'react';
import { codeDigits } from '../../auth/CodeForm.tsx';
import { useContractForm } from '../../kernel/form/form.ts';
import { CopyId } from '../../ui/data/CopyId.tsx';
import { FormFooter } from '../../ui/form/FormParts.tsx';
import styles from './Security.module.css';

export interface AuthenticatorSetupProps {
  secret: string;
  uri: string;
  invalidates: readonly string[];
  onDone: (recovery_codes: readonly string[]) => void;
  onCancel: () => void;
}

/** A default export because it is loaded lazily. */
export default function AuthenticatorSetup({ secret, uri, invalidates, onDone, onCancel }: AuthenticatorSetupProps) {
  const { form, onSubmit, sending, problem } = useContractForm(confirmTotp, {
    initial: { code: '' },
    invalidates,
    guard: false,
    onDone: ({ data }) => onDone(data.recovery_codes),
  });
  const field = form.getInputProps('code');
  return (
    <form className={styles.setup} aria-label="Set up the authenticator" onSubmit={onSubmit} noValidate>
      <div className={styles.scan}>
        <QrCode text={uri} />
        <div className={styles.scanWords}>
          <span>Scan this with your authenticator app, or type the secret into it:</span>
          <CopyId value={groupsOf(secret)} label="secret" />
        </div>
      </div>
      <TextInput
        className={styles.digits}
        label="Code"
        description="The six digits that the app shows now."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        key={form.key('code')}
        {...field}
        onChange={(event: ChangeEvent<HTMLInputElement>) => {
          event.currentTarget.value = codeDigits(event.currentTarget.value);
          field.onChange(event);
        }}
      />
      <FormFooter problem={problem}>
        <Button type="submit" loading={sending}>
          Confirm
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </FormFooter>
    </form>
  );
}

/** Apps take the secret with or without the spaces that make it readable. */
const groupsOf = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret;

/** One path of one square a dark module; rows of them are drawn as one. */
export function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => {
    const rows = encodeQR(text, 'raw', { border: 3 });
    const runs = rows.flatMap((row, y) =>
      row.flatMap((dark, x) => {
        if (!dark || row[x - 1]) return [];
        const end = row.indexOf(false, x);
        return [`M${x} ${y}h${(end < 0 ? row.length : end) - x}v1H${x}z`];
      }),
    );
    return { size: rows.length, path: runs.join('') };
  }, [text]);
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code for the authenticator app"
      shapeRendering="crispEdges"
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}
