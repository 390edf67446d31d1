import type { Permissions } from '@parley/contract/permission.ts';
import { ROLES } from '@parley/contract/team/team.ts';
import type { Bits } from './roles.ts';
import { CUSTOM, roleOf, within } from './roles.ts';
import styles from './Team.module.css';

export interface RoleChoiceProps {
  value: Permissions;
  giver: Permissions;
  onChange: (next: Bits) => void;
  readOnly?: boolean;
}

/** Starting points; the table below says exactly what they come to, and may be changed from there. */
export function RoleChoice({ value, giver, onChange, readOnly = false }: RoleChoiceProps) {
  const current = currentRole(value, giver);
  return (
    <div className={styles.roles} role="radiogroup" aria-label="Role">
      {Object.entries(ROLES).map(([key, { label, description, permissions }]) => (
        <label key={key} className={styles.role} data-checked={current === key || undefined}>
          <input
            type="radio"
            name="role"
            className={styles.radio}
            checked={current === key}
            disabled={readOnly}
            onChange={() => onChange(within(permissions, giver))}
          />
          <span className={styles.roleName}>{label}</span>
          <span className={styles.roleLine}>{description}</span>
        </label>
      ))}
      {current === CUSTOM && (
        <div className={styles.role} data-checked>
          <span className={styles.roleName}>Custom</span>
          <span className={styles.roleLine}>As ticked below.</span>
        </div>
      )}
    </div>
  );
}

/** Of somebody who lacks rights themselves, a role is what they can give of it. */
function currentRole(value: Permissions, giver: Permissions): string {
  const exact = roleOf(value);
  if (exact !== CUSTOM) return exact;
  const found = Object.entries(ROLES).find(
    ([, role]) => JSON.stringify(sorted(within(role.permissions, giver))) === JSON.stringify(sorted(value)),
  );
  return found && Object.keys(value).length > 0 ? found[0] : CUSTOM;
}
const sorted = (permissions: Permissions) =>
  Object.entries(permissions)
    .filter(([, bits]) => bits)
    .sort(([a], [b]) => a.localeCompare(b));
