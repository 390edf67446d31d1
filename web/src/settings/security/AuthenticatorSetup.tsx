/**
 * The secret of a new authenticator, as a QR code and as text, and the code that confirms it. Loaded lazily, because it
 * contains the QR encoder.
 */
import { Button, TextInput } from '@mantine/core';
import { confirmTotp } from '@parley/contract/auth/second_factors.ts';
import encodeQR from 'qr';
import { useMemo } from 'react';
import { codeDigits } from '../../auth/CodeForm.tsx';
import { useContractForm } from '../../kernel/form/form.ts';
import { CopyId } from '../../ui/data/CopyId.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormFooter } from '../../ui/form/FormParts.tsx';
import styles from './Security.module.css';

interface AuthenticatorSetupProps {
  secret: string;
  uri: string;
  invalidates: readonly string[];
  onDone: (recovery_codes: readonly string[]) => void;
  onCancel: () => void;
}

export default function AuthenticatorSetup({ secret, uri, invalidates, onDone, onCancel }: AuthenticatorSetupProps) {
  const { form, bind, sending, problem } = useContractForm(confirmTotp, {
    initial: { code: '' },
    invalidates,
    guard: false,
    onDone: ({ data }) => onDone(data.recovery_codes),
  });
  return (
    <Form {...bind} className={styles.setup} aria-label="Set up the authenticator">
      <div className={styles.scan}>
        <QrCode text={uri} />
        <div className={styles.scanText}>
          <span>Scan the QR code with your authenticator app, or enter the secret:</span>
          <CopyId value={groupCharacters(secret)} label="secret" />
        </div>
      </div>
      <Field
        form={form}
        name="code"
        as={TextInput}
        className={styles.digits ?? ''}
        label="Code"
        description="The six-digit code that the app shows now."
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        onChange={(event) => {
          event.currentTarget.value = codeDigits(event.currentTarget.value);
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
    </Form>
  );
}

/** Groups the characters of the secret for readability. Apps accept it with or without spaces. */
const groupCharacters = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret;

/** Draws the dark modules as one path, with one rectangle per horizontal run. */
function QrCode({ text }: { text: string }) {
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
