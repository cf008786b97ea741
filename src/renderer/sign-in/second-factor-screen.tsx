import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { SignInResult } from '../../shared/console/account.ts'
import { accountClient } from '../bridge/browser/account-client.ts'
import { ErrorNotice } from '../components/change/error-notice.tsx'
import { useChange } from '../components/change/use-change.ts'
import { EntryPage } from './entry-page.tsx'
import { text } from './strings.ts'

interface Props {
  readonly challenge: Extract<SignInResult, { kind: 'second_factor' }>
  readonly onDone: () => void
  readonly onStartAgain: () => void
}

/** Asks for the second factor: a code of the authenticator app, or a recovery code. */
export function SecondFactorScreen({ challenge, onDone, onStartAgain }: Props) {
  const [usesApp, setUsesApp] = useState(challenge.methods.includes('totp'))
  const [code, setCode] = useState('')
  const complete = useChange(accountClient.completeSecondFactor.mutate, {
    done: () => undefined,
    failed: () => text.notSignedIn,
    onAnswer: onDone,
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    const answer = usesApp ? { totp: code.replaceAll(/\s/g, '') } : { recoveryCode: code.trim() }
    complete.send({ challenge: challenge.challenge, answer })
  }
  return (
    <EntryPage title={text.secondFactor}>
      <form onSubmit={send}>
        <Stack gap="md">
          <TextInput
            key={String(usesApp)}
            label={usesApp ? text.code : text.recoveryCode}
            autoComplete="one-time-code"
            inputMode={usesApp ? 'numeric' : 'text'}
            spellCheck={false}
            data-autofocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <ErrorNotice error={complete.error} title={text.notSignedIn} />
          <Button type="submit" loading={complete.isPending} disabled={code.trim() === ''}>
            {text.confirm}
          </Button>
          <Group justify="space-between">
            <Anchor
              component="button"
              type="button"
              size="sm"
              onClick={() => {
                setCode('')
                setUsesApp(!usesApp)
              }}
            >
              {usesApp ? text.useRecoveryCode : text.useApp}
            </Anchor>
            <Anchor component="button" type="button" size="sm" onClick={onStartAgain}>
              {text.startAgain}
            </Anchor>
          </Group>
        </Stack>
      </form>
    </EntryPage>
  )
}
