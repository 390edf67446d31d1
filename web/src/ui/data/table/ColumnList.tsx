import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react';
import { type DragEvent, useLayoutEffect, useRef, useState } from 'react';
import { Tick } from '../../controls/Tick.tsx';
import styles from './ColumnMenu.module.css';
import type { ColumnChoice } from './column_choice.ts';
import type { Column } from './columns.ts';

interface ColumnListProps<T> {
  choice: ColumnChoice<T>;
  listed: readonly Column<T>[];
}

/** The columns in their order, and the button that resets both. */
export default function ColumnList<T>({ choice, listed }: ColumnListProps<T>) {
  const root = useRef<HTMLDivElement>(null);
  // The box has the focus only if its contents were there when it opened.
  useLayoutEffect(() => root.current?.querySelector<HTMLElement>('input:enabled')?.focus({ preventScroll: true }), []);
  return (
    <div ref={root}>
      <Columns choice={choice} listed={listed} />
      <Button variant="subtle" size="xs" disabled={!choice.isChanged} onClick={choice.reset}>
        Reset columns
      </Button>
    </div>
  );
}

type Direction = 'up' | 'down';

function Columns<T>({ choice, listed }: ColumnListProps<T>) {
  const list = useRef<HTMLUListElement>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  const [moved, setMoved] = useState<{ key: string; direction: Direction } | null>(null);
  const moveTo = (column: Column<T>, target: Column<T> | undefined) => {
    if (target && target !== column) choice.move(column, choice.ordered.indexOf(target));
  };
  // The browser takes the focus from an element that changes its place. At the end of the list, the other button of
  // the column gets it.
  useLayoutEffect(() => {
    if (!moved) return;
    const buttons = [...(list.current?.querySelectorAll<HTMLButtonElement>('button[data-column]') ?? [])].filter(
      ({ dataset, disabled }) => dataset.column === moved.key && !disabled,
    );
    (buttons.find(({ dataset }) => dataset.move === moved.direction) ?? buttons[0])?.focus();
  }, [moved]);
  const at = moved ? listed.findIndex(({ key }) => key === moved.key) : -1;
  return (
    <>
      <ul ref={list} className={styles.list}>
        {listed.map((column, index) => (
          <li
            key={column.key}
            className={styles.item}
            draggable
            data-dragged={dragged === column.key || undefined}
            onDragStart={(event: DragEvent) => {
              event.dataTransfer.effectAllowed = 'move';
              setDragged(column.key);
            }}
            onDragOver={(event) => {
              event.preventDefault();
              const source = listed.find(({ key }) => key === dragged);
              if (source) moveTo(source, column);
            }}
            onDrop={(event) => event.preventDefault()}
            onDragEnd={() => setDragged(null)}
          >
            <IconGripVertical size={14} aria-hidden />
            <Tick
              className={styles.name}
              label={column.title}
              checked={choice.isShown(column)}
              disabled={column.fixed === true}
              onChange={() => choice.toggle(column)}
            />
            {(['up', 'down'] as const).map((direction) => (
              <MoveButton
                key={direction}
                column={column}
                direction={direction}
                target={listed[direction === 'up' ? index - 1 : index + 1]}
                onMove={(target) => {
                  moveTo(column, target);
                  setMoved({ key: column.key, direction });
                }}
              />
            ))}
          </li>
        ))}
      </ul>
      <VisuallyHidden role="status">
        {at >= 0 && `${listed[at]?.title} is column ${at + 1} of ${listed.length}`}
      </VisuallyHidden>
    </>
  );
}

interface MoveButtonProps<T> {
  column: Column<T>;
  direction: Direction;
  /** The column whose place it takes. */
  target: Column<T> | undefined;
  onMove: (target: Column<T>) => void;
}

function MoveButton<T>({ column, direction, target, onMove }: MoveButtonProps<T>) {
  const Icon = direction === 'up' ? IconArrowUp : IconArrowDown;
  return (
    <ActionIcon
      size={24}
      aria-label={`Move ${column.title} ${direction}`}
      data-column={column.key}
      data-move={direction}
      disabled={!target}
      onClick={() => target && onMove(target)}
    >
      <Icon size={14} aria-hidden />
    </ActionIcon>
  );
}
