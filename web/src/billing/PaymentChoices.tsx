import { Checkbox, Stack } from '@mantine/core';
import { getPaymentSettings, updatePaymentSettings } from '@parley/contract/billing/payments.ts';
import { useId } from 'react';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import styles from './Billing.module.css';

/** The company's choices for its payments. */
export function PaymentChoices() {
  const id = useId();
  const settings = useEndpoint(getPaymentSettings).data?.data;
  const { mutate, isPending } = useAction(updatePaymentSettings);
  if (!settings) return null;
  return (
    <section className={styles.part} aria-labelledby={id}>
      <header className={styles.partHead}>
        <h2 id={id} className={styles.partTitle}>
          Payment settings
        </h2>
      </header>
      <Stack gap="md">
        <Allow needs={updatePaymentSettings.needs}>
          <Checkbox
            label="Email a receipt to the owner for each payment"
            checked={settings.sends_receipts}
            disabled={isPending}
            onChange={({ currentTarget }) => mutate({ body: { sends_receipts: currentTarget.checked } })}
          />
        </Allow>
        {settings.cards && (
          <Allow needs={updatePaymentSettings.needs}>
            <Checkbox
              label="Suggest saving new cards"
              checked={settings.saves_cards}
              disabled={isPending}
              onChange={({ currentTarget }) => mutate({ body: { saves_cards: currentTarget.checked } })}
            />
          </Allow>
        )}
      </Stack>
    </section>
  );
}
