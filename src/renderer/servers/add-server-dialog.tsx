import { Text } from '@mantine/core'
import { useState } from 'react'
import { type AddOutcome, ServerColor } from '../../shared/console/desktop/remote-servers.ts'
import { linkCode } from '../access/sign-in/second-factor-screen.tsx'
import { shellClient } from '../bridge/clients.ts'
import { useServers } from '../bridge/servers.tsx'
import { useChange } from '../components/change/use-change.ts'
import { Dialog, type DialogProps } from '../components/dialog/dialog.tsx'
import { DialogForm } from '../components/dialog/dialog-form.tsx'
import { TextField } from '../components/text-fields.tsx'
import { AppearanceFields, FailureNotice, Fingerprint, useFocusAtStart } from './dialog-parts.tsx'
import { RemoteSignInForm } from './remote-sign-in-form.tsx'
import classes from './servers.module.css'
import { connectionSentence, text } from './strings.ts'

interface Props extends DialogProps {
  readonly onSignedIn: (id: string) => void
}

/** What the person has to look at before the server is added. */
type Question = Extract<AddOutcome, { outcome: 'untrusted' | 'plain_http' }>

interface Added {
  readonly id: string
  readonly name: string
  /** Of the link that was typed as the address. */
  readonly code: string | undefined
}

/** Adds a server: its address, its certificate if it is not trusted, and the sign-in. */
export function AddServerDialog({ opened, onClose, onSignedIn }: Props) {
  const [question, setQuestion] = useState<Question>()
  const [added, setAdded] = useState<Added>()
  const close = () => {
    onClose()
    setQuestion(undefined)
    setAdded(undefined)
  }
  return (
    <Dialog opened={opened} onClose={close} title={titleOf(question, added)}>
      {added === undefined ? (
        <AddForm question={question} onQuestion={setQuestion} onAdded={setAdded} />
      ) : (
        <RemoteSignInForm
          server={added}
          givenCode={added.code}
          onSignedIn={() => {
            close()
            onSignedIn(added.id)
          }}
        />
      )}
    </Dialog>
  )
}

function titleOf(question: Question | undefined, added: Added | undefined): string {
  if (added !== undefined) return text.signIn.title(added.name)
  if (question === undefined) return text.add.title
  return question.outcome === 'untrusted' ? text.trust.title : text.plain.title
}

interface FormProps {
  readonly question: Question | undefined
  readonly onQuestion: (question: Question | undefined) => void
  readonly onAdded: (added: Added) => void
}

function AddForm({ question, onQuestion, onAdded }: FormProps) {
  const { servers } = useServers()
  const [address, setAddress] = useState('')
  const [typedName, setTypedName] = useState<string>()
  const [color, setColor] = useState(() => unusedColor(servers.map((server) => server.color)))
  const [failure, setFailure] = useState<string>()
  const name = typedName ?? hostOf(address)
  const add = useChange(shellClient.shell.servers.add.mutate, {
    done: ({ outcome }, input) => (outcome === 'added' ? text.add.done(input.name) : undefined),
    failed: (input) => text.add.failed(input.name),
    onAnswer: (answer) => {
      if (answer.outcome === 'added')
        onAdded({ id: answer.id, name: name.trim(), code: linkCode(address) })
      else if (answer.outcome === 'untrusted' || answer.outcome === 'plain_http') onQuestion(answer)
      else {
        onQuestion(undefined)
        setFailure(
          answer.outcome === 'failed'
            ? connectionSentence(answer.failure)
            : text.add[answer.outcome],
        )
      }
    },
  })
  const send = () => {
    setFailure(undefined)
    add.send({
      address,
      name: name.trim(),
      color,
      pin: question?.outcome === 'untrusted' ? question.fingerprint : null,
      allowPlainHttp: question?.outcome === 'plain_http',
    })
  }
  if (question !== undefined) {
    return <QuestionForm key={question.outcome} question={question} change={add} onAgree={send} />
  }
  return (
    <DialogForm
      action={text.add.action}
      change={add}
      valid={address.trim() !== '' && name.trim() !== ''}
      onSubmit={send}
    >
      {(tried) => (
        <>
          <TextField
            label={text.add.address}
            description={text.add.addressHint}
            required
            type="url"
            value={address}
            error={tried && address.trim() === '' && text.add.addressMissing}
            data-autofocus
            onChange={(typed) => {
              setAddress(typed)
              setFailure(undefined)
              add.reset()
            }}
          />
          <AppearanceFields
            name={name}
            nameError={tried && address.trim() !== '' && name.trim() === '' && text.add.nameMissing}
            color={color}
            onName={setTypedName}
            onColor={setColor}
          />
          <FailureNotice sentence={failure} />
        </>
      )}
    </DialogForm>
  )
}

interface QuestionProps {
  readonly question: Question
  readonly change: { readonly isPending: boolean; readonly error: unknown }
  readonly onAgree: () => void
}

function QuestionForm({ question, change, onAgree }: QuestionProps) {
  const start = useFocusAtStart<HTMLParagraphElement>()
  const words = question.outcome === 'untrusted' ? text.trust : text.plain
  return (
    <DialogForm
      action={words.action}
      destructive={question.outcome === 'plain_http'}
      change={change}
      onSubmit={onAgree}
    >
      <Text size="sm" ref={start} tabIndex={-1} className={classes.start ?? ''}>
        {words.explanation}
      </Text>
      {question.outcome === 'untrusted' && (
        <Fingerprint label={text.trust.fingerprint} value={question.fingerprint} />
      )}
    </DialogForm>
  )
}

/** The first color that no server has yet. */
function unusedColor(used: readonly ServerColor[]): ServerColor {
  return ServerColor.options.find((color) => !used.includes(color)) ?? 'blue'
}

/** What a server is called until the person says otherwise. */
function hostOf(address: string): string {
  const text = address.trim()
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`
  return text !== '' && URL.canParse(url) ? new URL(url).host : ''
}
