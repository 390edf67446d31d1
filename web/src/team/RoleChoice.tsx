import type { Permissions } from '@parley/contract/permission.ts';
import { ROLES } from '@parley/contract/team/team.ts';
import type { Bits } from './roles.ts';
import { CUSTOM, limitTo, roleKey } from './roles.ts';
import styles from './Team.module.css';

interface RoleChoiceProps {
  value: Permissions;
  giver: Permissions;
  onChange: (next: Bits) => void;
  readOnly?: boolean;
}

/** Predefined roles. The table below shows their permissions, which can be changed. */
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
            onChange={() => onChange(limitTo(permissions, giver))}
          />
          <span className={styles.roleName}>{label}</span>
          <span className={styles.roleText}>{description}</span>
        </label>
      ))}
      {current === CUSTOM && (
        <div className={styles.role} data-checked>
          <span className={styles.roleName}>Custom</span>
          <span className={styles.roleText}>As selected below.</span>
        </div>
      )}
    </div>
  );
}

/** The selected role. Users who lack some of a role's permissions can grant only the ones that they have. */
function currentRole(value: Permissions, giver: Permissions): string {
  const exact = roleKey(value);
  if (exact !== CUSTOM) return exact;
  const limited = Object.entries(ROLES).find(
    ([, role]) => JSON.stringify(sorted(limitTo(role.permissions, giver))) === JSON.stringify(sorted(value)),
  );
  return limited && Object.keys(value).length > 0 ? limited[0] : CUSTOM;
}
const sorted = (permissions: Permissions) =>
  Object.entries(permissions)
    .filter(([, bits]) => bits)
    .sort(([a], [b]) => a.localeCompare(b));
