import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { probeAddress } from '../../../src/main/settings/server-settings.ts'
import { takePort } from '../../support/processes/ports.ts'

const SOURCE = join(import.meta.dirname, '../../../src/main/settings/server-settings.ts')
/** The account that owns nothing. */
const NOBODY = 65_534

test('an address that is free is left free', async () => {
  const { port, release } = await takePort()
  await release()
  const address = { host: 'localhost', port }
  expect(await probeAddress(address)).toBeUndefined()
  expect(await probeAddress(address)).toBeUndefined()
})

test('a port that another program listens on is reported, on any address that includes it', async () => {
  const { port, release } = await takePort()
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    expect(await probeAddress({ host, port })).toEqual({ code: 'port_in_use', host, port })
  }
  await release()
})

test.each(['203.0.113.9', '2001:db8::1', 'no-such-host.invalid', '1.2.3.4.5'])(
  '%s is reported as no address of this computer',
  async (host) => {
    expect(await probeAddress({ host, port: 0 })).toEqual({ code: 'unknown_address', host })
  },
)

test.runIf(process.platform === 'linux')('a privileged port is reported', async () => {
  const script = `import(${JSON.stringify(SOURCE)}).then(async ({ probeAddress }) =>
    console.log(JSON.stringify(await probeAddress({ host: '127.0.0.1', port: 81 }))))`
  // The superuser may listen on every port.
  const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], account)
  expect(JSON.parse(stdout)).toEqual({ code: 'port_forbidden', host: '127.0.0.1', port: 81 })
})
