import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/**
 * A password input that marks an error as `aria-invalid`, which Mantine's only colors, and names its visibility toggle.
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
