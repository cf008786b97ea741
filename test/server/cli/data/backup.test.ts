import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataFile } from '../../../../src/server/storage/sqlite/database.ts'
import { fileFolder } from '../../../support/builders/folders.ts'
import { SHA512_HEX } from '../../../support/builders/releases.ts'
import { eventualValue } from '../../../support/eventually.ts'
import {
  cli,
  done,
  expectRefused,
  refusal,
  serveCli,
  shown,
} from '../../../support/processes/cli.ts'
import { builtFile, startHosting, uploadFile } from '../../../support/servers/hosting.ts'
import { request } from '../../../support/servers/server.ts'

const ARTIFACT = `platform=darwin,arch=aarch64,url=https://e.example/a,sha512=${SHA512_HEX}`

test.concurrent('a backup taken under load is complete and can be restored', async () => {
  const folder = fileFolder()
  const file = join(fileFolder(), 'copy.db')
  await done(folder, 'app', 'create', 'editor', '--init')
  const key = (await done(folder, 'key', 'mint', 'ci')).trim()
  const server = await serveCli(folder, '--device-limit', '0', '--key-limit', '0')
  const load = reportConstantly(server.address, key)
  await eventualValue(() => (load.acknowledged() > 1_000 ? true : undefined))
  // A small database can be copied between two reports.
  let before: number
  let backup: Awaited<ReturnType<typeof cli>>
  do {
    before = load.acknowledged()
    backup = await cli(folder, 'backup', file, '--force')
  } while (load.acknowledged() === before)
  await load.stop()
  expect(backup).toMatchObject({ code: 0 })
  expect(backup.stdout).toContain(`to ${file} in `)
  expect(backup.stderr).toMatch(/^(Copying: \d+%\n)+Copied\. Verifying…\n$/)

  const busy = await cli(folder, 'restore', file)
  expectRefused(busy, 1, `in use by the server at ${server.address}`)
  await server.stop()
  await done(folder, 'app', 'create', 'later')
  await done(folder, 'publish', 'later', 'stable', '1.0.0', '--artifact', ARTIFACT)

  const restored = await cli(folder, 'restore', file)
  expect(restored.code).toBe(0)
  expect(restored.stderr).toMatch(
    /^warning: 1 release is not in the backup.*\n {2}later stable 1\.0\.0\n$/,
  )
  const [, aside] = /was moved to (.+)\.\n/.exec(restored.stdout) ?? []
  expect(existsSync(aside ?? '')).toBe(true)
  const { apps } = await shown(folder, 'app', 'list')
  expect(apps).toMatchObject([{ ref: 'editor' }])
  const { devices } = await shown(folder, 'fleet', 'summary', 'editor')
  expect(devices).toBeGreaterThanOrEqual(before)
  expect(await shown(folder, 'doctor')).toMatchObject({
    ok: true,
    findings: [],
    file: dataFile(folder),
    rows: { apps: 1, devices },
  })
  expect(await done(folder, 'doctor')).toContain('No problems found.')

  writeFileSync(dataFile(folder), 'no database')
  const blind = await cli(folder, 'restore', file)
  expect(blind).toMatchObject({ code: 0 })
  expect(blind.stderr).toMatch(/^warning: the previous database cannot be read, .*\n$/)

  const elsewhere = join(fileFolder(), 'new')
  await done(elsewhere, 'restore', file)
  expect(await shown(elsewhere, 'app', 'list')).toEqual({ apps })
})

test.concurrent('a restore prints what it kept from after the backup', async () => {
  const folder = fileFolder()
  const file = join(fileFolder(), 'copy.db')
  await done(folder, 'app', 'create', 'editor', '--init')
  const key = (await done(folder, 'key', 'mint', 'ci')).trim()
  await done(folder, 'publish', 'editor', 'stable', '1.0.0', '--artifact', ARTIFACT)
  await done(folder, 'publish', 'editor', 'stable', '1.1.0', '--artifact', ARTIFACT)
  await done(folder, 'backup', file)
  await done(folder, 'rollback', 'editor', 'stable', '1.1.0')
  await done(folder, 'pause', 'editor', 'stable', '1.0.0')
  await done(folder, 'key', 'revoke', key.slice(0, 8))
  const restored = await cli(folder, 'restore', file)
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  expect(restored.stdout).toContain(
    'Kept 1 rollback made since the backup.\n' +
      'Kept the later rollout, targets and status of 1 release.\n' +
      'Kept 1 key revocation made since the backup.\n' +
      'These API keys were revoked or removed since the backup and stay revoked:\n' +
      `  ci (${key.slice(0, 8)}…)\n`,
  )
  const elsewhere = await cli(join(fileFolder(), 'new'), 'restore', file)
  expect(elsewhere.stdout).toMatch(/no current data to compare with, so these API keys are revoked/)
})

