import type { CallFailure } from '../../shared/console/bridge/bridge.ts'

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
