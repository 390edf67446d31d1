/** The sender of the codes with which customers confirm their phone numbers. */
import { Button, Radio } from '@mantine/core';
import { createCustomerSender } from '@parley/contract/admin/customers.ts';
import { type CodeSender, getCodeSender, updateCodeSender } from '@parley/contract/admin/setup.ts';
import { IconPlus } from '@tabler/icons-react';
import { Card } from '../../dashboard/Card.tsx';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { usePanel } from '../../kernel/list/panel.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { Money } from '../../ui/data/Money.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { FormProblem } from '../../ui/form/FormParts.tsx';
import { SenderPanel } from '../customers/SenderPanel.tsx';
import styles from './Setup.module.css';

const ADD = 'add-sender';

export function CodeSenderCard() {
  const reason = useReason(getCodeSender.needs);
  return (
    <Card title="Verification code sender">
      <div className={styles.part}>{reason ? <p className={styles.hint}>{reason}</p> : <CodeSenders />}</div>
    </Card>
  );
}

function CodeSenders() {
  const panel = usePanel();
  const query = useEndpoint(getCodeSender, {});
  if (!query.data) return query.error ? <FormProblem>{query.error.message}</FormProblem> : <SkeletonLines lines={3} />;
  const { account_id, currency, spendable_micros, senders } = query.data.data;
  return (
    <>
      <p className={styles.hint}>
        Phone codes are sent from a sender in the operators’ account, which pays for them. It can spend{' '}
        <Money micros={spendable_micros} currency={currency} />.
      </p>
      {senders.length > 0 && <Choice current={query.data.data} />}
      <Allow needs={createCustomerSender.needs}>
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => panel.open(ADD)}>
          Add sender
        </Button>
      </Allow>
      <SenderPanel
        customer={{ id: account_id, company_name: 'the operators' }}
        open={panel.id === ADD}
        onClose={panel.close}
      />
    </>
  );
}

function Choice({ current }: { current: CodeSender }) {
  const reason = useReason(updateCodeSender.needs);
  const choose = useAction(updateCodeSender, {
    invalidates: ['setup'],
    onSuccess: () => toast.success('The verification code sender was saved'),
  });
  return (
    <Radio.Group
      label="Sender"
      {...(reason ? { description: reason } : {})}
      value={current.sender_id}
      onChange={(sender_id) => choose.mutate({ body: { sender_id } })}
    >
      {current.senders.map(({ id, name, code, usable }) => (
        <Radio
          key={id}
          value={id}
          label={`${name} (${code})`}
          {...(usable ? {} : { description: 'Cannot send at the moment' })}
          disabled={reason !== null || !usable || choose.isPending}
          mt="xs"
        />
      ))}
    </Radio.Group>
  );
}
