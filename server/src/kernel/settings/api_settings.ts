/** The log of requests with API keys, and the recorded exchanges with carriers. */
import { setting, whole } from './setting_kinds.ts';

export const API_SETTINGS = {
  REQUEST_LOG_DAYS: setting(
    whole(0, 365),
    { meaning: 'Days to keep the requests made with API keys, with their masked bodies. 0 logs none.', example: '7' },
    '30',
  ),
  CARRIER_PAYLOAD_DAYS: setting(
    whole(1, 90),
    { meaning: 'Days to keep the recorded exchanges of messages with carriers.', example: '3' },
    '7',
  ),
};
