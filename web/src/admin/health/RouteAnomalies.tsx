/** Route anomalies, and the settings of the alerts about them. */
import { Button } from '@mantine/core';
import { getAnomalyAlerts } from '@parley/contract/insights/anomalies.ts';
import { useState } from 'react';
import { AnomalyList } from '../../insights/anomalies/AnomaliesTab.tsx';
import { AnomalyAlertsForm } from '../../insights/anomalies/AnomalyAlertsForm.tsx';
import { useEndpoint } from '../../kernel/http/query.ts';
import { RecordPage } from '../../kernel/record/RecordPage.tsx';
import { Allow } from '../../kernel/session/allow.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import health_styles from './Health.module.css';

/** A default export, because it is loaded after the checks. */
export default function RouteAnomalies() {
  const [isOpen, setOpen] = useState(false);
  return (
    <section id="anomalies" className={health_styles.block} aria-label="Anomalies">
      <h2>Route anomalies</h2>
      <AnomalyList />
      <Allow needs={getAnomalyAlerts.needs}>
        <Button variant="subtle" size="xs" className={health_styles.more ?? ''} onClick={() => setOpen(true)}>
          Alert settings
        </Button>
      </Allow>
      <SidePanel open={isOpen} onClose={() => setOpen(false)} title="Anomaly alerts">
        {isOpen && <Settings />}
      </SidePanel>
    </section>
  );
}

function Settings() {
  const query = useEndpoint(getAnomalyAlerts);
  return (
    <RecordPage query={query} noun="anomaly alerts">
      {(alerts) => <AnomalyAlertsForm alerts={alerts} routes />}
    </RecordPage>
  );
}
