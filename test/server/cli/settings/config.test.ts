import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileFolder } from '../../../support/builders/folders.ts'
import { eventualValue } from '../../../support/eventually.ts'
import { cli, done, startCli, startCommand } from '../../../support/processes/cli.ts'
import { request } from '../../../support/servers/server.ts'

/** Writes the configuration file of a new data folder. */
function folderWith(content: object | string | Buffer): string {
  const folder = fileFolder()
  const isRaw = typeof content === 'string' || Buffer.isBuffer(content)
  writeFileSync(join(folder, 'tidegate.json'), isRaw ? content : JSON.stringify(content))
  return folder
}

test.concurrent('serve takes options first, then variables, the file and defaults', async () => {
  const folder = folderWith({
    $schema: './tidegate.schema.json',
    host: '192.0.2.1',
    port: 1,
    deviceLimit: 2,
    trustProxy: ['loopback'],
    logLevel: 'silent',
  })
  const env = { TIDEGATE_PORT: '2', TIDEGATE_HOST: '127.0.0.1' }
  const server = startCli(['serve', '--data', folder, '--port', '0'], env)
  const address = await eventualValue(() => /http:\S+/.exec(server.output.stdout)?.[0])
  const feed = async (caller: string) => {
    const headers = { 'X-Forwarded-For': caller }
    return (await request(`${address}/feed/editor/stable`, 'GET', { headers })).status
  }
  const first = [await feed('192.0.2.1'), await feed('192.0.2.1'), await feed('192.0.2.1')]
  expect(first).toEqual([404, 404, 429])
  expect(await feed('192.0.2.2')).toBe(404)
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
})

test.concurrent('config show names the source of every setting', async () => {
  const file = { port: 1, deviceLimit: 7, keyLimit: 8, backupFolder: 'copies', trustProxy: ['::1'] }
  const folder = folderWith(file)
  const env = { TIDEGATE_DEVICE_LIMIT: '9', TIDEGATE_TRUST_PROXY: '10.0.0.0/8,loopback' }
  const show = ['config', 'show', '--data', folder, '--port', '3']
  const { stdout } = await startCommand([...show, '--json'], env).ended
  const { file: read, settings } = JSON.parse(stdout)
  expect(read).toEqual({ path: join(folder, 'tidegate.json'), exists: true })
  expect(settings).toEqual(
    expect.arrayContaining([
      { name: 'data', value: folder, source: 'option', givenBy: '--data' },
      { name: 'port', value: 3, source: 'option', givenBy: '--port' },
      { name: 'deviceLimit', value: 9, source: 'environment', givenBy: 'TIDEGATE_DEVICE_LIMIT' },
      {
        name: 'trustProxy',
        value: ['10.0.0.0/8', 'loopback'],
        source: 'environment',
        givenBy: 'TIDEGATE_TRUST_PROXY',
      },
      { name: 'keyLimit', value: 8, source: 'file', givenBy: 'tidegate.json' },
      {
        name: 'backupFolder',
        value: join(folder, 'copies'),
        source: 'file',
        givenBy: 'tidegate.json',
      },
      { name: 'keepDevices', value: 400, source: 'default', givenBy: null },
      { name: 'tlsCert', value: null, source: 'default', givenBy: null },
    ]),
  )
  const table = (await startCommand(show, env).ended).stdout
  expect(table).toMatch(/^deviceLimit +9 +TIDEGATE_DEVICE_LIMIT$/m)
  expect(table).toMatch(/^keyLimit +8 +tidegate\.json$/m)
  expect(table).toMatch(/^keepDevices +400 +default$/m)
})

test.concurrent('an invalid file stops serve with every problem, and changes nothing', async () => {
  const content = { prot: 1, deviceLimit: 'many', oidcClientSecret: 'hunter2' }
  const folder = folderWith(content)
  const ended = await cli(folder, 'serve', '--port', '0')
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr.trim().split('\n')).toEqual([
    'tidegate.json: prot is not a setting; did you mean port?',
    'tidegate.json: deviceLimit is "many"; it must be a whole number of at least 0',
    'tidegate.json: oidcClientSecret looks like a secret, which this file must not contain; put it into a file of its own and set oidcClientSecretFile to its path',
    expect.stringMatching(/^error: .*tidegate\.json has 3 problems, and nothing was started/),
  ])
  expect(readdirSync(folder)).toEqual(['tidegate.json'])
  expect(JSON.parse(readFileSync(join(folder, 'tidegate.json'), 'utf8'))).toEqual(content)
  // Commands without these settings do not read it.
  await done(folder, 'app', 'create', 'editor', '--init')
})

test.concurrent('config check names every problem of a file, or says that it is valid', async () => {
  const right = folderWith({ port: 0 })
  expect(await done(right, 'config', 'check')).toBe(`${join(right, 'tidegate.json')} is valid.\n`)
  expect(await done(fileFolder(), 'config', 'check')).toContain('does not exist. Settings come')

  const wrong = join(folderWith({ port: '84x', dataFolder: '/x' }), 'tidegate.json')
  const ended = await startCommand(['config', 'check', wrong, '--json']).ended
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('has 2 problems') })
  expect(JSON.parse(ended.stdout)).toEqual({
    file: wrong,
    exists: true,
    problems: [
      { field: 'port', message: 'port is "84x"; it must be a whole number from 0 to 65535' },
      { field: 'dataFolder', message: expect.stringContaining('use --data or TIDEGATE_DATA') },
    ],
  })
  const missing = await startCommand(['config', 'check', join(right, 'none.json')]).ended
  expect(missing).toMatchObject({ code: 2, stdout: '' })
})

test.concurrent('settings that are wrong together are named with the file that has them', async () => {
  const pair = await cli(folderWith({ tlsCert: 'cert.pem' }), 'config', 'check')
  expect(pair).toMatchObject({ code: 2, stderr: expect.stringContaining('used together') })
  const folder = folderWith({ tlsCert: 'cert.pem', tlsKey: 'key.pem' })
  const { code, stderr } = await cli(folder, 'serve', '--port', '0')
  const file = join(folder, 'tidegate.json')
  expect(code).toBe(1)
  expect(stderr).toContain(`tlsCert in ${file}: ${join(folder, 'cert.pem')} cannot be read`)
})

test.concurrent('config schema prints the published schema', async () => {
  const printed = await startCommand(['config', 'schema']).ended
  const published = readFileSync(
    join(import.meta.dirname, '../../../../docs/tidegate.schema.json'),
    'utf8',
  )
  expect(JSON.parse(printed.stdout)).toEqual(JSON.parse(published))
})

test
  .skipIf(process.platform === 'win32')
  .concurrent('a pipe as the file stops nothing', async () => {
    const folder = fileFolder()
    execFileSync('mkfifo', [join(folder, 'tidegate.json')])
    const ended = await cli(folder, 'serve', '--port', '0')
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('not a regular file') })
    expect(existsSync(join(folder, 'tidegate.db'))).toBe(false)
  })
