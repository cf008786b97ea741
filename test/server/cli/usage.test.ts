import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Refusal, Unavailable } from '../../../src/server/catalog/errors.ts'
import { endingOf } from '../../../src/server/cli/command/ending.ts'
import { createProgram } from '../../../src/server/cli/program.ts'
import { StorageError } from '../../../src/server/storage/interface/storage-error.ts'
import { fileFolder } from '../../support/builders/folders.ts'
import { SHA512_HEX } from '../../support/builders/releases.ts'
import {
  cli,
  done,
  expectRefused,
  refusal,
  startCli,
  startCommand,
} from '../../support/processes/cli.ts'

const PUBLISH = ['publish', 'editor', 'stable', '1.0.0']
const ARTIFACT = `platform=darwin,arch=arm64,url=https://e.example/a,sha512=${SHA512_HEX}`

const WRONG_USAGE: readonly (readonly [args: readonly string[], message: string])[] = [
  [[], '"tidegate" needs a command: serve, app, '],
  [['app'], '"app" needs a command: create, list'],
  [['ap', 'list'], "unknown command 'ap' (Did you mean app?)"],
  [['app', 'lst'], "unknown command 'lst' (Did you mean list?)"],
  [['app', 'create'], "missing required argument 'ref'"],
  [['app', 'create', 'Big Editor'], 'lower-case letters'],
  [['app', 'create', 'editor', '--name', ' '], 'must not be empty'],
  [['app', 'create', 'editor', '--name', 'two\nlines'], 'must not contain line breaks'],
  [['app', 'create', 'editor', 'viewer'], 'too many arguments'],
  [['app', 'list', '--data', ''], 'must not be empty'],
  [['app', 'list', '--jsn'], "unknown option '--jsn' (Did you mean --json?)"],
  [['channel', 'create', 'editor', 'Beta'], 'lower-case letters'],
  [['channel', 'policy', 'editor', 'stable', '--rollback', 'sideways'], 'downgrade, roll-forward'],
  [['key', 'mint', 'ci', '--scope', 'x'], 'read, publish, serve, fleet'],
  [['release', 'list', '--channel', 'stable'], '--channel: specify the app'],
  [['release', 'list', '--per-page', '101'], 'must be 1 to 100'],
  [['publish', 'editor', 'stable', '1.0'], 'must be a semantic version'],
  [[...PUBLISH, '--rollout', '101'], 'must be a whole number from 0 to 100'],
  [[...PUBLISH, '--rollout', '1e1'], 'must be a whole number'],
  [[...PUBLISH, '--artifact', 'darwin'], 'must have the form platform='],
  [[...PUBLISH, '--artifact', 'platform=darwin'], 'arch is required'],
  [[...PUBLISH, '--artifact', `${ARTIFACT},sig=x`], 'sig is not one of platform, arch, kind, url'],
  [[...PUBLISH, '--artifact', `${ARTIFACT},arch=x64`], 'must have only one arch'],
  [[...PUBLISH, '--artifact', `${ARTIFACT},size=-1`], 'size must be a number'],
  [['device', 'show', 'editor', 'two words'], 'printable ASCII'],
  [['device', 'explain', 'editor', 'stable', 'd', '--label', 'ring'], 'the form key=value'],
  [['serve', '--port', '99999'], 'must be 0 to 65535'],
  [['serve', '--port', '84x'], 'must be a whole number'],
  [['serve', '--device-limit', '-1'], 'must not be negative'],
  [['serve', '--max-connections', '5'], 'must be 10 to 1000000'],
  [['serve', '--log-level', 'loud'], 'Allowed choices are fatal, error'],
  [['serve', '--trust-proxy', 'loopback,'], 'must not contain an empty entry'],
  [['serve', '--trust-proxy', 'nowhere'], '--trust-proxy: invalid IP address: nowhere'],
  [
    ['serve', '--trust-proxy', 'loopback,0.0.0.0/0'],
    '--trust-proxy: 0.0.0.0/0 includes every address, so every client could fake its own; use',
  ],
  [['serve', '--trust-proxy', '::/0'], '::/0 includes every address'],
  [['serve', '--trust-proxy', '0.0.0.0/0.0.0.0'], 'includes every address'],
  [['serve', '--tls-cert', 'cert.pem'], 'must be used together'],
]

test.each(WRONG_USAGE)('%j is wrong usage', async (args, message) => {
  const { exitCode, line = '' } = await ending(args)
  expect(exitCode).toBe(2)
  expect(line).toMatch(/^error: [^\n]+$/)
  expect(line).toContain(message)
  expect(line).not.toContain('command-argument')
})

test.concurrent('errors set the exit code and print one line on stderr', async () => {
  const folder = fileFolder()
  const wrong = await startCli(['app', 'lst']).ended
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(refusal(wrong)).toBe("error: unknown command 'lst' (Did you mean list?)")

  await done(folder, 'app', 'create', 'editor', '--init')
  const duplicate = await cli(folder, 'app', 'create', 'editor')
  expect(duplicate).toMatchObject({ code: 3, stdout: '' })
  expect(refusal(duplicate)).toBe('error: app "editor" already exists; choose another name')

  const damaged = ['--data', fileFolder()]
  const file = join(damaged[1] ?? '', 'tidegate.db')
  writeFileSync(file, 'this is no database at all, whatever its name is')
  const failed = await startCommand(['app', 'list', ...damaged]).ended
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect(refusal(failed)).toContain('is not a SQLite database')

  const debugged = await startCli(['app', 'list', ...damaged], { TIDEGATE_DEBUG: '1' }).ended
  expect(debugged.code).toBe(1)
  expect(debugged.stderr).toMatch(/\n {4}at /)
})