test('stored files are backed up and brought back on another machine', async () => {
  const server = await startHosting()
  const { content } = builtFile(200_000)
  const { sha512, size, url } = await uploadFile(server, content, 'Editor.exe')
  const artifacts = [{ platform: 'linux', arch: 'x86_64', url, sha512, size }]
  const body = { app: 'editor', channel: 'stable', version: '1.4.0', artifacts }
  await server.call('POST', '/api/v1/releases', { body })
  const target = fileFolder()
  const file = join(target, 'copy.db')
  // The running server has noted where its files are.
  const made = await shown(server.folder, 'backup', file, '--with-files')
  const copies = join(target, 'tidegate-files')
  expect(made.files).toEqual({ folder: copies, copied: 1, bytes: size })
  const again = await cli(server.folder, 'backup', file, '--with-files', '--force')
  expect(again.stdout).toContain(`All stored files are already in ${copies}.`)
  await server.stop()

  const [elsewhere, kept] = [join(fileFolder(), 'new'), join(fileFolder(), 'artifacts')]
  const without = await cli(elsewhere, 'restore', file, '--artifacts', kept)
  expect(without.code).toBe(0)
  expect(without.stderr).toMatch(
    /^warning: 1 release .* lacks files.*\n {2}editor stable 1\.4\.0\n$/,
  )
  const unknown = await cli(elsewhere, 'restore', file)
  expect(unknown.stderr).toContain('add --artifacts')
  expect((await cli(elsewhere, 'restore', file, '--with-files')).code).toBe(2)
  const restored = await shown(elsewhere, 'restore', file, '--with-files', '--artifacts', kept)
  const lacking = { count: 0, newest: [] }
  expect(restored.files).toEqual({ restored: 1, bytes: size, lacking })
  expect(readFileSync(join(kept, 'files', sha512)).equals(content)).toBe(true)
  const label = readFileSync(join(kept, 'files', `${sha512}.json`), 'utf8')
  expect(JSON.parse(label)).toEqual({ name: 'Editor.exe' })
  expect(existsSync(join(kept, 'restoring'))).toBe(false)
})

test.concurrent('an existing file is replaced only on demand', async () => {
  const folder = fileFolder()
  const file = join(fileFolder(), 'notes.txt')
  await done(folder, 'app', 'create', 'editor', '--init')
  writeFileSync(file, 'precious')
  const refused = await cli(folder, 'backup', file)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr.trim().split('\n').at(-1)).toContain('overwrite it with --force')
  expect(readFileSync(file, 'utf8')).toBe('precious')
  const result = await shown(folder, 'backup', file, '--force')
  const bytes = readFileSync(file).byteLength
  expect(result).toMatchObject({ file, bytes, pages: expect.any(Number) })
})

test.concurrent('a damaged database is found, and a damaged backup changes nothing', async () => {
  const folder = fileFolder()
  await done(folder, 'app', 'create', 'editor', '--init')
  const bytes = readFileSync(dataFile(folder))
  const damaged = bytes.fill(0x5a, 4_096, 12_288)
  const backup = join(folder, 'damaged.db')
  writeFileSync(backup, damaged)
  const refused = await cli(folder, 'restore', backup)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refusal(refused)).toContain('damaged')
  expect(await shown(folder, 'app', 'list')).toMatchObject({ apps: [{ ref: 'editor' }] })

  writeFileSync(dataFile(folder), damaged)
  const doctor = await cli(folder, 'doctor')
  expectRefused(doctor, 1, /damaged.*restore a backup/)
  expect(doctor.stdout).toContain('error: ')
  expect(JSON.parse((await cli(folder, 'doctor', '--json')).stdout)).toMatchObject({ ok: false })
  expect(readFileSync(dataFile(folder)).equals(damaged)).toBe(true)
})

/** Reports new devices, a hundred a call, until it is stopped. */
function reportConstantly(address: string, key: string) {
  let acknowledged = 0
  let running = true
  const report = async () => {
    while (running) {
      const devices = Array.from({ length: 100 }, (_, index) => {
        return { deviceId: `d${acknowledged + index}`, version: '1.0.0' }
      })
      const body = { app: 'editor', devices }
      const { status } = await request(`${address}/api/v1/fleet/report`, 'POST', { key, body })
      if (status !== 200) throw new Error(`a report was answered ${status}`)
      acknowledged += devices.length
    }
  }
  const reporting = report()
  const stop = () => {
    running = false
    return reporting
  }
  return { acknowledged: () => acknowledged, stop }
}

test.concurrent('a backup into a folder that does not exist names the folder', async () => {
  const folder = fileFolder()
  await done(folder, 'app', 'create', 'editor', '--init')
  const missing = join(fileFolder(), 'nope')
  const refused = await cli(folder, 'backup', join(missing, 'x.db'))
  expectRefused(refused, 1, `the folder ${missing} does not exist`)
  expect(refused.stderr).not.toContain('.partial')
})
