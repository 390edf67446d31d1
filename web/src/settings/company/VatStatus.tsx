/** Whether the VAT number of an account has the right format, and what the register of the European Union says. */
import { getVatCheck, type VatCheck } from '@parley/contract/billing/vat_checks.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import styles from '../Settings.module.css';

export function VatStatus({ account_id }: { account_id: string }) {
  const enabled = useReason(getVatCheck) === null;
  const { data } = useEndpoint(getVatCheck, { params: { id: account_id } }, { enabled });
  if (!data) return null;
  const { is_format_valid, check } = data.data;
  if (is_format_valid === null || (is_format_valid && check === null)) return null;
  return (
    <p className={styles.hint} role="status">
      {check ? <Checked {...check} /> : 'This is not a valid VAT number for the company’s country.'}
    </p>
  );
}

function Checked({ status, consultation_number, registered_name, check_date }: VatCheck) {
  if (status === 'waiting') return 'VIES has not confirmed this number yet. It is checked again automatically.';
  const when = check_date && <DateTime value={check_date} />;
  if (status === 'invalid')
    return <>VIES does not recognize this number (checked {when}). Invoices include VAT until it is corrected.</>;
  return (
    <>
      Confirmed by VIES {when}
      {registered_name && (
        <>
          {' '}
          for <bdi>{registered_name}</bdi>
        </>
      )}
      {consultation_number && <>, consultation number {consultation_number}</>}.
    </>
  );
}
