import { expect, test } from 'vitest'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { asTauri, minisignPair } from '../../../support/builders/minisign.ts'
import { check, serve, setPolicy } from '../../../support/servers/calls.ts'
import { PLACE, startProven } from '../../../support/servers/proven.ts'

const MINUTE = 60_000
const isPublished = ({ status }: { status: string }) => status === 'published'
const SPARKLE = Buffer.alloc(64, 7).toString('base64')
const RELEASES = `${'0'.repeat(40)} editor-1.0.0-full.nupkg 10000`
/** A channel that requires proof, of an app that has a minisign key. */
async function startKeyed() {
  const world = await startProven('required')
  const pair = minisignPair()
  const setKey = (minisignKey: string | null) =>
    world.server.updates.setProving(PRINCIPAL, { app: 'editor', change: { minisignKey } })
  await setKey(pair.publicKey)
  const proofOf = async (version: string, signature: string) => {
    await world.publish(version, world.bytes, signature)
    return await world.proof(version)
  }
  return { world, pair, setKey, proofOf }
}

test('nothing but a valid signature is proven', async () => {
  const { world, pair, proofOf } = await startKeyed()
  const missing = 'signature_missing'
  const malformed = 'signature_malformed'
  for (const [version, signature, code] of [
    ['1.0.0', '', missing],
    ['1.0.1', 'sig', malformed],
    ['1.0.2', SPARKLE, malformed],
    ['1.0.3', RELEASES, malformed],
    ['1.0.4', '0'.repeat(40), malformed],
    ['1.0.5', 'untrusted comment: none', 'signature_not_encoded'],
    ['1.0.6', ` ${SPARKLE}`, malformed],
    ['1.0.7', asTauri(minisignPair().sign(world.bytes)), 'signature_other_key'],
    ['1.0.8', asTauri(pair.sign(Buffer.from('another file'))), 'signature_wrong'],
  ] as const) {
    expect(await proofOf(version, signature), signature).toMatchObject({
      ...{ state: 'failed', awaitsProof: true },
      artifacts: [{ failure: { code } }],
    })
    expect((await serve(world.server, version, { status: 'published' })).status).toBe(422)
  }
  expect((await check(world.server, '0.9.0')).status).toBe(204)
  await world.publish('1.1.0', world.bytes, asTauri(pair.sign(world.bytes)))
  await world.until('1.1.0', isPublished)
})

test('a channel takes formats unchecked that its policy names, and no others', async () => {
  const { world, proofOf } = await startKeyed()
  await setPolicy(world.server, { uncheckedSignatures: ['sparkle'] })
  await world.publish('1.0.0', world.bytes, SPARKLE)
  await world.until('1.0.0', isPublished)
  expect(await world.proof('1.0.0')).toMatchObject({ artifacts: [{ signature: 'unchecked' }] })
  for (const [version, signature] of [
    ['1.0.1', RELEASES],
    ['1.0.2', ''],
    ['1.0.3', 'sig'],
  ] as const) {
    expect(await proofOf(version, signature)).toMatchObject({ state: 'failed' })
  }
})

test('a proof against earlier settings resumes nothing', async () => {
  const { world, pair, setKey } = await startKeyed()
  const { server } = world
  const resume = async () => (await serve(server, '1.0.0', { status: 'published' })).status
  const paused = async () => {
    expect((await serve(server, '1.0.0', { status: 'paused' })).status).toBe(200)
  }
  const shown = () => server.updates.showProof(PRINCIPAL, { ...PLACE, version: '1.0.0' })
  await world.publish('1.0.0', world.bytes, asTauri(pair.sign(world.bytes)))
  await world.until('1.0.0', isPublished)
  await paused()
  expect(await resume()).toBe(200)
  await paused()
  await setKey(minisignPair().publicKey)
  expect(await shown()).toMatchObject({ state: 'unproven', artifacts: [{ state: 'unproven' }] })
  expect(await resume()).toBe(422)
  await setKey(pair.publicKey)
  expect(await resume()).toBe(422)
  await server.updates.startProof(PRINCIPAL, { ...PLACE, version: '1.0.0' })
  expect(await world.proof('1.0.0')).toMatchObject({ state: 'proven' })
  expect(await resume()).toBe(200)
})

test('what a proof finds after its key was replaced proves nothing', async () => {
  const { world, pair, setKey } = await startKeyed()
  const { files, server, time } = world
  const { promise: asked, resolve } = Promise.withResolvers<() => void>()
  files.put('/1.0.0', (response) => resolve(() => response.end(world.bytes)))
  await world.publish('1.0.0', null, asTauri(pair.sign(world.bytes)))
  const answer = await asked
  await setKey(minisignPair().publicKey)
  files.put('/1.0.0', world.bytes)
  answer()
  time.now += MINUTE
  expect(await world.proof('1.0.0')).toMatchObject({
    ...{ state: 'failed', awaitsProof: true },
    artifacts: [{ failure: { code: 'signature_other_key' }, provenAt: null }],
  })
  expect((await check(server, '0.9.0')).status).toBe(204)
})
