import { expect, test } from 'vitest'
import { createServer } from '../../../../src/server/server.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { fileFolder } from '../../../support/builders/folders.ts'
import { eventually } from '../../../support/eventually.ts'
import { serveCli, shown } from '../../../support/processes/cli.ts'
import { call, cookieOf, PASSWORD, pageHeaders, signUp } from '../../../support/servers/browser.ts'
import { rememberCode } from '../../../support/servers/console-codes.ts'

/** A data folder with an account, the app `old`, its backup, and the app `new`. */
async function prepare(): Promise<{ folder: string; name: string }> {
  const folder = fileFolder()
  const server = await createServer(
    { dataFolder: folder, port: 0, console: { pageFolder: folder } },
    undefined,
    { passwordCost: 10 },
  ).start()
  await signUp(server)
  await server.updates.createApp(PRINCIPAL, { ref: 'old' })
  const { name } = await server.backups.now()
  await server.updates.createApp(PRINCIPAL, { ref: 'new' })
  await server.stop()
  return { folder, name }
}

test('serve restores a backup in place, says so, and goes on', async () => {
  const { folder, name } = await prepare()
  const server = await serveCli(folder, '--console', 'loopback')
  const { address, output, child } = server
  rememberCode({
    address,
    consoleCode: (await shown(folder, 'person', 'console-code')).code,
  })
  const signIn = { name: 'Ada', password: PASSWORD }
  const cookie = cookieOf(await call(address, 'account/signIn', signIn))
  const input = { source: { kind: 'listed', name }, confirmation: 'restore' }
  const headers = pageHeaders(address, cookie)
  const { text } = await call(address, 'api/backups.restore', input, headers)
  expect(JSON.parse(text)).toEqual({ result: { data: { ok: true } } })
  await eventually(() => expect(output.stdout.match(/listening on/g)).toHaveLength(2))
  expect(child.exitCode).toBeNull()
  expect(JSON.stringify(await shown(folder, 'app', 'list'))).toContain('"old"')
  expect(JSON.stringify(await shown(folder, 'app', 'list'))).not.toContain('"new"')
  const { code, stdout } = await server.stop()
  expect(code).toBe(0)
  const lines = stdout.split('\n').filter((line) => !line.startsWith('Console: '))
  expect(lines).toEqual([
    `Tidegate is listening on ${address}`,
    'Ada is restoring a backup from the console. The server restarts.',
    expect.stringMatching(/^The backup was restored\. The previous database was moved to .+\.$/),
    `Tidegate is listening on ${address}`,
    '',
  ])
})
