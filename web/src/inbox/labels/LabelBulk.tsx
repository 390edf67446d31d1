/** Adds a label to the selected conversations or removes it. A default export, because it loads when it opens. */
import { Button, Modal } from '@mantine/core';
import type { BulkActionName } from '@parley/contract/bulk/bulk.ts';
import type { Label } from '@parley/contract/inbox/labels.ts';
import { useState } from 'react';
import { type BulkChoice, startBulkJob } from '../../bulk/bulk_action.ts';
import { SmallSelect } from '../../ui/controls/SmallSelect.tsx';
import styles from './Labels.module.css';
import { useLabels } from './labels.ts';

interface Props {
  /** "12 conversations" */
  rows: string;
  chosen: BulkChoice;
  onDone: () => void;
  onClose: () => void;
}

export default function LabelBulk({ rows, chosen, onDone, onClose }: Props) {
  const labels = useLabels();
  const [label_id, setLabel] = useState('');
  const label: Label | undefined = labels.find(({ id }) => id === label_id) ?? labels[0];
  const start = async (name: BulkActionName) => {
    if (label && (await startBulkJob(name, { label_id: label.id }, chosen))) onDone();
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={`Label ${rows}`} size="sm">
      {label ? (
        <div className={styles.dialog}>
          <SmallSelect
            aria-label="Label"
            value={label.id}
            data={labels.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={setLabel}
          />
          <div className={styles.formFoot}>
            <Button variant="default" size="sm" onClick={() => void start('unlabel_conversations')}>
              Remove label
            </Button>
            <Button size="sm" onClick={() => void start('label_conversations')}>
              Add label
            </Button>
          </div>
        </div>
      ) : (
        <p className={styles.hint}>No labels yet. Open a conversation and press L to create one.</p>
      )}
    </Modal>
  );
}
