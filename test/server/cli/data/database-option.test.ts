import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { fileFolder } from '../../../support/builders/folders.ts'
import { freshDatabase } from '../../../support/postgres/shared-cluster.ts'
import { startCommand } from '../../../support/processes/cli.ts'
import { needs } from '../../../support/tools.ts'

const SECRET = 'hunter2'
const NOBODY = `postgres://tide:${SECRET}@127.0.0.1:1/tidegate`
const SHOWN = 'postgres://127.0.0.1:1/tidegate'

function folderWith(settings: object): string {
  const folder = fileFolder()
  writeFileSync(join(folder, 'tidegate.json'), JSON.stringify(settings))
  return folder
}

/** Runs a command in a new data folder; its output must not have the password. */
async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}, folder = fileFolder()) {
  const ended = await startCommand([...args, '--data', folder], env).ended
  expect(ended.stdout + ended.stderr).not.toContain(SECRET)
  return ended
}

const DAMAGED = NOBODY.replace(':1/', ':one/')

test.each([
  ['an option', ['app', 'list', '--database', DAMAGED], {}],
  ['a setting of serve', ['serve', '--database', DAMAGED], {}],
  ['a variable', ['doctor'], { TIDEGATE_DATABASE: DAMAGED }],
])('a wrong address in %s is refused without showing it', async (_, args, env) => {
  const { code, stderr } = await run(args, env)
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('--database or TIDEGATE_DATABASE is not an address'),
  ])
})

test('an address with a password does not belong into the configuration file', async () => {
  const folder = folderWith({ database: NOBODY })
  for (const args of [['config', 'check'], ['serve'], ['app', 'list']]) {
    const { code, stdout, stderr } = await run(args, {}, folder)
    expect([args, code]).toEqual([args, 2])
    expect(stdout + stderr).toContain('database must be a PostgreSQL address without a password')
  }
})

test('every command uses the database of the option, the variable, a file, or the settings', async () => {
  const file = join(fileFolder(), 'address')
  writeFileSync(file, `${NOBODY}\n`)
  const settings = folderWith({ databaseFile: file })
  const ways: [string[], NodeJS.ProcessEnv, string?][] = [
    [['--database', NOBODY], {}],
    [[], { TIDEGATE_DATABASE: NOBODY }],
    [['--database-file', file], { TIDEGATE_DATABASE: 'postgres://elsewhere/other' }],
    [[], { TIDEGATE_DATABASE_FILE: file }],
    [[], {}, settings],
  ]
  for (const [args, env, folder] of ways) {
    const { code, stderr } = await run(['app', 'list', ...args], env, folder)
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`The database ${SHOWN} cannot be reached`),
    ])
  }
})

test('settings show an address without user and password', async () => {
  const { stdout } = await run(['config', 'show', '--json'], { TIDEGATE_DATABASE: NOBODY })
  expect(JSON.parse(stdout).settings).toContainEqual({
    name: 'database',
    value: SHOWN,
    source: 'environment',
    givenBy: 'TIDEGATE_DATABASE',
  })
})

test('a support bundle has no password', async () => {
  const output = join(fileFolder(), 'support.zip')
  const { code } = await run(['support-bundle', '--output', output], { TIDEGATE_DATABASE: NOBODY })
  expect(code).toBe(0)
  const files = Object.values(unzipSync(readFileSync(output))).map((bytes) => strFromU8(bytes))
  expect(files.join()).toContain(SHOWN)
  expect(files.join()).not.toContain(SECRET)
})

test(
  'doctor and upgrade examine the database, and backups are refused',
  needs('postgresql'),
  async () => {
    const url = (await freshDatabase({ prepared: true })).replace(
      'postgres@',
      `postgres:${SECRET}@`,
    )
    const env = { TIDEGATE_DATABASE: url }
    expect(await run(['doctor'], env)).toMatchObject({
      ...{ code: 0, stdout: expect.stringContaining('No problems found.') },
    })
    expect(await run(['upgrade', '--check'], env)).toMatchObject({
      ...{ code: 0, stdout: expect.stringContaining('The database is up to date.') },
    })
    for (const args of [['backup'], ['restore']]) {
      const ended = await run([...args, join(fileFolder(), 'copy')], env)
      expect([args, ended.code, ended.stderr]).toEqual([
        args,
        1,
        expect.stringContaining('is backed up and restored with the tools of PostgreSQL'),
      ])
    }
  },
)

test('two addresses, and a schedule of backups, are refused', async () => {
  const file = join(fileFolder(), 'address')
  const twice = await run(['app', 'list', '--database', NOBODY, '--database-file', file])
  expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('used together') })
  const scheduled = await run(['config', 'check', '--database', NOBODY, '--backup-every', '24'])
  expect(scheduled).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--backup-every applies to SQLite only'),
  })
})
