import { Kbd } from '@mantine/core';
import { Fragment } from 'react';

const apple = () => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Keys as they are named on this system: `mod` is Cmd or Ctrl. */
export function KeyHint({ keys }: { keys: readonly string[] }) {
  return (
    <span style={{ display: 'inline-flex', gap: 3, alignItems: 'center' }}>
      {keys.map((key) => (
        <Fragment key={key}>
          <Kbd size="xs">{key === 'mod' ? (apple() ? '⌘' : 'Ctrl') : key}</Kbd>
        </Fragment>
      ))}
    </span>
  );
}
