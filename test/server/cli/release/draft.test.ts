// @module-tag long

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeBuild } from '../../../support/builders/builds.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import {
  cli,
  done,
  type Ended,
  expectRefused,
  refusal,
  shown,
  startCli,
} from '../../../support/processes/cli.ts'
import { expectDescribed } from '../../../support/processes/json-schema.ts'
import { startWithApp } from '../../../support/servers/server.ts'

const RELEASE = ['editor', 'stable', '1.4.0']
const BASE = ['--url-base', 'https://downloads.example/1.4.0/']

/** A build machine with a key for a server, and a folder with its build. */
async function start() {
  const server = await startWithApp()
  const folder = temporaryFolder()
  writeBuild(folder, { 'editor.deb': 'd', 'editor.rpm': 'r', 'notes.md': 'Fast.' })
  const key = await server.mint({ scopes: ['read', 'publish'], app: 'editor' })
  const env = { TIDEGATE_SERVER: server.address, TIDEGATE_KEY: key }
  const run = (...args: string[]): Promise<Ended> => startCli(args, env).ended
  const at = (name: string) => join(folder, name)
  return { server, run, at }
}

test('build jobs add to a draft over the network, and one of them publishes it', async () => {
  const { run, at } = await start()
  const add = (kind: string, ...more: string[]) =>
    run(
      'publish',
      ...RELEASE,
      '--draft',
      '--file',
      `linux/x64=${at(`editor.${kind}`)}`,
      ...BASE,
      ...more,
    )
  const jobs = [
    add('deb', '--json'),
    add('rpm'),
    run('publish', ...RELEASE, '--draft', '--notes', at('notes.md')),
  ]
  const [deb, rpm, notes] = await Promise.all(jobs)
  expect([deb, rpm, notes].map((ended) => ended?.code)).toEqual([0, 0, 0])
  const created = JSON.parse(deb?.stdout ?? '')
  expectDescribed(['publish'], created)
  expect(created.draft).toMatchObject({ version: '1.4.0' })
  expect(rpm?.stdout).toMatch(/^Draft of 1\.4\.0 on editor\/stable with \d artifacts?, expires 2/)
  const show = await run('draft', 'show', ...RELEASE, '--json')
  const { draft } = JSON.parse(show.stdout)
  expectDescribed(['draft', 'show'], { draft })
  expect(draft.notes).toBe('Fast.')
  expect(draft.artifacts.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['deb', 'rpm'])
  expect((await run('draft', 'list')).stdout).toMatch(/^APP .*\neditor +stable +1\.4\.0 +2 /)

  const publish = (...more: string[]) =>
    run('draft', 'publish', ...RELEASE, '--expect', 'linux/x86_64/deb', ...more)
  const lacking = await publish('--expect', 'windows/x64', '--expect', 'darwin/any')
  expectRefused(lacking, 3, 'expect: the draft has no artifact for windows x64 and darwin any')
  const published = await publish('--rollout', '10', '--targets', 'ring=beta', '--json')
  expect(published.code).toBe(0)
  const document = JSON.parse(published.stdout)
  expectDescribed(['draft', 'publish'], document)
  expect(document).toMatchObject({
    created: true,
    release: { notes: 'Fast.', rolloutPct: 10, targets: { matchLabels: { ring: ['beta'] } } },
  })
  expect((await publish()).code).toBe(3)
  const again = await publish('--if-exists', 'same-ok')
  expect(again).toMatchObject({ code: 0 })
  expect(again.stdout).toContain('1.4.0 is already published. Nothing was changed.')
  const other = await publish('--if-exists', 'same-ok', '--expect', 'windows/x64')
  expectRefused(
    other,
    3,
    '1.4.0 already exists on editor/stable and has no artifact for windows x64',
  )
  const same = await add('deb', '--if-exists', 'same-ok', '--json')
  expect([same.code, JSON.parse(same.stdout).created]).toEqual([0, false])
  expect((await add('deb')).code).toBe(3)
})

test('a draft is put together, listed and deleted on a database of this computer', async () => {
  const { server, at } = await start()
  const { folder } = server
  const added = await shown(
    folder,
    'publish',
    ...RELEASE,
    '--draft',
    '--file',
    `linux/x64=${at('editor.deb')}`,
    ...BASE,
  )
  expect(added.draft.artifacts).toMatchObject([{ kind: 'deb', size: 1 }])
  expect(await shown(folder, 'draft', 'list', 'editor', '--channel', 'stable')).toMatchObject({
    ...{ total: 1, drafts: [{ version: '1.4.0' }] },
  })
  expect(await done(folder, 'draft', 'show', ...RELEASE)).toMatch(
    /\nPLATFORM +ARCH +KIND +SIZE +URL\nlinux +x64 +deb +1 +https:/,
  )
  expect(await done(folder, 'draft', 'delete', ...RELEASE)).toBe(
    'Deleted the draft of 1.4.0 on editor/stable.\n',
  )
  const gone = await cli(folder, 'draft', 'show', ...RELEASE)
  expectRefused(gone, 3, 'no draft of 1.4.0 on editor/stable; use "draft list" to list drafts')
})

test('options that do not fit a draft are refused before anything is read', async () => {
  const refused = async (...args: string[]) => {
    const ended = await startCli(args).ended
    return [ended.code, refusal(ended)]
  }
  expect(await refused('publish', ...RELEASE, '--draft', '--rollout', '5')).toEqual([
    2,
    expect.stringContaining('--rollout: give it to "draft publish", not with --draft'),
  ])
  expect(await refused('publish', ...RELEASE, '--draft')).toEqual([
    2,
    expect.stringContaining('specify what to add with --from,'),
  ])
  expect(await refused('draft', 'publish', ...RELEASE, '--expect', 'linux')).toEqual([
    2,
    expect.stringContaining('It must have the form platform/arch or platform/arch/kind'),
  ])
})
