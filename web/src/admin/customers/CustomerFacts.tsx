import { Button } from '@mantine/core';
import { INDUSTRIES } from '@parley/contract/accounts/industries.ts';
import { type Customer, updateCustomer } from '@parley/contract/admin/customers.ts';
import { correctBalance } from '@parley/contract/admin/payments.ts';
import { createTopUp } from '@parley/contract/admin/top_ups.ts';
import { IconCoinOff, IconCoins, IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { usePanel } from '../../kernel/list/panel.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { accountPath } from '../../paths.ts';
import { CopyId } from '../../ui/data/CopyId.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import { Money } from '../../ui/data/Money.tsx';
import { StatChips } from '../../ui/data/StatChips.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { countryName } from '../../ui/form/countries.ts';
import { Buttons } from '../../ui/form/FormParts.tsx';
import { Fields } from '../../ui/layout/SidePanel.tsx';
import { INTERESTS } from '../account_words.ts';
import { WebLink } from '../WebLink.tsx';
import { Box } from './Box.tsx';
import { CorrectionPanel } from './CorrectionPanel.tsx';
import styles from './Customer.module.css';
import { CustomerPanel } from './CustomerPanel.tsx';
import { CustomerStops } from './CustomerStops.tsx';
import { PaymentsBox } from './PaymentsBox.tsx';
import { PricesBox } from './PricesBox.tsx';
import { SmppBox } from './SmppBox.tsx';
import { TopUpPanel } from './TopUpPanel.tsx';

const EDIT = 'edit';
const TOP_UP = 'top-up';
const CORRECTION = 'correction';

export function CustomerFacts({ customer }: { customer: Customer }) {
  const panel = usePanel();
  const money = (micros: number) => <Money micros={micros} currency={customer.currency} />;
  return (
    <>
      {customer.status === 'BLOCKED' && (
        <Notice tone="fail" className={styles.notice}>
          This account is blocked{customer.block_reason ? `: ${customer.block_reason}` : '.'}
        </Notice>
      )}
      {customer.closed && (
        <Notice tone="wait" className={styles.notice}>
          This account is closed. You can reopen it until its personal data is erased, 30 days after it was closed.
        </Notice>
      )}
      <StatChips
        label="Balance and traffic"
        stats={[
          { key: 'available', label: 'Balance', value: money(customer.available_micros) },
          { key: 'held', label: 'Reserved', value: money(customer.held_micros) },
          { key: 'limit', label: 'Credit limit', value: money(customer.credit_limit_micros) },
          { key: 'messages', label: 'Messages, last 30 days', value: formatNumber(customer.messages_30_days) },
        ]}
      />
      <div className={styles.columns}>
        <CompanyBox customer={customer} />
        <AccountBox
          customer={customer}
          onEdit={() => panel.open(EDIT)}
          onTopUp={() => panel.open(TOP_UP)}
          onCorrect={() => panel.open(CORRECTION)}
        />
        <SmppBox customer={customer} />
        <PaymentsBox customer={customer} />
        <PricesBox customer={customer} />
      </div>
      <CustomerStops customer={customer} />
      <CustomerPanel customer={customer} open={panel.id === EDIT} onClose={panel.close} />
      <CorrectionPanel customer={customer} open={panel.id === CORRECTION} onClose={panel.close} />
      <TopUpPanel customer={customer} open={panel.id === TOP_UP} onClose={panel.close} />
    </>
  );
}

function CompanyBox({ customer }: { customer: Customer }) {
  return (
    <Box title="Company">
      <Fields
        fields={[
          { label: 'Country', value: countryName(customer.country_code) },
          { label: 'Address', value: customer.company_address || '–' },
          { label: 'Website', value: <WebLink url={customer.company_website} /> },
          { label: 'Industry', value: INDUSTRIES[customer.industry_id] ?? '–' },
          { label: 'Company size', value: customer.company_size || '–' },
          { label: 'VAT or tax number', value: customer.vat_number || '–' },
          { label: 'Use case', value: customer.use_case || '–' },
          { label: 'Interests', value: customer.interests.map((key) => INTERESTS[key] ?? key).join(', ') || '–' },
        ]}
      />
    </Box>
  );
}

interface AccountBoxProps {
  customer: Customer;
  onEdit: () => void;
  onTopUp: () => void;
  onCorrect: () => void;
}

function AccountBox({ customer, onEdit, onTopUp, onCorrect }: AccountBoxProps) {
  const reason = customer.closed ? 'The account is closed.' : null;
  const actions = (
    <Buttons>
      <Allow needs={createTopUp.needs} reason={reason}>
        <Button variant="default" size="xs" leftSection={<IconCoins size={14} aria-hidden />} onClick={onTopUp}>
          Add funds
        </Button>
      </Allow>
      <Allow needs={correctBalance.needs} reason={reason}>
        <Button variant="default" size="xs" leftSection={<IconCoinOff size={14} aria-hidden />} onClick={onCorrect}>
          Correct balance
        </Button>
      </Allow>
      <Allow needs={updateCustomer.needs} reason={reason}>
        <Button variant="default" size="xs" leftSection={<IconPencil size={14} aria-hidden />} onClick={onEdit}>
          Edit
        </Button>
      </Allow>
    </Buttons>
  );
  return (
    <Box title="Account" action={actions}>
      <Fields
        fields={[
          { label: 'Channels', value: customer.channels.join(', ') || 'None' },
          { label: 'Tags', value: customer.tags.join(', ') || 'None' },
          { label: 'Trial', value: trialStatus(customer) },
          { label: 'Currency', value: customer.currency },
          { label: 'Tax rate', value: customer.tax_rate > 0 ? `${customer.tax_rate}%` : 'By country' },
          { label: 'Rows per import', value: formatNumber(customer.import_rows) },
          { label: 'Time zone', value: customer.timezone },
          {
            label: 'Two-factor authentication',
            value: customer.second_factor_required ? 'Required for all users' : 'Optional',
          },
          ...(customer.parent_id
            ? [
                {
                  label: 'Parent account',
                  value: <Link to={accountPath(customer.parent_id)}>Open parent account</Link>,
                },
              ]
            : []),
          { label: 'Created', value: <DateTime value={customer.create_date} /> },
          { label: 'ID', value: <CopyId value={customer.id} /> },
        ]}
      />
    </Box>
  );
}

function trialStatus({ trial, trial_period_expired, days_left }: Customer): string {
  if (!trial) return 'None';
  if (trial_period_expired) return 'Ended';
  return days_left === 1 ? '1 day left' : `${days_left} days left`;
}
