/** Notifications in the bell about anomalies that start and end. The end replaces the start. */
import { type Anomaly, anomalyTitle } from '@parley/contract/insights/anomalies.ts';
import { addNotice } from '../../kernel/notices.ts';
import { HEALTH, INSIGHTS } from '../../paths.ts';

export function reportAnomaly(anomaly: Anomaly): void {
  const { id, scope, direction, end_date } = anomaly;
  addNotice({
    id: `anomaly.${id}`,
    title: anomalyTitle(anomaly),
    text: end_date === null ? `${direction === 'above' ? 'Higher' : 'Lower'} than usual` : 'No longer unusual',
    tone: end_date === null ? 'fail' : 'ok',
    path: scope === 'route' ? `${HEALTH}?anomaly=${id}` : `${INSIGHTS}?tab=anomalies&anomaly=${id}`,
  });
}
