import { expect, test } from 'vitest'
import {
  failureSentence,
  fieldInWords,
  refusalInWords,
} from '../../../src/renderer/bridge/strings.ts'
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

test.each([
  ['plan.steps.0.ring', 'step 1, rings'],
  ['plan.steps.2.gate.maxFailedPct', 'step 3, failures'],
  ['plan', 'plan'],
  ['change.plan.windows.1.to', 'window 2, to'],
  ['artifacts.0.sha512', 'artifact 1, SHA-512'],
  ['minimumSupportedVersion', 'minimum supported version'],
])('%s is %s in words', (path, words) => {
  expect(fieldInWords(path.split('.'))).toBe(words)
})

test('a refusal names the field as a form does', () => {
  const path = ['plan', 'steps', '0', 'ring']
  expect(refusalInWords({ code: 'ring_not_targeted', path, ring: 'qa' })).toBe(
    'Step 1, rings: the targets of the release do not include the ring "qa".',
  )
  expect(refusalInWords({ code: 'ring_not_targeted', path: [], ring: 'qa' })).toBe(
    'The targets of the release do not include the ring "qa".',
  )
  // Beside the field itself.
  expect(refusalInWords({ code: 'password_weak', path: [], reason: 'too_short' })).toBe(
    'Must be at least 12 characters.',
  )
})
