// @module-tag long

import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServer } from '../../../src/server/server.ts'
import { makePair } from '../../support/builders/certificates.ts'
import { fileFolder, temporaryFolder } from '../../support/builders/folders.ts'
import { PASSWORD } from '../../support/builders/passwords.ts'
import { eventualValue } from '../../support/eventually.ts'
import {
  cli,
  type Ended,
  expectRefused,
  refusal,
  startCommand,
} from '../../support/processes/cli.ts'
import { expectDescribed } from '../../support/processes/json-schema.ts'
import { freePort } from '../../support/processes/ports.ts'
import { startBrowserConsole } from '../../support/servers/browser.ts'
import { check } from '../../support/servers/calls.ts'
import { databaseOf } from '../../support/servers/engine.ts'
import { startReceiver } from '../../support/servers/receiver.ts'
import type { TestServer } from '../../support/servers/server.ts'
import {
  accept,
  firstAdministrator,
  type SignedInBrowser,
} from '../../support/servers/signed-in.ts'

/** A computer with a configuration folder of its own. */
function newComputer() {
  const home = temporaryFolder()
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
    startCommand(args, { XDG_CONFIG_HOME: home, ...env }).ended
  return { home, run }
}
type Computer = ReturnType<typeof newComputer>

const CODE = /enter the code ([A-Z]{4}-[A-Z]{4}),/

/** Signs in, with a person who confirms or denies. */
async function login(
  { home }: Computer,
  server: Pick<TestServer, 'address'>,
  person: SignedInBrowser,
  { confirmed = true, more = [] }: { confirmed?: boolean; more?: readonly string[] } = {},
): Promise<Ended> {
  const args = ['login', server.address, '--computer', 'laptop', ...more]
  const started = startCommand(args, { XDG_CONFIG_HOME: home })
  const asked = eventualValue(() => CODE.exec(started.output.stderr)?.[1])
  const endedBefore = started.ended.then(({ stderr }) => Promise.reject(new Error(stderr)))
  const code = await Promise.race([asked, endedBefore])
  await person.call('account/own.signInCode', { code })
  await person.call('account/own.decideSignInCode', { code, confirmed })
  return await started.ended
}

async function start(privateHosts: string[] = []) {
  const server = await startBrowserConsole({ webhooks: { privateHosts } })
  const ada = await firstAdministrator(server)
  return { server, ada, computer: newComputer() }
}

/** What differs between two runs: times, and how long a query took. */
function timeless(output: string): string {
  return output
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/"queryMs": [\d.]+/g, '"queryMs": 0')
}

const ARTIFACT = `platform=linux,arch=x86_64,url=https://e.example/a,sha512=${'ab'.repeat(64)}`
const SAME: readonly (readonly string[])[] = [
  ['app', 'list'],
  ['channel', 'list', 'editor'],
  ['channel', 'policy', 'editor', 'stable'],
  ['key', 'list'],
  ['person', 'list'],
  ['webhook', 'list'],
  ['release', 'list'],
  ['release', 'list', 'editor', '--channel', 'stable'],
  ['draft', 'list'],
  ['draft', 'show', 'editor', 'stable', '1.3.0'],
  ['device', 'show', 'editor', 'd-1'],
  ['device', 'explain', 'editor', 'stable', 'd-1', '--label', 'ring=beta'],
  ['fleet', 'summary', 'editor'],
]
const REFUSED: readonly (readonly string[])[] = [
  ['app', 'create', 'editor'],
  ['channel', 'list', 'viewer'],
  ['channel', 'policy', 'editor', 'gamma'],
  ['key', 'revoke', 'tg_nobody'],
  ['person', 'disable', 'nobody'],
  ['webhook', 'delete', 'nobody'],
  ['webhook', 'test', 'nobody'],
  ['publish', 'editor', 'stable', '1.0.0', '--artifact', ARTIFACT],
  ['promote', 'editor', 'stable', '9.0.0', '--to', 'beta'],
  ['ramp', 'editor', 'stable', '9.0.0', '10'],
  ['wait', 'editor', 'stable', '9.0.0', '--adopted', '10'],
  ['pause', 'editor', 'stable', '9.0.0'],
  ['device', 'show', 'editor', 'd-2'],
  ['device', 'explain', 'editor', 'stable', 'd-2'],
  ['device', 'forget', 'editor', 'd-2'],
  ['fleet', 'summary', 'viewer'],
]

