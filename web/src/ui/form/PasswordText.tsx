import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/**
 * A password input that marks an error with `aria-invalid` (Mantine's input only colors it) and labels its visibility
 * toggle.
 */
export function PasswordText(props: PasswordInputProps) {
  return (
    <PasswordInput
      aria-invalid={props.error ? true : undefined}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password' }}
      {...props}
    />
  );
}
