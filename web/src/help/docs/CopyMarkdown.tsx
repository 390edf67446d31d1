/** Copies a section of the documentation as Markdown, for example for a program that writes code. */
import { Button } from '@mantine/core';
import { sectionPath } from '@parley/contract/docs/guides.ts';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { copyText } from '../../ui/data/CopyId.tsx';

type State = 'ready' | 'copying' | 'copied' | 'failed';
const LABELS: Record<State, string> = {
  ready: 'Copy as Markdown',
  copying: 'Copy as Markdown',
  copied: 'Copied',
  failed: 'Could not copy. Try again.',
};

export function CopyMarkdown({ id }: { id: string }) {
  const [done, setDone] = useState<{ id: string; state: State }>({ id, state: 'ready' });
  const state = done.id === id ? done.state : 'ready';
  const copy = async () => {
    setDone({ id, state: 'copying' });
    const isCopied = await fetch(sectionPath(id))
      .then(async (response) => response.ok && copyText(await response.text()))
      .catch(() => false);
    setDone({ id, state: isCopied ? 'copied' : 'failed' });
  };
  return (
    <Button
      size="xs"
      variant="default"
      loading={state === 'copying'}
      leftSection={state === 'copied' ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{LABELS[state]}</span>
    </Button>
  );
}
