import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventualValue } from '../../../support/eventually.ts'
import { boot, canBoot, type Machine } from '../../../support/systemd/machine.ts'

const CLI = join(import.meta.dirname, '../../../../src/server/cli.ts')
/** The service cannot see these: neither could it see the sources in them. */
const isHidden = /^\/(home|root|tmp)\//.test(CLI)

const canRun = !isHidden && canBoot()
const NO_SYSTEMD = 'A systemd is booted, which takes root, namespaces and control groups'

describe('under systemd', () => {
  let machine: Machine
  beforeAll(async () => {
    if (canRun) machine = await boot()
  })
  afterAll(async () => await machine?.stop())

  const tidegate = (...args: string[]) => machine.run(process.execPath, CLI, ...args)
  async function property(name: string): Promise<string> {
    const { stdout } = await machine.run('systemctl', 'show', 'tidegate', '-P', name)
    return stdout.trim()
  }
  async function changeConfig(content: object): Promise<void> {
    const file = '/var/lib/tidegate/tidegate.json'
    await machine.run('bash', '-c', `cat > ${file} <<< '${JSON.stringify(content)}'`)
  }

  test('the service is installed, restricted, kept alive, stopped and removed', async ({
    skip,
  }) => {
    skip(!canRun, NO_SYSTEMD)
    const before = await tidegate('service', 'status', '--json')
    expect(before.code).toBe(1)
    expect(JSON.parse(before.stdout)).toMatchObject({ state: 'not_installed', pid: null })

    // The command ends only once the server answers: systemd waits for READY=1.
    const installed = await tidegate('service', 'install')
    expect(installed).toMatchObject({ code: 0, stderr: '' })
    expect(installed.stdout).toContain('Status   Listening on http://127.0.0.1:8440')
    expect(installed.stdout).toContain(
      `sudo -u tidegate ${process.execPath} ${CLI} person setup-link`,
    )
    const asAccount = ['-u', 'tidegate', '--', process.execPath, CLI, 'person', 'setup-link']
    const link = await machine.run('runuser', ...asAccount, '--data', '/var/lib/tidegate')
    expect(link.stdout).toContain('/console/#/link/')
    const status = await tidegate('service', 'status', '--json')
    expect(status.code).toBe(0)
    const { pid, ...shown } = JSON.parse(status.stdout)
    expect(shown).toMatchObject({ state: 'running', detail: 'Listening on http://127.0.0.1:8440' })
    expect(await property('MainPID')).toBe(String(pid))

    const limits = (await machine.run('cat', `/proc/${pid}/status`)).stdout
    expect(limits).toMatch(/^NoNewPrivs:\t1$/m)
    expect(limits).toMatch(/^Seccomp:\t2$/m)
    expect(limits).toMatch(/^CapBnd:\t0+$/m)
    expect(limits).not.toMatch(/^Uid:\t0\t/m)
    const data = await machine.run('stat', '-c', '%U %a', '/var/lib/tidegate')
    expect(data.stdout).toBe('tidegate 700\n')
    const log = await machine.run('journalctl', '-u', 'tidegate', '-o', 'cat')
    expect(log.stdout).toContain('Tidegate is listening on http://127.0.0.1:8440')

    // A second installation brings the first up to date. The unit follows the configuration file.
    await changeConfig({ port: 443, backupFolder: '/srv/copies' })
    const again = await tidegate('service', 'install')
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(again.stdout).toContain('Status   Listening on http://127.0.0.1:443')
    const unit = (await machine.run('cat', '/etc/systemd/system/tidegate.service')).stdout
    expect(unit).toContain('AmbientCapabilities=CAP_NET_BIND_SERVICE\n')
    expect(unit).toContain('ReadWritePaths=-/srv/copies\n')

    // With a short watchdog, a server that hangs is restarted, one that works is not.
    const overrides = '/etc/systemd/system/tidegate.service.d'
    await machine.run('mkdir', '-p', overrides)
    const short = '[Service]\nWatchdogSec=3\nRestartSec=0\nWatchdogSignal=KILL'
    await machine.run('bash', '-c', `cat > ${overrides}/short.conf <<< '${short}'`)
    await machine.run('systemctl', 'daemon-reload')
    expect((await machine.run('systemctl', 'restart', 'tidegate')).code).toBe(0)
    const alive = await property('WatchdogTimestampMonotonic')
    await eventualValue(async () => {
      return (await property('WatchdogTimestampMonotonic')) !== alive || undefined
    })
    expect(await property('NRestarts')).toBe('0')
    await machine.run('kill', '-STOP', await property('MainPID'))
    await eventualValue(async () => (await property('NRestarts')) === '1' || undefined)
    await eventualValue(async () => (await property('ActiveState')) === 'active' || undefined)

    await machine.run('systemctl', 'stop', 'tidegate')
    expect([await property('ActiveState'), await property('Result')]).toEqual([
      'inactive',
      'success',
    ])
    const ended = await machine.run('journalctl', '-u', 'tidegate', '-o', 'cat')
    expect(ended.stdout).toContain('"msg":"stopped"')
    expect(ended.stdout).not.toContain('could not notify')

    // Wrong settings: every problem is in the log, and no restart is tried.
    await changeConfig({ prot: 1 })
    expect((await machine.run('systemctl', 'start', 'tidegate')).code).not.toBe(0)
    expect([await property('ActiveState'), await property('NRestarts')]).toEqual(['failed', '0'])
    const problems = await machine.run('journalctl', '-u', 'tidegate', '-o', 'cat')
    expect(problems.stdout).toContain('prot is not a setting; did you mean port?')
    const refused = await tidegate('service', 'install')
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is invalid') })

    const removed = await tidegate('service', 'uninstall')
    expect(removed).toMatchObject({ code: 0, stderr: '' })
    const after = JSON.parse((await tidegate('service', 'status', '--json')).stdout)
    expect(after.state).toBe('not_installed')
    expect((await machine.run('ls', '/var/lib/tidegate')).stdout).toContain('tidegate.db\n')
  })
})
