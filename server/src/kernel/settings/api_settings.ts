/** The log of requests with API keys. */
import { setting, whole } from './setting_kinds.ts';

export const API_SETTINGS = {
  REQUEST_LOG_DAYS: setting(
    whole(0, 365),
    { meaning: 'Days to keep the requests made with API keys, with their masked bodies. 0 logs none.', example: '7' },
    '30',
  ),
};
