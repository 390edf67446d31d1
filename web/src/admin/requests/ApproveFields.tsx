/**
 * The fields that an approval needs, by kind of request: the digits of a short code, the connection of a business
 * sender, or the carrier's ID for a template.
 */
import { TextInput } from '@mantine/core';
import type { RequestDetail } from '@parley/contract/admin/requests.ts';
import { ACCESS_FORMS } from '@parley/contract/channels/access.ts';
import { isAccessKind } from '@parley/contract/channels/access_kinds.ts';
import { Optional } from '../../ui/form/Optional.tsx';
import styles from '../Admin.module.css';
import { CarrierFields } from './CarrierFields.tsx';

export interface Approval {
  code: string;
  connection_id: string | null;
  address: string;
  external_id: string;
  external_language: string;
}
export interface DecisionErrors {
  code?: string;
  note?: string;
  connection?: string;
  address?: string;
  template_id?: string;
  template_language?: string;
}

/** Checks the fields before they are sent to the server. */
export function approvalErrors(
  { kind }: Pick<RequestDetail, 'kind'>,
  { code, connection_id, address, external_id, external_language }: Approval,
): DecisionErrors {
  if (kind === 'short_code' && code.trim() === '') return { code: 'Short code is required!' };
  if (kind === 'template' && external_id.trim() !== '' && external_language.trim() === '')
    return { template_language: 'Language is required!' };
  if (!isAccessKind(kind)) return {};
  if (!connection_id) return { connection: 'Connection is required!' };
  const { label, required } = ACCESS_FORMS[kind].carrier_address;
  return required && address.trim() === '' ? { address: `${label} is required!` } : {};
}

interface ApproveFieldsProps {
  request: RequestDetail;
  approval: Approval;
  errors: DecisionErrors;
  onChange: (change: Partial<Approval>) => void;
}

export function ApproveFields({ request, approval, errors, onChange }: ApproveFieldsProps) {
  const { kind, sender } = request;
  if (kind === 'company')
    return (
      <p className={styles.hint}>
        After approval, the company can send messages, request senders, and create API keys. A trial account also
        receives its trial credit.
      </p>
    );
  if (kind === 'template')
    return (
      <>
        <TextInput
          label={
            <>
              Carrier’s template ID
              <Optional />
            </>
          }
          description="If the carrier stores the text as a transactional template, messages send its ID and the values."
          maxLength={100}
          value={approval.external_id}
          error={errors.template_id}
          onChange={(event) => onChange({ external_id: event.currentTarget.value })}
        />
        {approval.external_id.trim() !== '' && (
          <TextInput
            label="Language at the carrier"
            description="The language code of the stored template, such as en."
            required
            maxLength={8}
            value={approval.external_language}
            error={errors.template_language}
            onChange={(event) => onChange({ external_language: event.currentTarget.value })}
          />
        )}
      </>
    );
  if (kind === 'short_code')
    return (
      <TextInput
        label="Short code"
        description="The short code that the carriers assigned."
        required
        inputMode="numeric"
        maxLength={8}
        value={approval.code}
        error={errors.code}
        onChange={(event) => onChange({ code: event.currentTarget.value })}
      />
    );
  if (sender && isAccessKind(kind))
    return <CarrierFields kind={kind} sender={sender} carrier={approval} errors={errors} onChange={onChange} />;
  return <p className={styles.hint}>After approval, the customer can send from this sender immediately.</p>;
}
