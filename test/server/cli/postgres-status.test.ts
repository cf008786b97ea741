// @module-tag postgresql

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { fileFolder } from '../../support/builders/folders.ts'
import { freshDatabase } from '../../support/postgres/shared-cluster.ts'
import { cli, done, serveCli, shown } from '../../support/processes/cli.ts'

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
