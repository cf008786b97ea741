import { expect, test } from 'vitest'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { eventually } from '../../../support/eventually.ts'
import { expectError, RELEASES } from '../../../support/servers/calls.ts'
import { PLACE, startProven } from '../../../support/servers/proven.ts'

const PROOF = `${RELEASES}/editor/stable/1.0.0/proof`

test('a pipeline asks for a proof, and waits for it', async () => {
  const world = await startProven('off')
  const { server } = world
  await world.publish('1.0.0')
  const key = await server.mint({ scopes: ['publish'], app: 'editor' })
  const artifact = { platform: 'darwin', arch: 'aarch64', failure: null }
  expect((await server.call('GET', PROOF, { key })).body).toMatchObject({
    proof: { state: 'unproven', artifacts: [{ ...artifact, checkedAt: null, progress: null }] },
  })
  const begun = await server.call('POST', PROOF, { key })
  expect(begun.status).toBe(200)
  expect(begun.body).toMatchObject({ proof: { state: 'running', awaitsProof: false } })
  await eventually(async () => {
    const { body } = await server.call('GET', PROOF, { key })
    expect(body).toMatchObject({
      proof: { state: 'proven', artifacts: [{ ...artifact, signature: 'unsigned' }] },
    })
  })
})

test('a release that is published on a channel that requires proof says that it waits', async () => {
  const world = await startProven('required')
  const { server } = world
  expect(await world.publish('1.0.0', null)).toMatchObject({ status: 'paused' })
  await world.proof('1.0.0')
  expect((await server.call('GET', PROOF)).body).toMatchObject({
    proof: { awaitsProof: true, artifacts: [{ failure: { code: 'status', status: 404 } }] },
  })
  const body = { ...PLACE, version: '1.0.0', status: 'published' }
  expectError(await server.call('PATCH', RELEASES, { body }), 422)
})

test('other keys and other places are refused', async () => {
  const world = await startProven('off')
  const { server, files } = world
  await world.publish('1.0.0')
  await server.updates.createApp(PRINCIPAL, { ref: 'player' })
  const foreign = await server.mint({ scopes: ['publish'], app: 'player' })
  const reader = await server.mint({ scopes: ['read', 'serve', 'fleet'] })
  for (const method of ['GET', 'POST']) {
    expectError(await server.call(method, PROOF, { key: null }), 401)
    expectError(await server.call(method, PROOF, { key: reader }), 403)
    expectError(await server.call(method, PROOF, { key: foreign }), 404)
    expectError(await server.call(method, PROOF.replace('1.0.0', '2.0.0')), 404)
    expectError(await server.call(method, PROOF.replace('stable', 'beta')), 404)
    expectError(await server.call(method, PROOF.replace('1.0.0', 'one')), 400)
  }
  expect(files.asked).toEqual([])
})
