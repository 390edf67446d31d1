/** A form that makes the call with a test key. The response appears next to the request as a curl command. */
import { Anchor, Button, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { describeCall, writeEditedCurl } from '@parley/contract/docs/examples.ts';
import type { Operation } from '@parley/contract/docs/openapi.ts';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { readToken } from '../../kernel/http/token.ts';
import { SIGN_IN, SIGN_UP } from '../../paths.ts';
import { CodeBlock } from '../../ui/data/CodeBlock.tsx';
import { CopyId } from '../../ui/data/CopyId.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import styles from './TryPanel.module.css';
import { type Answer, isTestKey, makeCall, pathProblem } from './try_call.ts';
import { createTestKey, keepTestKey, keptTestKey } from './try_key.ts';

export default function TryPanel({ operation }: { operation: Operation }) {
  if (readToken() === null) return <SignedOut />;
  return <TryForm operation={operation} />;
}

function SignedOut() {
  return (
    <Notice tone="info">
      To make this call here,{' '}
      <Anchor component={Link} to={SIGN_IN} inherit>
        sign in
      </Anchor>{' '}
      or{' '}
      <Anchor component={Link} to={SIGN_UP} inherit>
        create an account
      </Anchor>
      . Then create a test key on this page or under APIs, Keys. Its messages are free and reach no phone.
    </Notice>
  );
}

interface Problems {
  key?: string;
  path?: string;
  body?: string;
}

function TryForm({ operation }: { operation: Operation }) {
  const call = describeCall(operation, '');
  const [key, setKey] = useState(() => keptTestKey().key);
  const [path, setPath] = useState(call.url);
  const [body, setBody] = useState(() =>
    call.data === undefined ? '' : withSender(JSON.stringify(call.data, null, 2), keptTestKey().sender),
  );
  const [problems, setProblems] = useState<Problems>({});
  const [isSending, setSending] = useState(false);
  const [answer, setAnswer] = useState<(Answer & { curl: string }) | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = findProblems(operation, { key, path, body });
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    keepTestKey(key);
    setSending(true);
    const curl = writeEditedCurl(operation, window.location.origin, { path, key, body });
    setAnswer({ ...(await makeCall(call, { path, key, body })), curl });
    setSending(false);
  };
  return (
    <form className={styles.root} onSubmit={(event) => void submit(event)} aria-label={`Try it: ${operation.summary}`}>
      <KeyField
        value={key}
        problem={problems.key}
        onChange={setKey}
        onCreate={(created) => {
          setKey(created.key);
          setBody((text) => withSender(text, created.sender));
        }}
      />
      <TextInput
        label="Path"
        value={path}
        error={problems.path}
        onChange={({ currentTarget }) => setPath(currentTarget.value)}
        classNames={{ input: styles.code! }}
        spellCheck={false}
      />
      {call.data !== undefined && (
        <Textarea
          label="Body"
          value={body}
          error={problems.body}
          onChange={({ currentTarget }) => setBody(currentTarget.value)}
          classNames={{ input: styles.code! }}
          rows={Math.min(16, body.split('\n').length + 1)}
          spellCheck={false}
          dir="ltr"
        />
      )}
      <Button type="submit" loading={isSending}>
        Send request
      </Button>
      <div role="status">{answer && <AnswerView answer={answer} curl={answer.curl} />}</div>
    </form>
  );
}

/** Replaces the sender of the example with one that the company has. */
const withSender = (body: string, sender: string | null): string =>
  sender === null ? body : body.replace('"from": "Harbour"', `"from": ${JSON.stringify(sender)}`);

function findProblems(
  operation: Operation,
  { key, path, body }: { key: string; path: string; body: string },
): Problems {
  const badPath = pathProblem(operation.path, path);
  return {
    ...(isTestKey(key) ? {} : { key: 'Enter a test key. It starts with parley_test_.' }),
    ...(badPath ? { path: badPath } : {}),
    ...(isJson(body) ? {} : { body: 'The body must be JSON.' }),
  };
}

function isJson(text: string): boolean {
  if (text === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

interface KeyFieldProps {
  value: string;
  problem: string | undefined;
  onChange(key: string): void;
  onCreate(created: { key: string; sender: string | null }): void;
}

function KeyField({ value, problem, onChange, onCreate }: KeyFieldProps) {
  const [failure, setFailure] = useState<string>();
  const [isCreating, setCreating] = useState(false);
  const create = async () => {
    setCreating(true);
    setFailure(undefined);
    try {
      onCreate(await createTestKey());
    } catch (error) {
      setFailure((error as Error).message);
    }
    setCreating(false);
  };
  return (
    <div className={styles.key}>
      <PasswordInput
        label="Test key"
        description="This page keeps the key in memory only."
        value={value}
        error={problem ?? failure}
        onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
        classNames={{ innerInput: styles.code! }}
        autoComplete="off"
      />
      <Button variant="default" loading={isCreating} onClick={() => void create()}>
        Create test key
      </Button>
    </div>
  );
}

/** Scrolls to each new response, because the form can fill the screen. */
function AnswerView({ answer, curl }: { answer: Answer; curl: string }) {
  const { status, ms, request_id, text } = answer;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (answer) box.current?.scrollIntoView({ block: 'nearest' });
  }, [answer]);
  return (
    <div className={styles.answer} ref={box}>
      {status === 0 ? (
        <Notice tone="fail">The server cannot be reached. Check your connection and try again.</Notice>
      ) : (
        <dl className={styles.facts}>
          <div>
            <dt>Status</dt>
            <dd data-tone={status < 400 ? 'ok' : 'fail'}>{status}</dd>
          </div>
          <div>
            <dt>Time</dt>
            <dd>{ms} ms</dd>
          </div>
          {request_id && (
            <div>
              <dt>Request ID</dt>
              <dd>
                <CopyId value={request_id} label="request ID" short />
              </dd>
            </div>
          )}
        </dl>
      )}
      {text && <CodeBlock code={text} label="Response" />}
      <p className={styles.title}>The same request as a curl command</p>
      <CodeBlock code={curl} label="Request as a curl command" />
    </div>
  );
}
