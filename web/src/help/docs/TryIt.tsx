/** Opens a form that makes the call. Its code loads when the form is opened. */
import { Button } from '@mantine/core';
import { type Operation, requestSchema } from '@parley/contract/docs/openapi.ts';
import { IconPlayerPlay } from '@tabler/icons-react';
import { Suspense, useId, useState } from 'react';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import styles from './Docs.module.css';

const TryPanel = lazyPart(() => import('./TryPanel.tsx'));

export function TryIt({ operation }: { operation: Operation }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  // Other calls refuse test keys, and a call with a live key could send messages or change data. Files cannot be sent.
  if (!operation['x-test-keys'] || requestSchema(operation)?.isForm) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlayerPlay size={14} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={`Try it: ${operation.summary}`}
        onClick={() => setOpen(!isOpen)}
      >
        Try it
      </Button>
      <div id={id} hidden={!isOpen} className={styles.wide}>
        {isOpen && (
          <Suspense fallback={<SkeletonLines lines={4} />}>
            <TryPanel operation={operation} />
          </Suspense>
        )}
      </div>
    </>
  );
}
