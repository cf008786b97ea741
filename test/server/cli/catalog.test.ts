import { writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileFolder } from '../../support/builders/folders.ts'
import { artifact, SHA512_BASE64, SHA512_HEX } from '../../support/builders/releases.ts'
import { cli, done, shown } from '../../support/processes/cli.ts'
import { changeStored, storedRows } from '../../support/servers/stored.ts'

test.concurrent('apps and channels are created, listed and given a policy', async () => {
  const folder = join(fileFolder(), 'new')
  expect(await done(folder, 'app', 'create', 'editor', '--name', 'The Editor', '--init')).toBe(
    'Created app editor with channel stable.\n',
  )
  await done(folder, 'channel', 'create', 'editor', 'beta')

  const { apps } = await shown(folder, 'app', 'list')
  expect(apps).toEqual([
    {
      id: expect.any(String),
      ref: 'editor',
      name: 'The Editor',
      createdAt: expect.stringMatching(/Z$/),
      archived: false,
      channels: ['stable', 'beta'],
    },
  ])
  const table = await done(folder, 'app', 'list')
  expect(table).toMatch(
    /^REF {5}NAME {8}STATUS {2}CHANNELS {6}CREATED\neditor {2}The Editor {2}active {2}stable, beta {2}/,
  )

  const changed = ['--update-mode', 'required', '--minimum-supported-version', 'v1.2.0']
  await done(folder, 'channel', 'policy', 'editor', 'beta', ...changed)
  const changes = ['--rollback', 'roll-forward', '--proving', 'warn']
  await done(folder, 'channel', 'policy', 'editor', 'beta', ...changes)
  expect(await shown(folder, 'channel', 'policy', apps[0].id, 'beta')).toEqual({
    app: 'editor',
    channel: 'beta',
    policy: {
      updateMode: 'required',
      minimumSupportedVersion: '1.2.0',
      rollback: 'roll-forward',
      requireApproval: false,
      proving: 'warn',
      uncheckedSignatures: [],
      earlyAccess: { deviceIds: [], targets: [] },
      manualChecks: false,
      countNewDevices: false,
      preflight: 'off',
      acceptedFindings: [],
    },
  })
  await done(folder, 'channel', 'policy', 'editor', 'beta', '--require-approval', 'yes')
  const { channels } = await shown(folder, 'channel', 'list', 'editor')
  expect(channels).toMatchObject([
    { name: 'stable', releases: 0, policy: { rollback: 'downgrade', requireApproval: false } },
    { name: 'beta', releases: 0, policy: { rollback: 'roll-forward', requireApproval: true } },
  ])
  const actors = await storedRows({ folder }, 'SELECT DISTINCT actor_kind, actor_name FROM audit')
  expect(actors).toEqual([['command_line', userInfo().username]])
})

test.concurrent('an app that was archived in the console is listed as archived', async () => {
  const folder = fileFolder()
  await done(folder, 'app', 'create', 'editor', '--init')
  // The command line does not archive; this is what the console leaves.
  await changeStored({ folder }, "UPDATE apps SET archived_at = '2026-01-01T00:00:00.000Z'")
  expect(await shown(folder, 'app', 'list')).toMatchObject({ apps: [{ archived: true }] })
  expect(await done(folder, 'app', 'list')).toMatch(/^editor {2}editor {2}archived {2}stable {2}/m)
})

test.concurrent('only the key is printed, once', async () => {
  const folder = fileFolder()
  await done(folder, 'app', 'create', 'editor', '--init')
  const all = await done(folder, 'key', 'mint', 'everything')
  expect(all).toMatch(/^tg_[\w-]{43}\n$/)
  const scopes = ['--scope', 'read', '--scope', 'fleet']
  const bound = await done(
    folder,
    'key',
    'mint',
    'bound',
    ...scopes,
    '--app',
    'editor',
    '--bypass-approval',
  )

  const [first, second] = [all.slice(0, 8), bound.slice(0, 8)]
  expect(await done(folder, 'key', 'revoke', first)).toContain(first)
  const { keys } = await shown(folder, 'key', 'list')
  expect(keys).toEqual([
    {
      prefix: first,
      name: 'everything',
      scopes: ['read', 'publish', 'serve', 'fleet'],
      app: null,
      bypassApproval: false,
      createdAt: expect.stringMatching(/Z$/),
      lastUsedAt: null,
      revokedAt: expect.stringMatching(/Z$/),
    },
    expect.objectContaining({
      prefix: second,
      name: 'bound',
      scopes: ['read', 'fleet'],
      app: 'editor',
      bypassApproval: true,
      revokedAt: null,
    }),
  ])
  const table = await done(folder, 'key', 'list')
  expect(table).toContain(second)
  expect(table).not.toContain(bound.trim())
})

