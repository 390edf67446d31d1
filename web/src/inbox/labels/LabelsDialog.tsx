/** Creates, renames, colors, and deletes labels. A default export, because it loads when it opens. */
import { ActionIcon, Button, Modal, TextInput } from '@mantine/core';
import { createLabel, removeLabel, updateLabel } from '@parley/contract/inbox/label_changes.ts';
import { LABEL_COLORS, type Label, type LabelColor } from '@parley/contract/inbox/labels.ts';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../../kernel/http/client.ts';
import { useAction } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { Tooltip } from '../../ui/feedback/Tooltip.tsx';
import { LabelChip } from './LabelChips.tsx';
import styles from './Labels.module.css';
import { useLabels } from './labels.ts';
import { colorName, freeColor } from './palette.ts';

export default function LabelsDialog({ onClose }: { onClose: () => void }) {
  const labels = useLabels();
  const mayCreate = useReason(createLabel.needs) === null;
  const [editing, setEditing] = useState<string | null>(null);
  return (
    <Modal opened onClose={onClose} title="Labels" size={480}>
      <div className={styles.dialog}>
        {labels.length === 0 && <p className={styles.hint}>No labels yet</p>}
        <ul className={styles.list}>
          {labels.map((label) => (
            <li key={label.id}>
              {editing === label.id ? (
                <EditLabel label={label} onClose={() => setEditing(null)} />
              ) : (
                <LabelLine label={label} onEdit={() => setEditing(label.id)} />
              )}
            </li>
          ))}
        </ul>
        {mayCreate && editing === null && <NewLabel key={labels.length} labels={labels} />}
      </div>
    </Modal>
  );
}

function LabelLine({ label, onEdit }: { label: Label; onEdit: () => void }) {
  const remove = useAction(removeLabel, { invalidates: ['conversations'] });
  const ask = async () => {
    const isSure = await confirm({
      title: `Delete the label "${label.name}"?`,
      consequence: 'It is removed from all conversations.',
      action: 'Delete label',
      danger: true,
    });
    if (isSure) remove.mutate({ params: { id: label.id } });
  };
  return (
    <div className={styles.line}>
      <LabelChip label={label} />
      <span className={styles.tools}>
        <Allow needs={updateLabel.needs}>
          <Tooltip label="Edit">
            <ActionIcon variant="subtle" aria-label={`Edit ${label.name}`} onClick={onEdit}>
              <IconPencil size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Allow>
        <Allow needs={removeLabel.needs}>
          <Tooltip label="Delete">
            <ActionIcon
              variant="subtle"
              aria-label={`Delete ${label.name}`}
              loading={remove.isPending}
              onClick={() => void ask()}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Allow>
      </span>
    </div>
  );
}

function EditLabel({ label, onClose }: { label: Label; onClose: () => void }) {
  const [error, setError] = useState<string | null>(null);
  const save = useAction(updateLabel, { onSuccess: onClose, onError: (problem) => setError(problemWords(problem)) });
  return (
    <LabelForm
      initial={label}
      error={error}
      isSending={save.isPending}
      action="Save label"
      onSubmit={(body) => save.mutate({ params: { id: label.id }, body })}
    >
      <Button size="xs" variant="subtle" onClick={onClose}>
        Cancel
      </Button>
    </LabelForm>
  );
}

function NewLabel({ labels }: { labels: readonly Label[] }) {
  const [error, setError] = useState<string | null>(null);
  const create = useAction(createLabel, { onError: (problem) => setError(problemWords(problem)) });
  return (
    <LabelForm
      initial={{ name: '', color: freeColor(labels) }}
      error={error}
      isSending={create.isPending}
      action="Create label"
      onSubmit={(body) => create.mutate({ body })}
    />
  );
}

const problemWords = ({ errors, message }: ApiError): string => errors[0]?.message ?? message;

interface LabelFormProps {
  initial: Pick<Label, 'name' | 'color'>;
  error: string | null;
  isSending: boolean;
  action: string;
  onSubmit: (label: Pick<Label, 'name' | 'color'>) => void;
  children?: ReactNode;
}

function LabelForm({ initial, error, isSending, action, onSubmit, children }: LabelFormProps) {
  const [name, setName] = useState(initial.name);
  const [color, setColor] = useState<LabelColor>(initial.color);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) onSubmit({ name, color });
      }}
    >
      <TextInput
        label="Name"
        value={name}
        maxLength={40}
        error={error}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
        dir="auto"
      />
      <div className={styles.colors} role="radiogroup" aria-label="Color">
        {LABEL_COLORS.map((one) => (
          <label key={one} className={styles.color} title={colorName(one)}>
            <input
              type="radio"
              name="color"
              aria-label={colorName(one)}
              checked={one === color}
              onChange={() => setColor(one)}
            />
            <span className={styles.dot} data-color={one} aria-hidden />
          </label>
        ))}
      </div>
      <div className={styles.formFoot}>
        {children}
        <Button type="submit" size="xs" loading={isSending} disabled={!name.trim()}>
          {action}
        </Button>
      </div>
    </form>
  );
}
