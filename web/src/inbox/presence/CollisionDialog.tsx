/** A default export, because it loads with the first collision. */
import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { formatTime } from '../../ui/data/format.ts';
import { useZone } from '../../ui/data/zone.ts';
import { Buttons } from '../../ui/form/FormParts.tsx';
import { messagePreview } from '../list/last_message.ts';
import type { Collision } from './collision.ts';
import styles from './Presence.module.css';

export default function CollisionDialog({ collision }: { collision: Collision | null }) {
  const zone = useZone();
  // Keeps its text while it fades out.
  const [shown, setShown] = useState(collision);
  if (collision && collision !== shown) setShown(collision);
  if (!shown) return null;
  const { reply, sendAnyway, cancel } = shown;
  return (
    <Modal opened={collision !== null} onClose={cancel} title="Reply anyway?" size={440}>
      <bdi>{reply.user_name ?? 'Another user'}</bdi> replied at {formatTime(reply.create_date, zone)}, after you began
      to write:
      <blockquote className={styles.quote} dir="auto">
        {messagePreview(reply)}
      </blockquote>
      <Buttons>
        <Button onClick={sendAnyway} data-autofocus>
          Reply anyway
        </Button>
        <Button variant="default" onClick={cancel}>
          Keep editing
        </Button>
      </Buttons>
    </Modal>
  );
}
