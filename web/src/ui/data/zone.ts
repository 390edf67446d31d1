/** The time zone for all displayed times: the account's after sign-in, the device's before. */
import { createContext, useContext } from 'react';

const Zone = createContext<string>(Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');
export const ZoneProvider = Zone.Provider;
export const useZone = (): string => useContext(Zone);
