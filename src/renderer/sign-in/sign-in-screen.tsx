import { Divider, Text } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import type { SignInResult } from '../../shared/console/account.ts'
import { accountClient } from '../bridge/browser/account-client.ts'
import { signInWithPasskey, supportsPasskeys } from '../bridge/browser/passkeys.ts'
import { consoleErrorOf } from '../bridge/error.ts'
import { useChange } from '../components/change/use-change.ts'
import { Quiet } from '../components/text/quiet.tsx'
import { EntryForm, EntryPage, WayButton } from './entry-page.tsx'
import { NameField, PasswordField } from './fields.tsx'
import { SecondFactorScreen } from './second-factor-screen.tsx'
import { signOnRefusal } from './sign-on-refusal.ts'
import { text } from './strings.ts'
import { SignOnButton } from './way-buttons.tsx'

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
  return (
    <EntryPage title={text.signIn} hint={ended ? text.ended : undefined}>
      <EntryForm
        change={{ ...signIn, error: signIn.error ?? refusal }}
        failed={text.notSignedIn}
        action={text.signInAction}
        disabled={name === '' || password === ''}
        onSend={() => signIn.send({ name, password })}
        below={<Quiet>{text.forgotten}</Quiet>}
      >
        <NameField value={name} onChange={setName} />
        <PasswordField value={password} onChange={setPassword} />
      </EntryForm>
      {mustWait && <Text size="sm">{text.waitHint(supportsPasskeys(), provider)}</Text>}
      {(supportsPasskeys() || provider !== null) && <Divider label={text.or} />}
      {supportsPasskeys() && <PasskeyButton onSignedIn={onSignedIn} />}
      {provider !== null && <SignOnButton provider={provider} />}
    </EntryPage>
  )
}

function PasskeyButton({ onSignedIn }: Pick<Props, 'onSignedIn'>) {
  const signIn = useChange((_: undefined) => signInWithPasskey(), {
    failed: () => text.notSignedIn,
    onAnswer: onSignedIn,
  })
  return (
    <WayButton icon={IconFingerprint} change={signIn} failed={text.notSignedIn}>
      {text.passkey}
    </WayButton>
  )
}