test.concurrent('publish warns about files that the Tauri updater will not install', async () => {
  const folder = fileFolder()
  await done(folder, 'app', 'create', 'editor', '--init')
  const publish = (version: string, members: string, ...more: string[]) => {
    const text = `platform=windows,arch=x64,sha512=${SHA512_HEX},${members}`
    const command = ['publish', 'editor', 'stable', version, '--artifact', text]
    return cli(folder, ...command, ...more)
  }
  const msi = 'url=https://downloads.example/Editor.msi'

  const unsigned = await publish('1.0.0', msi, '--json')
  expect(unsigned).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^warning: Editor\.msi /),
  })
  expect(JSON.parse(unsigned.stdout).release.version).toBe('1.0.0')

  expect(await publish('1.1.0', `${msi},signature=c2ln=`)).toMatchObject({ code: 0, stderr: '' })
  const zip = 'url=https://downloads.example/Editor.zip'
  expect(await publish('1.2.0', zip)).toMatchObject({ code: 0, stderr: '' })
})

test.concurrent('a release is published from options and files, listed, and served differently', async () => {
  const folder = fileFolder()
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  await done(folder, 'app', 'create', 'editor', '--init')
  const comma = 'https://downloads.example/a%2Cb?x=1'
  const { release } = await shown(
    folder,
    ...['publish', 'editor', 'stable', 'v1.1.0', '--rollout', '25'],
    ...['--notes', file('notes.md', '\uFEFF# Fast\n')],
    ...['--targets-file', file('targets.json', '{"matchLabels":{"ring":"beta"}}')],
    '--artifact',
    `platform=darwin,arch=aarch64,url=${comma},sha512=${SHA512_BASE64},size=12,signature=c2ln=`,
    '--artifact',
    `sha512=${SHA512_HEX},url=https://downloads.example/b,arch=x64,platform=linux`,
    ...['--artifacts-file', file('a.json', JSON.stringify([artifact({ platform: 'windows' })]))],
  )
  expect(release).toMatchObject({
    app: 'editor',
    channel: 'stable',
    version: '1.1.0',
    notes: '# Fast\n',
    status: 'published',
    rolloutPct: 25,
    offered: false,
    targets: { matchLabels: { ring: 'beta' }, matchExpressions: [] },
  })
  expect(release.artifacts).toEqual([
    {
      ...{ platform: 'darwin', arch: 'aarch64', url: comma },
      ...{ sha512: SHA512_BASE64, size: 12, signature: 'c2ln=', kind: '' },
    },
    expect.objectContaining({ platform: 'linux', arch: 'x64', size: 0, signature: '' }),
    expect.objectContaining({ platform: 'windows' }),
  ])

  const place = ['editor', 'stable', '1.1.0']
  await done(folder, 'ramp', ...place, '60')
  await done(folder, 'retarget', ...place, '--targets-file', file('everybody.json', '{}'))
  expect(await done(folder, 'pause', ...place)).toMatch(/1\.1\.0 +paused +60%/)

  const none = ['publish', 'editor', 'stable', '1.2.0', '--artifacts-file', file('b.json', '[]')]
  expect((await cli(folder, ...none)).stderr).toContain(
    'This release has no artifacts, so it is not offered to any device.',
  )
  const page = ['release', 'list', '--per-page', '1', '--page', '2']
  expect(await shown(folder, ...page)).toMatchObject({
    releases: [
      {
        version: '1.1.0',
        status: 'paused',
        rolloutPct: 60,
        targets: { matchLabels: {}, matchExpressions: [] },
      },
    ],
    page: 2,
    pageCount: 2,
    total: 2,
  })
  const list = await done(folder, 'release', 'list', 'editor', '--channel', 'stable')
  expect(list.split('\n').map((line) => line.split(/ {2,}/)[2])).toEqual(
    expect.arrayContaining(['VERSION', '1.2.0', '1.1.0']),
  )
})