describe('a person who signed in', () => {
  test('changes a server over the network, and sees what is seen on its computer', async () => {
    const receiver = await startReceiver()
    const { server, ada, computer } = await start([receiver.host])
    expect(await login(computer, server, ada, { more: ['--people'] })).toMatchObject({ code: 0 })
    const { run } = computer
    const there = { TIDEGATE_SERVER: server.address }
    const changes = [
      ['app', 'create', 'editor', '--name', 'The Editor'],
      ['channel', 'create', 'editor', 'beta'],
      ['channel', 'policy', 'editor', 'stable', '--update-mode', 'required'],
      ['key', 'mint', 'ci', '--app', 'editor', '--scope', 'read'],
      ['publish', 'editor', 'stable', '1.0.0', '--artifact', ARTIFACT],
      ['pause', 'editor', 'stable', '1.0.0'],
      ['publish', 'editor', 'stable', '1.1.0', '--draft', '--artifact', ARTIFACT],
      ['draft', 'publish', 'editor', 'stable', '1.1.0', '--expect', 'linux/x86_64'],
      ['publish', 'editor', 'stable', '1.2.0', '--draft', '--artifact', ARTIFACT],
      ['draft', 'delete', 'editor', 'stable', '1.2.0'],
      ['publish', 'editor', 'stable', '1.3.0', '--draft', '--artifact', ARTIFACT],
      ['person', 'invite', 'ben', '--app-role', 'editor=viewer'],
      ['person', 'disable', 'ben'],
      ['person', 'enable', 'ben'],
      ['person', 'end-sessions', 'ben'],
      ['person', 'reset-two-factor', 'ben'],
      ['webhook', 'create', 'Chat', receiver.url, '--event', 'backup.failed'],
      ['webhook', 'test', 'Chat'],
      ['webhook', 'create', 'Former', 'https://hooks.example.com/', '--event', 'backup.failed'],
      ['webhook', 'disable', 'Former'],
      ['webhook', 'enable', 'Former'],
      ['webhook', 'delete', 'Former'],
    ]
    for (const args of changes) {
      const { code, stdout, stderr } = await run([...args, '--json'], there)
      expect([args, code, stderr]).toEqual([args, 0, ''])
      expectDescribed(args, JSON.parse(stdout))
    }
    const proven = await run(['release', 'prove', 'editor', 'stable', '1.0.0'], there)
    expect([proven.code, proven.stdout]).toEqual([
      3,
      expect.stringContaining('e.example is not an allowed host of the app'),
    ])
    await check(server, '0.9.0', { device: 'd-1' })
    await server.telemetry.settled()

    for (const args of SAME) {
      for (const more of [[], ['--json']]) {
        const both = [cli(server.folder, ...args, ...more), run([...args, ...more], there)] as const
        const [local, remote] = await Promise.all(both)
        expect([args, local.code, local.stderr]).toEqual([args, 0, ''])
        expect([args, remote.code, remote.stderr]).toEqual([args, 0, ''])
        expect(timeless(remote.stdout)).toBe(timeless(local.stdout))
        if (more.length > 0) expectDescribed(args, JSON.parse(remote.stdout))
      }
    }
    for (const args of REFUSED) {
      const both = [cli(server.folder, ...args), run(args, there)] as const
      const [local, remote] = await Promise.all(both)
      expect([args, remote]).toEqual([args, local])
      expect([args, remote.code]).not.toEqual([args, 0])
    }
  })

  test('manages accounts only if the sign-in asked for that', async () => {
    const { server, ada, computer } = await start()
    await login(computer, server, ada)
    const there = { TIDEGATE_SERVER: server.address }
    const bypassing = ['key', 'mint', 'ci', '--bypass-approval']
    for (const args of [['person', 'list'], bypassing]) {
      const refused = await computer.run(args, there)
      expect([args, refused.code]).toEqual([args, 5])
      expect(refusal(refused)).toContain('login --people')
    }
    await login(computer, server, ada, { more: ['--people'] })
    expect((await computer.run(['person', 'list'], there)).code).toBe(0)
    expect((await computer.run(bypassing, there)).code).toBe(0)
  })

  test('has the roles of the account, and no others', async () => {
    const { server, ada, computer } = await start()
    await ada.call('api/apps.create', { ref: 'editor', name: 'Editor' })
    const access = { server: null, apps: [{ app: 'editor', role: 'viewer' }] }
    const invited = await ada.call('api/people.invite', { name: 'Ben', access })
    await login(computer, server, await accept(server, invited.data.token))
    const there = { TIDEGATE_SERVER: server.address }
    const who = await computer.run(['whoami'], there)
    expect(who.stdout).toBe(`Ben on ${server.address}: viewer in editor\n`)
    expect((await computer.run(['release', 'list'], there)).code).toBe(0)
    const refused = await computer.run(['app', 'create', 'viewer', '--json'], there)
    expect(refused).toMatchObject({ code: 5, stdout: '' })
    expect(JSON.parse(refused.stderr)).toEqual({
      error: {
        ...{ code: 'forbidden', exitCode: 5, message: expect.any(String) },
        facts: { needs: 'administrator', app: null },
      },
    })
  })

  test('has a saved session that others cannot read, until it is ended', async () => {
    const { server, ada, computer } = await start()
    await login(computer, server, ada)
    const folder = join(computer.home, 'tidegate/servers')
    const [file = '', ...others] = readdirSync(folder)
    expect(others).toEqual([])
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)

    const out = await computer.run(['logout', server.address])
    expect(out).toMatchObject({ code: 0, stdout: `Signed out of ${server.address}.\n` })
    expect(readdirSync(folder)).toEqual([])
    const { data } = await ada.call('account/own.sessions')
    expect(data.map(({ kind }: { kind: string }) => kind)).toEqual(['browser'])
    const after = await computer.run(['app', 'list', '--server', server.address])
    expectRefused(after, 5, `not signed in to ${server.address}`)
  })

  test('is told when the session was ended in the console', async () => {
    const { server, ada, computer } = await start()
    await login(computer, server, ada)
    await ada.call('account/own.endOtherSessions')
    const after = await computer.run(['app', 'list', '--server', server.address])
    expect(after).toMatchObject({ code: 5, stdout: '' })
    expect(refusal(after)).toBe('error: sign in first; use "login" to sign in to the server')
  })
})

