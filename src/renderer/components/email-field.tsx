import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { MailAddress } from '../../shared/access/person.ts'
import { consoleErrorOf } from '../bridge/error.ts'
import { faultOf } from './change/fault.ts'
import { text } from './strings.ts'

/** An e-mail address as a form holds it. */
interface EmailDraft {
  readonly typed: string
  readonly setTyped: (typed: string) => void
  /** Null where nothing was typed: an address is optional. */
  readonly email: string | null
  readonly fault: string | undefined
}

/** Holds the e-mail address of a form, beginning with the stored one. */
export function useEmail(stored: string | null): EmailDraft {
  const [typed, setTyped] = useState(stored ?? '')
  const email = typed.trim() || null
  const fault = email === null ? undefined : faultOf(MailAddress, typed, text.email)
  return { typed, setTyped, email, fault }
}

interface Props {
  readonly draft: EmailDraft
  readonly hint: string
  /** Whether the form was sent with faults, which are shown from then on. */
  readonly tried: boolean
  /** Whether the address is that of the person in front of the browser. */
  readonly isOwn?: boolean
  /** Takes the focus when its dialog opens. */
  readonly isFirst?: boolean
}

/** The field for an e-mail address, which may be left empty. */
export function EmailField({ draft, hint, tried, isOwn = false, isFirst = false }: Props) {
  return (
    <TextInput
      label={text.email}
      description={hint}
      type="email"
      value={draft.typed}
      onChange={(event) => draft.setTyped(event.currentTarget.value)}
      error={tried && draft.fault}
      autoComplete={isOwn ? 'email' : 'off'}
      spellCheck={false}
      data-autofocus={isFirst || undefined}
    />
  )
}

/**
 * Returns the e-mail address that a person has seen when sending a form again: the one that the refusal of the last
 * attempt names, or else the one that the form was filled in with.
 */
export function seenEmail(error: unknown, filledIn: string | null): string | null {
  const refusal = error === null ? undefined : consoleErrorOf(error).refusal
  return refusal?.code === 'email_changed' ? refusal.email : filledIn
}
