import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isOnPostgres } from '../../support/servers/engine.ts'
import { builtFile, startHosting, uploadFile } from '../../support/servers/hosting.ts'

// With PostgreSQL, servers share it.
test.skipIf(isOnPostgres)(
  'a second server on one folder of files is refused, and starts when the first has ended',
  async () => {
    const first = await startHosting()
    const file = await uploadFile(first, builtFile(100).content)
    const folder = first.artifacts
    const held = { kind: 'files_held', holder: { pid: process.pid, address: null } }
    await expect(startHosting({ folder })).rejects.toMatchObject({
      problem: { code: 'locked', file: folder, circumstance: held },
    })
    await first.stop()
    const second = await startHosting({ folder })
    const { files } = (await second.call('GET', '/api/v1/files')).body
    expect(files).toMatchObject([{ sha512: file.sha512 }])
    await second.stop()
    expect(readdirSync(folder).sort()).toEqual(['artifacts.lock', 'files', 'uploads'])
  },
)

test.runIf(process.platform === 'linux')(
  'a folder that cannot be created is an error at the start',
  async () => {
    await expect(startHosting({ folder: '/proc/tidegate/artifacts' })).rejects.toMatchObject({
      problem: { code: 'unwritable', circumstance: { kind: 'no_new_folder' } },
    })
  },
)
