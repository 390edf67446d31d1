import type { Template } from '@parley/contract/templates/templates.ts';
import { useNavigate } from '@tanstack/react-router';
import { LIBRARY, linkTo } from '../paths.ts';
import { toast } from '../ui/feedback/Toasts.tsx';

/** Reports a saved template and opens it in the list. */
export function useSavedTemplate(): (template: Template) => void {
  const navigate = useNavigate();
  return ({ id, name, channel, status }) => {
    toast.success(status === 'COMPLETED' ? `${name} was saved` : `${name} was sent for review`);
    void navigate(linkTo(LIBRARY, { channel, open: id }));
  };
}
