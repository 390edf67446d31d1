/** The time zone in which times are shown. The signed-in part of the app provides the account's; before that it is the device's. */
import { createContext, useContext } from 'react';

const Zone = createContext<string>(Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');
export const ZoneProvider = Zone.Provider;
export const useZone = (): string => useContext(Zone);
