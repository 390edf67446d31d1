import { createContext } from 'react';

/** The element of the frame in which a panel appears beside the page. Null outside the frame. */
export const PanelSlot = createContext<HTMLElement | null>(null);
