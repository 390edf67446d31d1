import { Button } from '@mantine/core';
import { type ContentRule, createContentRule, updateContentRule } from '@parley/contract/guard/content_rules.ts';
import { useContractForm } from '../../kernel/form/form.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormProblem } from '../../ui/form/FormParts.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { RuleBackTest } from './RuleBackTest.tsx';
import { RuleFields } from './RuleFields.tsx';
import { NEW_RULE, ruleBody, ruleValues } from './rule_values.ts';

const FORM = 'content-rule-form';
const LABELS = {
  ...{ name: 'Name', kind: 'Look for', links: 'Links', domains: 'Domains', brands: 'Brands', words: 'Words' },
  ...{ exceptions: 'Exceptions', sender_days: 'Sender age', links_per_hour: 'Messages with links per hour' },
};

interface RulePanelProps {
  open: boolean;
  /** Null to add a rule. */
  rule: ContentRule | null;
  onClose: () => void;
}

export function RulePanel({ open, rule, onClose }: RulePanelProps) {
  const endpoint = rule ? updateContentRule : createContentRule;
  return (
    <SidePanel
      open={open}
      onClose={onClose}
      title={rule?.name ?? 'Add content rule'}
      description="Applies to messages accepted from now on, however they are sent."
      actions={
        open && (
          <Allow needs={endpoint.needs}>
            <Button type="submit" form={FORM}>
              {rule ? 'Save rule' : 'Add rule'}
            </Button>
          </Allow>
        )
      }
    >
      {open && (rule ? <EditForm key={rule.id} rule={rule} onDone={onClose} /> : <AddForm onDone={onClose} />)}
    </SidePanel>
  );
}

function AddForm({ onDone }: { onDone: () => void }) {
  const { form, bind, problem } = useContractForm(createContentRule, {
    initial: NEW_RULE,
    body: ruleBody,
    labels: LABELS,
    onDone: () => {
      toast.success('The rule was added');
      onDone();
    },
  });
  return (
    <Form {...bind} id={FORM} className={styles.panelForm}>
      <FormProblem>{problem}</FormProblem>
      <RuleFields form={form} known={[]} />
      <RuleBackTest form={form} />
    </Form>
  );
}

function EditForm({ rule, onDone }: { rule: ContentRule; onDone: () => void }) {
  const { form, bind, problem } = useContractForm(updateContentRule, {
    initial: ruleValues(rule),
    body: ruleBody,
    input: (values) => ({ params: { id: rule.id }, body: ruleBody(values) }),
    labels: LABELS,
    onDone: () => {
      toast.success('The rule was saved');
      onDone();
    },
  });
  return (
    <Form {...bind} id={FORM} className={styles.panelForm}>
      <FormProblem>{problem}</FormProblem>
      <RuleFields form={form} known={rule.accounts} />
      <RuleBackTest form={form} />
    </Form>
  );
}
