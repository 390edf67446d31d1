/** Notifications in the bell about signs of fraud in messages. */
import { MESSAGE_SIGNAL_LABELS, type TrafficStop } from '@parley/contract/guard/traffic_stops.ts';
import { addNotice } from '../kernel/notices.ts';
import { SMS_LIMITS } from '../paths.ts';
import { stopPlace } from './stops/stop_words.ts';

export function reportStop(stop: TrafficStop): void {
  addNotice({
    id: `traffic_stop.${stop.id}`,
    title: stop.refuses ? `Messages to ${stopPlace(stop)} stopped` : `Unusual messages to ${stopPlace(stop)}`,
    text: `${MESSAGE_SIGNAL_LABELS[stop.signal]}: ${stop.reason}`,
    tone: stop.refuses ? 'fail' : 'wait',
    path: SMS_LIMITS,
  });
}
