import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const module = join(import.meta.dirname, '../../build/package/refuse-network.mjs')

test('a packaging process cannot use the network, and its attempts are recorded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidegate-network-'))
  try {
    const log = join(folder, 'log')
    const program = "await fetch('https://example.invalid/').catch(() => process.exit(7))"
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      env: { NODE_OPTIONS: `--import ${pathToFileURL(module)}`, TIDEGATE_NETWORK_LOG: log },
    })
    await expect(run).rejects.toMatchObject({ code: 7 })
    expect(await readFile(log, 'utf8')).toBe('example.invalid:443\n')
  } finally {
    await rm(folder, { recursive: true })
  }
})
