import { expect, test } from 'vitest'
import {
  accessOfDraft,
  draftOf,
  withAppRole,
} from '../../../../src/renderer/access/people/access-fields.tsx'
import type { PageAccess } from '../../../../src/shared/console/people/people.ts'

const ACCESS: PageAccess = {
  server: 'viewer',
  apps: [
    { app: 'editor', role: 'administrator' },
    { app: 'player', role: 'release_manager' },
  ],
}

test('a draft that was not changed is the roles that it was made of', () => {
  expect(accessOfDraft(draftOf(ACCESS))).toEqual(ACCESS)
})

test('a draft is incomplete until every row has an app', () => {
  const draft = withAppRole(draftOf(ACCESS))
  expect(accessOfDraft(draft)).toBeUndefined()
  const apps = draft.apps.map((row) => ({ ...row, app: row.app ?? 'viewer' }))
  expect(accessOfDraft({ ...draft, apps })?.apps.at(-1)).toEqual({ app: 'viewer', role: 'viewer' })
})

test('rows keep their keys, whichever are removed', () => {
  const draft = withAppRole(draftOf(ACCESS))
  const less = { ...draft, apps: draft.apps.slice(1) }
  const keys = withAppRole(less).apps.map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
})
