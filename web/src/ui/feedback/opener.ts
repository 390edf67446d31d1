/** When a dialog is removed, returns the focus to the element that opened it. */
import { useEffect, useState } from 'react';

export function useReturnToOpener(): void {
  const [opener] = useState(() => document.activeElement as HTMLElement | null);
  useEffect(() => () => opener?.focus({ preventScroll: true }), [opener]);
}
