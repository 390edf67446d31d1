import { Kbd } from '@mantine/core';
import { Fragment } from 'react';

const isApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The keys of a shortcut, named as on the user's system: `mod` is Cmd or Ctrl. */
export function KeyHint({ keys }: { keys: readonly string[] }) {
  return (
    <span style={{ display: 'inline-flex', gap: 3, alignItems: 'center' }}>
      {keys.map((key) => (
        <Fragment key={key}>
          <Kbd size="xs">{key === 'mod' ? (isApple() ? '⌘' : 'Ctrl') : key}</Kbd>
        </Fragment>
      ))}
    </span>
  );
}
