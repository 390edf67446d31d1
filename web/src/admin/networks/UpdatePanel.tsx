/** Replaces the numbering plan: choose the bundled plan or a file, read what would change, then replace it. */
import { Button, Radio } from '@mantine/core';
import { type NetworkUpdate, updateNetworks } from '@parley/contract/admin/networks.ts';
import { useState } from 'react';
import { useAction } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import { StatChips } from '../../ui/data/StatChips.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { FileDrop } from '../../ui/form/FileDrop.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { FileProblems } from '../FileProblems.tsx';

const MAX_BYTES = 900_000;

interface PanelProps {
  open: boolean;
  onClose: () => void;
}

export function UpdatePanel({ open, onClose }: PanelProps) {
  return (
    <SidePanel
      open={open}
      onClose={onClose}
      title="Update networks"
      description="The new plan replaces all networks and prefixes. Prices are kept."
    >
      {open && <UpdateSteps onClose={onClose} />}
    </SidePanel>
  );
}

function UpdateSteps({ onClose }: { onClose: () => void }) {
  const [source, setSource] = useState<'bundled' | 'file'>('bundled');
  const [file, setFile] = useState<File | null>(null);
  const [preview, setPreview] = useState<NetworkUpdate | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const update = useAction(updateNetworks, {
    invalidates: ['setup'],
    onSuccess: ({ data }) => {
      setPreview(data);
      if (!data.applied) return;
      toast.success('The networks were updated');
      onClose();
    },
    onError: (error) => setProblem(error.message),
  });
  const run = async (apply: boolean) => {
    setProblem(null);
    const text = source === 'file' && file ? await file.text() : null;
    update.mutate({ body: { text, apply } });
  };
  const restart = () => {
    setPreview(null);
    setProblem(null);
  };
  return (
    <div className={styles.panelForm}>
      <Radio.Group
        label="Numbering plan"
        value={source}
        onChange={(value) => {
          setSource(value as typeof source);
          restart();
        }}
      >
        <div className={styles.checks}>
          <Radio
            value="bundled"
            label="Bundled with this release"
            description="Excludes the United States and Canada, whose numbers are priced by country."
          />
          <Radio value="file" label="From a file" />
        </div>
      </Radio.Group>
      {source === 'file' && (
        <>
          <FileDrop
            label="Drop a CSV file here"
            accept={['.csv', '.txt']}
            max_bytes={MAX_BYTES}
            file={file}
            onFile={(next) => {
              setFile(next);
              restart();
            }}
          />
          <p className={styles.hint}>
            The first line names the columns: mccmnc, name, country, prefixes. Separate prefixes with spaces. Example:
            26202,Vodafone,DE,49152 49162
          </p>
        </>
      )}
      {problem && <Notice tone="fail">{problem}</Notice>}
      {preview ? (
        <Preview preview={preview} busy={update.isPending} onApply={() => void run(true)} />
      ) : (
        <Button
          variant="default"
          disabled={source === 'file' && file === null}
          loading={update.isPending}
          onClick={() => void run(false)}
        >
          Preview changes
        </Button>
      )}
    </div>
  );
}

interface PreviewProps {
  preview: NetworkUpdate;
  busy: boolean;
  onApply: () => void;
}

function Preview({ preview, busy, onApply }: PreviewProps) {
  const stats = (['added', 'changed', 'removed', 'unchanged', 'prefixes'] as const).map((key) => ({
    key,
    label: `${key[0]!.toUpperCase()}${key.slice(1)}`,
    value: formatNumber(preview[key]),
  }));
  const hasChanges = preview.added + preview.changed + preview.removed > 0;
  return (
    <section className={styles.section} aria-label="Preview">
      <StatChips label="Changes" stats={stats} />
      <FileProblems invalid={preview.invalid} problems={preview.problems} />
      {preview.invalid === 0 &&
        (hasChanges ? (
          <Allow needs={updateNetworks.needs}>
            <Button loading={busy} onClick={onApply}>
              Replace networks
            </Button>
          </Allow>
        ) : (
          <Notice tone="info">The networks already match this plan.</Notice>
        ))}
    </section>
  );
}
