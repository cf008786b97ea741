import { expect, test } from 'vitest'
import { failureSentence } from '../../../src/renderer/bridge/strings.ts'
import { CallFailure } from '../../../src/shared/console/bridge/bridge.ts'

const TEXTS: Readonly<Record<CallFailure, string>> = {
  unknown_procedure: 'unknown procedure x.y',
  malformed_request: 'body: is not a request',
  too_many_subscriptions: 'this page follows too much at a time; reload it',
  server_not_running: 'The server is not running.',
  server_not_answering: 'The server is not responding.',
  no_answer: 'The server did not answer in time.',
  server_ended: 'The server stopped before it responded.',
  not_passed_on: 'The request could not be sent.',
  refused_on_the_way:
    'The request was refused on its way. A proxy in front of the server must pass on the Host of the browser, with its port.',
  out_of_contact: 'The server has lost contact with its database. Try again in a few seconds.',
  database_unwritable: 'The database cannot be written right now. Try again in a few seconds.',
  previews_busy: 'Too many previews are being calculated. Try again in a few seconds.',
  server_error: 'Internal server error. The cause is in the server log.',
  app_error: 'The desktop app could not complete the request.',
  page_error: 'x.y',
}

test.each(CallFailure.options)('%s', (reason) => {
  expect(failureSentence(reason, 'x.y')).toBe(TEXTS[reason])
})
