import * as anomalies from '@parley/contract/insights/anomalies.ts';
import { getBalanceForecast } from '@parley/contract/insights/balance_forecast.ts';
import { getCharts, getDeliveryCharts } from '@parley/contract/insights/charts.ts';
import { getDashboard } from '@parley/contract/insights/dashboard.ts';
import { getInboxReport } from '@parley/contract/insights/inbox_reports.ts';
import { listReportedConversations } from '@parley/contract/insights/reported_conversations.ts';
import { type Implementation, implement } from '../kernel/http/endpoint.ts';
import { getAnomaly, getSettings, listAnomalies, saveSettings } from './anomaly_settings.ts';
import { readForecast } from './balance_forecast.ts';
import { readDeliveryCharts } from './delivery.ts';
import { listReported, readInboxReport } from './inbox_reports.ts';
import { readCharts, readDashboard } from './insights.ts';

export const routes: Implementation[] = [
  implement(getDashboard, ({ tx, actor }, { query }) => readDashboard(tx, actor, tx.now, query.days ?? 7)),
  implement(getCharts, ({ tx, actor }, { query }) => readCharts(tx, actor, tx.now, query)),
  implement(getDeliveryCharts, ({ tx, actor }, { query }) => readDeliveryCharts(tx, actor, tx.now, query)),
  implement(getInboxReport, ({ tx, actor }, { query }) => readInboxReport(tx, actor, tx.now, query)),
  implement(listReportedConversations, ({ tx, actor }, { query }) => listReported(tx, actor, tx.now, query)),
  implement(anomalies.listAnomalies, ({ tx, actor }, { query }) => listAnomalies(tx, actor, query)),
  implement(anomalies.getAnomaly, ({ tx, actor }, { params }) => getAnomaly(tx, actor, params.id)),
  implement(anomalies.getAnomalyAlerts, ({ tx, actor }) => getSettings(tx, actor)),
  implement(anomalies.saveAnomalyAlerts, (ctx, { body }) => saveSettings(ctx, body)),
  implement(getBalanceForecast, ({ tx, actor }, { params }) => readForecast(tx, actor, tx.now, params.id)),
];