test('a sign-in that is denied gets nothing', async () => {
  const { server, ada, computer } = await start()
  const { code, stderr } = await login(computer, server, ada, { confirmed: false })
  expect(code).toBe(1)
  expect(stderr).toContain('the sign-in was denied in the console')
  expect(readdirSync(computer.home)).toEqual([])
})

test('an API key works for what the public API offers', async () => {
  const { server, ada, computer } = await start()
  await ada.call('api/apps.create', { ref: 'editor', name: 'Editor' })
  const keyFile = join(fileFolder(), 'key')
  writeFileSync(keyFile, `${server.key}\n`)
  const { run } = computer
  const there = { TIDEGATE_SERVER: server.address, TIDEGATE_KEY: server.key }
  const publish = ['publish', 'editor', 'stable', '1.0.0', '--artifact', ARTIFACT]
  const published = await run([...publish, '--json'], there)
  expect(published).toMatchObject({ code: 0, stderr: '' })
  expectDescribed(publish, JSON.parse(published.stdout))
  const paused = ['pause', 'editor', 'stable', '1.0.0']
  expect((await run(paused, there)).stdout).toMatch(/1\.0\.0 +paused/)
  const byFile = ['release', 'list', '--server', server.address, '--key-file', keyFile]
  const local = await cli(server.folder, 'release', 'list')
  expect(await run(byFile)).toEqual(local)

  expect(await run(['release', 'list', 'viewer'], there)).toMatchObject({ code: 3 })
  expect(await run(publish, there)).toMatchObject({
    code: 3,
  })
  const insufficient = await run(['app', 'list'], there)
  expect(insufficient).toMatchObject({ code: 5, stdout: '' })
  expect(refusal(insufficient)).toContain('an API key cannot do this')
  const wrong = await run(['release', 'list'], { ...there, TIDEGATE_KEY: 'tg_wrong' })
  expect(wrong).toMatchObject({ code: 5, stdout: '' })
})

