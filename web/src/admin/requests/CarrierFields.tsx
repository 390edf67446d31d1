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
          No {whatsapp ? 'WhatsApp' : 'Viber'} connections yet. Add a connection before you approve this request.
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
              : 'Enter the number’s existing ID, or leave empty to enroll the number now.'
            : 'Assigned by Viber to this business.'
        }
        required={!whatsapp}
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
