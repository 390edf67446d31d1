/** What an approval needs by its kind: a short code its digits, WhatsApp and Viber what carries them, a template what its provider calls it. */
import { TextInput } from '@mantine/core';
import type { RequestDetail } from '@parley/contract/admin/requests.ts';
import styles from '../Admin.module.css';
import { CarrierFields } from './CarrierFields.tsx';

export interface Approval {
  code: string;
  connection_id: string | null;
  address: string;
  external_id: string;
}
export interface Wrong {
  code?: string;
  note?: string;
  connection?: string;
  address?: string;
}

/** Asked before the server is. */
export function missing({ kind }: Pick<RequestDetail, 'kind'>, { code, connection_id, address }: Approval): Wrong {
  if (kind === 'short_code' && code.trim() === '') return { code: 'The code is required!' };
  if ((kind === 'whatsapp' || kind === 'viber') && !connection_id) return { connection: 'Connection is required!' };
  if (kind === 'viber' && address.trim() === '') return { address: 'The service id is required' };
  return {};
}

export interface ApproveFieldsProps {
  request: RequestDetail;
  approval: Approval;
  wrong: Wrong;
  onChange: (change: Partial<Approval>) => void;
}

export function ApproveFields({ request, approval, wrong, onChange }: ApproveFieldsProps) {
  const { kind, sender } = request;
  if (kind === 'company')
    return (
      <p className={styles.hint}>
        The company can send, ask for senders and create keys at once. A trial gets its credit.
      </p>
    );
  if (kind === 'template')
    return (
      <TextInput
        label="Provider’s id"
        description="Where the provider keeps transactional templates: what it calls this one. May stay empty."
        maxLength={100}
        value={approval.external_id}
        onChange={(event) => onChange({ external_id: event.currentTarget.value })}
      />
    );
  if (kind === 'short_code')
    return (
      <TextInput
        label="Short code"
        description="The code that the carriers have assigned."
        required
        inputMode="numeric"
        maxLength={8}
        value={approval.code}
        error={wrong.code}
        onChange={(event) => onChange({ code: event.currentTarget.value })}
      />
    );
  if (sender && (kind === 'whatsapp' || kind === 'viber'))
    return <CarrierFields kind={kind} sender={sender} carrier={approval} wrong={wrong} onChange={onChange} />;
  return <p className={styles.hint}>The customer can send from it at once.</p>;
}
