import { Tooltip } from '@mantine/core';
import { cloneElement, type ReactElement, type SyntheticEvent } from 'react';

type AnyProps = Record<string, unknown>;

export interface DisabledProps {
  /** Why it cannot be used now; null or undefined leaves the control as it is. */
  reason: string | null | undefined;
  children: ReactElement<AnyProps>;
  position?: 'top' | 'right' | 'bottom' | 'left';
}

const stop = (event: SyntheticEvent) => {
  event.preventDefault();
  event.stopPropagation();
};

/**
 * A control that says why it does nothing. It stays focusable, so the reason reaches keyboards and screen readers: `disabled` would hide it.
 */
export function Disabled({ reason, children, position = 'top' }: DisabledProps) {
  if (!reason) return children;
  const off: AnyProps = {
    'aria-disabled': true,
    'data-disabled': true,
    onClick: stop,
    onPointerDown: undefined,
    onMouseDown: undefined,
    onKeyDown: (event: { key: string } & SyntheticEvent) => {
      if (event.key === 'Enter' || event.key === ' ') stop(event);
    },
  };
  if ('href' in children.props) off.href = undefined;
  return (
    <Tooltip label={reason} position={position} withinPortal>
      {cloneElement(children, off)}
    </Tooltip>
  );
}
