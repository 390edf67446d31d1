/** The campaigns that use a template, as a warning before it is changed or deleted. */

import { Anchor } from '@mantine/core';
import { CAMPAIGN_STATUS } from '@parley/contract/campaigns/statuses.ts';
import type { Data } from '@parley/contract/endpoint.ts';
import type { getTemplate } from '@parley/contract/templates/templates.ts';
import { Link } from '@tanstack/react-router';
import { campaignPath } from '../paths.ts';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import styles from './Templates.module.css';

export function UsedIn({ template }: { template: Pick<Data<typeof getTemplate>, 'used_in' | 'channel'> }) {
  const { used_in, channel } = template;
  if (used_in.length === 0) return null;
  return (
    <section>
      <h3 className={styles.heading}>Used by</h3>
      <ul className={styles.plain}>
        {used_in.map(({ id, name, status }) => (
          <li key={id}>
            <Anchor component={Link} to={campaignPath({ channel, id })} underline="always" inherit>
              {name}
            </Anchor>
            <StatusBadge {...CAMPAIGN_STATUS[status]} />
          </li>
        ))}
      </ul>
      <p className={styles.hint}>These campaigns keep their current text.</p>
    </section>
  );
}
