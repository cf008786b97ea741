// @module-tag postgresql

import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { VERSION } from '../../../src/server/runtime/version.ts'
import { fileFolder } from '../../support/builders/folders.ts'
import { eventually } from '../../support/eventually.ts'
import { freshDatabase } from '../../support/postgres/shared-cluster.ts'
import {
  cli,
  done,
  expectRefused,
  serveCli,
  serveWith,
  shown,
  startCommand,
} from '../../support/processes/cli.ts'

test('status and doctor list the nodes of a database by the names that they were given', async () => {
  const folder = fileFolder()
  const database = ['--database', await freshDatabase({ prepared: true })]
  const one = await serveCli(folder, ...database, '--node-name', 'web-1')
  const two = await serveWith({ TIDEGATE_NODE_NAME: 'web-2' }, fileFolder(), ...database)
  const three = await serveCli(fileFolder(), ...database)
  const node = (name: string, { address }: { readonly address: string }) => ({
    ...{ name, address, version: VERSION, lease: 'ok', changesBehind: 0 },
  })
  const nodes = [node('web-1', one), node('web-2', two), node(hostname(), three)]
  // A node learns about the others once a second.
  await eventually(async () => {
    expect((await shown(folder, 'status', ...database)).details.nodes).toEqual(nodes)
  })
  expect((await shown(folder, 'doctor', ...database)).nodes).toEqual(nodes)
  for (const command of ['status', 'doctor']) {
    const printed = await done(folder, command, ...database)
    expect(printed).toMatch(/^NODE +ADDRESS +VERSION +LEASE +CHANGES$/m)
    expect(printed).toMatch(
      new RegExp(`^web-2 +${two.address} +${VERSION.replaceAll('.', '\\.')} +ok +up to date$`, 'm'),
    )
  }

  for (const server of [one, two, three]) await server.stop()
  expect(await done(folder, 'doctor', ...database)).toContain(
    'No node is running on this database.',
  )
})

test('a name of a node is for PostgreSQL, and has one line', async () => {
  const check = (...args: string[]) =>
    startCommand(['config', 'check', '--data', fileFolder(), ...args]).ended
  const alone = await check('--node-name', 'web-1')
  expectRefused(alone, 2, '--node-name applies to PostgreSQL only')
  const broken = await check('--database', 'postgres://a.example/tidegate', '--node-name', 'a\nb')
  expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining('--node-name')])
})

test('commands find the server that has its data in the same PostgreSQL database', async () => {
  const folder = fileFolder()
  const database = ['--database', await freshDatabase({ prepared: true })]
  const artifacts = join(folder, 'artifacts')
  const kept = ['--artifacts', artifacts, '--public-url', 'http://updates.example.com']
  const server = await serveCli(folder, ...database, ...kept)
  const status = await shown(folder, 'status', ...database)
  expect(status).toMatchObject({
    ...{ address: server.address, status: 'ready', details: { processId: server.child.pid } },
  })
  const output = join(folder, 'bundle.zip')
  await done(folder, 'support-bundle', ...database, '--output', output)
  const files = unzipSync(readFileSync(output))
  expect(JSON.parse(strFromU8(files['status.json'] ?? new Uint8Array()))).toMatchObject({
    ...{ running: true, details: { processId: server.child.pid } },
  })
  expect(await shown(folder, 'file', 'list', ...database)).toMatchObject({ files: [] })
  await server.stop()
  expect(await cli(folder, 'status', ...database)).toMatchObject({
    ...{ code: 4, stderr: expect.stringContaining('no server is running') },
  })
})
