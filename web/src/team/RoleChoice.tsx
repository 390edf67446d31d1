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
  label?: string;
  presets?: Presets;
}
type Presets = typeof ROLES;

/** Predefined roles. The table below shows their permissions, which can be changed. */
export function RoleChoice(props: RoleChoiceProps) {
  const { value, giver, onChange, readOnly = false, label: groupLabel = 'Role', presets = ROLES } = props;
  const current = currentRole(presets, value, giver);
  return (
    <div className={styles.roles} role="radiogroup" aria-label={groupLabel}>
      {Object.entries(presets).map(([key, { label, description, permissions }]) => (
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
function currentRole(presets: Presets, value: Permissions, giver: Permissions): string {
  const exact = roleKey(value, presets);
  if (exact !== CUSTOM) return exact;
  const limited = Object.entries(presets).find(
    ([, role]) => JSON.stringify(sorted(limitTo(role.permissions, giver))) === JSON.stringify(sorted(value)),
  );
  return limited && Object.keys(value).length > 0 ? limited[0] : CUSTOM;
}
const sorted = (permissions: Permissions) =>
  Object.entries(permissions)
    .filter(([, bits]) => bits)
    .sort(([a], [b]) => a.localeCompare(b));
