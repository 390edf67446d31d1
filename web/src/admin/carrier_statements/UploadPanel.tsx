/** Uploads a statement of a carrier, which is compared immediately. */
import { Button, Select } from '@mantine/core';
import { createCarrierStatement, MAX_CARRIER_STATEMENT } from '@parley/contract/admin/carrier_statements.ts';
import { CURRENCIES } from '@parley/contract/common.ts';
import { listConnections } from '@parley/contract/connections/connections.ts';
import { useState } from 'react';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { formatCount } from '../../ui/data/format.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { FileDrop } from '../../ui/form/FileDrop.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';

interface PanelProps {
  open: boolean;
  onClose: () => void;
}

export function UploadPanel({ open, onClose }: PanelProps) {
  return (
    <SidePanel
      open={open}
      onClose={onClose}
      title="Upload statement"
      description="Compares what a carrier charged with the costs of settled messages."
    >
      {open && <UploadForm onClose={onClose} />}
    </SidePanel>
  );
}

function UploadForm({ onClose }: { onClose: () => void }) {
  const connections = useEndpoint(listConnections, { query: { page_size: 300 } }).data?.data ?? [];
  const [connection_id, setConnection] = useState<string | null>(null);
  const [currency, setCurrency] = useState<(typeof CURRENCIES)[number]>('USD');
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const upload = useAction(createCarrierStatement, {
    onSuccess: ({ data }) => {
      if (data.open_count === 0) toast.success('The statement agrees with the recorded costs');
      else toast.info(`${formatCount(data.open_count, 'country', 'countries')} with a difference`);
      onClose();
    },
    onError: (error) => setProblem(error.message),
  });
  const start = async () => {
    if (!file || !connection_id) return;
    setProblem(null);
    upload.mutate({ body: { connection_id, currency, filename: file.name, text: await file.text() } });
  };
  return (
    <div className={styles.panelForm}>
      <Select
        label="Connection"
        placeholder="Select a connection"
        data={connections.map(({ id, name }) => ({ value: id, label: name }))}
        value={connection_id}
        onChange={setConnection}
        allowDeselect={false}
      />
      <Select
        label="Currency"
        data={CURRENCIES}
        value={currency}
        onChange={(value) => value && setCurrency(value as typeof currency)}
        allowDeselect={false}
      />
      <FileDrop
        label="Drop a CSV file here"
        accept={['.csv', '.txt']}
        max_bytes={MAX_CARRIER_STATEMENT}
        file={file}
        error={problem}
        onFile={(next) => {
          setFile(next);
          setProblem(null);
        }}
      />
      <p className={styles.hint}>
        The first line names the columns: date, country or number, segments, amount. Lines can be daily totals or single
        messages. Example: 2027-01-31,GB,1200,28.80
      </p>
      <Button disabled={!file || !connection_id} loading={upload.isPending} onClick={() => void start()}>
        Compare
      </Button>
    </div>
  );
}
