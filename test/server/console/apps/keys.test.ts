import { expect, test } from 'vitest'
import { RELEASES } from '../../../support/servers/calls.ts'
import { failureOf, startConsole } from '../../../support/servers/console.ts'

test('a key that was minted works over HTTP until it is revoked', async () => {
  const { server, console } = await startConsole()
  const input = { name: 'CI', scopes: ['read' as const], app: 'editor' }
  const { secret, key } = await console.keys.mint(input)
  expect(key).toMatchObject({ name: 'CI', scopes: ['read'], app: 'editor', revokedAt: null })
  expect(secret.startsWith(key.prefix)).toBe(true)
  expect(JSON.stringify(await console.keys.list())).not.toContain(secret)
  const list = () => server.call('GET', RELEASES, { key: secret })
  expect((await list()).status).toBe(200)
  const { revokedAt } = await console.keys.revoke({ prefix: key.prefix })
  expect(revokedAt).not.toBeNull()
  expect((await list()).status).toBe(401)
  expect((await console.keys.list())[0]).toMatchObject({ prefix: key.prefix, revokedAt })
})

test('refuses apps that are unknown or archived, and keys that are invalid', async () => {
  const { console } = await startConsole()
  await console.apps.setArchived({ ref: 'editor', archived: true })
  const mint = (app: string) => console.keys.mint({ name: 'CI', scopes: ['read'], app })
  expect(await failureOf(mint('editor'))).toMatchObject({ code: 'invariant' })
  expect(await failureOf(mint('nope'))).toMatchObject({ code: 'unknown' })
  expect(await failureOf(console.keys.revoke({ prefix: 'tg_nope0' }))).toMatchObject({
    code: 'unknown',
  })
})

test('a name that a key of the app has is refused until that key is revoked', async () => {
  const { console } = await startConsole()
  await console.apps.create({ ref: 'player', name: 'Player' })
  const mint = (app: string | null, name = 'CI') =>
    console.keys.mint({ name, scopes: ['read'], app })
  for (const app of ['editor', 'player', null]) {
    const { prefix } = (await mint(app)).key
    const where = app === null ? 'for all apps' : `of app "${app}"`
    for (const name of ['CI', ' ci ', 'ＣＩ']) {
      expect(await failureOf(mint(app, name))).toMatchObject({
        code: 'duplicate',
        message: `Name: key ${prefix}… ${where} is already named "CI"; choose another name, or revoke that key first.`,
      })
    }
    await console.keys.revoke({ prefix })
    expect((await mint(app)).key.prefix).not.toBe(prefix)
  }
})
