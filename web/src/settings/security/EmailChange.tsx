/** Changes the email address in two steps. The old address stays valid until the code is entered. */
import { Button, TextInput } from '@mantine/core';
import { confirmEmailChange, createEmailChange } from '@parley/contract/auth/sessions.ts';
import { useState } from 'react';
import { CodeForm } from '../../auth/CodeForm.tsx';
import { ReauthenticationForm } from '../../auth/factors/ReauthenticationForm.tsx';
import { storeResendDate } from '../../auth/resend.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import styles from '../Settings.module.css';

type Step = { kind: 'closed' } | { kind: 'address' } | { kind: 'code'; id: string; email: string };

export function EmailChange() {
  const { user } = useSession();
  const [step, setStep] = useState<Step>({ kind: 'closed' });
  if (step.kind === 'closed')
    return (
      <div className={styles.fact}>
        <span className={styles.factValue}>{user.email}</span>
        <Button variant="default" size="xs" onClick={() => setStep({ kind: 'address' })}>
          Change email
        </Button>
      </div>
    );
  if (step.kind === 'address') return <AddressForm onStep={setStep} />;
  return (
    <div>
      <p className={styles.hint}>
        We sent a code to <b>{step.email}</b>.
      </p>
      <CodeForm
        endpoint={confirmEmailChange}
        id={step.id}
        action="Change email"
        invalidates={['users', 'accounts']}
        onDone={() => {
          toast.success(`You now sign in with ${step.email}`);
          setStep({ kind: 'closed' });
        }}
        // Resending requires the password again, so it returns to the previous step.
        onResend={async () => setStep({ kind: 'address' })}
      />
    </div>
  );
}

function AddressForm({ onStep }: { onStep: (step: Step) => void }) {
  const [email, setEmail] = useState('');
  return (
    <ReauthenticationForm
      endpoint={createEmailChange}
      action="Send code"
      initial={{ email: '' }}
      labels={{ email: 'Email' }}
      fields={(form) => (
        <Field
          form={form}
          name="email"
          as={TextInput}
          label="New email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoFocus
          onChange={(event) => setEmail(event.currentTarget.value.trim())}
        />
      )}
      onDone={({ data }) => {
        storeResendDate(data);
        onStep({ kind: 'code', id: data.id, email });
      }}
      onCancel={() => onStep({ kind: 'closed' })}
    />
  );
}
