/** A dialog that is taken away gives the keyboard back to what it was opened with. */
import { useEffect, useState } from 'react';

export function useReturnToOpener(): void {
  const [opener] = useState(() => document.activeElement as HTMLElement | null);
  useEffect(() => () => opener?.focus({ preventScroll: true }), [opener]);
}
