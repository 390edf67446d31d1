/** The connection of a WhatsApp or Viber sender, and its ID at the carrier. */
import { Button, Select, TextInput } from '@mantine/core';
import type { RequestDetail } from '@parley/contract/admin/requests.ts';
import { Link } from '@tanstack/react-router';
import { ADD_CONNECTION } from '../../paths.ts';
import styles from '../Admin.module.css';

interface Carrier {
  connection_id: string | null;
  address: string;
}

interface CarrierFieldsProps {
  kind: 'whatsapp' | 'viber';
  sender: Pick<NonNullable<RequestDetail['sender']>, 'connections' | 'carrier_address'>;
  carrier: Carrier;
  errors: { connection?: string; address?: string };
  onChange: (change: Partial<Carrier>) => void;
}

export function CarrierFields({ kind, sender, carrier, errors, onChange }: CarrierFieldsProps) {
  const { connections } = sender;
  const whatsapp = kind === 'whatsapp';
  if (connections.length === 0)
    return (
      <>
        <p className={styles.hint}>
          There is no {whatsapp ? 'WhatsApp' : 'Viber'} connection yet. Add one before you approve the request.
        </p>
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
        label={whatsapp ? 'Phone number ID' : 'Service ID'}
        description={
          whatsapp
            ? sender.carrier_address
              ? 'Already assigned by WhatsApp.'
              : 'Leave empty to enroll the number now, or enter its existing ID.'
            : 'Assigned by Viber to this business.'
        }
        required={!whatsapp}
        autoComplete="off"
        maxLength={40}
        value={carrier.address}
        error={errors.address}
        onChange={(event) => onChange({ address: event.currentTarget.value })}
      />
      <p className={styles.hint}>The customer can send from it immediately, and the channel appears in their menu.</p>
    </>
  );
}
