import { Button, NumberInput } from '@mantine/core';
import type { Customer } from '@parley/contract/admin/customers.ts';
import { getSmppCaps, MAX_COMPANY_BINDS, type SmppCaps, updateSmppCaps } from '@parley/contract/smpp/caps.ts';
import { MAX_SMPP_ACCOUNTS, SMPP_THROUGHPUT } from '@parley/contract/smpp/smpp.ts';
import { IconPencil } from '@tabler/icons-react';
import { useContractForm } from '../../kernel/form/form.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { usePanel } from '../../kernel/list/panel.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormProblem } from '../../ui/form/FormParts.tsx';
import { Fields, SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { Box } from './Box.tsx';

const FORM = 'smpp-caps-form';
const PANEL = 'smpp';
const REFRESH_MS = 10_000;

/** The limits of a company’s SMPP accounts, and its usage. */
export function SmppBox({ customer }: { customer: Customer }) {
  const panel = usePanel();
  const query = useEndpoint(getSmppCaps, { params: { id: customer.id } }, { refetchInterval: REFRESH_MS });
  const caps = query.data?.data;
  const used = (count: number, limit: number | null) =>
    limit === null ? formatNumber(count) : `${formatNumber(count)} of ${formatNumber(limit)}`;
  const loading = query.error ? 'Not available' : '…';
  return (
    <Box
      title="SMPP"
      action={
        <Allow needs={updateSmppCaps.needs} reason={customer.closed ? 'The account is closed.' : null}>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPencil size={14} aria-hidden />}
            disabled={!caps}
            onClick={() => panel.open(PANEL)}
          >
            Edit limits
          </Button>
        </Allow>
      }
    >
      <Fields
        fields={[
          { label: 'Accounts', value: caps ? used(caps.accounts_count, caps.max_accounts) : loading },
          { label: 'Bound sessions', value: caps ? used(caps.bound_count, caps.max_binds) : loading },
          {
            label: 'Messages per second',
            value: !caps ? loading : caps.throughput === null ? 'No limit' : `At most ${formatNumber(caps.throughput)}`,
          },
        ]}
      />
      <SidePanel
        open={panel.id === PANEL && caps !== undefined}
        onClose={panel.close}
        title="Edit SMPP limits"
        description={`For all SMPP accounts of ${customer.company_name} together.`}
        actions={
          <Button type="submit" form={FORM}>
            Save limits
          </Button>
        }
      >
        {caps && panel.id === PANEL && <CapsForm customer={customer} caps={caps} onDone={panel.close} />}
      </SidePanel>
    </Box>
  );
}

const initialValues = ({ max_accounts, max_binds, throughput }: SmppCaps) => ({
  max_accounts: (max_accounts ?? '') as number | string,
  max_binds: (max_binds ?? '') as number | string,
  throughput: (throughput ?? '') as number | string,
});

type Values = ReturnType<typeof initialValues>;

const toCap = (value: number | string): number | null => (value === '' ? null : Number(value));

const toBody = ({ max_accounts, max_binds, throughput }: Values) => ({
  max_accounts: toCap(max_accounts),
  max_binds: toCap(max_binds),
  throughput: toCap(throughput),
});

function CapsForm({ customer, caps, onDone }: { customer: Customer; caps: SmppCaps; onDone: () => void }) {
  const { form, bind, problem } = useContractForm(updateSmppCaps, {
    initial: initialValues(caps),
    body: toBody,
    input: (values) => ({ params: { id: customer.id }, body: toBody(values) }),
    labels: { max_accounts: 'Accounts', max_binds: 'Bound sessions', throughput: 'Messages per second' },
    onDone: () => {
      toast.success(`The SMPP limits of ${customer.company_name} were saved`);
      onDone();
    },
  });
  const whole = { decimalScale: 0, hideControls: true, optional: true } as const;
  return (
    <Form {...bind} id={FORM} className={styles.panelForm}>
      <FormProblem>{problem}</FormProblem>
      <Field
        form={form}
        name="max_accounts"
        as={NumberInput}
        label="Accounts"
        description={`Leave empty for ${MAX_SMPP_ACCOUNTS}. If the company has more, its newest ones cannot bind.`}
        min={0}
        max={MAX_SMPP_ACCOUNTS}
        data-autofocus
        {...whole}
      />
      <Field
        form={form}
        name="max_binds"
        as={NumberInput}
        label="Bound sessions"
        description="Leave empty for no limit. If you lower it, the newest sessions above the limit are unbound."
        min={0}
        max={MAX_COMPANY_BINDS}
        {...whole}
      />
      <Field
        form={form}
        name="throughput"
        as={NumberInput}
        label="Messages per second"
        description="Leave empty for no limit. Messages above the limit are throttled."
        min={SMPP_THROUGHPUT.min}
        max={SMPP_THROUGHPUT.max}
        {...whole}
      />
    </Form>
  );
}
