/** What carries a sender of WhatsApp or Viber, and how the carrier knows it. */
import { Button, Select, TextInput } from '@mantine/core';
import type { RequestDetail } from '@parley/contract/admin/requests.ts';
import { Link } from '@tanstack/react-router';
import styles from '../Admin.module.css';

export interface Carrier {
  connection_id: string | null;
  address: string;
}

export interface CarrierFieldsProps {
  kind: 'whatsapp' | 'viber';
  sender: Pick<NonNullable<RequestDetail['sender']>, 'connections' | 'carrier_address'>;
  carrier: Carrier;
  wrong: { connection?: string; address?: string };
  onChange: (change: Partial<Carrier>) => void;
}

export function CarrierFields({ kind, sender, carrier, wrong, onChange }: CarrierFieldsProps) {
  const { connections } = sender;
  const whatsapp = kind === 'whatsapp';
  if (connections.length === 0)
    return (
      <>
        <p className={styles.hint}>
          There is no connection to {whatsapp ? 'WhatsApp' : 'Viber'} yet. Add one before you approve.
        </p>
        <div>
          <Button variant="default" component={Link} to="/connections/add">
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
          label: enabled ? name : `${name} (switched off)`,
        }))}
        allowDeselect={false}
        value={carrier.connection_id}
        error={wrong.connection}
        onChange={(value) => onChange({ connection_id: value })}
      />
      <TextInput
        label={whatsapp ? 'Phone number id' : 'Service id'}
        description={
          whatsapp
            ? sender.carrier_address
              ? 'WhatsApp has given it already.'
              : 'Leave it empty to enrol the number there now, or enter the one it has.'
            : 'As Viber gave it to you for this business.'
        }
        required={!whatsapp}
        autoComplete="off"
        maxLength={40}
        value={carrier.address}
        error={wrong.address}
        onChange={(event) => onChange({ address: event.currentTarget.value })}
      />
      <p className={styles.hint}>The customer can send from it at once, and the channel appears in their menu.</p>
    </>
  );
}
