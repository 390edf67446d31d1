import { Button, Modal } from '@mantine/core';
import { type ApiKey, rotateKey } from '@parley/contract/keys/keys.ts';
import { useState } from 'react';
import { useAction } from '../kernel/http/query.ts';
import { useSession } from '../kernel/session/session.tsx';
import { Buttons } from '../ui/form/FormParts.tsx';
import { DEFAULT_GRACE_SECONDS, GraceSelect } from './GraceSelect.tsx';
import styles from './Keys.module.css';
import { NewKey } from './NewKey.tsx';
import { rememberKey } from './recent_key.ts';

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
  const [grace, setGrace] = useState(DEFAULT_GRACE_SECONDS);
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
        rotation.mutate({ params: { id: apiKey.id }, body: { grace_seconds: grace } });
      }}
    >
      <p className={styles.hint}>
        Rotating creates a new key with the same scopes. Meanwhile, both keys work, so you can replace the current one
        without interruption.
      </p>
      <GraceSelect noun="key" seconds={grace} onChange={setGrace} />
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
