import type { CallFailure } from '../../shared/console/bridge.ts'

/** Returns why a call failed, and what to do about it. `detail`: as `CallFailure` says. */
export function failureSentence(reason: CallFailure, detail = ''): string {
  switch (reason) {
    case 'unknown_procedure':
      return `unknown procedure ${detail}`
    case 'malformed_request':
      return 'body: is not a request'
    case 'server_not_running':
      return 'The server does not run.'
    case 'server_not_answering':
      return 'The server does not answer.'
    case 'server_ended':
      return 'The server ended before it answered.'
    case 'not_passed_on':
      return 'The request could not be passed on.'
    case 'database_unwritable':
      return 'The database cannot be written right now. Try again in a few seconds.'
    case 'previews_busy':
      return 'Too many previews are being calculated. Try again in a few seconds.'
    case 'server_error':
      return 'Something went wrong in the server. Its log says more.'
    case 'app_error':
      return 'Something went wrong in the desktop app.'
    case 'page_error':
      return detail
    default:
      return reason satisfies never
  }
}
