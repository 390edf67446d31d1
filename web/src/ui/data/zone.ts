/** The time zone for all displayed times: the account's time zone after sign-in, and the device's before that. */
import { createContext, useContext } from 'react';

const Zone = createContext<string>(Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');
export const ZoneProvider = Zone.Provider;
export const useZone = (): string => useContext(Zone);
