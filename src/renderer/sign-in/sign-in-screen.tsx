import { Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { SignInResult } from '../../shared/console/account.ts'
import { accountClient } from '../bridge/browser/account-client.ts'
import { signInWithPasskey, supportsPasskeys } from '../bridge/browser/passkeys.ts'
import { consoleErrorOf } from '../bridge/error.ts'
import { ErrorNotice } from '../components/change/error-notice.tsx'
import { useChange } from '../components/change/use-change.ts'
import { Quiet } from '../components/text/quiet.tsx'
import { EntryPage } from './entry-page.tsx'
import { SecondFactorScreen } from './second-factor-screen.tsx'
import { SignOnButton } from './sign-on-button.tsx'
import { signOnRefusal } from './sign-on-refusal.ts'
import { text } from './strings.ts'

interface Props {
  /** The host name of the identity provider; null without single sign-on. */
  readonly provider: string | null
  /** Whether a session has just ended. */
  readonly ended: boolean
  readonly onSignedIn: () => void
}

type Challenge = Extract<SignInResult, { kind: 'second_factor' }>

/** Asks for name and password, and for a second factor where the account has one. */
export function SignInScreen({ provider, ended, onSignedIn }: Props) {
  const [refusal] = useState(signOnRefusal)
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [challenge, setChallenge] = useState<Challenge>()
  const signIn = useChange(accountClient.signIn.mutate, {
    done: () => undefined,
    failed: () => text.notSignedIn,
    onAnswer: (result) => {
      if (result.kind === 'second_factor') setChallenge(result)
      else onSignedIn()
    },
  })
  if (challenge !== undefined) {
    return (
      <SecondFactorScreen
        challenge={challenge}
        onDone={onSignedIn}
        onStartAgain={() => setChallenge(undefined)}
      />
    )
  }
  const refusedBy = signIn.error === null ? undefined : consoleErrorOf(signIn.error).refusal?.code
  const mustWait = refusedBy === 'too_many_attempts' || refusedBy === 'sign_in_busy'
  const send = (event: FormEvent) => {
    event.preventDefault()
    signIn.send({ name, password })
  }
  return (
    <EntryPage title={text.signIn} hint={ended ? text.ended : undefined}>
      <form onSubmit={send}>
        <Stack gap="md">
          <TextInput
            label={text.name}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <PasswordInput
            label={text.password}
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <ErrorNotice error={signIn.error ?? refusal} title={text.notSignedIn} />
          <Button
            type="submit"
            loading={signIn.isPending}
            disabled={name === '' || password === ''}
          >
            {text.signInAction}
          </Button>
          <Quiet>{text.forgotten}</Quiet>
        </Stack>
      </form>
      {(supportsPasskeys() || provider !== null) && <Divider label={text.or} />}
      {supportsPasskeys() && mustWait && <Text size="sm">{text.passkeyHint}</Text>}
      {supportsPasskeys() && <PasskeyButton onSignedIn={onSignedIn} />}
      {provider !== null && <SignOnButton provider={provider} />}
    </EntryPage>
  )
}

function PasskeyButton({ onSignedIn }: Pick<Props, 'onSignedIn'>) {
  const signIn = useChange(() => signInWithPasskey(), {
    done: () => undefined,
    failed: () => text.notSignedIn,
    onAnswer: onSignedIn,
  })
  return (
    <>
      <ErrorNotice error={signIn.error} title={text.notSignedIn} />
      <Button
        variant="default"
        leftSection={<IconFingerprint size={16} aria-hidden="true" />}
        loading={signIn.isPending}
        onClick={() => signIn.send(undefined)}
      >
        {text.passkey}
      </Button>
    </>
  )
}
