/** Returns focus to the element that opened a dialog when the dialog is removed. */
import { useEffect, useState } from 'react';

export function useReturnToOpener(): void {
  const [opener] = useState(() => document.activeElement as HTMLElement | null);
  useEffect(() => () => opener?.focus({ preventScroll: true }), [opener]);
}
