/** The connection of a business sender, and its ID at the carrier. */
import { Button, Select, TextInput } from '@mantine/core';
import type { RequestDetail } from '@parley/contract/admin/requests.ts';
import { ACCESS_FORMS } from '@parley/contract/channels/access.ts';
import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import { Link } from '@tanstack/react-router';
import { ADD_CONNECTION } from '../../paths.ts';
import styles from '../Admin.module.css';

interface Carrier {
  connection_id: string | null;
  address: string;
}

interface CarrierFieldsProps {
  kind: AccessKind;
  sender: Pick<NonNullable<RequestDetail['sender']>, 'connections' | 'carrier_address'>;
  carrier: Carrier;
  errors: { connection?: string; address?: string };
  onChange: (change: Partial<Carrier>) => void;
}

export function CarrierFields({ kind, sender, carrier, errors, onChange }: CarrierFieldsProps) {
  const { connections } = sender;
  const { label: channel, carrier_address: address } = ACCESS_FORMS[kind];
  if (connections.length === 0)
    return (
      <>
        <p className={styles.hint}>No {channel} connections yet. Add a connection before you approve this request.</p>
        <div>
          <Button variant="default" component={Link} to={ADD_CONNECTION}>
            Add connection
          </Button>
        </div>
      </>
    );
  return (
    <>
      <Select
        label="Connection"
        required
        data={connections.map(({ id, name, enabled }) => ({
          value: id,
          label: enabled ? name : `${name} (disabled)`,
        }))}
        allowDeselect={false}
        value={carrier.connection_id}
        error={errors.connection}
        onChange={(value) => onChange({ connection_id: value })}
      />
      <TextInput
        label={address.label}
        description={
          sender.carrier_address && !address.required ? `Already assigned by ${channel}.` : address.description
        }
        required={address.required}
        autoComplete="off"
        maxLength={40}
        value={carrier.address}
        error={errors.address}
        onChange={(event) => onChange({ address: event.currentTarget.value })}
      />
      <p className={styles.hint}>
        After approval, the customer can send from this sender immediately, and the channel appears in their menu.
      </p>
    </>
  );
}
