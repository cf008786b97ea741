// @module-tag long

import { expect, test } from 'vitest'
import { DEVICE } from '../../support/builders/devices.ts'
import { fileFolder } from '../../support/builders/folders.ts'
import { SHA512_HEX } from '../../support/builders/releases.ts'
import { cli, done, type ServeProcess, serveCli } from '../../support/processes/cli.ts'
import { startFixtureWith } from '../../support/processes/fixture.ts'
import { call, cookieOf, PASSWORD, pageHeaders } from '../../support/servers/browser.ts'
import { RELEASES } from '../../support/servers/calls.ts'
import { databaseVariables, isOnPostgres } from '../../support/servers/engine.ts'
import { request } from '../../support/servers/server.ts'

const ARTIFACT = `platform=darwin,arch=aarch64,url=https://e.example/a,sha512=${SHA512_HEX}`

/** A check that is the first thing asked after a command has ended: no second try. */
function check({ address }: ServeProcess) {
  const headers = { 'X-Service-Device': DEVICE }
  return request(`${address}/u/editor/stable/darwin/aarch64/1.0.0`, 'GET', { headers })
}

test('a running server answers by every change of the command line when the command ends', async () => {
  const folder = fileFolder()
  const server = await serveCli(folder)
  const serving = (command: string) => done(folder, command, 'editor', 'stable', '1.1.0')

  await done(folder, 'app', 'create', 'editor')
  expect((await check(server)).status).toBe(204)
  await done(folder, 'publish', 'editor', 'stable', '1.1.0', '--artifact', ARTIFACT)
  expect((await check(server)).body).toMatchObject({ version: '1.1.0' })
  await serving('pause')
  expect((await check(server)).status).toBe(204)
  await serving('resume')
  await done(folder, 'channel', 'policy', 'editor', 'stable', '--update-mode', 'required')
  expect((await check(server)).body).toMatchObject({ updateMode: 'required' })
  await serving('rollback')
  expect((await check(server)).status).toBe(204)
  const key = (await done(folder, 'key', 'mint', 'ci')).trim()
  await done(folder, 'key', 'revoke', key.slice(0, 8))
  expect((await request(server.address + RELEASES, 'GET', { key })).status).toBe(401)
  await server.stop()
})

test('a running server knows a link, and who is disabled, when the command ends', async () => {
  const folder = fileFolder()
  await done(folder, 'app', 'create', 'editor', '--init')
  const { address, stop } = await serveCli(folder, '--console', 'loopback')
  for (const name of ['mia', 'noah', 'ada', 'eve']) {
    const printed = await done(folder, 'person', 'invite', name, '--role', 'administrator')
    const token = /[\w-]{43}$/.exec(printed.trim())?.[0]
    const accepted = await call(address, 'account/acceptLink', { token, password: PASSWORD })
    expect([name, accepted.status]).toEqual([name, 200])
    const headers = pageHeaders(address, cookieOf(accepted))
    if (name === 'mia') continue
    await done(folder, 'person', 'disable', name)
    expect((await call(address, 'api/apps.list', undefined, headers)).status).toBe(401)
  }
  await stop()
})

test('an unconfirmed change is saved and has its own exit code', async () => {
  const folder = fileFolder()
  await done(folder, 'app', 'create', 'editor', '--init')
  const server = startFixtureWith(await databaseVariables(folder), 'serve-nothing.ts', folder, '1')
  await server.line()
  const { code, stdout, stderr } = await cli(folder, 'key', 'mint', 'ci')
  expect(code).toBe(6)
  expect(stdout).toMatch(/^tg_\S{43}\n$/)
  expect(stderr).toMatch(
    /^warning: the change is saved, but the server \(process \d+\) did not confirm it within 5 seconds/,
  )
  const invited = await cli(folder, 'person', 'invite', 'mia', '--role', 'viewer')
  // The lease of a node that serves no change has ended by then, so nobody waits for it.
  expect(invited).toMatchObject({
    code: isOnPostgres ? 0 : 6,
    stdout: expect.stringContaining('#/link/'),
  })
  // What changes nothing has nothing to wait for.
  expect(await cli(folder, 'key', 'list')).toMatchObject({ code: 0, stderr: '' })
})
