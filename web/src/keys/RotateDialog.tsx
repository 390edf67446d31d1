import { Button, Modal, Select } from '@mantine/core';
import { type ApiKey, rotateKey } from '@parley/contract/keys/keys.ts';
import { useState } from 'react';
import { useAction } from '../kernel/http/query.ts';
import { useSession } from '../kernel/session/session.tsx';
import { Buttons } from '../ui/form/FormParts.tsx';
import styles from './Keys.module.css';
import { NewKey } from './NewKey.tsx';
import { rememberKey } from './recent_key.ts';

const GRACE = [
  { value: '0', label: 'It stops immediately' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '24 hours' },
  { value: '604800', label: '7 days' },
];

/** Asks how long the current key stays valid, then shows the new one. */
export function RotateDialog({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  // Keeps the last key visible while the dialog fades out.
  const [shown, setShown] = useState<ApiKey | null>(null);
  if (apiKey && apiKey !== shown) setShown(apiKey);
  if (!shown) return null;
  return (
    <Modal opened={apiKey !== null} onClose={onClose} title={`Rotate “${shown.name}”`} size={560}>
      <Rotation key={shown.id} apiKey={shown} onClose={onClose} />
    </Modal>
  );
}

function Rotation({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { account } = useSession();
  const [grace, setGrace] = useState('86400');
  const rotation = useAction(rotateKey, { onSuccess: ({ data }) => rememberKey(account.id, data.key) });
  if (rotation.data)
    return (
      <div className={styles.form}>
        <NewKey apiKey={rotation.data.data} />
        <Buttons>
          <Button onClick={onClose}>Done</Button>
        </Buttons>
      </div>
    );
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        rotation.mutate({ params: { id: apiKey.id }, body: { grace_seconds: Number(grace) } });
      }}
    >
      <p className={styles.hint}>
        Rotating creates a new key with the same scopes. Meanwhile, both keys work, so that you can replace the current
        one without interruption.
      </p>
      <Select
        label="How long the current key stays valid"
        data={GRACE}
        value={grace}
        allowDeselect={false}
        onChange={(next) => setGrace(next ?? '0')}
        data-autofocus
      />
      <Buttons>
        <Button type="submit" loading={rotation.isPending}>
          Rotate API key
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Buttons>
    </form>
  );
}
