/**
 * A small dialog that opens below its button. It follows the button in the tab order; Esc, a click outside, and moving
 * the focus away close it.
 */
import { type FocusEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import styles from './Popup.module.css';

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
  onOpen?: () => void;
  children: (close: () => void) => ReactNode;
}

const MARGIN = 12;

export function Popup({ label, target, className, onOpen, children }: PopupProps) {
  const [opened, setOpened] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (!opened) return;
    const closeOutside = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpened(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [opened]);
  // The box is aligned with the end of the button; on a narrow screen it moves so that its start is visible.
  useLayoutEffect(() => {
    const element = box.current;
    if (!opened || !element) return;
    const { left } = element.getBoundingClientRect();
    if (left < MARGIN) element.style.insetInlineEnd = `${left - MARGIN}px`;
  }, [opened]);

  const closeOnBlur = (event: FocusEvent) => {
    if (event.relatedTarget && !root.current?.contains(event.relatedTarget)) setOpened(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the events are those of the button and the dialog inside
    <div
      ref={root}
      className={styles.root}
      onBlur={closeOnBlur}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !opened) return;
        event.stopPropagation();
        setOpened(false);
        root.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus();
      }}
    >
      {target({
        type: 'button',
        onClick: () => {
          if (!opened) onOpen?.();
          setOpened(!opened);
        },
        'aria-haspopup': 'dialog',
        'aria-expanded': opened,
        'aria-controls': opened ? id : undefined,
      })}
      {opened && (
        <div ref={box} id={id} role="dialog" aria-label={label} className={`${styles.box} ${className ?? ''}`}>
          {children(() => setOpened(false))}
        </div>
      )}
    </div>
  );
}
