/** Where a business can be found and reached: the same questions for every kind of request. */
import { TextInput } from '@mantine/core';
import styles from './Registrations.module.css';

export function ReachFields({ field, website }: { field: (name: string) => object; website: string }) {
  return (
    <>
      <TextInput
        label="Website"
        description={website}
        placeholder="https://"
        type="url"
        inputMode="url"
        required
        maxLength={300}
        {...field('business_website')}
      />
      <div className={styles.pair}>
        <TextInput label="E-mail" type="email" required maxLength={200} {...field('business_email')} />
        <TextInput label="Phone" type="tel" required maxLength={25} {...field('business_phone')} />
      </div>
    </>
  );
}
