import type { CallFailure } from '../../shared/console/bridge/bridge.ts'
import type { RefusalFacts } from '../../shared/refusal.ts'
import { refusalSentence } from '../../shared/wording/refusals/refusal.ts'
import { sentence } from '../components/text/sentence.ts'

export const text = {
  passkeyNotUsed: 'The browser did not use a passkey. Try again.',
  pushDenied:
    'The browser does not allow notifications of this page. Allow them in its settings for this page, then try again.',
  pushFailed:
    'The browser could not reach its push service. Check its network connection, then try again.',
} as const

/** Returns why a call failed, and what to do about it. `detail`: as `CallFailure` says. */
export function failureSentence(reason: CallFailure, detail = ''): string {
  return FAILURES[reason](detail)
}

const FAILURES: Readonly<Record<CallFailure, (detail: string) => string>> = {
  unknown_procedure: (detail) => `unknown procedure ${detail}`,
  malformed_request: () => 'body: is not a request',
  too_many_subscriptions: () => 'this page follows too much at a time; reload it',
  server_not_running: () => 'The server is not running.',
  server_not_answering: () => 'The server is not responding.',
  no_answer: () => 'The server did not answer in time.',
  server_ended: () => 'The server stopped before it responded.',
  not_passed_on: () => 'The request could not be sent.',
  refused_on_the_way: () =>
    'The request was refused on its way. A proxy in front of the server must pass on the Host of the browser, with its port.',
  out_of_contact: () =>
    'The server has lost contact with its database. Try again in a few seconds.',
  database_unwritable: () =>
    'The database cannot be written right now. Try again in a few seconds.',
  previews_busy: () => 'Too many previews are being calculated. Try again in a few seconds.',
  server_error: () => 'Internal server error. The cause is in the server log.',
  app_error: () => 'The desktop app could not complete the request.',
  page_error: (detail) => detail,
}

/** Members of inputs that forms call something else than their names say. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  ref: 'reference',
  arch: 'architecture',
  url: 'URL',
  sha512: 'SHA-512',
  ring: 'rings',
  rolloutPct: 'percentage',
  soakHours: 'wait',
  minAdoptedPct: 'adopted',
  maxFailedPct: 'failures',
  minSample: 'devices with a known outcome',
  holdoutPct: 'hold back',
}

/** Returns the field of a form to which the path of a member leads: `Step 1, rings` for `plan.steps.0.ring`. */
export function fieldInWords(path: readonly string[]): string {
  const names = path.flatMap((name, index) => {
    const next = path[index + 1]
    if (/^\d+$/.test(name) || (next !== undefined && /^(plan|gate|change)$/.test(name))) return []
    const words =
      FIELD_NAMES[name] ?? name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)
    return /^\d+$/.test(next ?? '') ? `${words.replace(/s$/, '')} ${Number(next) + 1}` : words
  })
  return names.join(', ')
}

/** Returns a refusal as a screen shows it, which names the field of the form. */
export function refusalInWords(facts: RefusalFacts): string {
  if (!('path' in facts) || facts.path.length === 0) return sentence(refusalSentence(facts))
  return sentence(`${fieldInWords(facts.path)}: ${refusalSentence({ ...facts, path: [] })}`)
}
