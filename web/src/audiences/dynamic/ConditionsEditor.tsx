/** The editor of conditions. Subjects, operators, and values come from the contract. */
import { ActionIcon, Button, SegmentedControl, Select } from '@mantine/core';
import {
  type Condition,
  type ConditionGroup,
  type ConditionNode,
  findSubject,
  isGroup,
  listConditions,
  listOperators,
  MAX_DEPTH,
} from '@parley/contract/audiences/conditions.ts';
import { MAX_CONDITIONS } from '@parley/contract/audiences/limits.ts';
import { CHANNEL_LABELS, CHANNELS, type ChannelName } from '@parley/contract/channels/names.ts';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { SearchSelect } from '../../ui/form/SearchSelect.tsx';
import styles from './Conditions.module.css';
import { ConditionValue } from './ConditionValue.tsx';
import {
  type Fields,
  findField,
  newCondition,
  replaceNode,
  subjectOptions,
  withOperator,
  withSubject,
} from './tree.ts';

interface EditorProps {
  root: ConditionGroup;
  fields: Fields;
  /** The error of the node at a path, such as `conditions.conditions.1`. */
  errorAt: (path: string) => string | undefined;
  onChange: (root: ConditionGroup) => void;
}

export function ConditionsEditor({ root, fields, errorAt, onChange }: EditorProps) {
  const isFull = listConditions(root).length >= MAX_CONDITIONS;
  return (
    <Group
      group={root}
      path={[]}
      fields={fields}
      isFull={isFull}
      errorAt={errorAt}
      onChange={(path, node) => onChange(replaceNode(root, path, node))}
    />
  );
}

interface NodeProps {
  path: readonly number[];
  fields: Fields;
  errorAt: EditorProps['errorAt'];
  onChange: (path: readonly number[], node: ConditionNode | null) => void;
}

const wirePath = (path: readonly number[]): string =>
  ['conditions', ...path.flatMap((at) => ['conditions', at])].join('.');

const MATCH = [
  { value: 'all', label: 'All' },
  { value: 'any', label: 'Any' },
];

function Group({ group, path, isFull, ...rest }: NodeProps & { group: ConditionGroup; isFull: boolean }) {
  const { onChange, errorAt } = rest;
  const add = (node: ConditionNode) => onChange(path, { ...group, conditions: [...group.conditions, node] });
  const isNested = path.length > 0;
  const error = errorAt(wirePath(path)) ?? errorAt(`${wirePath(path)}.conditions`);
  return (
    <fieldset className={isNested ? `${styles.group} ${styles.nested}` : styles.group}>
      <div className={styles.head}>
        <SegmentedControl
          size="xs"
          aria-label={isNested ? 'How many conditions in this group must apply' : 'How many conditions must apply'}
          data={MATCH}
          value={group.match}
          onChange={(match) => onChange(path, { ...group, match: match as ConditionGroup['match'] })}
        />
        <span>of these conditions must apply</span>
        {isNested && (
          <ActionIcon
            className={styles.headEnd}
            variant="subtle"
            color="gray"
            aria-label="Remove group"
            onClick={() => onChange(path, null)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        )}
      </div>
      {group.conditions.map((node, index) => {
        const inner = [...path, index];
        const key = inner.join('.');
        return isGroup(node) ? (
          <Group key={key} group={node} path={inner} isFull={isFull} {...rest} />
        ) : (
          <Row key={key} condition={node} path={inner} isOnly={!isNested && group.conditions.length === 1} {...rest} />
        );
      })}
      {error && <p className={styles.error}>{error}</p>}
      <div className={styles.buttons}>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={isFull}
          onClick={() => add(newCondition())}
        >
          Add condition
        </Button>
        {path.length < MAX_DEPTH - 1 && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={isFull}
            onClick={() => add({ match: group.match === 'all' ? 'any' : 'all', conditions: [newCondition()] })}
          >
            Add group
          </Button>
        )}
      </div>
    </fieldset>
  );
}

const ANY_CHANNEL = { value: '', label: 'Any channel' };
const CHANNEL_OPTIONS = CHANNELS.map((value) => ({ value: value as string, label: CHANNEL_LABELS[value] }));

interface RowProps extends NodeProps {
  condition: Condition;
  /** Whether removing the condition would leave none. */
  isOnly: boolean;
}

function Row({ condition, path, fields, errorAt, onChange, isOnly }: RowProps) {
  const subject = findSubject(condition.subject, findField(condition.subject, fields));
  const operators = subject ? Object.entries(listOperators(subject.kind)) : [];
  const change = (changed: Condition) => onChange(path, changed);
  const wire = wirePath(path);
  const error = errorAt(wire) ?? errorAt(`${wire}.value`);
  return (
    <div className={styles.row}>
      <SearchSelect
        aria-label="Condition on"
        data={subjectOptions(fields)}
        value={condition.subject}
        error={subject ? undefined : 'This field was deleted'}
        withScrollArea={false}
        styles={{ options: { maxHeight: 320, overflowY: 'auto' } }}
        onChange={(value) => value && value !== condition.subject && change(withSubject(value, fields))}
      />
      <Select
        aria-label="Comparison"
        className={styles.comparison}
        data={operators.map(([value, { label }]) => ({ value, label }))}
        value={condition.operator}
        allowDeselect={false}
        onChange={(operator) => operator && change(withOperator(condition, operator, fields))}
      />
      <div className={styles.parts}>
        <ConditionValue
          condition={condition}
          fields={fields}
          label={subject?.label ?? 'Condition'}
          path={wire}
          onChange={(value) => change({ ...condition, value: value ?? null })}
        />
        {subject?.channel && (
          <Select
            aria-label={`${subject.label}: channel`}
            data={subject.channel === 'required' ? CHANNEL_OPTIONS : [ANY_CHANNEL, ...CHANNEL_OPTIONS]}
            value={condition.channel ?? ''}
            allowDeselect={false}
            onChange={(channel) => change({ ...condition, channel: (channel || null) as ChannelName | null })}
          />
        )}
      </div>
      <ActionIcon
        className={styles.remove}
        variant="subtle"
        color="gray"
        size={36}
        aria-label="Remove condition"
        disabled={isOnly}
        onClick={() => onChange(path, null)}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
      {error && <p className={styles.error}>{error}</p>}
    </div>
  );
}
