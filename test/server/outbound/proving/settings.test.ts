import { expect, test } from 'vitest'
import type { Principal } from '../../../../src/server/use-cases/principal.ts'
import type { Role } from '../../../../src/shared/access/role.ts'
import { ACTOR, PRINCIPAL } from '../../../support/builders/actor.ts'
import { minisignPair } from '../../../support/builders/minisign.ts'
import { auditOf } from '../../../support/servers/calls.ts'
import { refusalOf } from '../../../support/servers/guarded.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'

/** Somebody with a role in the app `editor` alone. */
function inApp({ catalog }: TestServer, role: Role): Principal {
  const key = catalog.snapshot.appByName.get('editor')?.record.key ?? 0
  const access = { server: null, apps: new Map([[key, role]]) }
  return { actor: ACTOR, access, seesArchived: true }
}

const app = 'editor'

test('administrators of the app set its key and its hosts; the log has both', async () => {
  const server = await startWithApp()
  const { updates } = server
  const { publicKey } = minisignPair()
  const administrator = inApp(server, 'administrator')
  const change = { hosts: ['downloads.example', 'downloads.example'], minisignKey: publicKey }
  const after = { documentKeys: [], hosts: ['downloads.example'], minisignKey: publicKey }
  expect(await updates.setProving(administrator, { app, change })).toEqual(after)
  expect(server.catalog.snapshot.appByName.get(app)?.record.proving).toEqual(after)
  // What changes nothing is not an entry.
  await updates.setProving(administrator, { app, change })
  await updates.setProving(administrator, { app, change: {} })
  expect(await auditOf(server, 'app.proving_changed')).toMatchObject([
    { app, before: { hosts: [], minisignKey: null, documentKeys: [] }, after },
  ])
  for (const role of ['viewer', 'release_manager'] as const) {
    const refused = updates.setProving(inApp(server, role), { app, change: { hosts: [] } })
    expect(await refusalOf(refused)).toMatchObject({ code: 'forbidden', app })
  }
})

test('only administrators of the server open addresses that are not on the internet', async () => {
  const server = await startWithApp()
  const { updates } = server
  const administrator = inApp(server, 'administrator')
  const opening = ['127.0.0.1', '192.168.1.20:8080', '169.254.169.254', '10.0.0.0/8', '[::1]:81']
  for (const host of [...opening, '::ffff:127.0.0.1', '0.0.0.0/0', '8.8.8.0/24']) {
    const hosts = ['downloads.example', host]
    const refused = updates.setProving(administrator, { app, change: { hosts } })
    expect(await refusalOf(refused), host).toEqual({
      ...{ code: 'forbidden', needs: 'administrator', app: null },
    })
  }
  await updates.setProving(administrator, { app, change: { hosts: ['1.1.1.1', 'nas.lan:8080'] } })
  await updates.setProving(PRINCIPAL, { app, change: { hosts: ['10.0.0.0/8'] } })
  // Who may not add it may keep it, and take it away.
  const kept = { hosts: ['10.0.0.0/8', 'downloads.example'] }
  expect(await updates.setProving(administrator, { app, change: kept })).toMatchObject(kept)
  expect(await updates.setProving(administrator, { app, change: { hosts: [] } })).toMatchObject({
    hosts: [],
  })
})

test('a form with earlier settings does not overwrite later ones', async () => {
  const server = await startWithApp()
  const { updates } = server
  const seen = { hosts: [], minisignKey: null, documentKeys: [] }
  await updates.setProving(PRINCIPAL, { app, change: { hosts: ['one.example'] }, seen })
  const late = updates.setProving(PRINCIPAL, { app, change: { hosts: ['two.example'] }, seen })
  expect(await refusalOf(late)).toEqual({ code: 'proving_changed', app })
  expect(server.catalog.snapshot.appByName.get(app)?.record.proving.hosts).toEqual(['one.example'])
})
