/** Verifies a number with a code from its carrier, sent by text message or call, before the number becomes a sender. */
import { Button, TextInput } from '@mantine/core';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import {
  createCarrierCode,
  createRequestCode,
  enterCarrierCode,
  enterRequestCode,
  type NumberVerification,
} from '@parley/contract/senders/codes.ts';
import { useState } from 'react';
import { channelLabel } from '../channels/index.ts';
import { ApiError } from '../kernel/http/client.ts';
import { toastError, useAction } from '../kernel/http/query.ts';
import { parsePhone } from '../ui/data/phone.ts';
import { Notice } from '../ui/feedback/Notice.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Buttons, FormProblem } from '../ui/form/FormParts.tsx';
import styles from './Senders.module.css';

// The endpoints for a sender and for its request have the same shape.
const CREATE = { sender: createCarrierCode, request: createRequestCode as unknown as typeof createCarrierCode };
const CONFIRM = { sender: enterCarrierCode, request: enterRequestCode as unknown as typeof enterCarrierCode };

interface CarrierCodeProps {
  /** Customers enter the code for their sender, operators for a request. */
  of: 'sender' | 'request';
  channel: ChannelName;
  id: string;
  number: string;
  verification: NumberVerification;
}

export function CarrierCode({ of, channel, id, number, verification }: CarrierCodeProps) {
  const { verified, method, code_date, tries_left } = verification;
  const isSent = code_date !== null;
  const carrier = channelLabel(channel);
  const { code, problem, changeCode, confirm, confirming, send, isSending } = useCarrierCode(of, id, carrier);
  const phone = parsePhone(number).text;
  if (verified)
    return (
      <Notice tone="ok">
        {carrier} has verified {phone}.{' '}
        {of === 'request' ? 'The request can be approved.' : 'Our team will continue with your request.'}
      </Notice>
    );
  return (
    <section className={styles.form} style={{ gap: 12, marginBlockEnd: 8 }} aria-label={`${carrier} code`}>
      <Notice tone="wait">
        {carrier} must verify {phone} before it becomes a sender. {carrier} sends a code to the number by text message
        or call.{of === 'request' ? ' The customer can also enter the code.' : ''}
      </Notice>
      {isSent && (
        <div className={styles.codeRow}>
          <TextInput
            label={`${carrier} code`}
            description={
              method === 'voice' ? `Six digits, read out in a call to ${phone}.` : `Six digits, texted to ${phone}.`
            }
            inputMode="numeric"
            autoComplete="one-time-code"
            placeholder="000000"
            value={code}
            error={problem}
            onChange={(event) => changeCode(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) confirm();
            }}
          />
          {tries_left < 3 && (
            <p className={styles.hint}>
              {tries_left === 0 ? 'No attempts left. Request a new code.' : `Attempts left: ${tries_left}`}
            </p>
          )}
        </div>
      )}
      {!isSent && <FormProblem>{problem}</FormProblem>}
      <Buttons>
        {isSent && (
          <Button size="xs" onClick={confirm} loading={confirming}>
            Verify number
          </Button>
        )}
        <Button
          size="xs"
          variant={isSent ? 'default' : 'filled'}
          onClick={() => send('sms')}
          loading={isSending('sms')}
        >
          {isSent ? 'Send new code by SMS' : 'Send code by SMS'}
        </Button>
        <Button size="xs" variant="default" onClick={() => send('voice')} loading={isSending('voice')}>
          Send code by call
        </Button>
      </Buttons>
    </section>
  );
}

/** Requests and confirms the code. Errors from both calls appear below the code field. */
function useCarrierCode(of: CarrierCodeProps['of'], id: string, carrier: string) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const showError = (error: unknown) => {
    if (error instanceof ApiError && !error.announced) setProblem(error.message);
    else toastError(error);
  };
  const invalidates = ['senders', 'requests', 'request_details'];
  const create = useAction(CREATE[of], {
    invalidates,
    onSuccess: ({ data }) => {
      setCode('');
      setProblem(null);
      if (data.verified) toast.success(`${carrier} has already verified the number`);
    },
    onError: showError,
  });
  const confirmation = useAction(CONFIRM[of], {
    invalidates,
    onSuccess: () => toast.success(`${carrier} has verified the number`),
    onError: showError,
  });
  return {
    code,
    problem,
    changeCode: (text: string) => {
      setCode(text.replace(/\D/g, '').slice(0, 6));
      setProblem(null);
    },
    confirm: () => {
      if (!/^\d{6}$/.test(code)) return setProblem('The code must have six digits');
      confirmation.mutate({ params: { id }, body: { code } });
    },
    confirming: confirmation.isPending,
    send: (method: 'sms' | 'voice') => create.mutate({ params: { id }, body: { method } }),
    isSending: (method: 'sms' | 'voice') => create.isPending && create.variables.body.method === method,
  };
}
