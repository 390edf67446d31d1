/**
 * A small dialog that opens below its button. It follows the button in the tab order; Esc, a click outside, and moving
 * the focus away close it.
 */
import { type ReactNode, useEffect } from 'react';
import { focusTarget, useFloating } from './floating.ts';
import styles from './Popup.module.css';
import type { Align } from './placement.ts';

interface TargetProps {
  type: 'button';
  onClick: () => void;
  'aria-haspopup': 'dialog';
  'aria-expanded': boolean;
  'aria-controls': string | undefined;
}

interface PopupProps {
  label: string;
  /** The button, which gets these props. */
  target: (props: TargetProps) => ReactNode;
  className?: string | undefined;
  /** The side of the button with which the box is aligned. */
  align?: Align;
  /** Moves the focus into the box when it opens: to the element with `data-autofocus`, or to the first control. */
  takesFocus?: boolean;
  onOpen?: () => void;
  children: (close: () => void) => ReactNode;
}

const CONTROLS = 'button, input, select, textarea, a[href], [tabindex="0"]';

export function Popup({ label, target, className, align = 'end', takesFocus = false, onOpen, children }: PopupProps) {
  const { opened, open, close, root, rootProps, box, boxProps, targetProps } = useFloating(align);
  useEffect(() => {
    if (!opened || !takesFocus) return;
    const element = box.current?.querySelector('[data-autofocus]') ?? box.current?.querySelector(CONTROLS);
    (element as HTMLElement | null)?.focus({ preventScroll: true });
  }, [opened, takesFocus, box]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the events are those of the button and the dialog inside
    <div
      {...rootProps}
      className={styles.root}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !opened) return;
        event.stopPropagation();
        close();
        focusTarget(root.current);
      }}
    >
      {target({
        ...targetProps,
        onClick: () => {
          if (opened) return close();
          onOpen?.();
          open();
        },
        'aria-haspopup': 'dialog',
      })}
      {opened && (
        <div {...boxProps} role="dialog" aria-label={label} className={`${styles.box} ${className ?? ''}`}>
          {children(close)}
        </div>
      )}
    </div>
  );
}
