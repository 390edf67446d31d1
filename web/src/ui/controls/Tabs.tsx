import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import styles from './Tabs.module.css';

interface TabsProps<T extends string> {
  'aria-label': string;
  value: T;
  onChange: (value: T) => void;
  data: readonly { value: T; label: string }[];
  /** The content of the open tab. */
  children: ReactNode;
}

/** The tabs of a panel or dialog. The arrow keys open the next and the previous tab. */
export function Tabs<T extends string>({ value, onChange, data, children, ...label }: TabsProps<T>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const openNext = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const index = (data.findIndex((tab) => tab.value === value) + step + data.length) % data.length;
    onChange(data[index]!.value);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[index]?.focus();
  };
  return (
    <>
      <div {...label} ref={list} role="tablist" className={styles.list} onKeyDown={openNext}>
        {data.map((tab) => {
          const isOpen = tab.value === value;
          return (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}${tab.value}`}
              aria-selected={isOpen}
              aria-controls={isOpen ? `${id}panel` : undefined}
              tabIndex={isOpen ? 0 : -1}
              className={styles.tab}
              onClick={() => onChange(tab.value)}
            >
              {tab.label}
            </button>
          );
        })}
      </div>
      <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}${value}`}>
        {children}
      </div>
    </>
  );
}
