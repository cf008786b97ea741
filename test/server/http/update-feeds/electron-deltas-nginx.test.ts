import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { noise } from '../../../support/builders/noise.ts'
import { freePort } from '../../../support/processes/ports.ts'
import { startPlainNginx } from '../../../support/servers/documented-proxy.ts'
import { startProxy } from '../../../support/servers/proxy.ts'
import { needs } from '../../../support/tools.ts'
import {
  builtWith,
  changed,
  MIB,
  MOST,
  startWithVersions,
} from '../../../support/updaters/changed-files.ts'

/** Starts nginx as a server of files, in a folder that its account can read. */
async function startFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const port = await freePort()
  await startProxy('nginx', { site: `server { listen ${port}; root "${folder}"; }`, port })
  return { folder, address: `http://127.0.0.1:${port}` }
}

const HOSTS = {
  'stored, with nginx in front': { front: startPlainNginx },
  'hosted elsewhere, by nginx': { elsewhere: startFiles },
} as const

describe.each(Object.entries(HOSTS))('files that are %s', (_, hosts) => {
  test.each(['nsis', 'mac', 'appimage'] as const)(
    'cost the block that has changed (%s)',
    needs('nginx'),
    async (kind) => {
      const plain = noise(8 * MIB, kind)
      const [old, next] = [builtWith(kind, plain), builtWith(kind, changed(plain, 6 * MIB))]
      const { update } = await startWithVersions(kind, { '1.0.0': old, '1.1.0': next }, hosts)
      const { content, bytes } = await update(old)
      expect(content.equals(next)).toBe(true)
      expect(bytes).toBeLessThan(MOST)
    },
  )
})
