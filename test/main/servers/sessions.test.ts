import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepFilters, type RememberedServer } from '../../../src/main/servers/server-list.ts'
import type { Session } from '../../../src/main/servers/sessions.ts'
import type { Vault } from '../../../src/main/servers/vault.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { testServers, testVault } from '../../support/servers/test-servers.ts'

const ID = randomUUID()
const REMEMBERED: RememberedServer = {
  id: ID,
  name: 'Studio',
  color: 'blue',
  address: 'https://studio.example',
  pin: null,
  session: null,
  browser: null,
  savedDeviceFilters: [],
}
const SESSION: Session = {
  cookie: '__Host-tidegate-session=very-secret-token',
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  signedInAs: 'Ada',
}

const newFile = () => join(temporaryFolder(), 'servers.json')

/** A list with one server, and what the next start reads from its file. */
function remembered(vault: Vault = testVault) {
  const first = testServers({ file: newFile(), vault })
  first.list.add(REMEMBERED)
  return { ...first, again: (other = vault) => testServers({ file: first.file, vault: other }) }
}

test('a session outlives the app, and cannot be read in the file', async () => {
  const { sessions, file, again } = remembered()
  await sessions.keep(ID, SESSION)
  expect(readFileSync(file, 'utf8')).not.toContain('very-secret-token')
  const next = again()
  await next.sessions.load()
  expect(next.sessions.get(ID)).toEqual(SESSION)
})

test('where the system cannot encrypt, a session is in memory only', async () => {
  const { sessions, file, again } = remembered({ ...testVault, isAvailable: async () => false })
  await sessions.keep(ID, SESSION)
  expect(await sessions.isKept()).toBe(false)
  expect(sessions.get(ID)).toEqual(SESSION)
  expect(readFileSync(file, 'utf8')).not.toContain('secret')
  const next = again(testVault)
  await next.sessions.load()
  expect(next.sessions.get(ID)).toBeUndefined()
})

test('a session that fails to be encrypted is in memory only', async () => {
  const { sessions, list } = remembered({
    ...testVault,
    encrypt: () => Promise.reject(new Error('the keychain is locked')),
  })
  await sessions.keep(ID, SESSION)
  expect(sessions.get(ID)).toEqual(SESSION)
  expect(list.find(ID)?.session).toBeNull()
})

test('a session of another key, and one that has expired, are forgotten', async () => {
  const { sessions, again } = remembered()
  await sessions.keep(ID, SESSION)
  const other = again({ ...testVault, decrypt: () => Promise.reject(new Error('another key')) })
  await other.sessions.load()
  expect(other.sessions.get(ID)).toBeUndefined()
  expect(other.list.find(ID)?.session).toBeNull()

  await sessions.keep(ID, { ...SESSION, expiresAt: new Date(Date.now() - 1_000).toISOString() })
  const next = again()
  await next.sessions.load()
  expect(next.sessions.get(ID)).toBeUndefined()
  expect(next.list.find(ID)?.session).toBeNull()
})

test('the end of an earlier session does not end the one after it', async () => {
  const { sessions } = remembered()
  await sessions.keep(ID, SESSION)
  const later = { ...SESSION, cookie: 'tidegate-session=later' }
  await sessions.keep(ID, later)
  sessions.forget(ID, SESSION)
  expect(sessions.get(ID)).toBe(later)
  sessions.forget(ID, later)
  expect(sessions.get(ID)).toBeUndefined()
})

test('the list survives a restart, readable by this account only', () => {
  const { list, file, again } = remembered()
  list.use(ID)
  expect(again().list.current).toEqual(REMEMBERED)
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('when the server in use is removed, the own one is in use', () => {
  const { list, again } = remembered()
  list.use(ID)
  list.remove(ID)
  expect(again().list.current).toBeUndefined()
  expect(again().list.servers).toEqual([])
})

test('a broken list is renamed, and the app starts with none', () => {
  const file = newFile()
  writeFileSync(file, '{"servers": [{"id": 1}]}')
  expect(testServers({ file }).list.servers).toEqual([])
  expect(existsSync(`${file}.broken`)).toBe(true)
})

test('filters are saved for the server in use', () => {
  const { list, again } = remembered()
  const preferences = { savedDeviceFilters: [{ name: 'Own', query: 'app=own' }] }
  expect(keepFilters(list, preferences)).toBe(preferences)
  list.use(ID)
  const theirs = [{ name: 'Theirs', query: 'app=theirs' }]
  expect(keepFilters(list, { theme: 'dark', savedDeviceFilters: theirs })).toEqual({
    theme: 'dark',
  })
  expect(again().list.current?.savedDeviceFilters).toEqual(theirs)
})
