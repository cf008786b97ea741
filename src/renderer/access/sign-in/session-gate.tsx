import { Divider, Text } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { SignInResult } from '../../../shared/console/people/account.ts'
import { account, accountClient } from '../../bridge/browser/account-client.ts'
import { signInWithPasskey, supportsPasskeys } from '../../bridge/browser/passkeys.ts'
import {
  keepSignedIn,
  onAccessChanged,
  onSignedOut,
  wasSignedIn,
} from '../../bridge/browser/session-end.ts'
import { isDesktop, shellClient } from '../../bridge/clients.ts'
import { consoleErrorOf } from '../../bridge/error.ts'
import { forgetAnswers, queryClient } from '../../bridge/query-client.ts'
import { useChange } from '../../components/change/use-change.ts'
import { Quiet } from '../../components/text/words.tsx'
import {
  EntryForm,
  EntryPage,
  EntryWait,
  LaidOver,
  untilReached,
  WayButton,
} from './entry-page.tsx'
import { NameField, PasswordField } from './fields.tsx'
import { LinkScreen, linkToken } from './link-screen.tsx'
import { CodeScreen, linkCode, SecondFactorScreen } from './second-factor-screen.tsx'
import { leaveSignOn, signOnRefusal } from './sign-on-refusal.ts'
import { text } from './strings.ts'
import { SignOnButton } from './way-buttons.tsx'

/**
 * Shows the console to who is signed in, and the way in to everybody else: over the page where a session has ended, so that
 * what was typed stays for the same person. The desktop app needs none.
 */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  return isDesktop() ? children : <BrowserGate>{children}</BrowserGate>
}

function BrowserGate({ children }: { readonly children: ReactNode }) {
  const [token, setToken] = useState(linkToken)
  const [ended, setEnded] = useState(false)
  const state = useQuery(account.state.queryOptions(undefined, untilReached))
  const signedInAs = state.data?.signedInAs
  // Its calls are sent with the question who is signed in, not after the answer.
  const [isLikely] = useState(() => wasSignedIn() && linkCode() === undefined)
  /** Whose page it is. */
  const [person, setPerson] = useState<string>()
  const wasOut = useRef(false)
  const { refetch } = state
  useEffect(() => {
    if (signedInAs !== undefined) keepSignedIn(signedInAs !== null)
    if (typeof signedInAs !== 'string') {
      wasOut.current = signedInAs === null
      return
    }
    setEnded(false)
    setPerson((known) => known ?? signedInAs)
    // Whoever signs out then ends the notifications in this browser, too.
    if (globalThis.Notification?.permission === 'granted') void keepPush()
    if (wasOut.current) {
      // What was asked meanwhile was refused.
      void shellClient.shell.retryServer.mutate()
      void queryClient.invalidateQueries()
    }
    const ends = [
      onSignedOut(() => {
        setEnded(true)
        void refetch()
      }),
      onAccessChanged(() => void queryClient.invalidateQueries()),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [signedInAs, refetch])
  const isOpened = state.data?.needsCode === false && linkCode() !== undefined
  useEffect(() => {
    if (isOpened) location.replace('#/')
  }, [isOpened])
  const enter = () => {
    forgetAnswers()
    void refetch()
  }

  if (token !== undefined) {
    const leave = () => {
      location.replace('#/')
      setToken(undefined)
      enter()
    }
    return <LinkScreen token={token} onLeave={leave} />
  }
  if (state.data === undefined) {
    const isOpening = isLikely && state.error === null
    return isOpening ? <Console>{children}</Console> : <EntryWait query={state} />
  }
  if (state.data.needsCode) return <CodeScreen given={linkCode()} onEntered={enter} />
  const { signedInAs: name, hasAccounts, singleSignOn: provider } = state.data
  if (name === null && !hasAccounts) {
    return <EntryPage title={text.notSetUp} hint={text.notSetUpHint} />
  }
  const signedIn = () => {
    leaveSignOn()
    if (person === undefined) enter()
    else void refetch()
  }
  const lookAgain = person === undefined ? undefined : refetch
  const signIn = <SignInScreen {...{ provider, ended, lookAgain }} onSignedIn={signedIn} />
  if (name === null && person === undefined) return signIn
  if (name !== null && person !== undefined && name !== person) return <BeginAnew />
  return (
    <Console over={name === null && <LaidOver title={text.signIn}>{signIn}</LaidOver>}>
      {children}
    </Console>
  )
}

/** `over`: what is laid over it, which is hidden meanwhile. */
function Console({ children, over = false }: { children: ReactNode; over?: ReactNode }) {
  return (
    <>
      <div style={{ display: 'contents', visibility: over === false ? 'visible' : 'hidden' }}>
        {children}
      </div>
      {over}
    </>
  )
}

/** Loads the page again: nothing of what another person saw and typed stays in it. */
function BeginAnew() {
  useEffect(() => {
    history.replaceState(null, '', '#/')
    location.reload()
  }, [])
  return null
}

interface Props {
  /** The host name of the identity provider; null without single sign-on. */
  readonly provider: string | null
  /** Whether a session has just ended. */
  readonly ended: boolean
  /** Where a page is kept: asks whether somebody is signed in. */
  readonly lookAgain: (() => Promise<unknown>) | undefined
  readonly onSignedIn: () => void
}

type Challenge = Extract<SignInResult, { kind: 'second_factor' }>

/** Asks for name and password, and for a second factor where the account has one. */
function SignInScreen({ provider, ended, lookAgain, onSignedIn }: Props) {
  const [refusal] = useState(signOnRefusal)
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [challenge, setChallenge] = useState<Challenge>()
  const signIn = useChange(accountClient.signIn.mutate, {
    failed: text.notSignedIn,
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
      {provider !== null && <SignOnButton provider={provider} lookAgain={lookAgain} />}
    </EntryPage>
  )
}

function PasskeyButton({ onSignedIn }: Pick<Props, 'onSignedIn'>) {
  const signIn = useChange((_: undefined) => signInWithPasskey(), {
    failed: text.notSignedIn,
    onAnswer: onSignedIn,
  })
  return (
    <WayButton icon={IconFingerprint} change={signIn} failed={text.notSignedIn}>
      {text.passkey}
    </WayButton>
  )
}

/** It is loaded only where it is used: most browsers show no notifications. */
async function keepPush(): Promise<void> {
  const push = await import('../../bridge/browser/push.ts')
  await push.keepPush().catch(() => null)
}
