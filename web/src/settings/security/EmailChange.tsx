/** A new address in two steps. Until its code has been given, the old one stays. */
import { Button, TextInput } from '@mantine/core';
import { confirmEmailChange, createEmailChange } from '@parley/contract/auth/sessions.ts';
import { useState } from 'react';
import { CodeForm } from '../../auth/CodeForm.tsx';
import { ReauthenticationForm } from '../../auth/factors/ReauthenticationForm.tsx';
import { storeResendDate } from '../../auth/resend.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
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
  if (step.kind === 'address') return <Address onStep={setStep} />;
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
          toast.success(`You sign in with ${step.email} from now on`);
          setStep({ kind: 'closed' });
        }}
        // Sending again asks for the password again: the step before does both.
        onResend={async () => setStep({ kind: 'address' })}
      />
    </div>
  );
}

function Address({ onStep }: { onStep: (step: Step) => void }) {
  const [email, setEmail] = useState('');
  return (
    <ReauthenticationForm
      endpoint={createEmailChange}
      action="Send the code"
      initial={{ email: '' }}
      labels={{ email: 'Email' }}
      fields={(form) => {
        const field = form.getInputProps('email');
        return (
          <TextInput
            label="New email"
            type="email"
            inputMode="email"
            autoComplete="email"
            autoFocus
            key={form.key('email')}
            {...field}
            onChange={(event) => {
              setEmail(event.currentTarget.value.trim());
              field.onChange(event);
            }}
          />
        );
      }}
      onDone={({ data }) => {
        storeResendDate(data);
        onStep({ kind: 'code', id: data.id, email });
      }}
      onCancel={() => onStep({ kind: 'closed' })}
    />
  );
}
