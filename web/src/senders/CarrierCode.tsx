/** The code WhatsApp sends to a number before it becomes a sender: asked for by text message or call, and entered by whoever can read it out. */
import { Button, TextInput } from '@mantine/core';
import {
  createCarrierCode,
  createRequestCode,
  enterCarrierCode,
  enterRequestCode,
  type NumberVerification,
} from '@parley/contract/senders/codes.ts';
import { useState } from 'react';
import { ApiError } from '../kernel/http/client.ts';
import { toastError, useAction } from '../kernel/http/query.ts';
import { parsePhone } from '../ui/data/phone.ts';
import { Notice } from '../ui/feedback/Notice.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import styles from './Senders.module.css';

// The two are called alike, by the sender or by the request about it.
const ASK = { sender: createCarrierCode, request: createRequestCode as unknown as typeof createCarrierCode };
const GIVE = { sender: enterCarrierCode, request: enterRequestCode as unknown as typeof enterCarrierCode };

export interface CarrierCodeProps {
  /** A company enters it for its sender, an operator for a request. */
  of: 'sender' | 'request';
  id: string;
  number: string;
  verification: NumberVerification;
}

export function CarrierCode({ of, id, number, verification }: CarrierCodeProps) {
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const { verified, method, code_date, tries_left } = verification;
  const sent = code_date !== null;
  const place = (thrown: unknown) => {
    if (thrown instanceof ApiError && !thrown.announced) setWrong(thrown.message);
    else toastError(thrown);
  };
  const invalidates = ['senders', 'requests', 'request_details'];
  const ask = useAction(ASK[of], {
    invalidates,
    onSuccess: ({ data }) => {
      setCode('');
      setWrong(null);
      if (data.verified) toast.success('WhatsApp has verified the number already');
    },
    onError: place,
  });
  const give = useAction(GIVE[of], {
    invalidates,
    onSuccess: () => toast.success('WhatsApp has verified the number'),
    onError: place,
  });
  const shown = parsePhone(number).text;
  if (verified)
    return (
      <Notice tone="ok">
        WhatsApp has verified {shown}.{' '}
        {of === 'request' ? 'The request can be approved.' : 'Our team goes on with your request.'}
      </Notice>
    );
  const send = (by: 'sms' | 'voice') => ask.mutate({ params: { id }, body: { method: by } });
  const submit = () => {
    if (!/^\d{6}$/.test(code)) return setWrong('The code must have six digits');
    give.mutate({ params: { id }, body: { code } });
  };
  const asking = (by: 'sms' | 'voice') => ask.isPending && ask.variables.body.method === by;
  return (
    <section className={styles.form} style={{ gap: 12, marginBlockEnd: 8 }} aria-label="Code of WhatsApp">
      <Notice tone="wait">
        WhatsApp wants {shown} verified before it becomes a sender. A code goes to the number, by text message or in a
        call{of === 'request' ? '; the customer can enter it, too' : ''}.
      </Notice>
      {sent && (
        <div className={styles.codeRow}>
          <TextInput
            label="Code of WhatsApp"
            description={
              method === 'voice'
                ? `Six digits, said in a call to ${shown}.`
                : `Six digits, sent to ${shown} as a text message.`
            }
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            inputMode="numeric"
            autoComplete="one-time-code"
            placeholder="000000"
            value={code}
            error={wrong}
            onChange={(event) => {
              setCode(event.currentTarget.value.replace(/\D/g, '').slice(0, 6));
              setWrong(null);
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) submit();
            }}
          />
          {tries_left < 3 && (
            <p className={styles.hint}>
              {tries_left === 0 ? 'No tries are left: have another code sent.' : `Tries left: ${tries_left}`}
            </p>
          )}
        </div>
      )}
      {!sent && wrong && (
        <p className={styles.problem} role="alert">
          {wrong}
        </p>
      )}
      <div className={styles.buttons}>
        {sent && (
          <Button size="xs" onClick={submit} loading={give.isPending}>
            Verify number
          </Button>
        )}
        <Button size="xs" variant={sent ? 'default' : 'filled'} onClick={() => send('sms')} loading={asking('sms')}>
          {sent ? 'Send another by SMS' : 'Send the code by SMS'}
        </Button>
        <Button size="xs" variant="default" onClick={() => send('voice')} loading={asking('voice')}>
          Call with the code
        </Button>
      </div>
    </section>
  );
}
