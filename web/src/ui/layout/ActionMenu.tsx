/**
 * A menu of actions that opens below its button. Arrow keys, Home, and End move between the actions; Esc, Tab, a click
 * outside, and an action close it. A table shows one per row, so one costs nothing until it opens.
 */
import { Link, type LinkProps } from '@tanstack/react-router';
import { type ComponentPropsWithoutRef, type KeyboardEvent, type ReactNode, useEffect } from 'react';
import { focusTarget, useFloating } from './floating.ts';
import styles from './Popup.module.css';

interface TargetProps {
  type: 'button';
  onClick: () => void;
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
  'aria-controls': string | undefined;
}

interface ActionMenuProps {
  /** The button, which gets these props. */
  target: (props: TargetProps) => ReactNode;
  /** `ActionItem` elements. */
  children: ReactNode;
}

const ITEMS = '[role=menuitem]';

export function ActionMenu({ target, children }: ActionMenuProps) {
  const { opened, open, close, root, rootProps, box, boxProps, targetProps } = useFloating('end');
  useEffect(() => {
    if (opened) box.current?.querySelector<HTMLElement>(ITEMS)?.focus({ preventScroll: true });
  }, [opened, box]);
  const press = (event: KeyboardEvent) => {
    if (!opened) return;
    if (event.key === 'Escape' || event.key === 'Tab') {
      if (event.key === 'Escape') event.stopPropagation();
      close();
      focusTarget(root.current);
      return;
    }
    const items = [...(box.current?.querySelectorAll<HTMLElement>(ITEMS) ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const targets: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 };
    const next = targets[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    items.at(next % items.length)?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the events are those of the button and the menu inside
    <div {...rootProps} className={styles.root} onKeyDown={press}>
      {target({ ...targetProps, onClick: opened ? close : open, 'aria-haspopup': 'menu' })}
      {opened && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: closes after an action, which Enter triggers as a click
        <div
          {...boxProps}
          role="menu"
          className={`${styles.box} ${styles.menu}`}
          onClick={(event) => {
            if ((event.target as Element).closest(ITEMS)) close();
          }}
        >
          {children}
        </div>
      )}
    </div>
  );
}

interface ActionItemProps extends ComponentPropsWithoutRef<'button'> {
  icon?: ReactNode;
  danger?: boolean | undefined;
  /** Makes the action a link. */
  link?: LinkProps;
}

export function ActionItem({ icon, danger, link, children, ...rest }: ActionItemProps) {
  const props = { role: 'menuitem', tabIndex: -1, className: styles.item, 'data-danger': danger || undefined };
  const content = (
    <>
      {icon}
      {children}
    </>
  );
  // A disabled action has no destination.
  if (link && !rest['aria-disabled']) {
    return (
      <Link {...link} {...props}>
        {content}
      </Link>
    );
  }
  return (
    <button {...rest} type="button" {...props}>
      {content}
    </button>
  );
}
