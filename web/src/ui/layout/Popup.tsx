/**
 * A small dialog that opens below its button. It follows the button in the tab order; Esc, a click outside, and moving
 * the focus away close it.
 */
import { type ReactNode, useEffect } from 'react';
import { moveByArrows } from '../controls/arrow_keys.ts';
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
  /** Arrow keys move between the search field and the items of the list. */
  movesByArrows?: boolean;
  onOpen?: () => void;
  children: (close: () => void) => ReactNode;
}

const CONTROLS = 'button, input, select, textarea, a[href], [tabindex="0"]';

export function Popup({
  label,
  target,
  className,
  align = 'end',
  takesFocus = false,
  movesByArrows = false,
  onOpen,
  children,
}: PopupProps) {
  const { opened, open, close, root, rootProps, box, boxProps, targetProps } = useFloating(align);
  useEffect(() => {
    const dialog = box.current;
    if (!opened || !takesFocus || !dialog) return;
    const enter = (): boolean => {
      const element = dialog.querySelector('[data-autofocus]') ?? dialog.querySelector(CONTROLS);
      (element as HTMLElement | null)?.focus({ preventScroll: true });
      return element !== null;
    };
    if (enter()) return;
    // While the content loads, the box has the focus, so that Esc closes it and not the page behind it.
    dialog.focus({ preventScroll: true });
    const observer = new MutationObserver(() => {
      if (document.activeElement !== dialog || enter()) observer.disconnect();
    });
    observer.observe(dialog, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [opened, takesFocus, box]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the events are those of the button and the dialog inside
    <div
      {...rootProps}
      className={styles.root}
      onKeyDown={(event) => {
        if (movesByArrows) moveByArrows(event, box.current);
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
        <div
          {...boxProps}
          role="dialog"
          aria-label={label}
          tabIndex={-1}
          className={`${styles.box} ${className ?? ''}`}
        >
          {children(close)}
        </div>
      )}
    </div>
  );
}
