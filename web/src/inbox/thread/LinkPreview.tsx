/** Shows the page behind a message's link, when the user asks for it. A default export, loaded with a link. */
import { Button } from '@mantine/core';
import { getLinkPreview } from '@parley/contract/inbox/link_previews.ts';
import { IconLink } from '@tabler/icons-react';
import { useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import styles from './LinkPreview.module.css';

interface Props {
  conversation_id: string;
  message_id: string;
}

export default function LinkPreview({ conversation_id, message_id }: Props) {
  const [isOpen, setOpen] = useState(false);
  const query = useEndpoint(
    getLinkPreview,
    { params: { id: conversation_id }, query: { message_id } },
    { enabled: isOpen, staleTime: 600_000 },
  );
  const preview = query.data?.data;
  if (!isOpen || query.isPending)
    return (
      <Button
        className={styles.open}
        size="compact-xs"
        variant="subtle"
        loading={isOpen}
        leftSection={<IconLink size={13} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Preview link
      </Button>
    );
  if (!preview) return <p className={styles.none}>No preview is available</p>;
  return (
    <a className={styles.card} href={preview.url} target="_blank" rel="noopener noreferrer nofollow">
      <span className={styles.host}>{preview.host}</span>
      <strong dir="auto">{preview.title}</strong>
      {preview.description && <span dir="auto">{preview.description}</span>}
    </a>
  );
}
