/** Opens the conversation of a notification that the user clicked while Parley is open. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { linkToAddress } from '../../paths.ts';

export function useOpenedNotifications(): void {
  const navigate = useNavigate();
  const go = useRef(navigate);
  useEffect(() => {
    go.current = navigate;
  });
  useEffect(() => {
    const worker = 'serviceWorker' in navigator ? navigator.serviceWorker : null;
    const open = ({ data }: MessageEvent<{ open?: unknown }>) => {
      const path = data?.open;
      if (typeof path === 'string' && path.startsWith('/inbox/')) void go.current(linkToAddress(path));
    };
    worker?.addEventListener('message', open);
    return () => worker?.removeEventListener('message', open);
  }, []);
}
