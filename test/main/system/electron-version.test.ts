import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'

const Manifest = z.object({ devDependencies: z.object({ electron: z.string() }) })
const Installed = z.object({ version: z.string() })
const Lock = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional() })),
})
const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

test('one version of Electron is named, to the patch, locked and installed', () => {
  const named = Manifest.parse(read('package.json')).devDependencies.electron
  expect(named).toMatch(/^\d+\.\d+\.\d+$/)
  expect(Lock.parse(read('package-lock.json')).packages['node_modules/electron']?.version).toBe(
    named,
  )
  expect(Installed.parse(read('node_modules/electron/package.json')).version).toBe(named)
})
