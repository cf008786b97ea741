import { expect, test } from 'vitest'
import { entryInWords } from '../../../src/renderer/audit/entry-strings.ts'

const NOAH = { name: 'noah', serverRole: null, appRoles: [] }
const RELEASES = { ...NOAH, appRoles: [{ app: 'editor', role: 'release_manager' }] }
const SESSION = { name: 'noah', address: '192.0.2.7' }

test.each([
  ['person.invited', null, RELEASES, 'Invited noah: release manager of editor.'],
  [
    'person.role_changed',
    RELEASES,
    { ...NOAH, serverRole: 'administrator' },
    'Changed the roles of noah from release manager of editor to administrator of this server.',
  ],
  ['person.disabled', null, { name: 'noah' }, 'Disabled account noah.'],
  ['person.removed', NOAH, null, 'Deleted account noah.'],
  ['session.started', null, SESSION, 'noah signed in from 192.0.2.7.'],
  ['session.ended', SESSION, null, 'Ended the session of noah at 192.0.2.7.'],
])('%s is said as a sentence', (action, before, after, words) => {
  expect(entryInWords({ action, before, after })).toBe(words)
})
