import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RemoteSignIn } from '../../shared/console/desktop/remote-servers.ts'
import {
  answerOf,
  FactorField,
  NameField,
  OtherWay,
  PasswordField,
} from '../access/sign-in/fields.tsx'
import { linkCode } from '../access/sign-in/second-factor-screen.tsx'
import { text as words } from '../access/sign-in/strings.ts'
import { shell, shellClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import { DialogForm } from '../components/dialog/dialog-form.tsx'
import { TextField } from '../components/text-fields.tsx'
import { FailureNotice, useFocusAtStart } from './dialog-parts.tsx'
import { connectionSentence, text } from './strings.ts'

interface Props {
  readonly server: { readonly id: string; readonly name: string }
  /** The code of the link that was typed as the server's address, if it had one. */
  readonly givenCode?: string | undefined
  /** `name`: of the account. */
  readonly onSignedIn: (name: string) => void
}

type Challenge = Extract<RemoteSignIn, { outcome: 'second_factor' }>

/**
 * Signs in to another server: name and password, the code of a console that is for its own computer only, and a second
 * factor where the account has one.
 */
export function RemoteSignInForm({ server, givenCode, onSignedIn }: Props) {
  const field = useFocusAtStart<HTMLInputElement>()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState(givenCode ?? '')
  const [needsCode, setNeedsCode] = useState(false)
  const [challenge, setChallenge] = useState<Challenge>()
  const [failure, setFailure] = useState<string>()
  const { data: isKept = true } = useQuery(shell.shell.servers.keepsSessions.queryOptions())
  const signIn = useChange(shellClient.shell.servers.signIn.mutate, {
    failed: text.signIn.failed(server.name),
    onAnswer: (answer) => {
      if (answer.outcome === 'second_factor') setChallenge(answer)
      else if (answer.outcome === 'failed') setFailure(connectionSentence(answer.failure))
      else if (answer.outcome === 'code_needed') {
        setNeedsCode(true)
        setFailure(code === '' ? undefined : text.signIn.codeWrong)
      } else onSignedIn(name)
    },
  })
  if (challenge !== undefined) {
    return (
      <SecondFactorForm
        server={server}
        account={name}
        challenge={challenge}
        onSignedIn={onSignedIn}
        onStartAgain={() => setChallenge(undefined)}
      />
    )
  }
  const send = () => {
    setFailure(undefined)
    const shown = linkCode(code) ?? code.trim()
    signIn.send({ id: server.id, name, password, code: shown === '' ? null : shown })
  }
  return (
    <DialogForm
      action={text.signIn.action}
      change={signIn}
      disabled={name === '' || password === '' || (needsCode && code.trim() === '')}
      onSubmit={send}
    >
      <NameField ref={field} value={name} onChange={setName} />
      <PasswordField value={password} onChange={setPassword} />
      {needsCode && <CodeField code={code} onCode={setCode} />}
      {!isKept && (
        <Alert variant="light" color="yellow">
          <Text size="sm">{text.signIn.notKept}</Text>
        </Alert>
      )}
      <FailureNotice sentence={failure} />
    </DialogForm>
  )
}

interface CodeFieldProps {
  readonly code: string
  readonly onCode: (code: string) => void
}

function CodeField({ code, onCode }: CodeFieldProps) {
  const field = useFocusAtStart<HTMLInputElement>()
  return (
    <TextField
      label={words.consoleCode}
      description={text.signIn.codeHint}
      autoCapitalize="none"
      ref={field}
      value={code}
      onChange={onCode}
    />
  )
}

interface SecondFactorProps extends Props {
  readonly account: string
  readonly challenge: Challenge
  readonly onStartAgain: () => void
}

function SecondFactorForm(props: SecondFactorProps) {
  const { server, account, challenge, onSignedIn, onStartAgain } = props
  const [usesApp, setUsesApp] = useState(challenge.methods.includes('totp'))
  const field = useFocusAtStart<HTMLInputElement>()
  const [code, setCode] = useState('')
  const [failure, setFailure] = useState<string>()
  const complete = useChange(shellClient.shell.servers.completeSignIn.mutate, {
    failed: text.signIn.failed(server.name),
    onAnswer: (answer) => {
      if (answer.outcome === 'signed_in') onSignedIn(account)
      else if (answer.outcome === 'failed') setFailure(connectionSentence(answer.failure))
    },
  })
  const send = () => {
    setFailure(undefined)
    const answer = answerOf(usesApp, code)
    complete.send({ id: server.id, name: account, challenge: challenge.challenge, answer })
  }
  return (
    <DialogForm
      action={words.confirm}
      change={complete}
      disabled={code.trim() === ''}
      onSubmit={send}
    >
      <FactorField
        key={String(usesApp)}
        usesApp={usesApp}
        ref={field}
        value={code}
        onChange={setCode}
      />
      <FailureNotice sentence={failure} />
      <OtherWay
        ta="start"
        onClick={() => {
          setCode('')
          setUsesApp(!usesApp)
        }}
      >
        {usesApp ? words.useRecoveryCode : words.useApp}
      </OtherWay>
      <OtherWay ta="start" onClick={onStartAgain}>
        {words.startAgain}
      </OtherWay>
    </DialogForm>
  )
}
