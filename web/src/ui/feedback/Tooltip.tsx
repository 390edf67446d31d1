/**
 * A short description of a control, on hover and on keyboard focus. A table shows hundreds of them, so one costs
 * nothing until it opens: Mantine's sets up a positioning engine for each.
 */
import {
  cloneElement,
  type FocusEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { placeBeside, type Side } from '../layout/placement.ts';
import styles from './Tooltip.module.css';

const OPEN_DELAY_MS = 250;

interface TargetProps {
  onMouseEnter?: (event: MouseEvent<HTMLElement>) => void;
  onMouseLeave?: (event: MouseEvent<HTMLElement>) => void;
  onFocus?: (event: FocusEvent<HTMLElement>) => void;
  onBlur?: (event: FocusEvent<HTMLElement>) => void;
  'aria-describedby'?: string | undefined;
}

interface TooltipProps {
  label: ReactNode;
  position?: Side;
  disabled?: boolean;
  /** One element that passes its props on to the DOM. */
  children: ReactElement;
}

export function Tooltip({ label, position = 'top', disabled = false, children }: TooltipProps) {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const id = useId();
  useEffect(() => () => clearTimeout(timer.current), []);

  const own = children.props as TargetProps;
  const open = (element: HTMLElement, delay: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setTarget(element), delay);
  };
  const close = () => {
    clearTimeout(timer.current);
    setTarget(null);
  };
  const isOpen = target !== null && !disabled;
  const props: TargetProps = {
    onMouseEnter: (event) => {
      own.onMouseEnter?.(event);
      open(event.currentTarget, OPEN_DELAY_MS);
    },
    onMouseLeave: (event) => {
      own.onMouseLeave?.(event);
      close();
    },
    onFocus: (event) => {
      own.onFocus?.(event);
      if (event.currentTarget.matches(':focus-visible')) open(event.currentTarget, 0);
    },
    onBlur: (event) => {
      own.onBlur?.(event);
      close();
    },
    ...(isOpen ? { 'aria-describedby': [own['aria-describedby'], id].filter(Boolean).join(' ') } : {}),
  };
  return (
    <>
      {cloneElement(children as ReactElement<TargetProps>, props)}
      {isOpen && (
        <Box id={id} target={target} position={position} onClose={close}>
          {label}
        </Box>
      )}
    </>
  );
}

interface BoxProps {
  id: string;
  target: HTMLElement;
  position: Side;
  onClose: () => void;
  children: ReactNode;
}

function Box({ id, target, position, onClose, children }: BoxProps) {
  const box = useRef<HTMLDivElement>(null);
  // Runs after every render, because a new label changes the size.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const view = { width: document.documentElement.clientWidth, height: window.innerHeight };
    const { left, top } = placeBeside(target.getBoundingClientRect(), element.getBoundingClientRect(), position, view);
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
  });
  // A layout effect, so that Esc works as soon as the box is visible.
  useLayoutEffect(() => {
    const closeOnEscape = (event: KeyboardEvent) => event.key === 'Escape' && onClose();
    document.addEventListener('keydown', closeOnEscape);
    window.addEventListener('scroll', onClose, { capture: true, once: true });
    return () => {
      document.removeEventListener('keydown', closeOnEscape);
      window.removeEventListener('scroll', onClose, { capture: true });
    };
  });
  return createPortal(
    <div ref={box} id={id} role="tooltip" className={styles.root}>
      {children}
    </div>,
    document.body,
  );
}
