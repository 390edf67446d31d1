/** A list of example messages that grows up to five. */
import { Button, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Field } from './Field.tsx';
import styles from './FormParts.module.css';

const MAX_EXAMPLES = 5;

interface ExampleFieldsProps {
  // biome-ignore lint/suspicious/noExplicitAny: any form with a list of texts under `name`
  form: UseFormReturnType<any>;
  name: string;
  min: number;
  maxLength: number;
  /** The help text of the first example. */
  description: string;
}

export function ExampleFields({ form, name, min, maxLength, description }: ExampleFieldsProps) {
  const [count, setCount] = useState(Math.max(min, (form.getValues()[name] as string[]).length));
  const add = () => {
    form.insertListItem(name, '');
    setCount(count + 1);
  };
  const remove = (index: number) => {
    form.removeListItem(name, index);
    setCount(count - 1);
  };
  return (
    <>
      {Array.from({ length: count }, (_, index) => index).map((index) => (
        <div key={index} className={styles.example}>
          <Field
            form={form}
            name={`${name}.${index}`}
            as={Textarea}
            label={`Example ${index + 1}`}
            {...(index === 0 ? { description } : {})}
            autosize
            minRows={2}
            maxLength={maxLength}
          />
          {index >= min && index === count - 1 && (
            <div>
              <Button size="xs" variant="default" onClick={() => remove(index)}>
                Remove example {index + 1}
              </Button>
            </div>
          )}
        </div>
      ))}
      {count < MAX_EXAMPLES && (
        <div>
          <Button size="xs" variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={add}>
            Add example
          </Button>
        </div>
      )}
    </>
  );
}