test.concurrent('the log level of the file prints the stack trace as the option does', async () => {
  const folder = fileFolder()
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'tidegate.json')
  const inconsistent = { tlsCert: 'cert.pem' }
  writeFileSync(file, JSON.stringify({ ...inconsistent, logLevel: 'debug' }))
  const stack = /\n {4}at /
  const debugged = await cli(folder, 'serve')
  expect(debugged).toMatchObject({ code: 2, stderr: expect.stringMatching(stack) })
  // The option overrides the file.
  const info = await cli(folder, 'serve', '--log-level', 'info')
  expect(info).toMatchObject({ code: 2, stderr: expect.not.stringMatching(stack) })
  writeFileSync(file, JSON.stringify(inconsistent))
  const asked = await cli(folder, 'serve', '--log-level', 'debug')
  expect(asked).toMatchObject({ code: 2, stderr: expect.stringMatching(stack) })
})

test.concurrent('help and version are no errors', async () => {
  const help = await startCommand(['publish', '--help']).ended
  expect(help).toMatchObject({ code: 0, stderr: '' })
  expect(help.stdout).toContain('--artifact <members>')
  const version = await startCli(['--version']).ended
  expect(version).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^\d+\./) })
})

test.concurrent('a command creates a database only on request', async () => {
  const folder = join(fileFolder(), 'absent')
  const commands = [
    ['app', 'list'],
    ['app', 'create', 'editor'],
    ['key', 'mint', 'ci'],
    ['backup', join(folder, 'copy.db')],
    ['doctor'],
    ['upgrade', '--check'],
    ['upgrade'],
  ]
  for (const args of commands) {
    const ended = await startCommand([...args, '--data', folder]).ended
    expectRefused(
      ended,
      1,
      /there is no database in .*create one with "serve" or "app create --init"/,
    )
  }
  expect(existsSync(folder)).toBe(false)
})

test.concurrent('wrong data in a file is named by option, file and place', async () => {
  const folder = fileFolder()
  const file = join(folder, 'given.json')
  const given = async (option: string, content: string | Buffer) => {
    writeFileSync(file, content)
    return await ending([...PUBLISH, '--data', folder, '--artifact', ARTIFACT, option, file])
  }
  const broken = await given('--artifacts-file', '[')
  expect(broken).toMatchObject({ exitCode: 2 })
  expect(broken.line).toContain(`--artifacts-file ${file}: is not valid JSON`)
  const lacking = await given('--artifacts-file', '[{"platform":"linux"}]')
  expect(lacking.line).toBe(`error: --artifacts-file ${file}: 0.arch is required`)
  const notes = await given('--notes', 'x'.repeat(65_537))
  expect(notes.line).toBe(`error: --notes ${file}: must be at most 64 KiB of UTF-8`)
  const targets = await given('--targets-file', '{"matchLabels":{"ring":[]}}')
  expect(targets).toMatchObject({ exitCode: 2 })
  expect(targets.line).toContain(`--targets-file ${file}: matchLabels.ring must name a value`)
  const latin1 = await given('--notes', Buffer.from('Grüße', 'latin1'))
  expect(latin1.line).toBe(`error: --notes ${file}: is not valid UTF-8; save it as UTF-8`)
  const proto = await given('--targets-file', '{"matchLabels":{"__proto__":"beta"}}')
  expect(proto.line).toContain('matchLabels.__proto__ is not a label key')
  const absent = await ending([
    ...PUBLISH,
    '--data',
    folder,
    '--artifacts-file',
    join(folder, 'none'),
  ])
  expect(absent).toMatchObject({ exitCode: 1 })
})

test.concurrent('failures and wrong usage have different exit codes', () => {
  const unknown = endingOf(
    new Refusal({ code: 'unknown_release', app: 'editor', channel: 'stable', version: '9.0.0' }),
  )
  expect(unknown).toMatchObject({ exitCode: 3, line: expect.stringContaining('"release list"') })
  const path = ['rolloutPct']
  const lost = endingOf(new Refusal({ code: 'rollout_lowered', path, from: 20, to: 10 }))
  expect(lost).toMatchObject({
    exitCode: 3,
    line: 'error: rolloutPct: cannot be lowered from 20% to 10% because the release has already been offered to devices; to withdraw the release, use "rollback"',
  })
  const file = '/data/tidegate.db'
  expect(endingOf(new StorageError({ code: 'full', file }))).toMatchObject({
    exitCode: 1,
    line: 'error: There is no space left for /data/tidegate.db. Free some space and try again.',
  })
  const folder = endingOf(new StorageError({ code: 'foreign_database', file }))
  expect(folder.line).toMatch(/belongs to another program\. .* set --data\.$/)
  const lines = endingOf(new StorageError({ code: 'io', file, detail: 'one\ntwo' }))
  expect(lines.line).toContain('(one two)')
  const held = endingOf(new Unavailable(new StorageError({ code: 'busy', file })))
  expect(held).toMatchObject({ exitCode: 1, line: expect.stringContaining(`${file} is locked`) })
  const surprise = endingOf(new TypeError('x is undefined'))
  expect(surprise).toMatchObject({ exitCode: 1, line: expect.stringContaining('TIDEGATE_DEBUG=1') })
})

/** How a command ends that is refused before it does anything. */
async function ending(args: readonly string[]) {
  try {
    await (await createProgram()).parseAsync(args, { from: 'user' })
  } catch (error) {
    return endingOf(error)
  }
  throw new Error(`${args.join(' ')} was not refused`)
}
