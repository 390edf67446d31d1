import { Button } from '@mantine/core';
import { exportPersonalData } from '@parley/contract/auth/sessions.ts';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { callFile, saveFile } from '../../kernel/http/files.ts';
import { toastError } from '../../kernel/http/query.ts';
import { Buttons } from '../../ui/form/FormParts.tsx';

export function PersonalData() {
  const load = useMutation({
    mutationFn: () => callFile(exportPersonalData, {}),
    onSuccess: (blob) => saveFile(blob, 'parley-personal-data.json'),
    onError: toastError,
  });
  return (
    <Buttons>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} stroke={1.7} aria-hidden />}
        loading={load.isPending}
        onClick={() => load.mutate()}
      >
        Download my data
      </Button>
    </Buttons>
  );
}
