import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A password field that says when it is wrong: Mantine's own colours it only. Its toggle has a name. */
export function PasswordText(props: PasswordInputProps) {
  return (
    <PasswordInput
      aria-invalid={props.error ? true : undefined}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
      {...props}
    />
  );
}
