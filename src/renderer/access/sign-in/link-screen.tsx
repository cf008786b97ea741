import { Divider } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LinkInfo, SignInResult } from '../../../shared/console/people/account.ts'
import { account, accountClient } from '../../bridge/browser/account-client.ts'
import { PlainButton } from '../../components/blocks.tsx'
import { faultIn } from '../../components/change/fault.ts'
import { useChange } from '../../components/change/use-change.ts'
import { EntryForm, EntryPage, EntryWait, untilReached } from './entry-page.tsx'
import { NameField, PasswordField } from './fields.tsx'
import { SecondFactorScreen } from './second-factor-screen.tsx'
import { text } from './strings.ts'
import { SignOnButton } from './way-buttons.tsx'

const LINK = /^#\/link\/([\w-]{10,100})$/

/** The token of the link that the page was opened with, if any. It stands behind the #, which no server is sent. */
export function linkToken(): string | undefined {
  return LINK.exec(location.hash)?.[1]
}

interface Props {
  readonly token: string
  /** Called once the person is signed in, or wants to sign in otherwise. */
  readonly onLeave: () => void
}

/** Sets a password by a link: for the first account, an invited one, or one whose password was forgotten. */
export function LinkScreen({ token, onLeave }: Props) {
  const link = useQuery(account.link.queryOptions({ token }, untilReached))
  if (link.data === undefined) return <EntryWait query={link} />
  if (link.data === null) {
    return (
      <EntryPage title={text.invalidLink} hint={text.invalidLinkHint}>
        <PlainButton onClick={onLeave}>{text.toSignIn}</PlainButton>
      </EntryPage>
    )
  }
  return <PasswordForm token={token} link={link.data} onDone={onLeave} />
}

type Challenge = Extract<SignInResult, { kind: 'second_factor' }>

interface FormProps {
  readonly token: string
  readonly link: LinkInfo
  readonly onDone: () => void
}

function PasswordForm({ token, link, onDone }: FormProps) {
  const [name, setName] = useState(link.name ?? '')
  const [password, setPassword] = useState('')
  const [challenge, setChallenge] = useState<Challenge>()
  const accept = useChange(accountClient.acceptLink.mutate, {
    failed: text.notSaved,
    onAnswer: (result) => (result.kind === 'second_factor' ? setChallenge(result) : onDone()),
  })
  const isNew = link.name === null
  const state = useQuery(account.state.queryOptions())
  if (challenge !== undefined) {
    return <SecondFactorScreen challenge={challenge} onDone={onDone} onStartAgain={onDone} />
  }
  const { title, hint } = wordsOf(link)
  const isFieldFault = ['name', 'password'].some(
    (field) => faultIn(accept.error, field) !== undefined,
  )
  return (
    <EntryPage title={title} hint={hint}>
      <EntryForm
        change={isFieldFault ? { ...accept, error: null } : accept}
        failed={text.notSaved}
        action={isNew ? text.setUpAction : text.savePassword}
        disabled={name === '' || password === ''}
        onSend={() => accept.send({ token, password, ...(isNew ? { name } : {}) })}
      >
        <NameField
          value={name}
          isFixed={!isNew}
          error={faultIn(accept.error, 'name')}
          onChange={setName}
        />
        <PasswordField
          label={text.newPassword}
          description={text.passwordHint}
          autoComplete="new-password"
          value={password}
          error={faultIn(accept.error, 'password')}
          onChange={setPassword}
        />
      </EntryForm>
      {link.kind === 'invitation' && state.data?.singleSignOn != null && (
        <>
          <Divider label={text.or} />
          <SignOnButton provider={state.data.singleSignOn} link={token} />
        </>
      )}
    </EntryPage>
  )
}

function wordsOf({ kind, name }: LinkInfo) {
  const words: Record<typeof kind, { readonly title: string; readonly hint: string }> = {
    setup: { title: text.setUp, hint: text.setUpHint },
    invitation: { title: text.invitation(name ?? ''), hint: text.invitationHint },
    reset: { title: text.reset(name ?? ''), hint: text.resetHint },
  }
  return words[kind]
}
