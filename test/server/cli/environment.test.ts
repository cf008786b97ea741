import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { endingOf } from '../../../src/server/cli/command/ending.ts'
import { createProgram } from '../../../src/server/cli/program.ts'
import { prepareDatabase } from '../../../src/server/storage/sqlite/prepare.ts'
import { fileFolder } from '../../support/builders/folders.ts'
import { eventualValue } from '../../support/eventually.ts'
import { startCli, startCommand } from '../../support/processes/cli.ts'
import { request } from '../../support/servers/server.ts'

test('every option of serve has its variable', async () => {
  const serve = (await createProgram()).commands.find((command) => command.name() === 'serve')
  // An option that is only there to be refused has none.
  const options = serve?.options.filter(({ hidden }) => !hidden)
  const names = options?.map(({ long, envVar }) => `${long} ${envVar}`)
  expect(names).toContain('--data TIDEGATE_DATA')
  expect(names).toContain('--port TIDEGATE_PORT')
  expect(names).toContain('--stop-with-parent TIDEGATE_STOP_WITH_PARENT')
  for (const name of names ?? []) {
    const [option = '', variable] = name.split(' ')
    expect(variable).toBe(`TIDEGATE_${option.slice(2).replaceAll('-', '_').toUpperCase()}`)
  }
})

test.concurrent('a variable stands for an option that is not given', async () => {
  const folder = fileFolder()
  const env = {
    TIDEGATE_DATA: folder,
    TIDEGATE_PORT: '1',
    TIDEGATE_DEVICE_LIMIT: '1',
    TIDEGATE_TRUST_PROXY: '10.0.0.0/8,loopback',
    TIDEGATE_STOP_WITH_PARENT: 'false',
    TIDEGATE_LOG_LEVEL: 'silent',
  }
  const server = startCli(['serve', '--port', '0'], env)
  const address = await eventualValue(() => /http:\S+/.exec(server.output.stdout)?.[0])
  const feed = async (caller: string) => {
    const headers = { 'X-Forwarded-For': caller }
    return (await request(`${address}/feed/editor/stable`, 'GET', { headers })).status
  }
  expect([await feed('192.0.2.1'), await feed('192.0.2.1')]).toEqual([404, 429])
  expect(await feed('192.0.2.2')).toBe(404)
  const listed = await startCommand(['app', 'list', '--json'], env).ended
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('"apps": []') })
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
})

test.each([
  [{ TIDEGATE_PORT: '84x' }, 'TIDEGATE_PORT'],
  [{ TIDEGATE_PORT: '' }, 'TIDEGATE_PORT'],
  [{ TIDEGATE_DATA: '' }, 'TIDEGATE_DATA'],
  [{ TIDEGATE_LOG_LEVEL: 'loud' }, 'TIDEGATE_LOG_LEVEL'],
  [{ TIDEGATE_STOP_WITH_PARENT: 'maybe' }, 'TIDEGATE_STOP_WITH_PARENT'],
  [{ TIDEGATE_TRUST_PROXY: 'nowhere' }, 'TIDEGATE_TRUST_PROXY'],
  [{ TIDEGATE_TLS_CERT: '/none.pem', TIDEGATE_TLS_KEY: '/none.pem' }, 'TIDEGATE_TLS_CERT'],
])('a wrong value is named by its variable: %j', async (env, variable) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const program = await createProgram()
  const refused = await program
    .parseAsync(['serve'], { from: 'user' })
    .catch((error: unknown) => endingOf(error))
  expect(refused).toMatchObject({ line: expect.stringContaining(variable) })
})

test
  .skipIf(process.platform !== 'linux')
  .concurrent(
    'the data is in the folder of the account, or in the one that a variable names',
    async () => {
      const home = fileFolder()
      const env = { HOME: home, XDG_DATA_HOME: '', XDG_CONFIG_HOME: '' }
      const elsewhere = { ...env, TIDEGATE_DATA: join(home, 'elsewhere') }
      prepareDatabase(join(home, '.local/share/tidegate'), { lockHeld: false })
      expect(await startCli(['app', 'list'], env).ended).toMatchObject({ code: 0 })
      expect((await startCli(['app', 'list'], elsewhere).ended).code).not.toBe(0)
      prepareDatabase(elsewhere.TIDEGATE_DATA, { lockHeld: false })
      expect(await startCli(['app', 'list'], elsewhere).ended).toMatchObject({ code: 0 })
    },
  )
