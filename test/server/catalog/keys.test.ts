import { expect, test } from 'vitest'
import { createApp } from '../../../src/server/catalog/apps.ts'
import { findKey, hashKey, mintKey, revokeKey } from '../../../src/server/catalog/keys.ts'
import { ALL_SCOPES } from '../../../src/shared/access/key.ts'
import { ACTOR } from '../../support/builders/actor.ts'
import { openTwo } from '../../support/servers/catalog.ts'

test('a key is found by its secret alone, until it is revoked', async () => {
  const { here } = await openTwo()
  const { secret, key } = await mintKey(here, ACTOR, { name: 'CI' })
  expect(findKey(here.snapshot, secret)).toEqual(key)
  for (const other of [key.hash, key.prefix, `${secret} `, secret.toUpperCase(), '']) {
    expect(findKey(here.snapshot, other)).toBeUndefined()
  }
  await revokeKey(here, ACTOR, key.prefix)
  expect(findKey(here.snapshot, secret)).toBeUndefined()
})

test('a key keeps its name, scopes without repeats, and its app', async () => {
  const { here } = await openTwo()
  const player = await createApp(here, ACTOR, { ref: 'player' })
  const { secret, key } = await mintKey(here, ACTOR, {
    name: 'player CI',
    scopes: ['read', 'publish', 'read'],
    app: player.id,
  })
  expect(key).toMatchObject({
    name: 'player CI',
    prefix: secret.slice(0, 8),
    hash: hashKey(secret),
    scopes: ['read', 'publish'],
    appKey: player.key,
  })
  const plain = await mintKey(here, ACTOR, { name: 'all' })
  expect(plain.key).toMatchObject({ scopes: ALL_SCOPES, appKey: null })
  const lost = mintKey(here, ACTOR, { name: 'none', app: 'viewer' })
  await expect(lost).rejects.toMatchObject({ facts: { code: 'unknown_app', app: 'viewer' } })
})

test('revoking twice changes nothing, and an unknown prefix is refused', async () => {
  const { here, there } = await openTwo()
  const { key } = await mintKey(here, ACTOR, { name: 'CI' })
  const revoked = await revokeKey(there, ACTOR, key.prefix)
  expect(revoked.revokedAt).toMatch(/Z$/)
  const { revision } = await here.refresh()
  expect(await revokeKey(here, ACTOR, key.prefix)).toEqual(revoked)
  expect(here.snapshot.revision).toBe(revision)
  await expect(revokeKey(here, ACTOR, 'tg_nobod')).rejects.toMatchObject({
    facts: { code: 'unknown_key', prefix: 'tg_nobod' },
  })
})

test('keys that earlier versions created with the same name stay valid, and another one is refused', async () => {
  const { here } = await openTwo()
  const first = await mintKey(here, ACTOR, { name: 'CI' })
  const secret = 'tg_of-an-earlier-version'
  const { id: _, lastUsedAt, revokedAt, ...same } = first.key
  await here.change(async (tx) => {
    await tx.insertKey({ ...same, prefix: secret.slice(0, 8), hash: hashKey(secret) })
  })
  await here.refresh()
  expect(findKey(here.snapshot, first.secret)?.prefix).toBe(first.key.prefix)
  expect(findKey(here.snapshot, secret)?.prefix).toBe('tg_of-an')
  await revokeKey(here, ACTOR, first.key.prefix)
  await expect(mintKey(here, ACTOR, { name: 'CI' })).rejects.toMatchObject({
    facts: { code: 'key_exists', app: null, name: 'CI', prefix: 'tg_of-an' },
  })
})
