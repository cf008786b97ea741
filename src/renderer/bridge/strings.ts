import type { CallFailure } from '../../shared/console/bridge.ts'

/** What the bridge itself says. */
export const text = {
  passkeyNotUsed: 'The browser did not use a passkey. Try again.',
} as const

/** Returns why a call failed, and what to do about it. `detail`: as `CallFailure` says. */
export function failureSentence(reason: CallFailure, detail = ''): string {
  switch (reason) {
    case 'unknown_procedure':
      return `unknown procedure ${detail}`
    case 'malformed_request':
      return 'body: is not a request'
    case 'too_many_subscriptions':
      return 'this page follows too much at a time; reload it'
    case 'server_not_running':
      return 'The server is not running.'
    case 'server_not_answering':
      return 'The server is not responding.'
    case 'server_ended':
      return 'The server stopped before it responded.'
    case 'not_passed_on':
      return 'The request could not be sent.'
    case 'out_of_contact':
      return 'The server has lost contact with its database. Try again in a few seconds.'
    case 'database_unwritable':
      return 'The database cannot be written right now. Try again in a few seconds.'
    case 'previews_busy':
      return 'Too many previews are being calculated. Try again in a few seconds.'
    case 'server_error':
      return 'Internal server error. The cause is in the server log.'
    case 'app_error':
      return 'The desktop app could not complete the request.'
    case 'page_error':
      return detail
    default:
      return reason satisfies never
  }
}
