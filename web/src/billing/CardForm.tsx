import { Button } from '@mantine/core';
import type { PaymentSettings } from '@parley/contract/billing/payments.ts';
import { useEffect, useRef, useState } from 'react';
import { Skeleton } from '../ui/feedback/Skeletons.tsx';
import { FormFooter } from '../ui/form/FormParts.tsx';
import styles from './Billing.module.css';
import { type CardFormPart, type CardProvider, type Elements, loadCardProvider, returnUrl } from './card_provider.ts';

interface CardFormProps {
  settings: PaymentSettings;
  client_secret: string;
  kind: 'payment' | 'setup';
  action: string;
  /** The page to which the bank returns the customer. */
  returnPath: string;
  /** The provider has accepted the card. The promise resolves when the result is stored. */
  onConfirmed: () => Promise<void>;
  /** The provider has declined the card. */
  onRefused?: (message: string) => void;
  onCancel: () => void;
}

const UNKNOWN = 'The card could not be charged. Try again or use another card.';

/** The provider's card form and the button that confirms it. The user can correct a declined card immediately. */
export function CardForm(props: CardFormProps) {
  const { settings, client_secret, kind, action, returnPath, onConfirmed, onRefused, onCancel } = props;
  const target = useRef<HTMLDivElement>(null);
  const loaded = useRef<{ provider: CardProvider; elements: Elements } | null>(null);
  const [isReady, setReady] = useState(false);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let part: CardFormPart | null = null;
    let isLeft = false;
    loadCardProvider(settings)
      .then((provider) => {
        if (isLeft || !target.current) return;
        const elements = provider.elements({ clientSecret: client_secret });
        part = elements.create('payment');
        part.mount(target.current);
        loaded.current = { provider, elements };
        setReady(true);
      })
      .catch((error: Error) => setProblem(error.message));
    return () => {
      isLeft = true;
      part?.destroy();
    };
  }, [settings, client_secret]);
  const confirm = async () => {
    if (!loaded.current) return;
    const { provider, elements } = loaded.current;
    setSending(true);
    setProblem(null);
    try {
      const submitted = await elements.submit();
      const confirmation = {
        elements,
        clientSecret: client_secret,
        confirmParams: { return_url: returnUrl(returnPath) },
        redirect: 'if_required' as const,
      };
      const { error } = submitted.error
        ? submitted
        : await (kind === 'payment' ? provider.confirmPayment(confirmation) : provider.confirmSetup(confirmation));
      if (!error) return await onConfirmed();
      setProblem(error.message ?? UNKNOWN);
      onRefused?.(error.message ?? UNKNOWN);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : UNKNOWN);
    } finally {
      setSending(false);
    }
  };
  return (
    <form
      className={styles.form}
      aria-label="Card"
      onSubmit={(event) => {
        event.preventDefault();
        void confirm();
      }}
    >
      {!isReady && !problem && <Skeleton height={200} />}
      <div ref={target} className={styles.card} hidden={!isReady} />
      <FormFooter problem={problem}>
        <Button type="submit" loading={isSending} disabled={!isReady}>
          {action}
        </Button>
        <Button variant="default" onClick={onCancel} disabled={isSending}>
          Back
        </Button>
      </FormFooter>
    </form>
  );
}
