import type { SessionKind } from '../../../shared/person.ts'
import { text } from '../strings.ts'
import { BrowserName } from './browser-name.tsx'

interface Props {
  readonly kind: SessionKind
  /** The name of the computer for a session of the command line. */
  readonly userAgent: string
}

/** Where a session is used: a browser, or the command line of a computer. */
export function SessionPlace({ kind, userAgent }: Props) {
  if (kind === 'browser') return <BrowserName userAgent={userAgent} />
  return <span>{text.commandLineOn(userAgent)}</span>
}
