import { Button } from '@mantine/core';
import { createLimit } from '@parley/contract/guard/limits.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { useContractForm } from '../../kernel/form/form.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { SMS_LIMITS } from '../../paths.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormFooter } from '../../ui/form/FormParts.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { BackTestPart } from './BackTestPart.tsx';
import { LimitFields } from './LimitFields.tsx';
import { LIMIT_LABELS } from './labels.ts';
import { checkLimit, type LimitValues, limitBody, NEW_LIMIT } from './limit_values.ts';
import styles from './SmsLimits.module.css';

export default function CreateLimitPage() {
  const navigate = useNavigate();
  const { form, bind, validate, sending, problem } = useContractForm<typeof createLimit, LimitValues>(createLimit, {
    initial: NEW_LIMIT,
    body: limitBody,
    check: checkLimit,
    labels: LIMIT_LABELS,
    onDone: () => {
      toast.success('Limit created');
      void navigate({ to: SMS_LIMITS });
    },
  });
  return (
    <>
      <Back to={SMS_LIMITS}>SMS limits</Back>
      <PageHeader title="Create SMS limit" description="The limit counts messages from the moment it is created." />
      <Form {...bind} className={styles.form} aria-label="SMS limit">
        <LimitFields form={form} />
        <BackTestPart form={form} validate={validate} />
        <FormFooter problem={problem}>
          <Allow needs={createLimit}>
            <Button type="submit" loading={sending}>
              Create limit
            </Button>
          </Allow>
          <Button variant="default" component={Link} to={SMS_LIMITS}>
            Cancel
          </Button>
        </FormFooter>
      </Form>
    </>
  );
}
