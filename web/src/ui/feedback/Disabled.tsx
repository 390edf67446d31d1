import { cloneElement, type ReactElement, type SyntheticEvent } from 'react';
import { Tooltip } from './Tooltip.tsx';

type AnyProps = Record<string, unknown>;

interface DisabledProps {
  /** Why the control cannot be used now; it is enabled if this is null or undefined. */
  reason: string | null | undefined;
  children: ReactElement<AnyProps>;
  position?: 'top' | 'right' | 'bottom' | 'left';
}

const stop = (event: SyntheticEvent) => {
  event.preventDefault();
  event.stopPropagation();
};

/**
 * A disabled control that shows its reason. It stays focusable, so that keyboard and screen reader users can reach the
 * reason; the `disabled` attribute would prevent that.
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
    <Tooltip label={reason} position={position}>
      {cloneElement(children, off)}
    </Tooltip>
  );
}
