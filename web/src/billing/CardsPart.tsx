import { Button } from '@mantine/core';
import {
  createPaymentMethod,
  getSetupIntent,
  listPaymentMethods,
  type PaymentMethod,
  removePaymentMethod,
  updatePaymentMethod,
} from '@parley/contract/billing/payment_methods.ts';
import { getPaymentSettings, type PaymentSettings } from '@parley/contract/billing/payments.ts';
import { useId, useState } from 'react';
import { call } from '../kernel/http/client.ts';
import { toastError, useAction, useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { BILLING } from '../paths.ts';
import { ToneBadge } from '../ui/data/StatusBadge.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import styles from './Billing.module.css';
import { CardForm } from './CardForm.tsx';
import { cardLabel, expiryLabel } from './cards.ts';

interface Setup {
  id: string;
  client_secret: string;
}

/** The saved cards: add, make default, and delete. */
export function CardsPart() {
  const id = useId();
  const settings = useEndpoint(getPaymentSettings).data?.data;
  const cards = useEndpoint(listPaymentMethods).data?.data;
  const [setup, setSetup] = useState<Setup | null>(null);
  const [isStarting, setStarting] = useState(false);
  if (!settings?.cards || !cards) return null;
  const start = async () => {
    setStarting(true);
    try {
      setSetup((await call(getSetupIntent)).data);
    } catch (error) {
      toastError(error);
    } finally {
      setStarting(false);
    }
  };
  return (
    <section className={styles.part} aria-labelledby={id}>
      <header className={styles.partHead}>
        <h2 id={id} className={styles.partTitle}>
          Saved cards
        </h2>
        {!setup && (
          <Allow needs={getSetupIntent.needs}>
            <Button variant="default" size="xs" loading={isStarting} onClick={() => void start()}>
              Add card
            </Button>
          </Allow>
        )}
      </header>
      {setup && <NewCard settings={settings} setup={setup} onClose={() => setSetup(null)} />}
      {cards.length === 0 && !setup && <p className={styles.dim}>No saved cards. Add one to pay faster.</p>}
      {cards.length > 0 && (
        <ul className={styles.cards}>
          {cards.map((card) => (
            <CardRow key={card.id} card={card} />
          ))}
        </ul>
      )}
    </section>
  );
}

function NewCard({ settings, setup, onClose }: { settings: PaymentSettings; setup: Setup; onClose: () => void }) {
  const { mutateAsync } = useAction(createPaymentMethod);
  return (
    <CardForm
      settings={settings}
      client_secret={setup.client_secret}
      kind="setup"
      action="Save card"
      returnPath={BILLING}
      onConfirmed={async () => {
        await mutateAsync({ body: { setup_intent: setup.id } });
        toast.success('Card saved');
        onClose();
      }}
      onCancel={onClose}
    />
  );
}

function CardRow({ card }: { card: PaymentMethod }) {
  const makeDefault = useAction(updatePaymentMethod);
  const remove = useAction(removePaymentMethod, { onSuccess: () => toast.success('Card deleted') });
  const askToRemove = async () => {
    const isSure = await confirm({
      title: `Delete the card ${cardLabel(card)}?`,
      consequence: 'Past payments with this card stay in the payment history.',
      action: 'Delete card',
      danger: true,
    });
    if (isSure) remove.mutate({ params: { id: card.id } });
  };
  return (
    <li>
      <span className={styles.cardName}>
        {cardLabel(card)} <span className={styles.dim}>{expiryLabel(card)}</span>
      </span>
      {card.is_default ? (
        <ToneBadge tone="off">Default</ToneBadge>
      ) : (
        <Allow needs={updatePaymentMethod.needs}>
          <Button
            variant="subtle"
            size="xs"
            loading={makeDefault.isPending}
            onClick={() => makeDefault.mutate({ params: { id: card.id }, body: { is_default: true } })}
          >
            Make default
          </Button>
        </Allow>
      )}
      <Allow needs={removePaymentMethod.needs}>
        <Button variant="subtle" size="xs" loading={remove.isPending} onClick={() => void askToRemove()}>
          Delete
        </Button>
      </Allow>
    </li>
  );
}
