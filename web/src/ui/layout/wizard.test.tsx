import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { ThemeProvider } from '../theme/ThemeProvider.tsx';
import { type Blocker, Wizard } from './Wizard.tsx';

const STEPS = [
  { key: 'audience', label: 'Audience' },
  { key: 'message', label: 'Message' },
  { key: 'send', label: 'Send' },
];
const onSend = vi.fn();
const onClose = vi.fn();

function Page() {
  const [step, setStep] = useState(0);
  const [name, setName] = useState('');
  const next = async (): Promise<Blocker[] | undefined> => {
    await Promise.resolve();
    if (step === 0 && !name) return [{ key: 'name', text: 'Enter a campaign name.' }];
    if (step === 0 && name === 'Taken') return [{ key: 'name', field: 'name', text: 'The name is taken' }];
    if (step === 2) onSend();
    else setStep(step + 1);
    return undefined;
  };
  return (
    <Wizard
      title="Create"
      steps={STEPS}
      active={step}
      onStep={setStep}
      onNext={next}
      onClose={onClose}
      lastLabel="Send to 3 people"
    >
      <input aria-label="Name" data-path="name" value={name} onChange={(event) => setName(event.currentTarget.value)} />
    </Wizard>
  );
}
const start = () => render(<Page />, { wrapper: ThemeProvider });
const heading = (name: string) => screen.findByRole('heading', { level: 2, name });

test('Next lists the blockers and continues once they are fixed', async () => {
  start();
  fireEvent.click(screen.getByRole('button', { name: 'Next' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Enter a campaign name.');
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Spring' } });
  fireEvent.click(screen.getByRole('button', { name: 'Next' }));
  const message = await heading('Message');
  expect(screen.queryByRole('alert')).toBeNull();
  // Focus moves to the heading so that screen readers announce the new step.
  await waitFor(() => expect(document.activeElement === message).toBe(true));
});

test('Ctrl+Enter continues from anywhere in a step, and the last step has its own button label', async () => {
  onSend.mockClear();
  start();
  const name = screen.getByLabelText('Name');
  fireEvent.change(name, { target: { value: 'Spring' } });
  fireEvent.keyDown(name, { key: 'Enter', ctrlKey: true });
  await heading('Message');
  fireEvent.keyDown(screen.getByLabelText('Name'), { key: 'Enter', metaKey: true });
  await heading('Send');
  expect(screen.queryByRole('button', { name: 'Next' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Send to 3 people' }));
  await waitFor(() => expect(onSend).toHaveBeenCalledTimes(1));
});

test('users can return to an earlier step but not skip ahead, and Esc does not close the wizard', async () => {
  onClose.mockClear();
  start();
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Spring' } });
  fireEvent.click(screen.getByRole('button', { name: 'Next' }));
  await heading('Message');
  expect((screen.getByRole('button', { name: '3 Send' }) as HTMLButtonElement).disabled).toBe(true);
  fireEvent.keyDown(screen.getByLabelText('Name'), { key: 'Escape' });
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Audience' }));
  await heading('Audience');
  expect((screen.getByLabelText('Name') as HTMLInputElement).value).toBe('Spring');
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('an error of a field is linked above the form and not repeated at the buttons', async () => {
  start();
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Taken' } });
  fireEvent.click(screen.getByRole('button', { name: 'Next' }));
  const summary = await screen.findByRole('region', { name: 'Errors in this form' });
  expect(summary.textContent).toBe('1 field needs attentionName');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(document.activeElement === screen.getByLabelText('Name')).toBe(true);
});
