import { Select } from '@mantine/core';
import { ADAPTERS, type AdapterName } from '@parley/contract/channels/adapters.ts';
import { PRESET_ADAPTER, SMS_PRESETS } from '@parley/contract/channels/sms/providers/presets.ts';
import { createConnection } from '@parley/contract/connections/connections.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { CONNECTIONS } from '../../paths.ts';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Admin.module.css';
import { ConnectionForm } from './ConnectionForm.tsx';

const PROTOCOLS = Object.entries(ADAPTERS).map(([value, { label }]) => ({ value, label }));
const PRESETS = Object.entries(SMS_PRESETS).map(([name, { label }]) => ({
  value: `${PRESET_ADAPTER}:${name}`,
  label: `SMS through ${label}`,
}));
const CHOICES = [
  { group: 'Protocols and providers', items: PROTOCOLS },
  { group: 'Presets for further providers', items: PRESETS },
];

export default function AddConnectionPage() {
  const navigate = useNavigate();
  const [choice, setChoice] = useState(PROTOCOLS[0]!.value);
  const [adapter, preset] = choice.split(':') as [AdapterName, string | undefined];
  return (
    <>
      <Back to={CONNECTIONS}>Connections</Back>
      <PageHeader
        title="Add connection"
        description="Enter the values from the carrier’s data sheet. The connection opens as soon as you save it."
      />
      <Select
        className={styles.adapter}
        label="Protocol"
        data={CHOICES}
        value={choice}
        searchable
        allowDeselect={false}
        onChange={(value) => value && setChoice(value)}
      />
      <ConnectionForm
        key={choice}
        adapter={adapter}
        preset={preset === undefined ? {} : SMS_PRESETS[preset as keyof typeof SMS_PRESETS].settings}
        connection={null}
        endpoint={createConnection}
        onDone={({ id }) => void navigate({ to: CONNECTIONS, search: { open: id } as never })}
      />
    </>
  );
}
