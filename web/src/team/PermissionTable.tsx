import { Checkbox } from '@mantine/core';
import { type Permissions, permits, type Resource } from '@parley/contract/permission.ts';
import type { PermissionUses } from '@parley/contract/team/permission_uses.ts';
import { Tooltip } from '../ui/feedback/Tooltip.tsx';
import { type Bits, missingReason, togglePermission } from './roles.ts';
import styles from './Team.module.css';
import { GROUPS, LEVELS, type ResourceWords } from './words.ts';

interface PermissionTableProps {
  value: Permissions;
  /** The permissions of the user who is editing. That user cannot grant more than these. */
  giver: Permissions;
  /** A level that allows no call has no box. */
  uses: PermissionUses;
  onChange: (next: Bits) => void;
  readOnly?: boolean;
}

/** Resources by level. Below each resource name, the table states the granted access in words. */
export function PermissionTable({ value, giver, uses, onChange, readOnly = false }: PermissionTableProps) {
  return (
    <div className={styles.tableBox}>
      <table className={styles.table} aria-label="Permissions">
        <thead>
          <tr>
            <th scope="col">Resource</th>
            {LEVELS.map(({ level, label }) => (
              <th key={level} scope="col" className={styles.level}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        {GROUPS.map(({ title, resources }) => (
          <tbody key={title}>
            <tr>
              <th scope="rowgroup" colSpan={LEVELS.length + 1} className={styles.groupTitle}>
                {title}
              </th>
            </tr>
            {resources
              .filter(({ resource }) => isUsed(uses, resource))
              .map((words) => (
                <Row
                  key={words.resource}
                  words={words}
                  value={value}
                  giver={giver}
                  uses={uses}
                  readOnly={readOnly}
                  onChange={onChange}
                />
              ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

const isUsed = (uses: PermissionUses, resource: Resource): boolean =>
  LEVELS.some(({ level }) => uses[`${resource}:${level}`]);

function Row({ words, value, giver, uses, readOnly, onChange }: PermissionTableProps & { words: ResourceWords }) {
  const { resource, label, levels } = words;
  return (
    <tr>
      <th scope="row" className={styles.resource}>
        {label}
        <span className={styles.resourceText}>{describeAccess(words, value, uses)}</span>
      </th>
      {LEVELS.map(({ level, label: levelLabel }) => {
        if (!uses[`${resource}:${level}`]) return <td key={level} className={styles.level} />;
        const reason = readOnly ? null : missingReason(giver, resource, level);
        const has = permits(value, `${resource}:${level}`);
        return (
          <td key={level} className={styles.level}>
            <Tooltip label={reason ?? `Can ${levels[level]}`}>
              <Checkbox
                size="sm"
                aria-label={`${levelLabel} ${label}`}
                checked={has}
                aria-disabled={reason !== null || readOnly || undefined}
                data-off={reason !== null || undefined}
                classNames={{ root: styles.box ?? '' }}
                onChange={() => {
                  if (reason === null && !readOnly) onChange(togglePermission(value, resource, level));
                }}
              />
            </Tooltip>
          </td>
        );
      })}
    </tr>
  );
}

function describeAccess({ resource, levels }: ResourceWords, value: Permissions, uses: PermissionUses): string {
  const granted = LEVELS.filter(({ level }) => uses[`${resource}:${level}`] && permits(value, `${resource}:${level}`));
  const parts = granted.flatMap(({ level }) => levels[level] ?? []);
  if (parts.length === 0) return 'No access';
  // Joined with semicolons, because the parts themselves contain commas.
  const text = parts.join('; ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
