import { Select } from '@mantine/core';
import { ADAPTERS, type AdapterName } from '@parley/contract/channels/adapters.ts';
import { createConnection } from '@parley/contract/connections/connections.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { CONNECTIONS } from '../../paths.ts';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Admin.module.css';
import { ConnectionForm } from './ConnectionForm.tsx';

const PROTOCOLS = Object.entries(ADAPTERS).map(([value, { label }]) => ({ value: value as AdapterName, label }));

export default function AddConnectionPage() {
  const navigate = useNavigate();
  const [adapter, setAdapter] = useState(PROTOCOLS[0]!.value);
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
        data={PROTOCOLS}
        value={adapter}
        allowDeselect={false}
        onChange={(value) => value && setAdapter(value as AdapterName)}
      />
      <ConnectionForm
        key={adapter}
        adapter={adapter}
        connection={null}
        endpoint={createConnection}
        onDone={({ id }) => void navigate({ to: CONNECTIONS, search: { open: id } as never })}
      />
    </>
  );
}