test('a server that cannot be reached is named, with an exit code of its own', async () => {
  const { run } = newComputer()
  const server = `http://127.0.0.1:${await freePort()}`
  const ended = await run(['release', 'list', '--server', server], { TIDEGATE_KEY: 'tg_any' })
  expect(ended).toMatchObject({ code: 4, stdout: '' })
  expect(refusal(ended)).toBe(
    `error: ${server}: nothing listens there; check the address and that the server runs`,
  )
  const login = await run(['login', server])
  expect(login).toMatchObject({ code: 4, stdout: '' })
})

test('a certificate is accepted by its fingerprint, and no other from then on', async () => {
  const folder = fileFolder()
  const pair = await makePair(folder, 'own')
  const pageFolder = join(folder, 'page')
  mkdirSync(pageFolder)
  const serve = async (dataFolder: string, port: number, tls: typeof pair) => {
    const database = await databaseOf(dataFolder)
    const config = { dataFolder, database, port, tls, console: { pageFolder } }
    const running = await createServer(config).start()
    onTestFinished(() => running.stop())
    return running
  }
  const first = await serve(join(folder, 'data'), 0, pair)
  const computer = newComputer()
  const untrusted = await computer.run(['login', first.address])
  expect(untrusted).toMatchObject({ code: 4, stdout: '' })
  const [fingerprint = ''] = /(?:[\dA-F]{2}:){31}[\dA-F]{2}/.exec(untrusted.stderr) ?? []
  expect(fingerprint).not.toBe('')

  const { token } = await first.people.createSetupLink()
  const caller = { address: '192.0.2.7', userAgent: 'Firefox' }
  const chosen = { name: 'Ada', password: PASSWORD }
  const ada = await first.people.acceptLink(token, chosen, caller)
  if (ada.kind !== 'signed_in') throw new Error('a new account has no second factor')
  const args = ['login', first.address, '--fingerprint', fingerprint]
  const started = startCommand(args, { XDG_CONFIG_HOME: computer.home })
  const code = await eventualValue(() => CODE.exec(started.output.stderr)?.[1])
  await first.people.codes.find(ada.session, code)
  await first.people.codes.decide(ada.session, code, true)
  expect((await started.ended).code).toBe(0)
  const list = ['app', 'list', '--server', first.address]
  expect(await computer.run(list)).toMatchObject({ code: 0 })

  const port = Number(new URL(first.address).port)
  await first.stop()
  await serve(join(folder, 'other'), port, await makePair(folder, 'other'))
  const changed = await computer.run(list)
  expect(changed).toMatchObject({ code: 4, stdout: '' })
  expect(refusal(changed)).toContain(`not the trusted one, ${fingerprint}; nothing was sent`)
})

test.each([
  [['doctor', '--server', 'https://a.example'], 'works on the server'],
  [['backup', 'copy.db', '--server', 'https://a.example'], 'works on the server'],
  [['serve', '--server', 'https://a.example'], 'works on the server'],
  [['person', 'setup-link', '--server', 'https://a.example'], 'works on the server'],
  [['app', 'list', '--server', 'ftp://a.example'], 'is not the address of a server'],
  [['app', 'list', '--server', 'https://a.example', '--data', '/d'], 'cannot be used together'],
  [['app', 'create', 'a', '--init', '--server', 'https://a.example'], 'cannot be used together'],
  [['app', 'list', '--server', 'http://a.example'], 'is not encrypted'],
  [['login', 'http://a.example'], 'is not encrypted'],
  [['logout'], 'name the server to sign out of'],
])('%j is wrong usage', async (args, message) => {
  const ended = await newComputer().run(args, { TIDEGATE_SERVER: undefined })
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(refusal(ended)).toContain(message)
})
