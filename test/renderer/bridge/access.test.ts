import { expect, test } from 'vitest'
import { permissionsOf } from '../../../src/renderer/bridge/access.ts'
import { Role } from '../../../src/shared/access/role.ts'

/** The roles that are included in an app, on the server, and in some app. */
function included(access: Parameters<typeof permissionsOf>[0], app: string) {
  const { may, mayInSomeApp } = permissionsOf(access)
  return {
    app: Role.options.filter((role) => may(role, app)),
    server: Role.options.filter((role) => may(role)),
    some: Role.options.filter(mayInSomeApp),
  }
}

test('a role on the server counts in every app', () => {
  const roles = ['viewer', 'release_manager']
  expect(included({ server: 'release_manager', apps: [] }, 'editor')).toEqual({
    ...{ app: roles, server: roles, some: roles },
  })
})

test('a role in an app counts there alone', () => {
  const access = { server: null, apps: [{ app: 'editor', role: 'administrator' as const }] }
  expect(included(access, 'editor')).toEqual({ app: Role.options, server: [], some: Role.options })
  expect(included(access, 'player')).toEqual({ app: [], server: [], some: Role.options })
})

test('the higher of two roles counts', () => {
  const apps = [
    { app: 'editor', role: 'administrator' as const },
    { app: 'player', role: 'viewer' as const },
  ]
  const access = { server: 'release_manager' as const, apps }
  expect(included(access, 'editor').app).toEqual(Role.options)
  expect(included(access, 'player').app).toEqual(['viewer', 'release_manager'])
})
